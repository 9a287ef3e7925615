//! How a show or an order stands, in one word, for those who run it.

use domain::order::OrderState;
use domain::wire::view::{ShowCard, ShowStatus, StaffOrder, StaffShow};
use leptos::prelude::*;

use crate::i18n::{messages as m, use_lang};

#[component]
pub(super) fn ShowBadge(status: ShowStatus) -> impl IntoView {
    let t = use_lang();
    let (class, text) = match status {
        ShowStatus::Draft => ("badge warn", m::STATUS_DRAFT),
        ShowStatus::Upcoming => ("badge soon", m::STAFF_STATUS_UPCOMING),
        ShowStatus::OnSale => ("badge good", m::STATUS_ON_SALE),
        ShowStatus::FewLeft => ("badge good", m::STATUS_FEW_LEFT),
        ShowStatus::SoldOut => ("badge", m::STATUS_SOLD_OUT),
        ShowStatus::Paused => ("badge warn", m::STATUS_PAUSED),
        ShowStatus::Closed => ("badge", m::STATUS_CLOSED),
    };
    view! { <span class=class>{t.say(text)}</span> }.into_any()
}

#[component]
pub(super) fn OrderBadge(order: StaffOrder) -> impl IntoView {
    let t = use_lang();
    let (class, text) = match order.state {
        _ if order.parked => ("badge warn", m::STAFF_ORDER_PARKED),
        OrderState::Held => ("badge soon", m::STAFF_ORDER_HELD),
        OrderState::Paying => ("badge soon", m::STAFF_ORDER_PAYING),
        OrderState::Paid => ("badge good", m::STAFF_ORDER_PAID),
        OrderState::Expired => ("badge", m::STAFF_ORDER_EXPIRED),
        OrderState::Cancelled => ("badge", m::STAFF_ORDER_CANCELLED),
    };
    view! { <span class=class>{t.say(text)}</span> }.into_any()
}

/// Shares of the house as one bar; the numbers stand beside it.
#[component]
pub(super) fn HouseBar(show: StaffShow) -> impl IntoView {
    let all = f64::from(show.card.capacity.max(1));
    let mut at = 0.0;
    let parts = [
        ("bar-sold", show.sold),
        ("bar-held", show.held),
        ("bar-blocked", show.blocked),
    ];
    let parts = parts.map(|(class, places)| {
        let width = f64::from(places) * 100.0 / all;
        let left = at;
        at += width;
        view! {
            <rect class=class x=format!("{left:.2}") y="0" width=format!("{width:.2}") height="4"></rect>
        }
    });
    view! {
        <svg class="house-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
            <rect class="bar-free" x="0" y="0" width="100" height="4"></rect>
            {parts.into_iter().collect_view()}
        </svg>
    }
    .into_any()
}

/// `Berlin Arena, Berlin`.
pub(super) fn place(t: crate::i18n::Lang, card: &ShowCard) -> String {
    t.fill(m::PLACE, &[("venue", &card.venue), ("city", &card.city)])
}
