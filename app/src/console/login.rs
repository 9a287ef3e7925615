//! Signing in: a plain form.

use leptos::prelude::*;
use leptos_meta::Title;

use super::notice::StaffNotice;
use super::page_title;
use crate::i18n::{messages as m, use_lang};

#[component]
pub(super) fn LoginPage() -> impl IntoView {
    let t = use_lang();
    view! {
        <Title text=page_title(t, t.say(m::STAFF_LOGIN_TITLE))/>
        <section class="card login">
            <h1>{t.say(m::STAFF_LOGIN_TITLE)}</h1>
            <StaffNotice/>
            <form class="stack" method="post" action="/staff/login">
                <label class="field">
                    <span>{t.say(m::STAFF_LOGIN_EMAIL)}</span>
                    <input type="email" name="email" autocomplete="username" maxlength="254" required/>
                </label>
                <label class="field">
                    <span>{t.say(m::STAFF_LOGIN_PASSWORD)}</span>
                    <input type="password" name="password" autocomplete="current-password" required/>
                </label>
                <button class="button">{t.say(m::STAFF_LOGIN_GO)}</button>
            </form>
        </section>
    }
    .into_any()
}
