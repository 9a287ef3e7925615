//! What of a house is drawn, prepared once per seat map: seats as bare numbers row by row, so
//! that a frame walks memory forward and skips whole rows outside the view.

use std::rc::Rc;

use domain::ids::{AreaIx, SeatIx, SectionIx, TierIx};
use domain::seat_map::grid::Grid;
use domain::seat_map::{Point, Rect, SeatMap};
use domain::wire::snapshot::{SeatState, Snapshot};

/// Different seat sizes drawn; plans with more are rounded to the nearest.
pub const SIZES_MAX: usize = 16;
/// Below this drawn diameter of a seat, CSS pixels, sections speak for their seats.
const DOTS_FROM: f64 = 4.0;
/// From here on seats carry their numbers and rows their letters.
const SEATS_FROM: f64 = 18.0;

/// How much is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The whole house: sections by how full they are, with what is left in words.
    House,
    /// Seats as dots, sections by name.
    Dots,
    /// Seats with their numbers, rows with their letters.
    Seats,
}

impl Level {
    /// By the drawn diameter of an ordinary seat, CSS pixels.
    pub fn of(diameter: f64) -> Self {
        if diameter < DOTS_FROM {
            Self::House
        } else if diameter < SEATS_FROM {
            Self::Dots
        } else {
            Self::Seats
        }
    }
}

/// A seat as it is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Spot {
    pub x: f32,
    pub y: f32,
    /// Index into [`Scene::sizes`].
    pub size: u8,
    pub tier: TierIx,
}

/// The seats of one row, and the box around their discs.
#[derive(Debug, Clone, Copy)]
pub struct Band {
    pub bounds: Rect,
    pub first: u32,
    pub end: u32,
}

/// A section as it is drawn from afar.
#[derive(Debug, Clone, Copy)]
pub struct Plate {
    pub bounds: Rect,
    /// Its seats are `first .. end`.
    pub first: u32,
    pub end: u32,
    /// The tier most of its seats have.
    pub tier: TierIx,
}

/// A house ready to draw.
pub struct Scene {
    pub map: Rc<SeatMap>,
    pub grid: Grid,
    pub spots: Vec<Spot>,
    pub bands: Vec<Band>,
    pub plates: Vec<Plate>,
    pub area_tiers: Vec<TierIx>,
    /// Radii, plan units, ascending.
    pub sizes: Vec<f32>,
    /// Diameter of an ordinary seat, plan units.
    pub seat_diameter: f32,
}

impl Scene {
    /// `tiers` by seat and `area_tiers` by area; what is missing has tier 0.
    pub fn new(map: Rc<SeatMap>, tiers: &[TierIx], area_tiers: Vec<TierIx>) -> Self {
        let sizes = sizes(&map);
        let spots: Vec<Spot> = map
            .seats
            .iter()
            .enumerate()
            .map(|(ix, seat)| Spot {
                x: seat.at.x,
                y: seat.at.y,
                size: nearest(&sizes, seat.radius),
                tier: tiers.get(ix).copied().unwrap_or(TierIx(0)),
            })
            .collect();
        let bands = bands(&map);
        let plates = plates(&map, &spots);
        Self {
            grid: Grid::new(&map),
            seat_diameter: 2.0 * ordinary_radius(&map),
            map,
            spots,
            bands,
            plates,
            area_tiers,
            sizes,
        }
    }

    /// The rows of which something may be inside `view`.
    pub fn bands_in(&self, view: Rect) -> impl Iterator<Item = &Band> {
        self.bands
            .iter()
            .filter(move |band| meet(&band.bounds, &view))
    }

    pub fn tier_of(&self, seat: SeatIx) -> TierIx {
        self.spots
            .get(seat.at())
            .map_or(TierIx(0), |spot| spot.tier)
    }

    pub fn area_tier(&self, area: AreaIx) -> TierIx {
        self.area_tiers.get(area.at()).copied().unwrap_or(TierIx(0))
    }

    /// Radius of a seat, plan units.
    pub fn radius(&self, seat: SeatIx) -> f32 {
        self.map.seat(seat).map_or(0.0, |seat| seat.radius)
    }

    /// The box around seats, discs included; `None` without any.
    pub fn around(&self, seats: &[SeatIx]) -> Option<Rect> {
        let corners = seats
            .iter()
            .filter_map(|&ix| self.map.seat(ix))
            .flat_map(|seat| {
                let r = seat.radius;
                [
                    Point {
                        x: seat.at.x - r,
                        y: seat.at.y - r,
                    },
                    Point {
                        x: seat.at.x + r,
                        y: seat.at.y + r,
                    },
                ]
            });
        Rect::around(corners)
    }

    /// Free seats and all seats of every section that `shown` tiers leave; by section.
    pub fn left(&self, snapshot: &Snapshot, filter: Filter) -> Vec<Left> {
        let count = |plate: &Plate| {
            let mut left = Left {
                free: 0,
                seats: plate.end - plate.first,
            };
            for ix in plate.first..plate.end {
                let spot = &self.spots[ix as usize];
                let free = snapshot.get(SeatIx(ix)) == SeatState::Free && filter.shows(spot.tier);
                left.free += u32::from(free);
            }
            left
        };
        self.plates.iter().map(count).collect()
    }

    pub fn section_at(&self, at: Point) -> Option<SectionIx> {
        self.grid.section_at(&self.map, at)
    }
}

/// What of a section can be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Left {
    pub free: u32,
    pub seats: u32,
}

impl Left {
    /// Free share, 0..=1.
    pub fn share(&self) -> f64 {
        if self.seats == 0 {
            0.0
        } else {
            f64::from(self.free) / f64::from(self.seats)
        }
    }
}

/// The tiers that the legend leaves switched on; all others step back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filter(u32);

impl Default for Filter {
    fn default() -> Self {
        Self::EVERYTHING
    }
}

impl Filter {
    pub const EVERYTHING: Self = Self(u32::MAX);

    /// One tier alone.
    pub const fn only(tier: TierIx) -> Self {
        Self(1 << (tier.0 & 31))
    }

    /// Shows have 32 tiers at most.
    pub const fn shows(self, tier: TierIx) -> bool {
        self.0 >> (tier.0 & 31) & 1 == 1
    }
}

pub fn meet(a: &Rect, b: &Rect) -> bool {
    a.min.x <= b.max.x && a.max.x >= b.min.x && a.min.y <= b.max.y && a.max.y >= b.min.y
}

fn sizes(map: &SeatMap) -> Vec<f32> {
    let mut sizes: Vec<f32> = Vec::new();
    for seat in &map.seats {
        if sizes.len() < SIZES_MAX && !sizes.contains(&seat.radius) {
            sizes.push(seat.radius);
        }
    }
    sizes.sort_unstable_by(f32::total_cmp);
    sizes
}

fn nearest(sizes: &[f32], radius: f32) -> u8 {
    let distance = |size: f32| (size - radius).abs();
    let best = sizes
        .iter()
        .enumerate()
        .min_by(|(_, a), (_, b)| distance(**a).total_cmp(&distance(**b)));
    best.map_or(0, |(ix, _)| ix as u8)
}

/// The middle one of all radii: some large boxes do not decide how the house is drawn.
fn ordinary_radius(map: &SeatMap) -> f32 {
    let mut radii: Vec<f32> = map.seats.iter().map(|seat| seat.radius).collect();
    radii.sort_unstable_by(f32::total_cmp);
    radii.get(radii.len() / 2).copied().unwrap_or(1.0)
}

fn bands(map: &SeatMap) -> Vec<Band> {
    let band = |row: &domain::seat_map::Row| {
        let (first, end) = (row.first_seat.0, row.first_seat.0 + row.seats);
        let seats = &map.seats[first as usize..end as usize];
        let radius = seats.iter().map(|seat| seat.radius).fold(0.0, f32::max);
        let bounds = Rect::around(seats.iter().map(|seat| seat.at))?;
        let bounds = Rect {
            min: Point {
                x: bounds.min.x - radius,
                y: bounds.min.y - radius,
            },
            max: Point {
                x: bounds.max.x + radius,
                y: bounds.max.y + radius,
            },
        };
        Some(Band { bounds, first, end })
    };
    map.rows.iter().filter_map(band).collect()
}

fn plates(map: &SeatMap, spots: &[Spot]) -> Vec<Plate> {
    let plate = |section: &domain::seat_map::Section| {
        let rows =
            &map.rows[section.first_row.at()..section.first_row.at() + section.rows as usize];
        let first = rows.first().map_or(0, |row| row.first_seat.0);
        let end = rows
            .last()
            .map_or(first, |row| row.first_seat.0 + row.seats);
        let mut votes = [0u32; 256];
        for spot in &spots[first as usize..end as usize] {
            votes[usize::from(spot.tier.0)] += 1;
        }
        let most = (0..256)
            .max_by_key(|&tier| (votes[tier], 255 - tier))
            .unwrap_or(0);
        let origin = Rect {
            min: section.label_at,
            max: section.label_at,
        };
        let bounds = Rect::around(section.outline.iter().copied()).unwrap_or(origin);
        Plate {
            bounds,
            first,
            end,
            tier: TierIx(most as u8),
        }
    };
    map.sections.iter().map(plate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seat_map::testing;

    #[test]
    fn every_seat_is_in_one_row_and_one_section() {
        let scene = testing::scene();
        let rows: u32 = scene.bands.iter().map(|band| band.end - band.first).sum();
        let sections: u32 = scene
            .plates
            .iter()
            .map(|plate| plate.end - plate.first)
            .sum();
        assert_eq!(rows as usize, scene.spots.len());
        assert_eq!(sections as usize, scene.spots.len());
    }

    #[test]
    fn rows_outside_the_view_are_skipped_and_no_other() {
        let scene = testing::scene();
        let view = Rect {
            min: Point { x: 100.0, y: 100.0 },
            max: Point { x: 220.0, y: 160.0 },
        };
        let seen: Vec<u32> = scene
            .bands_in(view)
            .flat_map(|band| band.first..band.end)
            .collect();
        assert!(seen.len() < scene.spots.len());
        for seat in scene.grid.seats_in(view) {
            assert!(seen.contains(&seat.0));
        }
    }

    #[test]
    fn what_is_left_follows_states_and_filter() {
        let scene = testing::scene();
        let mut snapshot = testing::untouched(&scene);
        let before = scene.left(&snapshot, Filter::EVERYTHING);
        snapshot.set(SeatIx(0), SeatState::Sold);
        snapshot.set(SeatIx(1), SeatState::Held);
        let after = scene.left(&snapshot, Filter::EVERYTHING);
        assert_eq!(after[0].free, before[0].free - 2);
        assert_eq!(after[0].seats, before[0].seats);
        let other = TierIx(scene.plates[0].tier.0 + 1);
        assert_eq!(scene.left(&snapshot, Filter::only(other))[0].free, 0);
    }

    #[test]
    fn levels_follow_the_drawn_size() {
        assert_eq!(Level::of(1.0), Level::House);
        assert_eq!(Level::of(9.0), Level::Dots);
        // Wherever a tap chooses, numbers are shown.
        assert_eq!(
            Level::of(super::super::camera::TAP_DIAMETER_MIN),
            Level::Seats
        );
    }
}
