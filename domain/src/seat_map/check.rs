//! What must hold for every seat map. Importers, generators and the decoder all end here, so
//! that the rest of the house may index without asking.

use super::shape::{Point, STEPS_PER_UNIT};
use super::{SeatFlags, SeatMap};
use crate::refusal::Refusal;

/// Seats of one seat map.
pub const SEATS_MAX: usize = 150_000;
/// Rows of one seat map.
pub const ROWS_MAX: usize = 50_000;
/// Sections of one seat map.
pub const SECTIONS_MAX: usize = 4_096;
/// Standing areas of one seat map.
pub const AREAS_MAX: usize = 256;
/// Places of one standing area.
pub const AREA_CAPACITY_MAX: u32 = 250_000;
/// Categories of one seat map; tiers of a show start from them.
pub const CATEGORIES_MAX: usize = 32;
/// Decorations of one seat map.
pub const DECORATIONS_MAX: usize = 4_096;
/// Corners of one outline.
pub const OUTLINE_POINTS_MAX: usize = 4_096;
/// Corners of all outlines together.
pub const ALL_POINTS_MAX: usize = 100_000;
/// Names and texts, in bytes.
pub const TEXT_BYTES_MAX: usize = 400;
/// Printed row and seat labels, in bytes.
pub const LABEL_BYTES_MAX: usize = 60;
/// Width and height, plan units. Sixteenths of it are exact in `f32`.
pub const PLAN_SIDE_MAX: f32 = 100_000.0;
/// Radius of a seat, plan units.
pub const RADIUS_MAX: f32 = 1_000.0;

impl SeatMap {
    /// Proves what every user of a seat map relies on: dense and consistent ranges, finite
    /// coordinates on the grid and inside the plan, known categories, limits, and a gap after
    /// the last seat of every row.
    ///
    /// # Errors
    /// `BrokenPlan` naming the first thing that does not hold.
    pub fn check(&self) -> Result<(), Refusal> {
        self.check_counts()?;
        self.check_frame()?;
        self.check_ranges()?;
        self.check_seats()?;
        self.check_areas()?;
        self.check_decorations()
    }

    fn check_counts(&self) -> Result<(), Refusal> {
        let counts = [
            ("seats", self.seats.len(), SEATS_MAX),
            ("rows", self.rows.len(), ROWS_MAX),
            ("sections", self.sections.len(), SECTIONS_MAX),
            ("areas", self.areas.len(), AREAS_MAX),
            ("categories", self.categories.len(), CATEGORIES_MAX),
            ("decorations", self.decorations.len(), DECORATIONS_MAX),
        ];
        for (what, count, max) in counts {
            ensure(count <= max, || format!("{count} {what}, at most {max}"))?;
        }
        let sections = self.sections.iter().map(|s| s.outline.len());
        let areas = self.areas.iter().map(|a| a.outline.len());
        let decorations = self.decorations.iter().map(|d| d.outline.len());
        let points: usize = sections.chain(areas).chain(decorations).sum();
        ensure(points <= ALL_POINTS_MAX, || {
            format!("{points} corners, at most {ALL_POINTS_MAX}")
        })?;
        let standing = self.areas.iter().any(|area| area.capacity > 0);
        ensure(!self.seats.is_empty() || standing, || {
            "no seat and no place to stand".into()
        })?;
        ensure(!self.categories.is_empty(), || "no category".into())
    }

    fn check_frame(&self) -> Result<(), Refusal> {
        for side in [self.width, self.height] {
            ensure(on_grid(side) && side > 0.0 && side <= PLAN_SIDE_MAX, || {
                format!("plan size {side}, at most {PLAN_SIDE_MAX}")
            })?;
        }
        self.check_point(self.focal, || "focal point".into())?;
        check_text(&self.name, TEXT_BYTES_MAX, "the plan's name")?;
        ensure(!self.name.is_empty(), || "the plan has no name".into())?;
        for (ix, category) in self.categories.iter().enumerate() {
            let new = self.categories[..ix]
                .iter()
                .all(|c| c.name != category.name);
            ensure(new, || format!("category {} twice", category.name))?;
            check_text(&category.name, TEXT_BYTES_MAX, "a category's name")?;
            check_color(category.color)?;
        }
        Ok(())
    }

    fn check_ranges(&self) -> Result<(), Refusal> {
        let mut row_at = 0;
        let mut seat_at = 0;
        for (ix, section) in self.sections.iter().enumerate() {
            let name = &section.name;
            check_text(name, TEXT_BYTES_MAX, "a section's name")?;
            self.check_category(section.category, name)?;
            self.check_outline(&section.outline, 3, name)?;
            self.check_point(section.label_at, || format!("label of {name}"))?;
            ensure(section.rows > 0, || format!("section {name} has no rows"))?;
            let dense = section.first_row.at() == row_at
                && section.rows as usize <= self.rows.len() - row_at;
            ensure(dense, || format!("rows of section {name} are not dense"))?;
            for row in self.rows_of(section) {
                check_text(&row.label, LABEL_BYTES_MAX, "a row's label")?;
                let dense = row.section.at() == ix
                    && row.first_seat.at() == seat_at
                    && row.seats > 0
                    && row.seats as usize <= self.seats.len() - seat_at;
                ensure(dense, || {
                    format!("seats of {name}, row {} are not dense", row.label)
                })?;
                seat_at += row.seats as usize;
            }
            row_at += section.rows as usize;
        }
        ensure(row_at == self.rows.len(), || {
            "rows outside all sections".into()
        })?;
        ensure(seat_at == self.seats.len(), || {
            "seats outside all rows".into()
        })
    }

    fn check_seats(&self) -> Result<(), Refusal> {
        for (row_ix, row) in self.rows.iter().enumerate() {
            let seats = self.seats_of(row);
            for seat in seats {
                let what = || format!("row {}, seat {}", row.label, seat.label);
                check_text(&seat.label, LABEL_BYTES_MAX, "a seat's label")?;
                self.check_point(seat.at, what)?;
                let sound = seat.row.at() == row_ix
                    && seat.flags.0 & !SeatFlags::ALL == 0
                    && (seat.category as usize) < self.categories.len();
                ensure(sound, || {
                    format!("{}: unknown row, category or flag", what())
                })?;
                let radius = seat.radius;
                let sound = on_grid(radius) && radius > 0.0 && radius <= RADIUS_MAX;
                ensure(sound, || format!("{}: radius {radius}", what()))?;
            }
            let ends = seats
                .last()
                .is_some_and(|s| s.flags.has(SeatFlags::GAP_AFTER));
            ensure(ends, || {
                format!("no gap after the last seat of row {}", row.label)
            })?;
        }
        Ok(())
    }

    fn check_areas(&self) -> Result<(), Refusal> {
        for area in &self.areas {
            let name = &area.name;
            check_text(name, TEXT_BYTES_MAX, "an area's name")?;
            self.check_category(area.category, name)?;
            self.check_outline(&area.outline, 3, name)?;
            self.check_point(area.label_at, || format!("label of {name}"))?;
            ensure(area.capacity <= AREA_CAPACITY_MAX, || {
                format!("capacity of {name}, at most {AREA_CAPACITY_MAX}")
            })?;
        }
        Ok(())
    }

    fn check_decorations(&self) -> Result<(), Refusal> {
        for decoration in &self.decorations {
            check_text(&decoration.text, TEXT_BYTES_MAX, "a text")?;
            self.check_outline(&decoration.outline, 0, "a decoration")?;
            self.check_point(decoration.label_at, || "label of a decoration".into())?;
            check_color(decoration.color.unwrap_or(0))?;
        }
        Ok(())
    }

    fn check_category(&self, category: u8, name: &str) -> Result<(), Refusal> {
        ensure((category as usize) < self.categories.len(), || {
            format!("{name}: unknown category")
        })
    }

    fn check_outline(&self, outline: &[Point], min: usize, name: &str) -> Result<(), Refusal> {
        let count = outline.len();
        ensure((min..=OUTLINE_POINTS_MAX).contains(&count), || {
            format!("outline of {name} has {count} corners, {min} to {OUTLINE_POINTS_MAX}")
        })?;
        outline
            .iter()
            .try_for_each(|&p| self.check_point(p, || format!("outline of {name}")))
    }

    fn check_point(&self, p: Point, what: impl Fn() -> String) -> Result<(), Refusal> {
        let inside = (0.0..=self.width).contains(&p.x) && (0.0..=self.height).contains(&p.y);
        ensure(inside && on_grid(p.x) && on_grid(p.y), || {
            format!("{}: ({}, {}) is outside the plan", what(), p.x, p.y)
        })
    }
}

fn on_grid(length: f32) -> bool {
    let steps = length * STEPS_PER_UNIT;
    steps.is_finite() && steps.fract() == 0.0
}

fn check_text(text: &str, bytes_max: usize, what: &str) -> Result<(), Refusal> {
    ensure(text.len() <= bytes_max, || {
        format!("{what} is longer than {bytes_max} bytes")
    })?;
    ensure(!text.chars().any(char::is_control), || {
        format!("{what} contains control characters")
    })
}

fn check_color(color: u32) -> Result<(), Refusal> {
    ensure(color <= 0xff_ff_ff, || "a colour beyond 24 bits".into())
}

/// `BrokenPlan` without a line unless `holds`.
pub(super) fn ensure(holds: bool, detail: impl FnOnce() -> String) -> Result<(), Refusal> {
    if holds {
        return Ok(());
    }
    Err(Refusal::BrokenPlan {
        line: 0,
        detail: detail(),
    })
}
