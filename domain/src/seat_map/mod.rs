//! One immutable version of a venue's geometry.

use crate::ids::{AreaIx, RowIx, SeatIx, SectionIx};

/// Seats of one seat map.
pub const SEATS_MAX: usize = 150_000;

/// A position in plan units, y down. Kept on a grid of 1/16 unit, so that encoding is exact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    pub x: f32,
    pub y: f32,
}

/// Flags of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SeatFlags(pub u8);

impl SeatFlags {
    pub const ACCESSIBLE: u8 = 1;
    pub const COMPANION: u8 = 2;
    pub const RESTRICTED_VIEW: u8 = 4;
    /// Nobody sits beside on the side of the next seat of the row: an aisle, a pillar, the end.
    /// Adjacency is data, never arithmetic on printed numbers.
    pub const GAP_AFTER: u8 = 8;

    pub const fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
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

/// A standing area.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeatWords<'a> {
    pub section: &'a str,
    pub row: &'a str,
    pub seat: &'a str,
}
