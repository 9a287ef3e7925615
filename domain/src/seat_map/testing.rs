//! Small seat maps for tests.

use super::{Category, Point, Row, Seat, SeatFlags, SeatMap, Section, shape};
use crate::ids::{RowIx, SeatIx, SectionIx};

/// A row of `count` seats from `(x, y)` to the right, numbered from 1.
pub struct PlainRow {
    pub label: String,
    pub seats: Vec<(Point, String)>,
}

pub fn row_of(label: &str, count: u32, x: f64, y: f64, pitch: f64) -> PlainRow {
    PlainRow {
        label: label.into(),
        seats: (0..count)
            .map(|n| {
                let at = Point::on_grid(x + pitch * f64::from(n), y);
                (at, (n + 1).to_string())
            })
            .collect(),
    }
}

/// One section of these rows, without aisles, radius 4, on a plan of 1000 by 1000.
pub fn block(plain: &[PlainRow]) -> SeatMap {
    let mut rows = Vec::new();
    let mut seats: Vec<Seat> = Vec::new();
    for (ix, row) in plain.iter().enumerate() {
        rows.push(Row {
            section: SectionIx(0),
            label: row.label.clone(),
            first_seat: SeatIx(seats.len() as u32),
            seats: row.seats.len() as u32,
        });
        seats.extend(row.seats.iter().map(|(at, label)| Seat {
            row: RowIx(ix as u32),
            label: label.clone(),
            at: *at,
            radius: 4.0,
            category: 0,
            flags: SeatFlags::default(),
        }));
        let last = seats.last_mut().expect("a row has seats");
        last.flags = SeatFlags(SeatFlags::GAP_AFTER);
    }
    let outline = shape::hull_of_discs(seats.iter().map(|seat| (seat.at, seat.radius)));
    SeatMap {
        name: "Test house".into(),
        width: 1000.0,
        height: 1000.0,
        focal: Point { x: 500.0, y: 0.0 },
        categories: vec![Category {
            name: "All".into(),
            color: 0x33_66_99,
        }],
        sections: vec![Section {
            name: "Block".into(),
            first_row: RowIx(0),
            rows: rows.len() as u32,
            category: 0,
            label_at: shape::centroid(&outline),
            outline,
        }],
        rows,
        seats,
        areas: vec![],
        decorations: vec![],
    }
}
