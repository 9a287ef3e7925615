//! Who sits beside whom, from where the seats are. Printed numbers lie: 12 and 13 across an
//! aisle are not neighbours, 1, 3, 5 are.

use super::super::Point;

/// A step longer than this many usual steps of its row is an aisle.
const AISLE_STEPS: f32 = 1.5;
/// An order by position must be shorter than the file's by this factor to be preferred.
const CLEARLY_SHORTER: f32 = 0.98;

/// The order in which people sit, as positions in `at`, when the file's order is not it.
///
/// The file's order is compared with the order along the line through the row's far ends: of
/// two orders, the one with the shorter way from seat to seat is how people sit. A row bent
/// into more than half a circle keeps the file's order.
pub(super) fn seating_order(at: &[Point]) -> Option<Vec<usize>> {
    let far = |from: Point| {
        let farther = |a: &&Point, b: &&Point| from.distance(**a).total_cmp(&from.distance(**b));
        at.iter().max_by(farther).copied()
    };
    let one_end = far(*at.first()?)?;
    let other_end = far(one_end)?;
    let (dx, dy) = (other_end.x - one_end.x, other_end.y - one_end.y);
    let along = |p: Point| (p.x - one_end.x) * dx + (p.y - one_end.y) * dy;
    let mut order: Vec<usize> = (0..at.len()).collect();
    order.sort_by(|&a, &b| along(at[a]).total_cmp(&along(at[b])));
    let way = |order: &[usize]| -> f32 {
        let steps = order.windows(2).map(|w| at[w[0]].distance(at[w[1]]));
        steps.sum()
    };
    let as_listed: f32 = at.windows(2).map(|w| w[0].distance(w[1])).sum();
    if way(&order) >= as_listed * CLEARLY_SHORTER {
        return None;
    }
    // Start at the end where the file starts, so that numbers still run the same way.
    let starts = |end: usize| at[end].distance(at[0]);
    if starts(order[order.len() - 1]) < starts(order[0]) {
        order.reverse();
    }
    Some(order)
}

/// For each seat but the last, in seating order: whether an aisle follows. `usual` is the
/// plan's usual step, for rows too short to have one of their own.
pub(super) fn gaps(at: &[Point], usual: f32) -> Vec<bool> {
    let steps: Vec<f32> = at.windows(2).map(|w| w[0].distance(w[1])).collect();
    let step = match usual_step(&steps) {
        Some(own) if steps.len() >= 3 => own,
        // Two or three seats: their own steps may all be aisles.
        Some(own) => own.min(usual),
        None => usual,
    };
    steps.iter().map(|&s| s > step * AISLE_STEPS).collect()
}

/// The lower quartile of the steps: in a row of pairs with aisles between them more than half
/// of the steps may be aisles, and the median would be one. Seats on top of each other do not
/// count.
pub(super) fn usual_step(steps: &[f32]) -> Option<f32> {
    let mut sorted: Vec<f32> = steps.iter().copied().filter(|&s| s >= 1.0).collect();
    sorted.sort_by(f32::total_cmp);
    sorted.get(sorted.len().saturating_sub(1) / 4).copied()
}
