//! Free neighbours within a row. A stretch is what the building gives: seats with no aisle
//! between them. A run is what the sale has left of it.

use crate::seat_map::{SeatFlags, SeatMap};

/// Neighbours without a gap: seats `first .. end` of one row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    pub first: u32,
    pub end: u32,
    /// Cost of its best seat.
    pub bound: f32,
}

impl Stretch {
    pub fn has(&self, seat: crate::ids::SeatIx) -> bool {
        (self.first..self.end).contains(&seat.0)
    }
}

/// Seats `first .. end` may be given out; they lie within the free seats
/// `free_first .. free_end`, which may include others that do not suit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub first: u32,
    pub end: u32,
    pub free_first: u32,
    pub free_end: u32,
}

/// All stretches, and where those of each row begin (one more entry than rows).
pub(super) fn stretches(map: &SeatMap, costs: &[f32]) -> (Vec<Stretch>, Vec<u32>) {
    let mut stretches: Vec<Stretch> = Vec::new();
    let mut row_starts = Vec::with_capacity(map.rows.len() + 1);
    for row in &map.rows {
        row_starts.push(stretches.len() as u32);
        let mut first = row.first_seat.0;
        for (seat, at) in map.seats_of(row).iter().zip(row.first_seat.0..) {
            if seat.flags.has(SeatFlags::GAP_AFTER) {
                let end = at + 1;
                let costs = &costs[first as usize..end as usize];
                stretches.push(Stretch {
                    first,
                    end,
                    bound: costs.iter().copied().fold(f32::INFINITY, f32::min),
                });
                first = end;
            }
        }
    }
    row_starts.push(stretches.len() as u32);
    (stretches, row_starts)
}

/// The runs of a stretch, in order.
pub(super) fn runs(
    stretch: Stretch,
    free: impl Fn(u32) -> bool,
    suits: impl Fn(u32) -> bool,
) -> impl Iterator<Item = Run> {
    let mut at = stretch.first;
    // The free seats around `at`, while inside some.
    let (mut free_first, mut free_end) = (at, at);
    std::iter::from_fn(move || {
        while at < stretch.end {
            if at >= free_end {
                if !free(at) {
                    at += 1;
                    continue;
                }
                free_first = at;
                free_end = at + 1;
                while free_end < stretch.end && free(free_end) {
                    free_end += 1;
                }
            }
            let first = at;
            while at < free_end && suits(at) {
                at += 1;
            }
            if at > first {
                return Some(Run {
                    first,
                    end: at,
                    free_first,
                    free_end,
                });
            }
            at += 1;
        }
        None
    })
}
