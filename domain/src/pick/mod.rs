//! Best seats: which free seats to offer to somebody who asks for a number. The browser
//! suggests and the desk decides with this same code; integer and basic float arithmetic only,
//! so that both come to the same seats.
//!
//! The ladder, first rung that holds: together in a row without leaving a single seat alone ·
//! together in a row · over two rows, one behind the other · in one section · anywhere. Seats
//! for wheelchairs and their companions are given out only when nothing else is left.

/// Free neighbours within a row.
mod runs;
/// When the party does not fit into one row.
mod split;
/// How well a seat sees.
mod view;

#[cfg(test)]
mod tests;

use crate::ids::{SeatIx, TierIx};
use crate::seat_map::{SeatFlags, SeatMap};

use runs::{AllRuns, Run, Stretch};

/// How near to each other the picked seats are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nearness {
    /// Neighbours in one row.
    Together,
    /// Two rows, one behind the other.
    TwoRows,
    /// In one section.
    OneSection,
    Apart,
}

/// Seats for a party, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pick {
    pub seats: Vec<SeatIx>,
    pub nearness: Nearness,
}

/// What can be known about a seat map before anybody asks; made once per show.
#[derive(Debug, Clone)]
pub struct Picker {
    /// By seat: lower is better, never negative.
    costs: Vec<f32>,
    /// Neighbours without a gap between them, ascending by seat.
    stretches: Vec<Stretch>,
    /// Stretches, those with the best seat first.
    by_bound: Vec<u32>,
    /// Stretches of row `r` are `row_starts[r] .. row_starts[r + 1]`.
    row_starts: Vec<u32>,
}

impl Picker {
    pub fn new(map: &SeatMap) -> Self {
        let costs = view::costs(map);
        let (stretches, row_starts) = runs::stretches(map, &costs);
        let mut by_bound: Vec<u32> = (0..stretches.len() as u32).collect();
        by_bound.sort_by(|&a, &b| {
            let bound = |ix: u32| stretches[ix as usize].bound;
            bound(a).total_cmp(&bound(b)).then(a.cmp(&b))
        });
        Self {
            costs,
            stretches,
            by_bound,
            row_starts,
        }
    }

    /// The best `count` seats of `tier` (of any tier without one) among those that `free`
    /// says are free. `None` when fewer are free, or when nothing is asked.
    ///
    /// `map` is the map this picker was made from; `seat_tiers` has one tier per seat.
    pub fn best(
        &self,
        map: &SeatMap,
        seat_tiers: &[TierIx],
        free: impl Fn(SeatIx) -> bool,
        count: u16,
        tier: Option<TierIx>,
    ) -> Option<Vec<SeatIx>> {
        self.pick(map, seat_tiers, free, count, tier)
            .map(|pick| pick.seats)
    }

    /// As [`Picker::best`], and how near to each other the seats are.
    pub fn pick(
        &self,
        map: &SeatMap,
        seat_tiers: &[TierIx],
        free: impl Fn(SeatIx) -> bool,
        count: u16,
        tier: Option<TierIx>,
    ) -> Option<Pick> {
        assert_eq!(map.seats.len(), self.costs.len(), "another map's picker");
        assert_eq!(map.seats.len(), seat_tiers.len(), "one tier per seat");
        if count == 0 || usize::from(count) > map.seats.len() {
            return None;
        }
        let mut search = Search {
            picker: self,
            map,
            seat_tiers,
            free,
            count: u32::from(count),
            tier,
            reserved_too: false,
        };
        // In a house with room the first rung answers after a look at a few rows.
        if let Some(first) = search.together() {
            return Some(search.neighbours(first));
        }
        let all = search.all_runs();
        if let Some(pick) = search.apart_ladder(&all) {
            return Some(pick);
        }
        search.reserved_too = true;
        let all = search.all_runs();
        if all.seats < search.count {
            return None;
        }
        match search.together() {
            Some(first) => Some(search.neighbours(first)),
            None => search.apart_ladder(&all),
        }
    }

    /// Neighbours that would be left alone, each a single free seat between taken ones, if
    /// `taken` were taken as well. Seats that were alone before are not counted.
    pub fn orphans(&self, free: impl Fn(SeatIx) -> bool, taken: &[SeatIx]) -> Vec<SeatIx> {
        let still_free = |ix: SeatIx| free(ix) && !taken.contains(&ix);
        let mut orphans = Vec::new();
        for &seat in taken {
            let stretch = self.stretch_of(seat);
            let Some(stretch) = stretch else { continue };
            let beside = [seat.0.checked_sub(1), seat.0.checked_add(1)];
            for ix in beside.into_iter().flatten().map(SeatIx) {
                if !stretch.has(ix) || !still_free(ix) || orphans.contains(&ix) {
                    continue;
                }
                let alone = |free: &dyn Fn(SeatIx) -> bool| {
                    let left = ix.0 > stretch.first && free(SeatIx(ix.0 - 1));
                    let right = ix.0 + 1 < stretch.end && free(SeatIx(ix.0 + 1));
                    !left && !right
                };
                if alone(&still_free) && !alone(&free) {
                    orphans.push(ix);
                }
            }
        }
        orphans
    }

    fn stretch_of(&self, seat: SeatIx) -> Option<&Stretch> {
        let after = self.stretches.partition_point(|s| s.first <= seat.0);
        let stretch = self.stretches.get(after.checked_sub(1)?)?;
        stretch.has(seat).then_some(stretch)
    }

    /// Cost of the seats `first .. end`, added up.
    fn cost(&self, first: u32, end: u32) -> f32 {
        self.costs[first as usize..end as usize].iter().sum()
    }
}

/// One question to a picker.
struct Search<'a, F> {
    picker: &'a Picker,
    map: &'a SeatMap,
    seat_tiers: &'a [TierIx],
    free: F,
    count: u32,
    tier: Option<TierIx>,
    /// Seats kept for wheelchairs and companions may be given out.
    reserved_too: bool,
}

impl<F: Fn(SeatIx) -> bool> Search<'_, F> {
    fn neighbours(&self, first: u32) -> Pick {
        Pick {
            seats: (first..first + self.count).map(SeatIx).collect(),
            nearness: Nearness::Together,
        }
    }

    /// The rungs below "together".
    fn apart_ladder(&self, all: &AllRuns) -> Option<Pick> {
        if all.seats < self.count {
            return None;
        }
        self.two_rows(all)
            .or_else(|| self.one_section(all))
            .or_else(|| self.apart(all))
    }

    fn all_runs(&self) -> AllRuns {
        let picker = self.picker;
        let mut all = AllRuns {
            runs: Vec::new(),
            row_starts: Vec::with_capacity(picker.row_starts.len()),
            seats: 0,
        };
        for row in picker.row_starts.windows(2) {
            all.row_starts.push(all.runs.len() as u32);
            for stretch in &picker.stretches[row[0] as usize..row[1] as usize] {
                all.runs.extend(self.runs(stretch));
            }
        }
        all.row_starts.push(all.runs.len() as u32);
        all.seats = all.runs.iter().map(Run::length).sum();
        all
    }

    /// First seat of the best neighbours in one row.
    fn together(&self) -> Option<u32> {
        let mut best = Best::default();
        let mut best_with_orphan = Best::default();
        for &ix in &self.picker.by_bound {
            let stretch = &self.picker.stretches[ix as usize];
            if stretch.bound * self.count as f32 >= best.cost {
                break;
            }
            if stretch.end - stretch.first < self.count {
                continue;
            }
            for run in self.runs(stretch) {
                self.windows(&run, |first, cost, orphan| {
                    let best = if orphan {
                        &mut best_with_orphan
                    } else {
                        &mut best
                    };
                    best.offer(cost, first);
                });
            }
        }
        best.found.or(best_with_orphan.found)
    }

    /// Every place for the party within the run: first seat, cost, and whether a seat would
    /// be left alone.
    fn windows(&self, run: &Run, mut offer: impl FnMut(u32, f32, bool)) {
        if run.length() < self.count {
            return;
        }
        let costs = &self.picker.costs;
        let mut cost = self.picker.cost(run.first, run.first + self.count);
        let mut first = run.first;
        loop {
            let end = first + self.count;
            let alone = first - run.free_first == 1 || run.free_end - end == 1;
            offer(first, cost, alone);
            if end == run.end {
                return;
            }
            cost += costs[end as usize] - costs[first as usize];
            first += 1;
        }
    }

    /// Free neighbours that may be given out, within a stretch.
    fn runs(&self, stretch: &Stretch) -> impl Iterator<Item = Run> + use<'_, F> {
        runs::runs(
            *stretch,
            |ix| (self.free)(SeatIx(ix)),
            |ix| self.suits(ix as usize),
        )
    }

    fn suits(&self, ix: usize) -> bool {
        let tier = self.tier.is_none_or(|tier| self.seat_tiers[ix] == tier);
        tier && (self.reserved_too || !reserved(self.map.seats[ix].flags))
    }
}

fn reserved(flags: SeatFlags) -> bool {
    flags.has(SeatFlags::ACCESSIBLE | SeatFlags::COMPANION)
}

/// The cheapest offer so far; the earlier one where costs are equal.
struct Best<T> {
    cost: f32,
    found: Option<T>,
}

impl<T> Default for Best<T> {
    fn default() -> Self {
        Self {
            cost: f32::INFINITY,
            found: None,
        }
    }
}

impl<T> Best<T> {
    fn offer(&mut self, cost: f32, found: T) {
        if cost < self.cost {
            self.cost = cost;
            self.found = Some(found);
        }
    }
}
