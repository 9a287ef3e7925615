//! The seat map page.

use leptos::prelude::*;

#[component]
pub fn ChoosePage() -> impl IntoView {
    view! { <h1>"Seats"</h1> }
}
