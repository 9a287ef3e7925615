//! The buyer is at the payment provider, or back before its word has arrived.

use domain::ids::CommandId;
use domain::wire::view::OrderView;
use leptos::prelude::*;

use super::{CancelForm, Facts};
use crate::i18n::{messages as m, use_lang};

/// How often a waiting page asks.
#[cfg(feature = "hydrate")]
const ASK_EVERY: std::time::Duration = std::time::Duration::from_secs(2);

/// Without a script the page loads itself anew. It is text to a browser with scripts, so it must
/// not be part of the tree that is taken over.
const RELOAD_WITHOUT_SCRIPT: &str = r#"<meta http-equiv="refresh" content="4">"#;

#[component]
pub(super) fn Paying(order: OrderView, change_id: CommandId, again: Callback<()>) -> impl IntoView {
    let t = use_lang();
    let total = t.money(order.total, order.currency);
    let id = order.id;
    #[cfg(feature = "hydrate")]
    Effect::new(move || {
        if let Ok(beat) = set_interval_with_handle(move || again.run(()), ASK_EVERY) {
            on_cleanup(move || beat.clear());
        }
    });
    #[cfg(not(feature = "hydrate"))]
    let _ = again;
    view! {
        <noscript inner_html=RELOAD_WITHOUT_SCRIPT></noscript>
        <section class="empty" aria-live="polite">
            <span class="spinner" aria-hidden="true"></span>
            <h1>{t.say(m::PAYING_TITLE)}</h1>
            <p>{t.fill(m::PAYING_TEXT, &[("total", &total)])}</p>
            <Facts order/>
            <CancelForm order=id command_id=change_id/>
        </section>
    }
}
