//! What was read, and what was odd: for the organiser, kept with the seat map.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::super::SeatMap;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Kind of file, in words.
    pub format: String,
    pub name: String,
    pub sections: u32,
    pub rows: u32,
    pub seats: u32,
    pub areas: u32,
    pub area_places: u32,
    /// Category and its number of seats.
    pub categories: Vec<(String, u32)>,
    /// Stated or found gaps between seats of one row, ends of rows not counted.
    pub aisles: u32,
    pub notes: Vec<Note>,
}

/// Something that the organiser should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub enum Note {
    /// Ids of seats that are not unique; every seat has its own identity all the same.
    RepeatedGuids {
        seats: u32,
        distinct: u32,
        repeated: u32,
    },
    /// Zones whose rows repeat labels were split where rows are apart.
    ZoneSplit { zone: String, blocks: u32 },
    /// Seats whose section, row and number read the same as another's.
    SameWords { seats: u32 },
    /// Seats that lie on top of another.
    Overlapping { seats: u32 },
    /// Rows listed in another order than people sit.
    RowsReordered { rows: u32 },
    /// Seats of a category that the file does not list.
    UnlistedCategory { name: String },
    /// The same category twice; the first counts.
    RepeatedCategory { name: String },
    /// Colours that are not written `#rrggbb`.
    UnknownColors { count: u32 },
    /// Zones or rows without seats were left out.
    EmptyRows { count: u32 },
    /// Everything was moved, since some of it lay outside the plan.
    Moved { x: i32, y: i32 },
    /// Polygon points were read as relative to the zone, not to the area.
    PolygonsFromZone { count: u32 },
    /// Areas of the plan are drawn only: the format has no capacity.
    AreasDrawnOnly { count: u32 },
    /// Shapes of a kind that is not known were left out.
    UnknownShapes { count: u32 },
    /// Nothing in the file says what the audience looks at.
    FocalGuessed { from: String },
    /// Control characters in names were replaced by spaces.
    TextsCleaned { count: u32 },
}

impl Report {
    pub(super) fn of(map: &SeatMap, format: &str, notes: Vec<Note>) -> Self {
        let mut categories: Vec<(String, u32)> = map
            .categories
            .iter()
            .map(|category| (category.name.clone(), 0))
            .collect();
        for seat in &map.seats {
            categories[seat.category as usize].1 += 1;
        }
        let gaps = map
            .seats
            .iter()
            .filter(|seat| seat.flags.has(super::super::SeatFlags::GAP_AFTER));
        Self {
            format: format.to_owned(),
            name: map.name.clone(),
            sections: map.sections.len() as u32,
            rows: map.rows.len() as u32,
            seats: map.seats.len() as u32,
            areas: map.areas.len() as u32,
            area_places: map.area_places(),
            categories,
            aisles: (gaps.count() - map.rows.len()) as u32,
            notes,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({})", self.name, self.format)?;
        writeln!(
            f,
            "  {} seats in {} rows of {} sections, {} aisles within rows",
            self.seats, self.rows, self.sections, self.aisles
        )?;
        if self.areas > 0 {
            let (areas, places) = (self.areas, self.area_places);
            writeln!(f, "  {areas} standing areas with {places} places")?;
        }
        for (name, seats) in &self.categories {
            writeln!(f, "  {name}: {seats} seats")?;
        }
        if !self.notes.is_empty() {
            writeln!(f, "Worth knowing:")?;
        }
        for note in &self.notes {
            writeln!(f, "  - {note}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RepeatedGuids {
                seats,
                distinct,
                repeated,
            } => write!(
                f,
                "only {distinct} distinct seat_guids for {seats} seats, {repeated} repeated; every seat has its own identity here"
            ),
            Self::ZoneSplit { zone, blocks } => write!(
                f,
                "zone “{zone}” uses row labels more than once: made {blocks} sections of it, where its rows lie apart"
            ),
            Self::SameWords { seats } => write!(
                f,
                "{seats} seats read the same as another (section, row and number)"
            ),
            Self::Overlapping { seats } => {
                write!(f, "{seats} seats overlap another seat on the plan")
            }
            Self::RowsReordered { rows } => write!(
                f,
                "{rows} rows were listed in another order than people sit; put in order by position"
            ),
            Self::UnlistedCategory { name } => {
                write!(f, "category “{name}” is used but not listed; added")
            }
            Self::RepeatedCategory { name } => {
                write!(f, "category “{name}” is listed twice; the first counts")
            }
            Self::UnknownColors { count } => {
                write!(f, "{count} colours could not be read; replaced")
            }
            Self::EmptyRows { count } => {
                write!(f, "{count} rows or zones without seats were left out")
            }
            Self::Moved { x, y } => write!(
                f,
                "everything was moved by ({x}, {y}), since some of it lay outside the plan"
            ),
            Self::PolygonsFromZone { count } => write!(
                f,
                "the points of {count} polygons were read as relative to their zone, not to the area"
            ),
            Self::AreasDrawnOnly { count } => write!(
                f,
                "{count} areas are drawn but not sold: the format has no capacity"
            ),
            Self::UnknownShapes { count } => {
                write!(f, "{count} shapes of an unknown kind were left out")
            }
            Self::FocalGuessed { from } => write!(
                f,
                "the file does not say what the audience looks at; taken: {from}"
            ),
            Self::TextsCleaned { count } => {
                write!(f, "control characters in {count} texts became spaces")
            }
        }
    }
}
