//! What stands around every page: the way home, my orders, the language.

use leptos::prelude::*;

use crate::i18n::{messages as m, use_lang};
use crate::ui::language::LanguageForm;

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
