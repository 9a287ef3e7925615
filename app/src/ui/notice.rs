//! What just happened, above the page it happened on.

use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use crate::i18n::{messages as m, use_lang};

/// The refusal that a form was answered with, from the address (`?refusal=seats_taken`).
#[component]
pub fn RefusalNotice() -> impl IntoView {
    let t = use_lang();
    let query = use_query_map();
    move || {
        let code = query.read().get("refusal")?;
        let field = query.read().get("field").unwrap_or_default();
        let text = match (code.as_str(), field.as_str()) {
            ("bad_field", "email") => t.say(m::ORDER_EMAIL_BAD),
            ("bad_field", "name") => t.say(m::ORDER_NAME_BAD),
            (code, _) => t.refusal(code),
        };
        Some(view! { <p class="notice bad" role="alert">{text}</p> })
    }
}
