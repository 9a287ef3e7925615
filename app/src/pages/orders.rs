//! All orders of this buyer, past and coming.

use domain::order::OrderState;
use domain::wire::view::OrderView;
use leptos::prelude::*;
use leptos_meta::Title;

use super::discover::page_title;
use crate::api::orders::my_orders;
use crate::api::{ApiError, ask};
use crate::i18n::{Lang, Message, messages as m, use_lang};
use crate::ui::load::load;
use crate::ui::show_row::DayLeaf;

#[component]
pub fn OrdersPage() -> impl IntoView {
    let t = use_lang();
    let found = ask(
        || (),
        |()| async {
            match my_orders().await {
                // Whoever never held a seat has no session yet, and no orders either.
                Err(ApiError::Refusal(domain::refusal::Refusal::NoSession)) => Ok(Vec::new()),
                other => other,
            }
        },
    );
    view! {
        <Title text=page_title(t, t.say(m::ORDERS_TITLE))/>
        <h1>{t.say(m::ORDERS_TITLE)}</h1>
        {load(found, |orders| view! { <Orders orders/> }.into_any())}
    }
}

#[component]
fn Orders(orders: Vec<OrderView>) -> impl IntoView {
    let t = use_lang();
    if orders.is_empty() {
        return view! {
            <div class="empty">
                <h2>{t.say(m::ORDERS_NONE_TITLE)}</h2>
                <p>{t.say(m::ORDERS_NONE_TEXT)}</p>
                <p class="actions"><a class="button" href="/">{t.say(m::MISSING_HOME)}</a></p>
            </div>
        }
        .into_any();
    }
    let rows = orders
        .into_iter()
        .map(|order| view! { <li><Row order/></li> }.into_any())
        .collect_view();
    view! { <ul class="rows card">{rows}</ul> }.into_any()
}

#[component]
fn Row(order: OrderView) -> impl IntoView {
    let t = use_lang();
    let (class, state) = state_word(&order);
    let places = t.count(order.lines.len() as u64, m::SEATS_ONE, m::SEATS_MANY);
    view! {
        <a class="show-row" href=format!("/orders/{}", order.id)>
            <DayLeaf time=order.starts.clone()/>
            <span class="show-row-text">
                <span class="show-row-when">{order.title.clone()}</span>
                <span class="muted">{t.date_time(&order.starts)}</span>
                <span class="muted small">{number_line(t, &order.number)}" · "{places}</span>
            </span>
            <span class="show-row-side">
                <span class=class>{t.say(state)}</span>
                <span class="muted">{t.money(order.total, order.currency)}</span>
            </span>
        </a>
    }
}

/// The order's state as a badge: its class and its word.
pub(super) fn state_word(order: &OrderView) -> (&'static str, Message) {
    match order.state {
        _ if order.parked => ("badge warn", m::STATE_PARKED),
        OrderState::Held => ("badge soon", m::STATE_HELD),
        OrderState::Paying => ("badge soon", m::STATE_PAYING),
        OrderState::Paid => ("badge good", m::STATE_PAID),
        OrderState::Expired => ("badge", m::STATE_EXPIRED),
        OrderState::Cancelled => ("badge", m::STATE_CANCELLED),
    }
}

/// `Order 4F2K-9T0C-X7M3-Q5`.
pub(super) fn number_line(t: Lang, number: &str) -> String {
    t.fill(m::ORDER_NUMBER, &[("number", number)])
}
