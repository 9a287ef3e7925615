//! The organiser's pages, `/staff` and below: a client of its own.

use leptos::prelude::*;
use leptos_router::components::Routes;

use crate::ui::missing::Missing;

#[component]
pub fn Console() -> impl IntoView {
    view! {
        <Routes fallback=Missing>
            {()}
        </Routes>
    }
}
