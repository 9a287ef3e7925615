//! When the party does not fit into one row: two rows, one section, anywhere.

use super::runs::{Run, Stretch};
use super::{Best, Nearness, Pick, Search};
use crate::ids::{SeatIx, SectionIx};

/// How far behind its neighbour the second row may be, in widths of a seat.
const ROW_BEHIND_MAX: f32 = 4.0;

/// Seats `first .. end`.
type Piece = (u32, u32);

impl<F: Fn(SeatIx) -> bool> Search<'_, F> {
    /// The party in two parts, as even as the rows allow, one right behind the other.
    pub(super) fn two_rows(&self) -> Option<Pick> {
        let mut best: Best<[Piece; 2]> = Best::default();
        let mut front: Vec<Run> = Vec::new();
        for (ix, row) in self.map.rows.iter().enumerate() {
            let starts_section = ix == 0 || self.map.rows[ix - 1].section != row.section;
            if starts_section {
                front.clear();
            }
            let back: Vec<Run> = self.runs_of_row(ix).collect();
            for a in &front {
                for b in &back {
                    self.offer_two(a, b, &mut best);
                }
            }
            front = back;
        }
        let pieces = best.found?;
        Some(pick(&pieces, Nearness::TwoRows))
    }

    fn offer_two(&self, a: &Run, b: &Run, best: &mut Best<[Piece; 2]>) {
        let (length_a, length_b) = (a.end - a.first, b.end - b.first);
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
    pub(super) fn one_section(&self) -> Option<Pick> {
        let mut found: Option<(usize, f32, Vec<Piece>)> = None;
        for (ix, section) in self.map.sections.iter().enumerate() {
            debug_assert_eq!(
                self.map.rows[section.first_row.at()].section,
                SectionIx(ix as u16)
            );
            let rows = section.first_row.at()..section.first_row.at() + section.rows as usize;
            let runs = rows.flat_map(|row| self.runs_of_row(row)).collect();
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
    pub(super) fn apart(&self) -> Option<Pick> {
        let runs = (0..self.map.rows.len())
            .flat_map(|row| self.runs_of_row(row))
            .collect();
        let pieces = self.longest_first(runs)?;
        Some(pick(&pieces, Nearness::Apart))
    }

    /// The party in as few pieces as possible, better seats first among equal lengths.
    fn longest_first(&self, mut runs: Vec<Run>) -> Option<Vec<Piece>> {
        let total: u32 = runs.iter().map(|run| run.end - run.first).sum();
        if total < self.count {
            return None;
        }
        let costs = &self.picker.costs;
        runs.sort_by(|a, b| {
            let length = |run: &Run| run.end - run.first;
            let cost = |run: &Run| costs[run.first as usize];
            let longer = length(b).cmp(&length(a));
            longer.then(cost(a).total_cmp(&cost(b)))
        });
        let mut left = self.count;
        let mut pieces = Vec::new();
        for run in runs {
            if left == 0 {
                break;
            }
            let taken = left.min(run.end - run.first);
            pieces.push((run.first, run.first + taken));
            left -= taken;
        }
        Some(pieces)
    }

    fn runs_of_row(&self, row: usize) -> impl Iterator<Item = Run> {
        let starts = &self.picker.row_starts;
        let range = starts[row] as usize..starts[row + 1] as usize;
        let stretches: &[Stretch] = &self.picker.stretches[range];
        stretches.iter().flat_map(|stretch| self.runs(stretch))
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
