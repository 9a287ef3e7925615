//! Rows on circles around one centre, as most houses have them.

use super::super::{Builder, Point, SeatFlags};

/// Angles are measured from straight down the plan, positive to the right, in radians.
#[derive(Clone, Copy)]
pub(super) struct Circles {
    pub center_x: f64,
    pub center_y: f64,
}

impl Circles {
    pub fn at(&self, radius: f64, angle: f64) -> Point {
        Point::on_grid(
            self.center_x + radius * angle.sin(),
            self.center_y + radius * angle.cos(),
        )
    }

    /// The outline between two radii and two angles, along the arcs.
    pub fn sector(&self, radii: [f64; 2], angles: [f64; 2]) -> Vec<Point> {
        let steps = (((angles[1] - angles[0]).abs() / 0.06).ceil() as usize).max(2);
        let along = |radius: f64, step: usize| {
            let part = step as f64 / steps as f64;
            self.at(radius, angles[0] + (angles[1] - angles[0]) * part)
        };
        let inner = (0..=steps).map(|step| along(radii[0], step));
        let outer = (0..=steps).rev().map(|step| along(radii[1], step));
        inner.chain(outer).collect()
    }

    /// Seats on one arc, evenly spaced and centred between two angles.
    pub fn row(&self, radius: f64, angles: [f64; 2], pitch: f64, margin: f64) -> Vec<Place> {
        let length = (angles[1] - angles[0]) * radius - 2.0 * margin;
        let count = (length / pitch) as usize + 1;
        let middle = (angles[0] + angles[1]) / 2.0;
        let step = pitch / radius;
        let first = middle - step * (count as f64 - 1.0) / 2.0;
        (0..count)
            .map(|n| Place {
                at: self.at(radius, first + step * n as f64),
                flags: SeatFlags::default(),
            })
            .collect()
    }
}

#[derive(Clone, Copy)]
pub(super) struct Place {
    pub at: Point,
    pub flags: SeatFlags,
}

/// A section before its seats are numbered.
pub(super) struct PlannedSection {
    pub name: String,
    pub outline: Vec<Point>,
    pub label_at: Point,
    pub rows: Vec<PlannedRow>,
}

pub(super) struct PlannedRow {
    pub label: String,
    pub category: u8,
    pub places: Vec<Place>,
}

/// Takes seats from the ends of the sections' last rows, turn by turn, until `target` are left.
///
/// # Panics
/// When there are fewer than `target`, or the last rows have too few to give.
pub(super) fn trim(sections: &mut [PlannedSection], last: std::ops::Range<usize>, target: usize) {
    let total: usize = sections
        .iter()
        .flat_map(|section| &section.rows)
        .map(|row| row.places.len())
        .sum();
    assert!(total >= target, "{total} seats planned for {target}");
    for turn in 0..total - target {
        let section = last.start + turn % last.len();
        let row = sections[section].rows.last_mut().expect("it has rows");
        assert!(row.places.len() > 2, "{total} seats planned for {target}");
        if (turn / last.len()).is_multiple_of(2) {
            row.places.pop();
        } else {
            row.places.remove(0);
        }
    }
}

/// Adds the planned sections, seats numbered from 1 along each row, right through its aisles.
pub(super) fn build(builder: &mut Builder, sections: Vec<PlannedSection>, radius: f32) {
    for section in sections {
        let category = section.rows[0].category;
        builder.section(&section.name, category, section.outline);
        builder.label_at(section.label_at);
        for row in section.rows {
            builder.row(&row.label);
            for (n, place) in row.places.into_iter().enumerate() {
                let label = (n + 1).to_string();
                builder.seat(label, place.at, radius, row.category, place.flags);
            }
        }
    }
}

/// `A` … `Z`, `AA` … for the nth row.
pub(super) fn letters(n: usize) -> String {
    let letter = (b'A' + (n % 26) as u8) as char;
    letter.to_string().repeat(n / 26 + 1)
}
