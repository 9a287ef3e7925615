//! The life of an order, and its number.

use serde::{Deserialize, Serialize};

use crate::ids::{AreaIx, AttemptId, BuyerId, OrderId, SeatIx, TierIx};
use crate::money::Minor;
use crate::time::Millis;

pub mod number;

/// Where an order stands. An order begins as a hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderState {
    /// Seats are held until the deadline.
    Held,
    /// The buyer is at the payment provider; seats stay held a little past the deadline.
    Paying,
    Paid,
    Expired,
    Cancelled,
}

impl OrderState {
    /// The word stored in Postgres and sent as JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Paying => "paying",
            Self::Paid => "paid",
            Self::Expired => "expired",
            Self::Cancelled => "cancelled",
        }
    }

    /// The seats of the order are not for sale to others.
    pub const fn has_seats(self) -> bool {
        matches!(self, Self::Held | Self::Paying | Self::Paid)
    }
}

impl std::str::FromStr for OrderState {
    type Err = crate::ids::BadId;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        [
            Self::Held,
            Self::Paying,
            Self::Paid,
            Self::Expired,
            Self::Cancelled,
        ]
        .into_iter()
        .find(|state| state.word() == word)
        .ok_or(crate::ids::BadId)
    }
}

/// What a line is for: one seat, or one place in a standing area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    Seat(SeatIx),
    Area(AreaIx),
}

/// One seat or one place of an order, with the price frozen when the line was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Number of the line within its order, from 1, never used again after a drop.
    pub no: u16,
    pub place: Place,
    pub tier: TierIx,
    /// Minor units of the show's currency.
    pub price: Minor,
}

/// An order as the board knows it: all that decides, nothing about people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderSummary {
    pub order: OrderId,
    pub buyer: BuyerId,
    pub state: OrderState,
    /// Until when the seats are kept; meaningless once paid.
    pub deadline: Millis,
    /// The hold's own deadline: paying pushes `deadline` beyond it, a decline brings it back.
    pub hold_deadline: Millis,
    /// The attempt the buyer is at, while paying.
    pub attempt: Option<AttemptId>,
    /// Live lines in the order they were added.
    pub lines: Vec<Line>,
    /// The last line number given out.
    pub last_line: u16,
    /// What each ticket of this order costs on top of its price, minor units: frozen when the
    /// order was begun, as the fee of the order itself is.
    pub ticket_fee: Minor,
    /// Fees frozen on the order, minor units.
    pub fees: Minor,
    /// Lines and fees together, minor units: what the buyer is asked for.
    pub total: Minor,
}
