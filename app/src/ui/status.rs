//! Where a show stands, in one word, and how much is left.

use domain::time::Millis;
use domain::wire::view::{ShowCard, ShowStatus};
use leptos::prelude::*;

use crate::i18n::{Lang, messages as m, use_lang};

/// A word on a coloured ground; the word alone says it.
#[component]
pub fn StatusBadge(status: ShowStatus, opens_at: Millis, now: Millis) -> impl IntoView {
    let t = use_lang();
    let (class, text) = match status {
        ShowStatus::Draft => ("badge", t.say(m::STATUS_DRAFT).to_owned()),
        ShowStatus::Upcoming => ("badge soon", on_sale_in(t, opens_at, now)),
        ShowStatus::OnSale => ("badge good", t.say(m::STATUS_ON_SALE).to_owned()),
        ShowStatus::FewLeft => ("badge warn", t.say(m::STATUS_FEW_LEFT).to_owned()),
        ShowStatus::SoldOut => ("badge", t.say(m::STATUS_SOLD_OUT).to_owned()),
        ShowStatus::Paused => ("badge warn", t.say(m::STATUS_PAUSED).to_owned()),
        ShowStatus::Closed => ("badge", t.say(m::STATUS_CLOSED).to_owned()),
    };
    view! { <span class=class>{text}</span> }
}

/// `On sale in 3 days`; in the unit that matters, rounded up so that it never promises too early.
pub fn on_sale_in(t: Lang, opens_at: Millis, now: Millis) -> String {
    let minutes = ((opens_at - now).0.max(0) as u64).div_ceil(60_000).max(1);
    let time = if minutes < 120 {
        t.count(minutes, m::SPAN_MINUTE, m::SPAN_MINUTES)
    } else if minutes < 48 * 60 {
        t.count(minutes.div_ceil(60), m::SPAN_HOUR, m::SPAN_HOURS)
    } else {
        t.count(minutes.div_ceil(24 * 60), m::SPAN_DAY, m::SPAN_DAYS)
    };
    t.fill(m::STATUS_ON_SALE_IN, &[("time", &time)])
}

/// Seats can be held now.
pub fn is_open(card: &ShowCard) -> bool {
    matches!(card.status, ShowStatus::OnSale | ShowStatus::FewLeft)
}

/// `1,204 left`, `12 left` or `Sold out`.
pub fn left(t: Lang, free: u32) -> String {
    if free == 0 {
        t.say(m::STATUS_SOLD_OUT).to_owned()
    } else {
        t.count(u64::from(free), m::LEFT_ONE, m::LEFT_MANY)
    }
}

/// A spot of a tier's colour; decoration, the name stands beside it.
#[component]
pub fn Swatch(color: u32) -> impl IntoView {
    view! {
        <svg class="swatch" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <circle cx="8" cy="8" r="7" fill=format!("#{color:06x}")></circle>
        </svg>
    }
}
