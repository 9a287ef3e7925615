//! What a command did to the board. Changes are complete in themselves: replaying them over an
//! empty board gives the same board in every process, and nothing personal is in them.

use serde::{Deserialize, Serialize};

use super::command::{Actor, Captured, ParkReason};
use super::settings::Settings;
use crate::ids::{AttemptId, CommandId, OrderId, SeatIx, Seq};
use crate::order::{Line, OrderSummary};
use crate::time::Millis;

/// One step of the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// A new order, with all its lines.
    Held(OrderSummary),
    /// Lines joined an order; its new fees and total are in `order`.
    Added {
        order: OrderSummary,
        lines: Vec<Line>,
    },
    /// Lines left an order that goes on.
    Dropped {
        order: OrderSummary,
        lines: Vec<Line>,
    },
    /// The buyer went to the provider; `deadline` is the pushed one.
    PayStarted {
        order: OrderId,
        attempt: AttemptId,
        deadline: Millis,
    },
    /// Back from the provider without money; `deadline` is the hold's own again.
    Declined {
        order: OrderId,
        attempt: AttemptId,
        deadline: Millis,
    },
    /// Paid: every line has a ticket. `retaken` when an ended order got its seats again.
    Settled {
        order: OrderSummary,
        payment: Captured,
        retaken: bool,
    },
    /// Money that did not make an order paid.
    Parked {
        order: OrderId,
        payment: Captured,
        reason: ParkReason,
    },
    /// The provider's last word about an attempt: it took the money, or never will. Until then
    /// the attempt is asked about, even when its order has ended.
    AttemptOver {
        order: OrderId,
        attempt: AttemptId,
        captured: bool,
    },
    /// The hold ended by time; `order` is as it was, with its lines.
    Expired {
        order: OrderSummary,
    },
    Cancelled {
        order: OrderSummary,
    },
    Blocked {
        seats: Vec<SeatIx>,
        reason: String,
    },
    Unblocked {
        seats: Vec<SeatIx>,
    },
    Configured(Settings),
}

/// The numbered record of one commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delta {
    pub seq: Seq,
    /// When it was decided, Postgres time.
    pub at: Millis,
    /// The commands that did it, so that every process knows which ids are taken.
    pub commands: Vec<(Actor, CommandId)>,
    pub changes: Vec<Change>,
}
