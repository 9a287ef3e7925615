//! The organiser's pages, `/staff` and below: a client of its own. Reading goes by server
//! functions; every change is a plain form that works without the client, which only adds checks
//! while somebody types.

mod badges;
mod frame;
mod house;
mod login;
mod new_show;
mod notice;
mod orders;
mod show;
mod shows;

use leptos::prelude::*;
use leptos_router::components::{Route, Routes};
use leptos_router::path;

use crate::i18n::{Lang, messages as m};
use crate::ui::missing::Missing;
use crate::ui::title::title_text;

#[component]
pub fn Console() -> impl IntoView {
    // A command that failed before there was a page: only the server shows this, without a client.
    #[cfg(feature = "ssr")]
    if let Some(error) = use_context::<crate::api::ApiError>() {
        return view! { <frame::Frame><crate::ui::missing::Problem error/></frame::Frame> }
            .into_any();
    }
    view! {
        <frame::Frame>
            <Routes fallback=Missing>
                <Route path=path!("/staff/login") view=login::LoginPage/>
                <Route path=path!("/staff") view=shows::ShowsPage/>
                // A form that was refused comes back under the address it was sent to.
                <Route path=path!("/staff/shows") view=new_show::NewShowPage/>
                <Route path=path!("/staff/shows/new") view=new_show::NewShowPage/>
                <Route path=path!("/staff/shows/:id") view=show::ShowPage/>
                <Route path=path!("/staff/orders") view=orders::OrdersPage/>
            </Routes>
        </frame::Frame>
    }
    .into_any()
}

/// `Orders · Rowlock console`.
fn page_title(t: Lang, title: &str) -> String {
    t.fill(m::STAFF_PAGE_TITLE, &[("title", &title_text(title))])
}
