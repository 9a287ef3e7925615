//! One show in a list: the day as a leaf of a calendar, then where, how much and how it stands.

use domain::time::Millis;
use domain::wire::view::{ShowCard, VenueTime};
use leptos::prelude::*;

use super::price;
use super::status::StatusBadge;
use crate::i18n::{messages as m, use_lang};

#[component]
pub fn ShowRow(card: ShowCard, now: Millis) -> impl IntoView {
    let t = use_lang();
    let place = t.fill(m::PLACE, &[("venue", &card.venue), ("city", &card.city)]);
    let price = price::from(t, card.price_from.as_ref(), card.price_to.as_ref());
    view! {
        <a class="show-row" href=format!("/shows/{}", card.id)>
            <DayLeaf time=card.starts.clone()/>
            <span class="show-row-text">
                <span class="show-row-when">{t.date_time(&card.starts)}</span>
                <span class="muted">{place}</span>
            </span>
            <span class="show-row-side">
                <StatusBadge status=card.status opens_at=card.opens_at now/>
                <span class="muted">{price}</span>
            </span>
        </a>
    }
}

/// Month, day and weekday; the full date stands beside it, so readers skip this one.
#[component]
pub fn DayLeaf(time: VenueTime) -> impl IntoView {
    let t = use_lang();
    view! {
        <span class="leaf" aria-hidden="true">
            <span class="leaf-month">{t.month(&time)}</span>
            <span class="leaf-day">{time.day}</span>
            <span class="leaf-weekday">{t.weekday(&time)}</span>
        </span>
    }
}
