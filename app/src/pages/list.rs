//! Seats as lists and forms: everything the seat map can, without a canvas, a mouse or a script.
//! A house of 50,000 seats is never listed whole: first the section, then its rows.

use domain::ids::{CommandId, SectionIx, ShowId};
use domain::money::Minor;
use domain::refusal::Refusal;
use domain::wire::view::ShowPage as Show;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::{use_params_map, use_query_map};

use super::discover::page_title;
use super::list_rows::Opened;
use crate::api::ask;
use crate::api::shows::{AreaEntry, SeatListing, SectionEntry, seat_list};
use crate::i18n::{messages as m, use_lang};
use crate::ui::load::load;
use crate::ui::notice::RefusalNotice;
use crate::ui::status::{is_open, left};

#[component]
pub fn ListPage() -> impl IntoView {
    let parameters = use_params_map();
    let query = use_query_map();
    let asked = move || {
        let show = parameters
            .read()
            .get("id")
            .and_then(|id| id.parse::<ShowId>().ok());
        let section = query.read().get("section");
        (show, section)
    };
    let found = ask(asked, |(show, section)| async move {
        let show = show.ok_or(Refusal::NotFound)?;
        let section = section.filter(|text| !text.is_empty());
        let section = section.map(|text| text.parse().map(SectionIx)).transpose();
        seat_list(show, section.map_err(|_| Refusal::NotFound)?).await
    });
    load(found, |page| view! { <Page page/> }.into_any())
}

#[component]
fn Page(page: SeatListing) -> impl IntoView {
    let t = use_lang();
    let SeatListing {
        show,
        sections,
        areas,
        opened,
        command_id,
    } = page;
    let id = show.card.id;
    let place = t.fill(
        m::PLACE,
        &[("venue", &show.card.venue), ("city", &show.card.city)],
    );
    let open = is_open(&show.card);
    let choosing = open && show.choose_seats;
    let opened_ix = opened.as_ref().map(|opened| opened.section);
    view! {
        <Title text=page_title(t, &show.title)/>
        <nav class="crumbs"><a href=format!("/shows/{id}")>{show.title.clone()}</a></nav>
        <h1>{t.say(m::LIST_TITLE)}</h1>
        <p class="muted">{t.date_time(&show.card.starts)}" · "{place}</p>
        <RefusalNotice/>
        {(!open).then(|| view! { <p class="notice">{t.say(m::LIST_NOT_OPEN)}</p> }.into_any())}
        {open.then(|| view! { <Best show=show.clone() command_id/> }.into_any())}
        {(open && !areas.is_empty()).then(|| view! { <Areas show=show.clone() areas command_id/> }.into_any())}
        {opened.filter(|_| choosing).map(|opened| view! { <Opened show=show.clone() opened command_id/> }.into_any())}
        {choosing.then(|| view! {
            <section class="card" aria-labelledby="sections">
                <h2 id="sections">{t.say(m::LIST_SECTIONS)}</h2>
                <p class="muted">{t.say(m::LIST_SECTIONS_HINT)}</p>
                <Sections show=show.clone() sections opened=opened_ix/>
            </section>
        }.into_any())}
    }
}

/// `N` best together, chosen by the desk at the moment it holds them.
#[component]
fn Best(show: Show, command_id: CommandId) -> impl IntoView {
    let t = use_lang();
    let currency = show.currency;
    let counts = (1..=show.per_order_max.min(BEST_LISTED_MAX)).map(|n| {
        view! {
            <option value=n selected=n == 2>{n}</option>
        }
    });
    let tiers = show.tiers.iter().filter(|tier| tier.free > 0).map(|tier| {
        let price = t.money(tier.price, currency);
        let text = t.fill(
            m::LIST_TIER_OPTION,
            &[
                ("tier", &tier.name),
                ("price", &price),
                ("left", &left(t, tier.free)),
            ],
        );
        view! { <option value=tier.tier.0>{text}</option> }
    });
    view! {
        <section class="card" aria-labelledby="best">
            <h2 id="best">{t.say(m::LIST_BEST)}</h2>
            <p class="muted">{t.say(m::LIST_BEST_HINT)}</p>
            <form class="line-form" method="post" action=format!("/shows/{}/hold", show.card.id)>
                <input type="hidden" name="command_id" value=command_id.to_string()/>
                <label class="field">
                    <span>{t.say(m::LIST_HOW_MANY)}</span>
                    <select name="best_count">{counts.collect_view()}</select>
                </label>
                <label class="field grow">
                    <span>{t.say(m::LIST_TIER)}</span>
                    <select name="best_tier">
                        <option value="">{t.say(m::LIST_ANY_TIER)}</option>
                        {tiers.collect_view()}
                    </select>
                </label>
                <button class="button">{t.say(m::LIST_HOLD_BEST)}</button>
            </form>
        </section>
    }
}

/// Longest list of numbers in a form; bigger parties choose rows.
const BEST_LISTED_MAX: u32 = 20;

#[component]
fn Areas(show: Show, areas: Vec<AreaEntry>, command_id: CommandId) -> impl IntoView {
    let t = use_lang();
    let most = show.per_order_max;
    let rows = areas.into_iter().map(|area| {
        let price = t.money(area.price, show.currency);
        let hint = format!("{price} · {}", left(t, area.free));
        view! {
            <label class="field">
                <span>{area.name}</span>
                <input
                    type="number" name=format!("area-{}", area.area) min="0" max=most.min(area.free)
                    value="0" inputmode="numeric" disabled=area.free == 0
                />
                <span class="muted small">{hint}</span>
            </label>
        }
    });
    view! {
        <section class="card" aria-labelledby="areas">
            <h2 id="areas">{t.say(m::LIST_STANDING)}</h2>
            <form class="line-form" method="post" action=format!("/shows/{}/hold", show.card.id)>
                <input type="hidden" name="command_id" value=command_id.to_string()/>
                {rows.collect_view()}
                <button class="button">{t.say(m::LIST_HOLD_STANDING)}</button>
            </form>
        </section>
    }
}

#[component]
fn Sections(show: Show, sections: Vec<SectionEntry>, opened: Option<SectionIx>) -> impl IntoView {
    let t = use_lang();
    let id = show.card.id;
    let price = move |from: Minor, to: Minor| {
        let (low, high) = (t.money(from, show.currency), t.money(to, show.currency));
        if from == to {
            low
        } else {
            t.fill(m::PRICE_RANGE, &[("from", &low), ("to", &high)])
        }
    };
    let (open, gone): (Vec<_>, Vec<_>) = sections.into_iter().partition(|entry| entry.free > 0);
    let text = move |entry: SectionEntry| {
        view! {
            <span class="section-name">{entry.name}</span>
            <span class="muted">{price(entry.price_from, entry.price_to)}</span>
            <span class="number">{left(t, entry.free)}</span>
        }
    };
    let open = open.into_iter().map(|entry| {
        let href = format!("/shows/{id}/list?section={}#section", entry.section);
        let current = (opened == Some(entry.section)).then_some("true");
        view! { <li><a class="section-row" href=href aria-current=current>{text(entry)}</a></li> }
    });
    let full = (!gone.is_empty()).then(|| {
        let count = t.count(gone.len() as u64, m::LIST_FULL_ONE, m::LIST_FULL_MANY);
        let rows = gone.into_iter().map(|entry| {
            view! { <li><span class="section-row gone">{text(entry)}</span></li> }
        });
        view! {
            <details>
                <summary>{count}</summary>
                <ul class="rows sections">{rows.collect_view()}</ul>
            </details>
        }
    });
    view! {
        <ul class="rows sections">{open.collect_view()}</ul>
        {full}
    }
}
