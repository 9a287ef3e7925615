//! The other languages of a page.

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use crate::i18n::{Lang, use_lang};

/// One button a language that is not this one; a form, so that a page never sets a cookie.
#[component]
pub fn LanguageForm() -> impl IntoView {
    let t = use_lang();
    let place = use_location();
    let back = move || {
        let (path, query) = (place.pathname.get(), place.search.get());
        if query.is_empty() {
            path
        } else {
            format!("{path}?{}", query.trim_start_matches('?'))
        }
    };
    let others = Lang::ALL.into_iter().filter(move |lang| *lang != t);
    view! {
        <form class="language" method="post" action="/language">
            <input type="hidden" name="back" value=back/>
            {others.map(|lang| view! {
                <button class="plain" name="locale" value=lang.word() lang=lang.tag()>{lang.name()}</button>
            }.into_any()).collect_view()}
        </form>
    }
}
