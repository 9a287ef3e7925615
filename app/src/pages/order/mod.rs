//! One order, by its state: checkout while held, waiting while it is paid, tickets, or how it ended.

use domain::ids::OrderId;
use domain::order::OrderState;
use domain::refusal::Refusal;
use domain::wire::view::{LineView, OrderView};
use leptos::prelude::*;
use leptos_meta::{Meta, Title};
use leptos_router::hooks::use_params_map;

use super::discover::page_title;
use super::orders::number_line;
use crate::api::ask;
use crate::api::orders::{OrderPage as Page, order};
use crate::i18n::{Lang, Message, messages as m, use_lang};
use crate::ui::load::load;
use crate::ui::notice::RefusalNotice;

/// The seats are held: drop some, say who you are, pay.
mod checkout;
/// The buyer is at the payment provider.
mod paying;
/// Paid: tickets to show at the door.
mod tickets;

#[component]
pub fn OrderPage() -> impl IntoView {
    let t = use_lang();
    let parameters = use_params_map();
    let id = move || {
        parameters
            .read()
            .get("id")
            .and_then(|id| id.parse::<OrderId>().ok())
    };
    let found = ask(id, |id| async move {
        match id {
            Some(id) => order(id).await,
            None => Err(Refusal::NotFound.into()),
        }
    });
    let again = Callback::new(move |()| found.bytes.refetch());
    view! {
        // An order's address is nobody else's business.
        <Meta name="referrer" content="same-origin"/>
        {load(found, move |page: Page| {
            let title = page_title(t, &page.order.title);
            view! { <Title text=title/> <RefusalNotice/> {by_state(page, again)} }.into_any()
        })}
    }
}

fn by_state(page: Page, again: Callback<()>) -> AnyView {
    let order = page.order;
    if order.parked {
        return view! { <Ended order title=m::ORDER_PARKED_TITLE text=m::ORDER_PARKED_TEXT similar=false/> }.into_any();
    }
    match order.state {
        OrderState::Held => view! {
            <checkout::Checkout order pay_id=page.pay_id change_id=page.change_id again/>
        }
        .into_any(),
        OrderState::Paying => {
            view! { <paying::Paying order change_id=page.change_id again/> }.into_any()
        }
        OrderState::Paid => view! { <tickets::Tickets order/> }.into_any(),
        OrderState::Expired => view! {
            <Ended order title=m::ORDER_EXPIRED_TITLE text=m::ORDER_EXPIRED_TEXT similar=true/>
        }
        .into_any(),
        OrderState::Cancelled => view! {
            <Ended order title=m::ORDER_CANCELLED_TITLE text=m::ORDER_CANCELLED_TEXT similar=true/>
        }
        .into_any(),
    }
}

/// How it ended, and the way on.
#[component]
fn Ended(order: OrderView, title: Message, text: Message, similar: bool) -> impl IntoView {
    let t = use_lang();
    view! {
        <section class="empty">
            <h1>{t.say(title)}</h1>
            <p>{t.say(text)}</p>
            <p class="muted small">{number_line(t, &order.number)}</p>
            <p class="actions">
                {similar.then(|| view! {
                    <a class="button" href=format!("/shows/{}/seats", order.show)>{t.say(m::ORDER_SIMILAR)}</a>
                    <a class="button quiet" href=format!("/shows/{}/list", order.show)>{t.say(m::SHOW_LIST)}</a>
                }.into_any())}
                <a class="button quiet" href="/orders">{t.say(m::FRAME_MY_ORDERS)}</a>
            </p>
        </section>
    }
}

/// What is performed, when and where.
#[component]
fn Facts(order: OrderView) -> impl IntoView {
    let t = use_lang();
    let place = t.fill(m::PLACE, &[("venue", &order.venue), ("city", &order.city)]);
    view! {
        <p class="show-facts">
            <strong>{order.title}</strong>
            <span>{t.date_time(&order.starts)}</span>
            <span class="muted">{place}</span>
        </p>
    }
}

/// `Block A, row 3, seat 12`, or the area's name.
fn place_words(t: Lang, line: &LineView) -> String {
    if line.seat.is_none() {
        return line.section.clone();
    }
    t.fill(
        m::SEAT_WORDS,
        &[
            ("section", &line.section),
            ("row", &line.row),
            ("seat", &line.label),
        ],
    )
}

/// The form that gives everything back.
#[component]
fn CancelForm(order: OrderId, command_id: domain::ids::CommandId) -> impl IntoView {
    let t = use_lang();
    view! {
        <form method="post" action=format!("/orders/{order}/cancel")>
            <input type="hidden" name="command_id" value=command_id.to_string()/>
            <button class="plain">{t.say(m::ORDER_CANCEL)}</button>
        </form>
    }
}
