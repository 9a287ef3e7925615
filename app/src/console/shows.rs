//! All shows with how they stand, those to come first.

use domain::wire::view::StaffShow;
use leptos::prelude::*;
use leptos_meta::Title;

use super::badges::{HouseBar, ShowBadge, place};
use super::page_title;
use crate::api::ask;
use crate::api::staff::shows;
use crate::i18n::{grouped, messages as m, use_lang};
use crate::ui::load::load;
use crate::ui::show_row::DayLeaf;

#[component]
pub(super) fn ShowsPage() -> impl IntoView {
    let t = use_lang();
    let found = ask(|| (), |()| shows());
    view! {
        <Title text=page_title(t, t.say(m::STAFF_SHOWS))/>
        <div class="staff-head">
            <h1>{t.say(m::STAFF_SHOWS)}</h1>
            <a class="button" href="/staff/shows/new">{t.say(m::STAFF_NEW_SHOW)}</a>
        </div>
        {load(found, |shows| view! { <Shows shows/> }.into_any())}
    }
    .into_any()
}

#[component]
fn Shows(shows: Vec<StaffShow>) -> impl IntoView {
    let t = use_lang();
    if shows.is_empty() {
        return view! {
            <div class="empty">
                <h2>{t.say(m::STAFF_NO_SHOWS_TITLE)}</h2>
                <p>{t.say(m::STAFF_NO_SHOWS_TEXT)}</p>
                <p class="actions"><a class="button" href="/staff/shows/new">{t.say(m::STAFF_NEW_SHOW)}</a></p>
            </div>
        }
        .into_any();
    }
    let rows = shows.into_iter().map(|show| view! { <li><Row show/></li> });
    view! { <ul class="rows card">{rows.collect_view()}</ul> }.into_any()
}

#[component]
fn Row(show: StaffShow) -> impl IntoView {
    let t = use_lang();
    let card = show.card.clone();
    let counts = [
        (m::STAFF_SOLD, show.sold),
        (m::STAFF_HELD, show.held),
        (m::STAFF_KEPT, show.blocked),
        (m::STAFF_FREE, card.free),
    ];
    let counts = counts.map(|(label, places)| {
        view! { <span><span class="count">{grouped(u64::from(places))}</span>" "{t.say(label)}</span> }
    });
    view! {
        <a class="show-row staff-row" href=format!("/staff/shows/{}", card.id)>
            <DayLeaf time=card.starts.clone()/>
            <span class="show-row-text">
                <span class="show-row-when">{show.title.clone()}</span>
                <span class="muted">{t.date_time(&card.starts)}" · "{place(t, &card)}</span>
                <span class="staff-counts small">{counts.into_iter().collect_view()}</span>
                <HouseBar show=show.clone()/>
            </span>
            <span class="show-row-side">
                <ShowBadge status=card.status/>
                <span class="count">{t.price(&show.revenue)}</span>
            </span>
        </a>
    }
    .into_any()
}
