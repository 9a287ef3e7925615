//! Our own JSON form: what API clients read and what can be imported. Sections, rows and seats
//! come in order; who sits beside whom is stated (`gap_after`), never guessed from numbers.
//!
//! Lengths are plan units, y down, kept to 1/16 unit. Colours are `#rrggbb`. In files written
//! by people a row may be an arc instead of a list of seats.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Decoration, DecorationKind, Point, Row, Seat, SeatFlags, SeatMap};

/// Value of the member `format`.
pub const FORMAT: &str = "rowlock-seat-map/1";
/// Magnitude of a coordinate in an imported file, before it is moved into the plan.
pub const COORDINATE_MAX: f64 = 1_000_000.0;
/// Radius of a seat that states none.
pub(super) const RADIUS_DEFAULT: f64 = 10.0;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub format: String,
    pub name: String,
    pub width: Length,
    pub height: Length,
    /// What the audience looks at.
    pub focal: At,
    pub categories: Vec<FileCategory>,
    #[serde(default)]
    pub sections: Vec<FileSection>,
    #[serde(default)]
    pub areas: Vec<FileArea>,
    #[serde(default)]
    pub decorations: Vec<FileDecoration>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileCategory {
    pub name: String,
    pub color: Color,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileSection {
    pub name: String,
    /// Of seats that state none.
    pub category: String,
    /// Without one, the hull of the seats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outline: Vec<At>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label_at: Option<At>,
    pub rows: Vec<FileRow>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileRow {
    pub label: String,
    /// Index of the row's first seat, for readers; ignored when imported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_seat: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<FileSeat>,
    /// Instead of `seats`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arc: Option<FileArc>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileSeat {
    pub label: String,
    pub at: At,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Length>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    #[serde(default, skip_serializing_if = "no")]
    pub gap_after: bool,
    #[serde(default, skip_serializing_if = "no")]
    pub accessible: bool,
    #[serde(default, skip_serializing_if = "no")]
    pub companion: bool,
    #[serde(default, skip_serializing_if = "no")]
    pub restricted_view: bool,
}

/// Evenly spaced seats on an arc.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileArc {
    pub center: At,
    pub radius: Length,
    /// Degrees clockwise from the right, of the first and of the last seat.
    pub from: Length,
    pub to: Length,
    pub count: u32,
    /// Printed numbers: first, first + step, …
    #[serde(default = "one")]
    pub first: i64,
    #[serde(default = "one")]
    pub step: i64,
    #[serde(default)]
    pub seat_radius: Option<Length>,
    /// Positions in the row, from 1, after which nobody sits beside.
    #[serde(default)]
    pub gaps_after: Vec<u32>,
    /// Positions in the row, from 1.
    #[serde(default)]
    pub accessible: Vec<u32>,
    #[serde(default)]
    pub companion: Vec<u32>,
    #[serde(default)]
    pub restricted_view: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileArea {
    pub name: String,
    pub category: String,
    pub capacity: u32,
    pub outline: Vec<At>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label_at: Option<At>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileDecoration {
    pub kind: FileDecorationKind,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outline: Vec<At>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label_at: Option<At>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<Color>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FileDecorationKind {
    Stage,
    Entrance,
    Shape,
    Text,
}

/// A finite number of moderate size: anything else is refused where it stands, with its line.
#[derive(Clone, Copy, Serialize)]
#[serde(transparent)]
pub(super) struct Length(pub f64);

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let length = f64::deserialize(deserializer)?;
        if length.abs() <= COORDINATE_MAX {
            return Ok(Self(length));
        }
        Err(de::Error::custom(format_args!(
            "{length} is beyond the limit of {COORDINATE_MAX}"
        )))
    }
}

/// `[x, y]`
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct At(pub [Length; 2]);

impl At {
    pub fn point(self) -> Point {
        let [x, y] = self.0;
        Point::on_grid(x.0, y.0)
    }
}

impl From<Point> for At {
    fn from(p: Point) -> Self {
        Self([Length(p.x.into()), Length(p.y.into())])
    }
}

/// `0xRRGGBB`, written `#rrggbb`.
#[derive(Clone, Copy)]
pub(super) struct Color(pub u32);

impl Color {
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#')?;
        let plain = digits.bytes().all(|b| b.is_ascii_hexdigit());
        let value = u32::from_str_radix(digits, 16).ok()?;
        match digits.len() {
            6 if plain => Some(Self(value)),
            3 if plain => {
                let wide = |shift: u32| (value >> shift & 0xf) * 0x11;
                Some(Self(wide(8) << 16 | wide(4) << 8 | wide(0)))
            }
            _ => None,
        }
    }
}

impl Serialize for Color {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("#{:06x}", self.0))
    }
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| de::Error::custom("a colour is written #rrggbb"))
    }
}

/// The JSON form of a seat map.
pub fn write(map: &SeatMap) -> String {
    let category = |ix: u8| map.categories[ix as usize].name.clone();
    let outline = |outline: &[Point]| outline.iter().map(|&p| p.into()).collect();
    let file = File {
        format: FORMAT.into(),
        name: map.name.clone(),
        width: Length(map.width.into()),
        height: Length(map.height.into()),
        focal: map.focal.into(),
        categories: map
            .categories
            .iter()
            .map(|c| FileCategory {
                name: c.name.clone(),
                color: Color(c.color),
            })
            .collect(),
        sections: map
            .sections
            .iter()
            .map(|section| FileSection {
                name: section.name.clone(),
                category: category(section.category),
                outline: outline(&section.outline),
                label_at: Some(section.label_at.into()),
                rows: map
                    .rows_of(section)
                    .iter()
                    .map(|row| write_row(map, row, section.category))
                    .collect(),
            })
            .collect(),
        areas: map
            .areas
            .iter()
            .map(|area| FileArea {
                name: area.name.clone(),
                category: category(area.category),
                capacity: area.capacity,
                outline: outline(&area.outline),
                label_at: Some(area.label_at.into()),
            })
            .collect(),
        decorations: map.decorations.iter().map(write_decoration).collect(),
    };
    serde_json::to_string(&file).expect("plain structures become JSON")
}

fn write_row(map: &SeatMap, row: &Row, category: u8) -> FileRow {
    let seat = |seat: &Seat| FileSeat {
        label: seat.label.clone(),
        at: seat.at.into(),
        radius: Some(Length(seat.radius.into())),
        category: (seat.category != category)
            .then(|| map.categories[seat.category as usize].name.clone()),
        gap_after: seat.flags.has(SeatFlags::GAP_AFTER),
        accessible: seat.flags.has(SeatFlags::ACCESSIBLE),
        companion: seat.flags.has(SeatFlags::COMPANION),
        restricted_view: seat.flags.has(SeatFlags::RESTRICTED_VIEW),
    };
    FileRow {
        label: row.label.clone(),
        first_seat: Some(row.first_seat.0),
        seats: map.seats_of(row).iter().map(seat).collect(),
        arc: None,
    }
}

fn write_decoration(decoration: &Decoration) -> FileDecoration {
    FileDecoration {
        kind: match decoration.kind {
            DecorationKind::Stage => FileDecorationKind::Stage,
            DecorationKind::Entrance => FileDecorationKind::Entrance,
            DecorationKind::Shape => FileDecorationKind::Shape,
            DecorationKind::Text => FileDecorationKind::Text,
        },
        outline: decoration.outline.iter().map(|&p| p.into()).collect(),
        label_at: Some(decoration.label_at.into()),
        text: decoration.text.clone(),
        color: decoration.color.map(Color),
    }
}

fn no(flag: &bool) -> bool {
    !flag
}

fn one() -> i64 {
    1
}
