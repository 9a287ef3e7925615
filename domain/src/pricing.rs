//! From lines to total.

use crate::board::settings::Fees;
use crate::money::Minor;
use crate::order::{Line, OrderSummary};

/// Fees and total of an order with these lines, minor units. An order without lines costs
/// nothing.
pub fn total(lines: &[Line], fees: Fees) -> (Minor, Minor) {
    if lines.is_empty() {
        return (Minor(0), Minor(0));
    }
    let fees = Minor(fees.per_order.0 + fees.per_ticket.0 * lines.len() as i64);
    let places: Minor = lines.iter().map(|line| line.price).sum();
    (fees, Minor(places.0 + fees.0))
}

/// Fees and total of an order once it has other lines: at the fees under which it was begun, so
/// that what stays costs what it did.
pub fn total_with(order: &OrderSummary, lines: &[Line]) -> (Minor, Minor) {
    let per_ticket = order.ticket_fee;
    let per_order = Minor(order.fees.0 - per_ticket.0 * order.lines.len() as i64);
    total(
        lines,
        Fees {
            per_order,
            per_ticket,
        },
    )
}
