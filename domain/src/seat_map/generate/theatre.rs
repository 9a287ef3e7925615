use super::super::{Builder, Decoration, DecorationKind, SeatFlags, SeatMap};
use super::arcs::{Circles, Place, PlannedRow, PlannedSection, build, letters, trim};

/// Seats of the theatre.
pub const THEATRE_SEATS: usize = 1_500;

const ROOM: Circles = Circles {
    center_x: 860.0,
    center_y: -655.0,
};
const WIDTH: f32 = 1_720.0;
const HEIGHT: f32 = 1_140.0;
const SEAT_RADIUS: f32 = 9.0;
const PITCH: f64 = 21.0;
const ROW_SPACING: f64 = 24.0;
/// Rows end at this angle on either side, and have aisles at these.
const WALL_AT: f64 = 0.395;
const AISLE_AT: f64 = 0.18;
/// Half an aisle.
const AISLE_MARGIN: f64 = 15.0;
/// Seats of the boxes of one side, from the stage.
const BOX_SEATS: [usize; 5] = [6, 4, 4, 4, 4];
const BOX_AT: f64 = 0.445;

const CATEGORIES: [(&str, u32); 5] = [
    ("Stalls front", 0xb8_32_4f),
    ("Stalls", 0xd0_7a_2d),
    ("Dress circle", 0x2d_7f_72),
    ("Balcony", 0x3c_6c_b4),
    ("Boxes", 0x80_58_a8),
];

/// A level: name, first row's radius, rows, and the category of its row `n`.
type Level = (&'static str, f64, usize, fn(usize) -> u8);

const LEVELS: [Level; 3] = [
    ("Stalls", 900.0, 18, |row| if row < 7 { 0 } else { 1 }),
    ("Dress circle", 1_376.0, 8, |_| 2),
    ("Balcony", 1_612.0, 6, |_| 3),
];

/// A theatre of 1,500 seats: stalls, dress circle and balcony with two aisles through every
/// row, ten boxes, wheelchair places with companions in the last rows of the stalls.
pub fn theatre(name: &str) -> SeatMap {
    let mut builder = Builder::new(name, WIDTH, HEIGHT, ROOM.at(830.0, 0.0));
    for (name, color) in CATEGORIES {
        builder.category(name, color);
    }
    let mut sections: Vec<PlannedSection> = LEVELS.iter().map(level).collect();
    for side in [-1.0, 1.0] {
        sections.extend(boxes(side));
    }
    trim(&mut sections, 2..3, THEATRE_SEATS);
    build(&mut builder, sections, SEAT_RADIUS);
    let map = builder.map();
    map.decorations.push(stage());
    map.decorations.extend(doors());
    builder.finish().expect("the theatre passes its own check")
}

fn level(&(name, inner, rows, category): &Level) -> PlannedSection {
    let outer = inner + ROW_SPACING * (rows - 1) as f64;
    let stalls = name == "Stalls";
    PlannedSection {
        name: name.into(),
        outline: ROOM.sector([inner - 15.0, outer + 15.0], [-WALL_AT, WALL_AT]),
        label_at: ROOM.at((inner + outer) / 2.0, 0.0),
        rows: (0..rows)
            .map(|row| {
                let mut places = across(inner + ROW_SPACING * row as f64);
                if stalls && row + 2 >= rows {
                    wheelchairs(&mut places);
                }
                PlannedRow {
                    label: letters(row),
                    category: category(row),
                    places,
                }
            })
            .collect(),
    }
}

/// A whole row: left, middle and right block, an aisle after the first and the second.
fn across(radius: f64) -> Vec<Place> {
    let cuts = [-WALL_AT, -AISLE_AT, AISLE_AT, WALL_AT];
    let mut places = Vec::new();
    for pair in cuts.windows(2) {
        let mut block = ROOM.row(radius, [pair[0], pair[1]], PITCH, AISLE_MARGIN);
        if let Some(last) = block.last_mut() {
            last.flags = last.flags.with(SeatFlags::GAP_AFTER);
        }
        places.extend(block);
    }
    places
}

/// A wheelchair place at either wall, its companion beside.
fn wheelchairs(places: &mut [Place]) {
    let last = places.len() - 1;
    for (ix, mark) in [
        (0, SeatFlags::ACCESSIBLE),
        (1, SeatFlags::COMPANION),
        (last - 1, SeatFlags::COMPANION),
        (last, SeatFlags::ACCESSIBLE),
    ] {
        places[ix].flags = places[ix].flags.with(mark);
    }
}

/// The boxes along one wall; people sit in one row that leads away from the stage.
fn boxes(side: f64) -> impl Iterator<Item = PlannedSection> {
    let mut radius = 900.0;
    BOX_SEATS.into_iter().enumerate().map(move |(ix, count)| {
        let first = radius;
        let last = first + PITCH * (count - 1) as f64;
        radius = last + 40.0;
        let number = if side < 0.0 { ix * 2 + 1 } else { ix * 2 + 2 };
        let wide = 15.0 / first;
        let angles = [side * BOX_AT - wide, side * BOX_AT + wide];
        PlannedSection {
            name: format!("Box {number}"),
            outline: ROOM.sector([first - 15.0, last + 15.0], angles),
            label_at: ROOM.at((first + last) / 2.0, side * BOX_AT),
            rows: vec![PlannedRow {
                label: "1".into(),
                category: 4,
                places: (0..count)
                    .map(|n| Place {
                        at: ROOM.at(first + PITCH * n as f64, side * BOX_AT),
                        // Box 1 and 2 look at the stage from the side.
                        flags: if ix == 0 {
                            SeatFlags(SeatFlags::RESTRICTED_VIEW)
                        } else {
                            SeatFlags::default()
                        },
                    })
                    .collect(),
            }],
        }
    })
}

fn stage() -> Decoration {
    Decoration {
        kind: DecorationKind::Stage,
        outline: ROOM.sector([720.0, 850.0], [-0.36, 0.36]),
        label_at: ROOM.at(785.0, 0.0),
        text: "Stage".into(),
        color: None,
    }
}

fn doors() -> impl Iterator<Item = Decoration> {
    [(-1.0, "Left"), (1.0, "Right")]
        .into_iter()
        .map(|(side, name)| Decoration {
            kind: DecorationKind::Entrance,
            outline: ROOM.sector(
                [1_480.0, 1_560.0],
                [side * 0.445 - 0.008, side * 0.445 + 0.008],
            ),
            label_at: ROOM.at(1_520.0, side * 0.445),
            text: format!("{name} entrance"),
            color: None,
        })
}
