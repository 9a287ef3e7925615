//! A booking in JSON: ids as strings, money in minor units with its currency, times in RFC 3339.

use anyhow::Context;
use domain::ids::{OrderId, ShowId};
use domain::money::{Currency, Minor};
use domain::order::OrderState;
use domain::time::Millis;
use domain::wire::view::{LineView, OrderView, TicketView};
use serde::Serialize;

#[derive(Serialize)]
pub struct Booking {
    id: OrderId,
    /// Printed form with check character.
    number: String,
    state: OrderState,
    show_id: ShowId,
    title: String,
    venue: String,
    city: String,
    starts_at: String,
    lines: Vec<LineView>,
    currency: Currency,
    fees: Minor,
    total: Minor,
    /// While held or paying: when the seats go back.
    hold_expires_at: Option<String>,
    /// For clients whose clock is wrong.
    server_now: String,
    tickets: Vec<TicketView>,
    email: Option<String>,
    declined: bool,
    parked: bool,
}

impl From<OrderView> for Booking {
    fn from(order: OrderView) -> Self {
        Self {
            id: order.id,
            number: order.number,
            state: order.state,
            show_id: order.show,
            title: order.title,
            venue: order.venue,
            city: order.city,
            starts_at: rfc3339(order.starts.at),
            lines: order.lines,
            currency: order.currency,
            fees: order.fees,
            total: order.total,
            hold_expires_at: order.hold_expires_at.map(rfc3339),
            server_now: rfc3339(order.server_now),
            tickets: order.tickets,
            email: order.email,
            declined: order.declined,
            parked: order.parked,
        }
    }
}

/// `2027-03-01T19:30:00.000Z`
pub fn rfc3339(at: Millis) -> String {
    let at = jiff::Timestamp::from_millisecond(at.0)
        .context("instants of the books lie within the calendar");
    match at {
        Ok(at) => format!("{at:.3}"),
        Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_their_milliseconds_and_zone() {
        assert_eq!(
            rfc3339(Millis(1_800_000_000_000)),
            "2027-01-15T08:00:00.000Z"
        );
        assert_eq!(
            rfc3339(Millis(1_800_000_000_007)),
            "2027-01-15T08:00:00.007Z"
        );
    }
}
