//! Prices in words.

use domain::money::Money;

use crate::i18n::{Lang, messages as m};

/// `€20.00 – €95.00`, `€45.00`, or nothing when no price is set.
pub fn range(t: Lang, from: Option<&Money>, to: Option<&Money>) -> String {
    match (from, to) {
        (Some(from), Some(to)) if from != to => t.fill(
            m::PRICE_RANGE,
            &[("from", &t.price(from)), ("to", &t.price(to))],
        ),
        (Some(one), _) | (None, Some(one)) => t.price(one),
        (None, None) => String::new(),
    }
}

/// `from €20.00`.
pub fn from(t: Lang, from: Option<&Money>, to: Option<&Money>) -> String {
    match (from, to) {
        (Some(low), Some(high)) if low != high => {
            t.fill(m::PRICE_FROM, &[("price", &t.price(low))])
        }
        _ => range(t, from, to),
    }
}
