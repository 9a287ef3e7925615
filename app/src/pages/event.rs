//! What is performed, and when.

use domain::ids::EventId;
use domain::refusal::Refusal;
use domain::wire::view::EventPage as Event;
use leptos::prelude::*;
use leptos_meta::{Meta, Title};
use leptos_router::hooks::use_params_map;

use super::discover::{page_title, paragraphs};
use crate::api::ask;
use crate::api::events::event;
use crate::i18n::{messages as m, use_lang};
use crate::ui::load::load;
use crate::ui::show_row::ShowRow;

#[component]
pub fn EventPage() -> impl IntoView {
    let parameters = use_params_map();
    let id = move || {
        parameters
            .read()
            .get("id")
            .and_then(|id| id.parse::<EventId>().ok())
    };
    let found = ask(id, |id| async move {
        match id {
            Some(id) => event(id).await,
            None => Err(Refusal::NotFound.into()),
        }
    });
    load(found, |page| view! { <Page page/> }.into_any())
}

#[component]
fn Page(page: Event) -> impl IntoView {
    let t = use_lang();
    let now = page.server_now;
    let none = page.shows.is_empty();
    let shows = page
        .shows
        .into_iter()
        .map(|card| view! { <li><ShowRow card now/></li> }.into_any())
        .collect_view();
    view! {
        <Title text=page_title(t, &page.title)/>
        <Meta name="description" content=page.summary.clone()/>
        <article>
            <h1>{page.title}</h1>
            {(!page.summary.is_empty()).then(|| view! { <p class="lead">{page.summary}</p> }.into_any())}
            <div class="prose">{paragraphs(&page.description)}</div>
            <h2>{t.say(m::EVENT_SHOWS)}</h2>
            {if none {
                view! { <p class="empty">{t.say(m::EVENT_NO_SHOWS)}</p> }.into_any()
            } else {
                view! { <ul class="rows card">{shows}</ul> }.into_any()
            }}
        </article>
    }
}
