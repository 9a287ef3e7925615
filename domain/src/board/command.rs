//! What may be asked of a show's desk.

use serde::{Deserialize, Serialize};

use super::settings::Settings;
use crate::ids::{AreaIx, AttemptId, BuyerId, CommandId, OrderId, SeatIx, StaffId, TierIx};
use crate::money::{Currency, Minor};
use crate::order::OrderSummary;

/// Who asks. Commands of buyers carry their buyer as well, since owners are checked against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Actor {
    Buyer(BuyerId),
    Staff(StaffId),
    /// Rowlock itself: expiry, payment provider, reconciler.
    System,
}

/// A command with its name. The same id with the same fingerprint is the same command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    pub id: CommandId,
    pub actor: Actor,
    /// Hash of the request as it arrived, without ids that the server minted.
    pub fingerprint: u64,
    pub command: Command,
}

/// Seats wanted by a hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Want {
    /// These very seats and this many places in these areas: all or nothing.
    Chosen {
        seats: Vec<SeatIx>,
        areas: Vec<(AreaIx, u16)>,
    },
    /// The best `count` seats together that are free when the desk decides.
    Best { count: u16, tier: Option<TierIx> },
}

/// Money that a provider says it has taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Captured {
    /// `sandbox` or `stripe`.
    pub provider: String,
    /// The provider's name for the payment; one row per id, for ever.
    pub payment_id: String,
    pub amount: Minor,
    pub currency: Currency,
}

/// Where to send the tickets. Personal data: stored with the order, never in the delta log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    pub name: String,
    pub email: String,
    /// `en` or `zh`.
    pub locale: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `order` is minted by the caller: the domain makes no ids.
    Hold {
        order: OrderId,
        buyer: BuyerId,
        want: Want,
    },
    Add {
        order: OrderId,
        buyer: BuyerId,
        seats: Vec<SeatIx>,
        areas: Vec<(AreaIx, u16)>,
    },
    /// Dropping the last line cancels the order.
    Drop {
        order: OrderId,
        buyer: BuyerId,
        /// Numbers of lines.
        lines: Vec<u16>,
    },
    PayStart {
        order: OrderId,
        buyer: BuyerId,
        attempt: AttemptId,
        contact: Contact,
    },
    Settle {
        order: OrderId,
        /// The attempt in whose name the money was taken.
        attempt: AttemptId,
        payment: Captured,
        /// The order as Postgres has it, when it was read as ended: the board keeps live orders
        /// only, and a late payment may take the seats again.
        ended: Option<OrderSummary>,
    },
    /// The attempt ended without money; the hold goes on until the same deadline.
    Decline {
        order: OrderId,
        attempt: AttemptId,
    },
    /// The provider says that an attempt which its order is not at any more ended without money.
    CloseAttempt {
        order: OrderId,
        attempt: AttemptId,
    },
    /// Ends the order if it still only holds and its deadline has passed. With `attempt`, ends
    /// a paying order too (the provider's session is known to be over).
    Expire {
        order: OrderId,
        attempt: Option<AttemptId>,
    },
    Cancel {
        order: OrderId,
        buyer: BuyerId,
    },
    /// House hold with a reason that staff see.
    Block {
        seats: Vec<SeatIx>,
        reason: String,
    },
    Unblock {
        seats: Vec<SeatIx>,
    },
    Configure(Settings),
}

/// What a command that was carried out answers; stored with its id and given again on repeat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// The order after the command.
    Order(OrderSummary),
    /// Money came for an order that cannot have its seats any more: kept for people to decide.
    Parked {
        order: OrderId,
        reason: ParkReason,
    },
    Done,
}

/// Why a payment waits for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ParkReason {
    /// Amount or currency differ from what was asked.
    AmountDiffers,
    /// The order had ended and its seats are gone.
    OrderEnded,
    /// A second payment for an order that is paid.
    Surplus,
}

impl ParkReason {
    /// The word stored in Postgres.
    pub const fn word(self) -> &'static str {
        match self {
            Self::AmountDiffers => "amount_differs",
            Self::OrderEnded => "order_ended",
            Self::Surplus => "surplus",
        }
    }

    /// The reason that has this word.
    pub fn of_word(word: &str) -> Option<Self> {
        let all = [Self::AmountDiffers, Self::OrderEnded, Self::Surplus];
        all.into_iter().find(|reason| reason.word() == word)
    }
}
