//! When the party does not fit into one row: two rows, one section, anywhere.

use super::runs::{AllRuns, Run};
use super::{Best, Nearness, Pick, Search};
use crate::ids::SeatIx;

/// How far behind its neighbour the second row may be, in widths of a seat.
const ROW_BEHIND_MAX: f32 = 4.0;

/// Seats `first .. end`.
type Piece = (u32, u32);

impl<F: Fn(SeatIx) -> bool> Search<'_, F> {
    /// The party in two parts, as even as the rows allow, one right behind the other.
    pub(super) fn two_rows(&self, all: &AllRuns) -> Option<Pick> {
        let rows = &self.map.rows;
        let longest = |row: usize| {
            let runs = all.of_rows(row..row + 1).iter();
            runs.map(Run::length).max().unwrap_or(0)
        };
        let mut best: Best<[Piece; 2]> = Best::default();
        let mut longest_before = 0;
        for row in 0..rows.len() {
            let longest_here = longest(row);
            let follows = row > 0 && rows[row - 1].section == rows[row].section;
            if follows && longest_before + longest_here >= self.count {
                for a in all.of_rows(row - 1..row) {
                    for b in all.of_rows(row..row + 1) {
                        self.offer_two(a, b, &mut best);
                    }
                }
            }
            longest_before = longest_here;
        }
        let pieces = best.found?;
        Some(pick(&pieces, Nearness::TwoRows))
    }

    fn offer_two(&self, a: &Run, b: &Run, best: &mut Best<[Piece; 2]>) {
        let (length_a, length_b) = (a.length(), b.length());
        if length_a + length_b < self.count {
            return;
        }
        let in_a = (self.count / 2)
            .max(self.count.saturating_sub(length_b))
            .min(length_a);
        let in_b = self.count - in_a;
        if in_a == 0 || in_b == 0 || in_b > length_b {
            return;
        }
        for first_a in a.first..=a.end - in_a {
            let piece_a = (first_a, first_a + in_a);
            let cost_a = self.picker.cost(piece_a.0, piece_a.1);
            if cost_a >= best.cost {
                continue;
            }
            for first_b in b.first..=b.end - in_b {
                let piece_b = (first_b, first_b + in_b);
                let cost = cost_a + self.picker.cost(piece_b.0, piece_b.1);
                if cost < best.cost && self.behind(piece_a, piece_b) {
                    best.offer(cost, [piece_a, piece_b]);
                }
            }
        }
    }

    /// Whether the middles of the two parts are as near as two neighbouring rows are.
    fn behind(&self, a: Piece, b: Piece) -> bool {
        let middle = |(first, end): Piece| {
            let seats = &self.map.seats[first as usize..end as usize];
            let (from, to) = (seats[0].at, seats[seats.len() - 1].at);
            ((from.x + to.x) / 2.0, (from.y + to.y) / 2.0)
        };
        let ((ax, ay), (bx, by)) = (middle(a), middle(b));
        let (dx, dy) = (ax - bx, ay - by);
        let near = ROW_BEHIND_MAX * self.map.seats[a.0 as usize].radius;
        dx * dx + dy * dy <= near * near
    }

    /// In the section that needs the fewest pieces, then the one that sees best.
    pub(super) fn one_section(&self, all: &AllRuns) -> Option<Pick> {
        let mut found: Option<(usize, f32, Vec<Piece>)> = None;
        for section in &self.map.sections {
            let first = section.first_row.at();
            let runs = all.of_rows(first..first + section.rows as usize);
            let Some(pieces) = self.longest_first(runs) else {
                continue;
            };
            let cost = pieces.iter().map(|&(a, b)| self.picker.cost(a, b)).sum();
            let better = found
                .as_ref()
                .is_none_or(|(count, other, _)| (pieces.len(), cost) < (*count, *other));
            if better {
                found = Some((pieces.len(), cost, pieces));
            }
        }
        found.map(|(_, _, pieces)| pick(&pieces, Nearness::OneSection))
    }

    /// Wherever the longest runs are.
    pub(super) fn apart(&self, all: &AllRuns) -> Option<Pick> {
        let pieces = self.longest_first(&all.runs)?;
        Some(pick(&pieces, Nearness::Apart))
    }

    /// The party in as few pieces as possible, better seats first among equal lengths.
    fn longest_first(&self, runs: &[Run]) -> Option<Vec<Piece>> {
        let total: u32 = runs.iter().map(Run::length).sum();
        if total < self.count {
            return None;
        }
        let costs = &self.picker.costs;
        let order = |a: &Run, b: &Run| {
            let cost = |run: &Run| costs[run.first as usize];
            let longer = b.length().cmp(&a.length());
            longer.then(cost(a).total_cmp(&cost(b)))
        };
        let mut runs = runs.to_vec();
        // As many runs as people are enough: only these need to be in order.
        let enough = self.count as usize;
        if runs.len() > enough {
            runs.select_nth_unstable_by(enough, order);
            runs.truncate(enough);
        }
        runs.sort_by(order);
        let mut left = self.count;
        let mut pieces = Vec::new();
        for run in runs {
            if left == 0 {
                break;
            }
            let taken = left.min(run.length());
            pieces.push((run.first, run.first + taken));
            left -= taken;
        }
        Some(pieces)
    }
}

fn pick(pieces: &[Piece], nearness: Nearness) -> Pick {
    let mut seats: Vec<SeatIx> = pieces
        .iter()
        .flat_map(|&(first, end)| (first..end).map(SeatIx))
        .collect();
    seats.sort_unstable();
    Pick { seats, nearness }
}
