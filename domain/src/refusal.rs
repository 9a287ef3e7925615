//! The expected "no". A refusal is a value with a stable code and an HTTP status; the words for
//! people are in the message files under `refusal-<code>`.
//!
//! Precedence, first match wins: the request itself (malformed, unknown seat, doubled, empty) ·
//! who asks (session, ownership) · the sale (paused, window) · limits (order, tier, buyer) ·
//! the seats (taken, area full, none left).

use serde::{Deserialize, Serialize};

use crate::ids::{AreaIx, SeatIx};
use crate::order::OrderState;
use crate::time::Millis;

/// Why a command was not carried out. Nothing changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    // -- the request itself
    /// The request does not have the documented shape; `detail` is for developers.
    Malformed {
        detail: String,
    },
    /// The body is longer than the route takes.
    BodyTooLarge {
        bytes_max: u64,
    },
    /// No such thing, or not yours: the two are not told apart.
    NotFound,
    /// No seat or area was named.
    EmptySelection,
    /// The same seat twice in one request.
    DoubledSeat {
        seat: SeatIx,
    },
    /// Not a seat of this show.
    UnknownSeat {
        seat: u64,
    },
    /// Not an area of this show.
    UnknownArea {
        area: AreaIx,
    },
    /// This show picks the seats; only a number may be asked for.
    ChoosingNotAllowed,
    /// Same command id, other body.
    IdempotencyMismatch,
    /// A plan file that cannot be imported; `line` is 1-based, 0 when unknown.
    BrokenPlan {
        line: u32,
        detail: String,
    },
    /// A form field that cannot be taken; `field` is the field's name.
    BadField {
        field: String,
        detail: String,
    },

    // -- who asks
    /// No buyer session, or one that does not verify.
    NoSession,
    /// Mail and password do not match.
    WrongLogin,
    /// Signed in, but not allowed.
    Forbidden,
    /// Too many commands from one buyer or address.
    TooManyRequests {
        retry_after_s: u32,
    },

    // -- the sale
    SalePaused,
    SaleNotOpen {
        opens_at: Millis,
    },
    SaleClosed,

    // -- limits
    LimitPerOrder {
        max: u32,
    },
    LimitPerTier {
        max: u32,
    },
    /// Held and paid seats of this buyer in this show together.
    LimitPerBuyer {
        max: u32,
    },

    // -- the seats
    /// These seats are not free; no seat of the request was taken.
    SeatsTaken {
        seats: Vec<SeatIx>,
    },
    AreaFull {
        area: AreaIx,
        left: u32,
    },
    /// Fewer than asked are free together or at all.
    NoneLeft {
        wanted: u32,
    },
    /// The seat is not blocked.
    SeatNotHere {
        seat: SeatIx,
    },
    /// The order has no such line.
    LineNotHere {
        line: u16,
    },

    // -- the order
    /// The order is in a state that does not allow this.
    WrongState {
        state: OrderState,
    },
    HoldExpired,
    /// The provider declined; the hold goes on.
    Declined,

    // -- the house
    /// Too much at once; nothing was done.
    Busy {
        retry_after_s: u32,
    },
}

impl Refusal {
    /// Stable name for programs: the same in JSON, metrics and message files.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Malformed { .. } => "malformed",
            Self::BodyTooLarge { .. } => "body_too_large",
            Self::NotFound => "not_found",
            Self::EmptySelection => "empty_selection",
            Self::DoubledSeat { .. } => "doubled_seat",
            Self::UnknownSeat { .. } => "unknown_seat",
            Self::UnknownArea { .. } => "unknown_area",
            Self::ChoosingNotAllowed => "choosing_not_allowed",
            Self::IdempotencyMismatch => "idempotency_mismatch",
            Self::BrokenPlan { .. } => "broken_plan",
            Self::BadField { .. } => "bad_field",
            Self::NoSession => "no_session",
            Self::WrongLogin => "wrong_login",
            Self::Forbidden => "forbidden",
            Self::TooManyRequests { .. } => "too_many_requests",
            Self::SalePaused => "sale_paused",
            Self::SaleNotOpen { .. } => "sale_not_open",
            Self::SaleClosed => "sale_closed",
            Self::LimitPerOrder { .. } => "limit_per_order",
            Self::LimitPerTier { .. } => "limit_per_tier",
            Self::LimitPerBuyer { .. } => "limit_per_buyer",
            Self::SeatsTaken { .. } => "seats_taken",
            Self::AreaFull { .. } => "area_full",
            Self::NoneLeft { .. } => "none_left",
            Self::SeatNotHere { .. } => "seat_not_here",
            Self::LineNotHere { .. } => "line_not_here",
            Self::WrongState { .. } => "wrong_state",
            Self::HoldExpired => "hold_expired",
            Self::Declined => "declined",
            Self::Busy { .. } => "busy",
        }
    }

    /// HTTP status of the problem document.
    pub fn status(&self) -> u16 {
        match self {
            Self::Malformed { .. } => 400,
            Self::NoSession | Self::WrongLogin => 401,
            Self::Declined => 402,
            Self::Forbidden => 403,
            Self::NotFound => 404,
            Self::SalePaused
            | Self::SaleNotOpen { .. }
            | Self::SaleClosed
            | Self::SeatsTaken { .. }
            | Self::AreaFull { .. }
            | Self::NoneLeft { .. }
            | Self::SeatNotHere { .. }
            | Self::LineNotHere { .. }
            | Self::WrongState { .. } => 409,
            Self::HoldExpired => 410,
            Self::BodyTooLarge { .. } => 413,
            Self::EmptySelection
            | Self::DoubledSeat { .. }
            | Self::UnknownSeat { .. }
            | Self::UnknownArea { .. }
            | Self::ChoosingNotAllowed
            | Self::IdempotencyMismatch
            | Self::BrokenPlan { .. }
            | Self::BadField { .. }
            | Self::LimitPerOrder { .. }
            | Self::LimitPerTier { .. }
            | Self::LimitPerBuyer { .. } => 422,
            Self::TooManyRequests { .. } => 429,
            Self::Busy { .. } => 503,
        }
    }
}

impl std::fmt::Display for Refusal {
    /// The code: for logs and metrics, never for people.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
    }
}

impl std::error::Error for Refusal {}
