//! One show: how it stands, what decides about it, and what the house keeps.

use domain::board::settings::Settings;
use domain::ids::{SectionIx, ShowId};
use domain::refusal::Refusal;
use domain::wire::view::{ShowStatus, StaffShow};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::{use_params_map, use_query_map};

use super::badges::{HouseBar, ShowBadge, place};
use super::house::House;
use super::notice::StaffNotice;
use super::page_title;
use crate::api::ask;
use crate::api::staff::{HousePage, show};
use crate::i18n::{grouped, messages as m, use_lang};
use crate::ui::load::load;
use crate::ui::show_row::DayLeaf;
use crate::ui::status::Swatch;

#[component]
pub(super) fn ShowPage() -> impl IntoView {
    let parameters = use_params_map();
    let query = use_query_map();
    let asked = move || {
        let id = parameters.read().get("id");
        let section = query.read().get("section");
        (
            id.and_then(|id| id.parse::<ShowId>().ok()),
            section
                .and_then(|section| section.parse().ok())
                .map(SectionIx),
        )
    };
    let found = ask(asked, |(id, section)| async move {
        match id {
            Some(id) => show(id, section).await,
            None => Err(Refusal::NotFound.into()),
        }
    });
    load(found, |page| view! { <Page page/> }.into_any())
}

#[component]
fn Page(page: HousePage) -> impl IntoView {
    let t = use_lang();
    let HousePage {
        show,
        settings,
        seats,
    } = page;
    let card = show.card.clone();
    view! {
        <Title text=page_title(t, &show.title)/>
        <header class="show-head">
            <DayLeaf time=card.starts.clone()/>
            <div>
                <h1>{show.title.clone()}</h1>
                <p class="show-facts">
                    <span>{t.date_time(&card.starts)}</span>
                    <span>{place(t, &card)}</span>
                </p>
                <p><ShowBadge status=card.status/></p>
            </div>
        </header>
        <StaffNotice/>
        <Steps show=show.clone() paused=settings.paused/>
        <Counts show=show.clone()/>
        <Terms show=show.clone() settings/>
        <House show=card.id seats/>
    }
    .into_any()
}

/// What can be done with the show as a whole.
#[component]
fn Steps(show: StaffShow, paused: bool) -> impl IntoView {
    let t = use_lang();
    let id = show.card.id;
    let orders = view! {
        <a class="button quiet" href=format!("/staff/orders?show={id}")>{t.say(m::STAFF_SHOW_ORDERS)}</a>
    };
    if show.card.status == ShowStatus::Draft {
        return view! {
            <div class="notice warn">
                <p>{t.say(m::STAFF_DRAFT_TEXT)}</p>
                <form method="post" action=format!("/staff/shows/{id}/publish")>
                    <button class="button">{t.say(m::STAFF_PUBLISH)}</button>
                </form>
            </div>
        }
        .into_any();
    }
    let sells = show.card.status != ShowStatus::Closed;
    let pause = sells.then(|| {
        let label = if paused {
            m::STAFF_RESUME
        } else {
            m::STAFF_PAUSE
        };
        let value = if paused { "false" } else { "true" };
        view! {
            <form method="post" action=format!("/staff/shows/{id}/pause")>
                <input type="hidden" name="paused" value=value/>
                <button class="button" class:quiet=!paused>{t.say(label)}</button>
            </form>
        }
    });
    view! {
        <div class="actions">
            {pause}
            {orders}
            <a class="button quiet" rel="external" href=format!("/shows/{id}")>{t.say(m::STAFF_VIEW_AS_FAN)}</a>
        </div>
    }
    .into_any()
}

#[component]
fn Counts(show: StaffShow) -> impl IntoView {
    let t = use_lang();
    let counts = [
        ("tile sold", m::STAFF_SOLD, show.sold),
        ("tile held", m::STAFF_HELD, show.held),
        ("tile kept", m::STAFF_KEPT, show.blocked),
        ("tile free", m::STAFF_FREE, show.card.free),
    ];
    let tiles = counts.map(|(class, label, places)| {
        view! { <div class=class><dt>{t.say(label)}</dt><dd>{grouped(u64::from(places))}</dd></div> }
    });
    view! {
        <section class="card" aria-label=t.say(m::STAFF_HOUSE_NOW)>
            <dl class="tiles">
                {tiles.into_iter().collect_view()}
                <div class="tile"><dt>{t.say(m::STAFF_REVENUE)}</dt><dd>{t.price(&show.revenue)}</dd></div>
            </dl>
            <HouseBar show/>
        </section>
    }
    .into_any()
}

/// Window, prices and limits.
#[component]
fn Terms(show: StaffShow, settings: Settings) -> impl IntoView {
    let t = use_lang();
    let currency = settings.currency;
    let tiers = settings.tiers.iter().map(|tier| {
        view! {
            <tr>
                <th scope="row"><Swatch color=tier.color/>{tier.name.clone()}</th>
                <td class="number">{t.money(tier.price, currency)}</td>
            </tr>
        }
    });
    let minutes = (settings.hold_ttl.0 / 60_000).to_string();
    let facts = [
        (m::STAFF_OPENS, t.date_time(&show.card.opens)),
        (m::STAFF_CLOSES, t.date_time(&show.closes)),
        (m::STAFF_FEE, t.money(settings.fees.per_ticket, currency)),
        (m::STAFF_PER_ORDER, settings.per_order_max.to_string()),
        (m::STAFF_PER_BUYER, settings.per_buyer_max.to_string()),
        (m::STAFF_HOLD_MINUTES, minutes),
    ];
    let facts = facts.map(|(label, value)| {
        view! { <div><dt>{t.say(label)}</dt><dd>{value}</dd></div> }
    });
    view! {
        <section class="card columns">
            <div>
                <h2>{t.say(m::STAFF_PRICES)}</h2>
                <table class="tiers"><tbody>{tiers.collect_view()}</tbody></table>
            </div>
            <div>
                <h2>{t.say(m::STAFF_TERMS)}</h2>
                <dl class="sums">{facts.into_iter().collect_view()}</dl>
            </div>
        </section>
    }
    .into_any()
}
