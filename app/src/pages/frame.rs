//! What stands around every page: the way home, my orders, the language.

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use crate::i18n::{Lang, messages as m, use_lang};

#[component]
pub fn Frame(children: Children) -> impl IntoView {
    let t = use_lang();
    view! {
        <a class="skip" href="#main" rel="external">{t.say(m::FRAME_SKIP)}</a>
        <header class="top">
            <a class="brand" href="/">
                <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
                    <path d="M3 5v6a9 9 0 0 0 18 0V5" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round"></path>
                    <circle cx="12" cy="10" r="3" fill="currentColor"></circle>
                </svg>
                "Rowlock"
            </a>
            <nav class="top-links" aria-label=t.say(m::FRAME_NAV)>
                <a href="/orders">{t.say(m::FRAME_MY_ORDERS)}</a>
                <LanguageForm/>
            </nav>
        </header>
        <main id="main" class="page">{children()}</main>
        <footer class="bottom">
            <span>{t.say(m::FRAME_ABOUT)}</span>
            <a href="/staff" rel="external">{t.say(m::FRAME_ORGANISERS)}</a>
        </footer>
    }
}

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
            }).collect_view()}
        </form>
    }
}
