//! One field of the form: label, input, hint, and what is wrong with it.

use domain::new_show::BadField;
use leptos::prelude::*;

use crate::console::notice::bad_text;
use crate::i18n::use_lang;

/// What a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text {
        chars_max: u32,
    },
    /// `YYYY-MM-DDTHH:MM`, picked by the browser.
    Time,
    /// An amount in major units, a dot before the minor ones.
    Money,
    Whole {
        min: u32,
        max: u32,
    },
}

#[component]
pub(super) fn Field(
    bad: Memo<Vec<BadField>>,
    #[prop(into)] name: String,
    label: &'static str,
    value: String,
    kind: Kind,
    #[prop(optional)] hint: &'static str,
    #[prop(optional)] required: bool,
) -> impl IntoView {
    let (form, mode, pattern) = match kind {
        Kind::Text { .. } => ("text", None, None),
        Kind::Time => ("datetime-local", None, None),
        Kind::Money => ("text", Some("decimal"), Some(r"[0-9]+(\.[0-9]+)?")),
        Kind::Whole { .. } => ("number", Some("numeric"), None),
    };
    let chars_max = match kind {
        Kind::Text { chars_max } => Some(chars_max),
        Kind::Money => Some(20),
        _ => None,
    };
    let (min, max) = match kind {
        Kind::Whole { min, max } => (Some(min), Some(max)),
        _ => (None, None),
    };
    let invalid = {
        let name = name.clone();
        move || {
            bad.read()
                .iter()
                .any(|bad| bad.field == name)
                .then_some("true")
        }
    };
    let hint = (!hint.is_empty()).then(|| {
        view! { <span class="muted small" id=format!("{name}-hint")>{hint}</span> }
    });
    let told = format!("{name}-hint {name}-bad");
    view! {
        <div class="field">
            <label for=name.clone()>{label}</label>
            <input
                type=form id=name.clone() name=name.clone() value=value required=required
                inputmode=mode pattern=pattern maxlength=chars_max min=min max=max autocomplete="off"
                aria-invalid=invalid aria-describedby=told
            />
            {hint}
            <Problem bad name/>
        </div>
    }
    .into_any()
}

/// What is wrong with the field `name`, told when it changes.
#[component]
pub(super) fn Problem(bad: Memo<Vec<BadField>>, #[prop(into)] name: String) -> impl IntoView {
    let t = use_lang();
    let id = format!("{name}-bad");
    let text = move || {
        let bad = bad.read();
        let found = bad.iter().find(|bad| bad.field == name);
        found.map_or("", |bad| bad_text(t, bad.bad))
    };
    view! { <span class="field-bad" role="status" id=id>{text}</span> }.into_any()
}

/// The name of the field that an event is about.
#[cfg(feature = "hydrate")]
pub(super) fn name_of(event: &leptos::ev::Event) -> Option<String> {
    event_target::<web_sys::Element>(event).get_attribute("name")
}

#[cfg(not(feature = "hydrate"))]
pub(super) fn name_of(_event: &leptos::ev::Event) -> Option<String> {
    None
}
