//! Seat maps from sections, rows and seats in order: keeps the ranges dense and ends every row
//! with a gap. Importers and generators share it.

use super::{Category, Point, Row, Seat, SeatFlags, SeatMap, Section, shape};
use crate::ids::{RowIx, SeatIx, SectionIx};
use crate::refusal::Refusal;

pub struct Builder {
    map: SeatMap,
}

impl Builder {
    /// An empty plan.
    pub fn new(name: &str, width: f32, height: f32, focal: Point) -> Self {
        Self {
            map: SeatMap {
                name: name.to_owned(),
                width,
                height,
                focal,
                categories: vec![],
                sections: vec![],
                rows: vec![],
                seats: vec![],
                areas: vec![],
                decorations: vec![],
            },
        }
    }

    pub fn category(&mut self, name: &str, color: u32) {
        self.map.categories.push(Category {
            name: name.to_owned(),
            color,
        });
    }

    /// Following rows belong to this section. Without an outline the hull of its seats stands
    /// in, without a place for the label the outline's centre.
    pub fn section(&mut self, name: &str, category: u8, outline: Vec<Point>) {
        self.map.sections.push(Section {
            name: name.to_owned(),
            first_row: RowIx(self.map.rows.len() as u32),
            rows: 0,
            category,
            label_at: shape::centroid(&outline),
            outline: shape::clockwise(outline),
        });
    }

    /// Where the name of the section begun last is written.
    pub fn label_at(&mut self, at: Point) {
        if let Some(section) = self.map.sections.last_mut() {
            section.label_at = at;
        }
    }

    /// Following seats belong to this row of the section begun last.
    ///
    /// # Panics
    /// Before the first section.
    pub fn row(&mut self, label: &str) {
        let section = self.map.sections.last_mut();
        section.expect("a row follows its section").rows += 1;
        self.map.rows.push(Row {
            section: SectionIx((self.map.sections.len() - 1) as u16),
            label: label.to_owned(),
            first_seat: SeatIx(self.map.seats.len() as u32),
            seats: 0,
        });
    }

    /// The next seat of the row begun last.
    ///
    /// # Panics
    /// Before the first row.
    pub fn seat(&mut self, label: String, at: Point, radius: f32, category: u8, flags: SeatFlags) {
        let row = self.map.rows.last_mut();
        row.expect("a seat follows its row").seats += 1;
        self.map.seats.push(Seat {
            row: RowIx((self.map.rows.len() - 1) as u32),
            label,
            at,
            radius,
            category,
            flags,
        });
    }

    /// What is built so far, for areas and decorations.
    pub fn map(&mut self) -> &mut SeatMap {
        &mut self.map
    }

    /// The finished seat map.
    ///
    /// # Errors
    /// `BrokenPlan` when it fails [`SeatMap::check`].
    pub fn finish(mut self) -> Result<SeatMap, Refusal> {
        for row in &self.map.rows {
            let last = row.first_seat.at() + row.seats as usize;
            if let Some(seat) = self.map.seats[..last].last_mut() {
                seat.flags = seat.flags.with(SeatFlags::GAP_AFTER);
            }
        }
        let mut sections = std::mem::take(&mut self.map.sections);
        for section in &mut sections {
            if !section.outline.is_empty() {
                continue;
            }
            section.outline = self.hull(section);
            section.label_at = match section.label_at {
                at if at == Point::default() => shape::centroid(&section.outline),
                at => at,
            };
        }
        self.map.sections = sections;
        self.map.check()?;
        Ok(self.map)
    }

    fn hull(&self, section: &Section) -> Vec<Point> {
        let rows = self.map.rows_of(section);
        let seats = rows.iter().flat_map(|row| self.map.seats_of(row));
        let mut hull = shape::hull_of_discs(seats.map(|seat| (seat.at, seat.radius)));
        for corner in &mut hull {
            corner.x = corner.x.clamp(0.0, self.map.width);
            corner.y = corner.y.clamp(0.0, self.map.height);
        }
        hull
    }
}
