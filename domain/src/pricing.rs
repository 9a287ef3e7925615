//! One function from lines to total.

use crate::board::settings::Fees;
use crate::money::Minor;
use crate::order::Line;

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
