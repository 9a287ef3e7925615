//! Which page stands at which address. Links between the fan's and the staff's pages carry
//! `rel="external"`: they are two clients.

use leptos::prelude::*;
use leptos_meta::provide_meta_context;
use leptos_router::components::Router;

use crate::i18n;

/// The fan's pages.
#[cfg(any(feature = "ssr", feature = "fan"))]
#[component]
pub fn FanApp() -> impl IntoView {
    use crate::pages;
    use leptos_router::components::{FlatRoutes, Route};
    use leptos_router::path;

    provide_meta_context();
    i18n::provide();
    // A command that failed before there was a page: only the server shows this, without a client.
    #[cfg(feature = "ssr")]
    if let Some(error) = use_context::<crate::api::ApiError>() {
        return view! {
            <Router>
                <pages::frame::Frame><crate::ui::missing::Problem error/></pages::frame::Frame>
            </Router>
        }
        .into_any();
    }
    view! {
        <Router>
            <pages::frame::Frame>
                <FlatRoutes fallback=crate::ui::missing::Missing>
                    <Route path=path!("/") view=pages::discover::DiscoverPage/>
                    <Route path=path!("/events/:id") view=pages::event::EventPage/>
                    <Route path=path!("/shows/:id") view=pages::show::ShowPage/>
                    <Route path=path!("/shows/:id/seats") view=pages::choose::ChoosePage/>
                    <Route path=path!("/shows/:id/list") view=pages::list::ListPage/>
                    <Route path=path!("/orders") view=pages::orders::OrdersPage/>
                    <Route path=path!("/orders/:id") view=pages::order::OrderPage/>
                </FlatRoutes>
            </pages::frame::Frame>
        </Router>
    }
    .into_any()
}

/// The organiser's pages.
#[cfg(any(feature = "ssr", feature = "staff"))]
#[component]
pub fn StaffApp() -> impl IntoView {
    provide_meta_context();
    i18n::provide();
    view! {
        <Router>
            <crate::console::Console/>
        </Router>
    }
}
