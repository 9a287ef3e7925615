//! One immutable version of a venue's geometry.
//!
//! A seat map is built by an importer or a generator, proved by [`SeatMap::check`], written
//! down by [`codec`] and from then on only read: its name is the hash of its bytes.

/// From sections, rows and seats in order to a seat map.
pub mod builder;
/// What must hold for every seat map, and the limits.
pub mod check;
/// The compact binary form.
pub mod codec;
/// Houses of our own invention.
pub mod generate;
/// Which seat is under a finger.
pub mod grid;
/// Plan files: pretix seating plans and our own JSON.
pub mod import;
/// Our own JSON form.
pub mod json;
/// Points, rectangles, polygons.
pub mod shape;

#[cfg(test)]
pub(crate) mod testing;

use crate::ids::{AreaIx, RowIx, SeatIx, SectionIx};

pub use builder::Builder;
pub use check::SEATS_MAX;
pub use shape::{Point, Rect};

/// Flags of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SeatFlags(pub u8);

impl SeatFlags {
    pub const ACCESSIBLE: u8 = 1;
    pub const COMPANION: u8 = 2;
    pub const RESTRICTED_VIEW: u8 = 4;
    /// Nobody sits beside on the side of the next seat of the row: an aisle, a pillar, the end.
    /// Adjacency is data, never arithmetic on printed numbers. The last seat of every row has it.
    pub const GAP_AFTER: u8 = 8;

    /// All flags that exist.
    pub const ALL: u8 = 15;

    pub const fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }

    pub const fn with(self, flag: u8) -> Self {
        Self(self.0 | flag)
    }

    pub const fn without(self, flag: u8) -> Self {
        Self(self.0 & !flag)
    }
}

/// A named part of the house.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    pub name: String,
    /// Its rows are `first_row .. first_row + rows`.
    pub first_row: RowIx,
    pub rows: u32,
    /// Category of the plan it came from, index into [`SeatMap::categories`], as a first guess
    /// at tiers; seats may differ.
    pub category: u8,
    /// Convex or not, clockwise, for the house view; never empty.
    pub outline: Vec<Point>,
    /// Where its name is written.
    pub label_at: Point,
}

/// A row of one section. Seats lie in the order in which people sit.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub section: SectionIx,
    /// As printed: `A`, `12`.
    pub label: String,
    pub first_seat: SeatIx,
    pub seats: u32,
}

/// A seat.
#[derive(Debug, Clone, PartialEq)]
pub struct Seat {
    pub row: RowIx,
    /// As printed.
    pub label: String,
    pub at: Point,
    /// Plan units.
    pub radius: f32,
    /// Index into [`SeatMap::categories`].
    pub category: u8,
    pub flags: SeatFlags,
}

/// A standing area (general admission): a capacity, no seats.
#[derive(Debug, Clone, PartialEq)]
pub struct Area {
    pub name: String,
    pub outline: Vec<Point>,
    pub label_at: Point,
    pub capacity: u32,
    pub category: u8,
}

/// What is drawn but not sold: stage, entrances, texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Decoration {
    pub kind: DecorationKind,
    pub outline: Vec<Point>,
    pub label_at: Point,
    pub text: String,
    /// `0xRRGGBB`, `None`: the theme's own.
    pub color: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum DecorationKind {
    Stage = 0,
    Entrance = 1,
    Shape = 2,
    Text = 3,
}

impl DecorationKind {
    pub const fn from_number(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::Stage),
            1 => Some(Self::Entrance),
            2 => Some(Self::Shape),
            3 => Some(Self::Text),
            _ => None,
        }
    }
}

/// A price category of the plan: the organiser's tiers start from these.
#[derive(Debug, Clone, PartialEq)]
pub struct Category {
    pub name: String,
    /// `0xRRGGBB`.
    pub color: u32,
}

/// The geometry of a house. Built by import or generator, checked by `SeatMap::check`.
#[derive(Debug, Clone, PartialEq)]
pub struct SeatMap {
    pub name: String,
    /// Plan units; everything lies within `(0, 0) .. (width, height)`.
    pub width: f32,
    pub height: f32,
    /// What the audience looks at; best seats are near it.
    pub focal: Point,
    pub categories: Vec<Category>,
    pub sections: Vec<Section>,
    pub rows: Vec<Row>,
    pub seats: Vec<Seat>,
    pub areas: Vec<Area>,
    pub decorations: Vec<Decoration>,
}

impl SeatMap {
    pub fn seat(&self, ix: SeatIx) -> Option<&Seat> {
        self.seats.get(ix.at())
    }

    pub fn area(&self, ix: AreaIx) -> Option<&Area> {
        self.areas.get(ix.at())
    }

    /// The seats of a row, in the order in which people sit.
    pub fn seats_of(&self, row: &Row) -> &[Seat] {
        let first = row.first_seat.at();
        &self.seats[first..first + row.seats as usize]
    }

    /// The rows of a section, front to back as the plan lists them.
    pub fn rows_of(&self, section: &Section) -> &[Row] {
        let first = section.first_row.at();
        &self.rows[first..first + section.rows as usize]
    }

    /// Section of a seat.
    pub fn section_of(&self, ix: SeatIx) -> Option<SectionIx> {
        let seat = self.seats.get(ix.at())?;
        Some(self.rows[seat.row.at()].section)
    }

    /// Places of all areas together.
    pub fn area_places(&self) -> u32 {
        self.areas.iter().map(|area| area.capacity).sum()
    }

    /// Section, row and seat as printed.
    pub fn words(&self, ix: SeatIx) -> Option<SeatWords<'_>> {
        let seat = self.seats.get(ix.at())?;
        let row = &self.rows[seat.row.at()];
        Some(SeatWords {
            section: &self.sections[row.section.at()].name,
            row: &row.label,
            seat: &seat.label,
        })
    }
}

/// What is printed on a seat's ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SeatWords<'a> {
    pub section: &'a str,
    pub row: &'a str,
    pub seat: &'a str,
}
