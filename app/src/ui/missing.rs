//! The answer to an address where nothing stands.

use leptos::prelude::*;

/// Says so, and sets the status 404.
#[component]
pub fn Missing() -> impl IntoView {
    set_status(404);
    view! { <p>"404"</p> }
}

/// The status of the page being rendered; in the browser there is none.
pub fn set_status(status: u16) {
    #[cfg(feature = "ssr")]
    if let (Some(options), Ok(status)) = (
        use_context::<leptos_axum::ResponseOptions>(),
        axum::http::StatusCode::from_u16(status),
    ) {
        options.set_status(status);
    }
    #[cfg(not(feature = "ssr"))]
    let _ = status;
}
