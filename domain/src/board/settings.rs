//! What decides about a show besides its seats: window, limits, prices. Changed only by a
//! `Configure` command, so that no process sells under old settings.

use serde::{Deserialize, Serialize};

use crate::ids::TierIx;
use crate::money::{Currency, Minor};
use crate::time::{Millis, Span};

/// Tiers of one show.
pub const TIERS_MAX: usize = 32;
/// Lines of one order, whatever the organiser sets.
pub const SEATS_PER_ORDER_MAX: u32 = 50;
/// Shortest and longest time that a hold may last.
pub const HOLD_TTL_MIN: Span = Span::minutes(5);
pub const HOLD_TTL_MAX: Span = Span::minutes(30);
/// The last number that a line of an order may get.
pub const LINE_NUMBER_MAX: u16 = i16::MAX as u16;
/// How far pay-start may push the deadline, once.
pub const PAYING_EXTENSION: Span = Span::minutes(5);

/// A price level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tier {
    pub name: String,
    /// `0xRRGGBB`.
    pub color: u32,
    /// Minor units of the show's currency.
    pub price: Minor,
}

/// Fees on top of the prices, frozen on the order at the first hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Fees {
    /// Per line, minor units.
    pub per_ticket: Minor,
    /// Per order, minor units.
    pub per_order: Minor,
}

/// The settings of one show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    pub currency: Currency,
    /// At most [`TIERS_MAX`]; seats and areas name them by index.
    pub tiers: Vec<Tier>,
    pub fees: Fees,
    /// First instant of the sale.
    pub opens_at: Millis,
    /// First instant after the sale.
    pub closes_at: Millis,
    pub paused: bool,
    /// How long a new hold lasts.
    pub hold_ttl: Span,
    pub per_order_max: u32,
    /// Held and paid lines of one buyer in this show.
    pub per_buyer_max: u32,
    /// Buyers may point at seats; otherwise they ask for a number only.
    pub choose_seats: bool,
}

impl Settings {
    /// Settings of a show that was not configured yet: nothing is for sale.
    pub fn unset() -> Self {
        Self {
            currency: Currency::EUR,
            tiers: Vec::new(),
            fees: Fees::default(),
            opens_at: Millis(i64::MAX),
            closes_at: Millis(i64::MAX),
            paused: true,
            hold_ttl: HOLD_TTL_MIN,
            per_order_max: 0,
            per_buyer_max: 0,
            choose_seats: false,
        }
    }

    /// The tier at `ix`, when the show has it.
    pub fn tier(&self, ix: TierIx) -> Option<&Tier> {
        self.tiers.get(ix.at())
    }
}
