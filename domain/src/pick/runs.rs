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

impl Run {
    pub fn length(&self) -> u32 {
        self.end - self.first
    }
}

/// The runs of the whole house, row by row.
pub(super) struct AllRuns {
    pub runs: Vec<Run>,
    /// Runs of row `r` are `row_starts[r] .. row_starts[r + 1]`.
    pub row_starts: Vec<u32>,
    /// Seats of all runs together.
    pub seats: u32,
}

impl AllRuns {
    /// The runs of these neighbouring rows.
    pub fn of_rows(&self, rows: std::ops::Range<usize>) -> &[Run] {
        let starts = &self.row_starts;
        &self.runs[starts[rows.start] as usize..starts[rows.end] as usize]
    }
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

/// The runs of a stretch, in order. Asks `free` only about seats that suit and their
/// neighbours: most stretches of a house are of another tier.
pub(super) fn runs(
    stretch: Stretch,
    free: impl Fn(u32) -> bool,
    suits: impl Fn(u32) -> bool,
) -> impl Iterator<Item = Run> {
    let mut at = stretch.first;
    std::iter::from_fn(move || {
        while at < stretch.end && !(suits(at) && free(at)) {
            at += 1;
        }
        if at == stretch.end {
            return None;
        }
        let first = at;
        at += 1;
        while at < stretch.end && suits(at) && free(at) {
            at += 1;
        }
        let mut free_first = first;
        while free_first > stretch.first && free(free_first - 1) {
            free_first -= 1;
        }
        let mut free_end = at;
        while free_end < stretch.end && free(free_end) {
            free_end += 1;
        }
        Some(Run {
            first,
            end: at,
            free_first,
            free_end,
        })
    })
}
