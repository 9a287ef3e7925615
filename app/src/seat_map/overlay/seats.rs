//! Near by: the numbers of free seats and the letters of rows.

use std::borrow::Cow;

use domain::ids::{SeatIx, TierIx};
use domain::seat_map::Rect;
use domain::wire::snapshot::SeatState;

use super::{Ink, Mark, Over, wide};
use crate::seat_map::camera::Px;
use crate::seat_map::scene::meet;

/// Numbers written on seats of one picture; beyond, seats stay without.
const NUMBERS_MAX: usize = 2000;

impl<'a> Over<'a> {
    /// Numbers of free seats, tier by tier, so that the painter changes colour rarely.
    pub(super) fn numbers(&self, visible: Rect, marks: &mut Vec<Mark<'a>>) {
        let mut seats: Vec<(TierIx, SeatIx)> = self
            .scene
            .bands_in(visible)
            .flat_map(|band| (band.first..band.end).map(SeatIx))
            .filter(|&ix| self.snapshot.get(ix) == SeatState::Free)
            .map(|ix| (self.scene.tier_of(ix), ix))
            .filter(|&(tier, _)| self.filter.shows(tier))
            .take(NUMBERS_MAX)
            .collect();
        seats.sort_unstable();
        let view = self.camera.view();
        for (tier, ix) in seats {
            let (Some(seat), Some((at, radius))) = (self.scene.map.seat(ix), self.place(ix)) else {
                continue;
            };
            let outside = at.x < -radius
                || at.y < -radius
                || at.x > view.0 + radius
                || at.y > view.1 + radius;
            // The tick of a chosen seat takes the number's place.
            if outside || self.chosen.contains(&ix) {
                continue;
            }
            let size =
                (radius * 0.95).min(1.5 * radius * radius / wide(&seat.label, radius).max(1.0));
            marks.push(Mark::Text {
                at,
                text: Cow::Borrowed(&seat.label),
                size,
                bold: false,
                ink: Ink::OnTier(tier),
                halo: false,
            });
        }
    }

    /// The letters of rows, beyond both of their ends.
    pub(super) fn rows(&self, visible: &Rect, marks: &mut Vec<Mark<'a>>) {
        for (row, band) in self.scene.map.rows.iter().zip(&self.scene.bands) {
            if row.label.is_empty() || !meet(&band.bounds, visible) || row.seats == 0 {
                continue;
            }
            let last = row.first_seat.0 + row.seats - 1;
            let inward = |ix: u32, other: u32| {
                let (end, radius) = self.place(SeatIx(ix))?;
                let beside = self.place(SeatIx(other)).map_or(end, |(at, _)| at);
                let way = end.distance(beside);
                let (dx, dy) = if way > 0.0 {
                    ((end.x - beside.x) / way, (end.y - beside.y) / way)
                } else {
                    (-1.0, 0.0)
                };
                Some((
                    Px::new(end.x + dx * radius * 2.2, end.y + dy * radius * 2.2),
                    radius,
                ))
            };
            let ends = [
                inward(row.first_seat.0, (row.first_seat.0 + 1).min(last)),
                (row.seats > 1).then(|| inward(last, last - 1)).flatten(),
            ];
            for (at, radius) in ends.into_iter().flatten() {
                marks.push(Mark::Text {
                    at,
                    text: Cow::Borrowed(&row.label),
                    size: (radius * 0.9).min(15.0),
                    bold: true,
                    ink: Ink::Muted,
                    halo: true,
                });
            }
        }
    }
}
