//! Nothing stands here, or something broke: the pages that say so.

use domain::refusal::Refusal;
use leptos::prelude::*;
use leptos_meta::Title;

use crate::api::ApiError;
use crate::i18n::{messages as m, use_lang};

/// The answer to an address where nothing stands.
#[component]
pub fn Missing() -> impl IntoView {
    view! { <Problem error=ApiError::Refusal(Refusal::NotFound)/> }
}

/// Instead of a page: what happened and what to do next.
#[component]
pub fn Problem(error: ApiError) -> impl IntoView {
    let t = use_lang();
    set_status(error.status());
    let (title, text, reference) = match &error {
        ApiError::Refusal(Refusal::NotFound) => {
            (t.say(m::MISSING_TITLE), t.say(m::MISSING_TEXT), None)
        }
        ApiError::Refusal(refusal) => (
            t.say(m::ERROR_REFUSED_TITLE),
            t.refusal(refusal.code()),
            None,
        ),
        #[cfg(feature = "ssr")]
        ApiError::Misread { .. } => (t.say(m::ERROR_REFUSED_TITLE), t.refusal("malformed"), None),
        ApiError::Unreachable => (
            t.say(m::ERROR_UNREACHABLE_TITLE),
            t.say(m::ERROR_UNREACHABLE_TEXT),
            None,
        ),
        ApiError::Fault { reference } => (
            t.say(m::ERROR_FAULT_TITLE),
            t.say(m::ERROR_FAULT_TEXT),
            Some(reference.clone()),
        ),
    };
    let again = !matches!(error, ApiError::Refusal(Refusal::NotFound));
    view! {
        <Title text=title/>
        <section class="empty" role="alert">
            <h1>{title}</h1>
            <p>{text}</p>
            {reference.map(|reference| view! {
                <p class="muted small">{t.fill(m::ERROR_REFERENCE, &[("reference", &reference)])}</p>
            }.into_any())}
            <p class="actions">
                // An empty address is this page: asked for again, whole.
                {again.then(|| view! { <a class="button" href="" rel="external">{t.say(m::ERROR_RETRY)}</a> }.into_any())}
                <a class="button quiet" href="/">{t.say(m::MISSING_HOME)}</a>
            </p>
        </section>
    }
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
