//! Orders of all buyers, found by number, mail or name.

use domain::ids::ShowId;
use domain::wire::view::StaffOrder;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use super::badges::OrderBadge;
use super::page_title;
use crate::api::ask;
use crate::api::staff::orders;
use crate::i18n::{messages as m, use_lang};
use crate::ui::load::load;

#[component]
pub(super) fn OrdersPage() -> impl IntoView {
    let t = use_lang();
    let query = use_query_map();
    let asked = move || {
        let query = query.read();
        let show = query
            .get("show")
            .and_then(|show| show.parse::<ShowId>().ok());
        (show, query.get("q").unwrap_or_default())
    };
    let found = ask(asked, |(show, text)| orders(show, text));
    let show = move || asked().0.map(|show| show.to_string());
    view! {
        <Title text=page_title(t, t.say(m::STAFF_ORDERS))/>
        <h1>{t.say(m::STAFF_ORDERS)}</h1>
        <form class="line-form staff-search" method="get" action="/staff/orders" role="search">
            {move || show().map(|show| view! { <input type="hidden" name="show" value=show/> })}
            <label class="field grow">
                <span>{t.say(m::STAFF_ORDERS_FIND)}</span>
                <input type="search" name="q" maxlength="200" value=move || asked().1 placeholder=t.say(m::STAFF_ORDERS_HINT)/>
            </label>
            <button class="button">{t.say(m::STAFF_ORDERS_GO)}</button>
            {move || show().map(|_| view! {
                <a class="button quiet" href="/staff/orders">{t.say(m::STAFF_ORDERS_ALL)}</a>
            })}
        </form>
        {load(found, |orders| view! { <Orders orders/> }.into_any())}
    }
    .into_any()
}

#[component]
fn Orders(orders: Vec<StaffOrder>) -> impl IntoView {
    let t = use_lang();
    if orders.is_empty() {
        return view! {
            <div class="empty">
                <h2>{t.say(m::STAFF_NO_ORDERS_TITLE)}</h2>
                <p>{t.say(m::STAFF_NO_ORDERS_TEXT)}</p>
            </div>
        }
        .into_any();
    }
    let rows = orders.into_iter().map(|order| view! { <Row order/> });
    view! {
        <div class="card">
            <table class="wide-table">
                <thead><tr>
                    <th scope="col">{t.say(m::STAFF_ORDER)}</th>
                    <th scope="col">{t.say(m::STAFF_ORDER_STATE)}</th>
                    <th scope="col">{t.say(m::STAFF_BUYER)}</th>
                    <th scope="col">{t.say(m::STAFF_SHOW)}</th>
                    <th scope="col" class="number">{t.say(m::STAFF_PLACES)}</th>
                    <th scope="col" class="number">{t.say(m::STAFF_TOTAL)}</th>
                </tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

#[component]
fn Row(order: StaffOrder) -> impl IntoView {
    let t = use_lang();
    let show = format!("/staff/shows/{}", order.show);
    let buyer = match order.name.as_str() {
        "" => view! { <span class="muted">{t.say(m::STAFF_BUYER_UNKNOWN)}</span> }.into_any(),
        name => view! {
            <span>{name.to_owned()}</span>
            <span class="muted small">{order.email.clone()}</span>
        }
        .into_any(),
    };
    let places = order.places;
    view! {
        <tr>
            <th scope="row">
                <span class="order-number">{order.number.clone()}</span>
                <span class="muted small">{t.date_time(&order.created)}</span>
            </th>
            <td><OrderBadge order=order.clone()/></td>
            <td class="two-lines">{buyer}</td>
            <td><a href=show>{order.title.clone()}</a></td>
            <td class="number" data-label=t.say(m::STAFF_PLACES)>{places}</td>
            <td class="number" data-label=t.say(m::STAFF_TOTAL)>{t.price(&order.total)}</td>
        </tr>
    }
    .into_any()
}
