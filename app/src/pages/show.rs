//! One performance: what, when, where, how much, what is left, and the way to the seats.

use domain::ids::ShowId;
use domain::refusal::Refusal;
use domain::wire::view::{ShowPage as Show, ShowStatus, TierView};
use leptos::prelude::*;
use leptos_meta::{Meta, Title};
use leptos_router::hooks::use_params_map;

use super::discover::{page_title, paragraphs};
use crate::api::ask;
use crate::api::shows::show;
use crate::i18n::{messages as m, use_lang};
use crate::ui::countdown::seconds_left;
use crate::ui::load::load;
use crate::ui::price;
use crate::ui::show_row::DayLeaf;
use crate::ui::status::{StatusBadge, Swatch, is_open, left};

#[component]
pub fn ShowPage() -> impl IntoView {
    let parameters = use_params_map();
    let id = move || {
        parameters
            .read()
            .get("id")
            .and_then(|id| id.parse::<ShowId>().ok())
    };
    let found = ask(id, |id| async move {
        match id {
            Some(id) => show(id).await,
            None => Err(Refusal::NotFound.into()),
        }
    });
    let again = Callback::new(move |()| found.bytes.refetch());
    load(found, move |page| view! { <Page page again/> }.into_any())
}

#[component]
fn Page(page: Show, again: Callback<()>) -> impl IntoView {
    let t = use_lang();
    let card = page.card.clone();
    let place = t.fill(m::PLACE, &[("venue", &card.venue), ("city", &card.city)]);
    let prices = price::range(t, card.price_from.as_ref(), card.price_to.as_ref());
    let currency = page.currency;
    let tiers = page
        .tiers
        .iter()
        .map(|tier| tier_row(tier, t.money(tier.price, currency)))
        .collect_view();
    let description = format!("{} · {place}", t.date_time(&card.starts));
    view! {
        <Title text=page_title(t, &page.title)/>
        <Meta name="description" content=description/>
        <article class="show">
            <header class="show-head">
                <DayLeaf time=card.starts.clone()/>
                <div>
                    <h1>{page.title.clone()}</h1>
                    <p class="show-facts">
                        <span>{t.date_time(&card.starts)}</span>
                        <span>{place}</span>
                        <span class="muted">{prices}</span>
                    </p>
                    <p><StatusBadge status=card.status opens_at=card.opens_at now=page.server_now/></p>
                </div>
            </header>
            <Way page=page.clone() again/>
            <section class="card">
                <h2>{t.say(m::SHOW_PRICES)}</h2>
                <table class="tiers">
                    <thead><tr>
                        <th scope="col">{t.say(m::SHOW_TIER)}</th>
                        <th scope="col" class="number">{t.say(m::SHOW_PRICE)}</th>
                        <th scope="col" class="number">{t.say(m::SHOW_LEFT)}</th>
                    </tr></thead>
                    <tbody>{tiers}</tbody>
                </table>
                <p class="muted small">{t.count(u64::from(page.per_order_max), m::SHOW_LIMIT_ONE, m::SHOW_LIMIT)}</p>
            </section>
            <section class="prose">{paragraphs(&page.description)}</section>
            <p class="actions">
                <a class="button quiet" href=format!("/events/{}", page.event)>{t.say(m::SHOW_OTHER_DATES)}</a>
                <Share title=page.title/>
            </p>
        </article>
    }
}

fn tier_row(tier: &TierView, price: String) -> impl IntoView + use<> {
    let t = use_lang();
    view! {
        <tr class:gone=tier.free == 0>
            <th scope="row"><Swatch color=tier.color/>{tier.name.clone()}</th>
            <td class="number">{price}</td>
            <td class="number">{left(t, tier.free)}</td>
        </tr>
    }
}

/// What can be done now: choose, wait for the sale, or look elsewhere.
#[component]
fn Way(page: Show, again: Callback<()>) -> impl IntoView {
    let t = use_lang();
    let id = page.card.id;
    if is_open(&page.card) {
        let list = view! {
            <a class="button quiet" href=format!("/shows/{id}/list")>{t.say(m::SHOW_LIST)}</a>
        };
        let map = page.choose_seats.then(|| {
            view! {
                <a class="button big" href=format!("/shows/{id}/seats")>{t.say(m::SHOW_CHOOSE)}</a>
            }
        });
        return view! { <p class="actions">{map}{list}</p> }.into_any();
    }
    match page.card.status {
        ShowStatus::Upcoming => view! { <Opening page again/> }.into_any(),
        ShowStatus::SoldOut => view! { <p class="notice">{t.say(m::SHOW_SOLD_OUT)}</p> }.into_any(),
        ShowStatus::Paused => {
            view! { <p class="notice warn">{t.say(m::SHOW_PAUSED)}</p> }.into_any()
        }
        _ => view! { <p class="notice">{t.say(m::SHOW_CLOSED)}</p> }.into_any(),
    }
}

/// The sale's beginning: the time first, then the seconds, by the server's clock.
#[component]
fn Opening(page: Show, again: Callback<()>) -> impl IntoView {
    let t = use_lang();
    let opens = t.date_time(&page.card.opens);
    let seconds = seconds_left(page.card.opens_at, page.server_now, move || again.run(()));
    view! {
        <div class="notice soon">
            <p><strong>{t.fill(m::SHOW_OPENS, &[("time", &opens)])}</strong></p>
            <p class="count" role="timer">{move || t.countdown(seconds.get())}</p>
            <p class="muted small">{t.say(m::SHOW_OPENS_HINT)}</p>
        </div>
    }
}

/// The address of this page to the visitor's other programs; there only where the browser can.
#[component]
fn Share(title: String) -> impl IntoView {
    let t = use_lang();
    let (can, set_can) = signal(false);
    let (done, set_done) = signal(false);
    #[cfg(feature = "hydrate")]
    Effect::new(move || set_can.set(true));
    #[cfg(not(feature = "hydrate"))]
    let _ = (set_can, set_done);
    let share = move |_| {
        #[cfg(feature = "hydrate")]
        crate::ui::share::share(&title, set_done);
        #[cfg(not(feature = "hydrate"))]
        let _ = &title;
    };
    view! {
        <button type="button" class="button quiet" hidden=move || !can.get() on:click=share>
            {move || t.say(if done.get() { m::SHOW_COPIED } else { m::SHOW_SHARE })}
        </button>
    }
}
