//! What stands around every page of the console.

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use crate::i18n::{messages as m, use_lang};
use crate::ui::language::LanguageForm;

#[component]
pub(super) fn Frame(children: Children) -> impl IntoView {
    let t = use_lang();
    let place = use_location();
    let inside = move || place.pathname.get() != "/staff/login";
    view! {
        <a class="skip" href="#main" rel="external">{t.say(m::FRAME_SKIP)}</a>
        <header class="top staff-top">
            <a class="brand" href="/staff">
                <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
                    <path d="M3 5v6a9 9 0 0 0 18 0V5" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round"></path>
                    <circle cx="12" cy="10" r="3" fill="currentColor"></circle>
                </svg>
                {t.say(m::STAFF_BRAND)}
            </a>
            <nav class="top-links" aria-label=t.say(m::FRAME_NAV)>
                <Show when=inside>
                    <Place to="/staff" label=t.say(m::STAFF_SHOWS)/>
                    <Place to="/staff/orders" label=t.say(m::STAFF_ORDERS)/>
                    <form method="post" action="/staff/logout">
                        <button class="plain">{t.say(m::STAFF_LOG_OUT)}</button>
                    </form>
                </Show>
                <LanguageForm/>
            </nav>
        </header>
        <main id="main" class="page staff">{children()}</main>
        <footer class="bottom">
            <span>{t.say(m::FRAME_ABOUT)}</span>
            <a href="/" rel="external">{t.say(m::STAFF_TO_FANS)}</a>
        </footer>
    }
    .into_any()
}

/// A link that says when it is where we are.
#[component]
fn Place(to: &'static str, label: &'static str) -> impl IntoView {
    let place = use_location();
    let current = move || (place.pathname.get() == to).then_some("page");
    view! { <a href=to aria-current=current>{label}</a> }.into_any()
}
