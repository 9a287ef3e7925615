use super::super::{Area, Builder, Decoration, DecorationKind, Point, SeatFlags, SeatMap, shape};
use super::arcs::{Circles, Place, PlannedRow, PlannedSection, build, trim};

/// Seats of the arena; the standing floor is beside them.
pub const ARENA_SEATS: usize = 50_000;

const STANDING_PLACES: u32 = 6_000;
const BOWL: Circles = Circles {
    center_x: 1_850.0,
    center_y: 1_530.0,
};
const WIDTH: f32 = 3_700.0;
const HEIGHT: f32 = 3_400.0;
/// The bowl is open behind the stage: rows run from this angle left to this angle right.
const OPEN_AT: f64 = 2.53;
const SEAT_RADIUS: f32 = 4.0;
const PITCH: f64 = 10.0;
const ROW_SPACING: f64 = 12.0;
/// Half an aisle.
const AISLE_MARGIN: f64 = 9.0;

/// One ring of sections.
struct Level {
    /// Sections are called `101`, `102`, …
    hundreds: usize,
    sections: usize,
    rows: usize,
    inner: f64,
}

const LEVELS: [Level; 3] = [
    Level {
        hundreds: 100,
        sections: 16,
        rows: 22,
        inner: 560.0,
    },
    Level {
        hundreds: 200,
        sections: 20,
        rows: 23,
        inner: 868.0,
    },
    Level {
        hundreds: 300,
        sections: 24,
        rows: 47,
        inner: 1_190.0,
    },
];

const CATEGORIES: [(&str, u32); 5] = [
    ("Lower centre", 0xc2_3b_5a),
    ("Lower and floor", 0xd9_7b_29),
    ("Club", 0x2f_7d_6b),
    ("Upper front", 0x3a_6e_b5),
    ("Upper", 0x7a_5f_b0),
];

/// An arena of 50,000 seats in 60 sections on curved rows, five categories, and a standing
/// floor before the stage.
pub fn arena(name: &str) -> SeatMap {
    let focal = BOWL.at(350.0, std::f64::consts::PI);
    let mut builder = Builder::new(name, WIDTH, HEIGHT, focal);
    for (name, color) in CATEGORIES {
        builder.category(name, color);
    }
    let mut sections: Vec<PlannedSection> = LEVELS.iter().flat_map(level).collect();
    let upper = sections.len() - LEVELS[2].sections..sections.len();
    trim(&mut sections, upper, ARENA_SEATS);
    build(&mut builder, sections, SEAT_RADIUS);
    let map = builder.map();
    map.areas.push(standing());
    map.decorations.push(stage());
    map.decorations.extend(gates());
    builder.finish().expect("the arena passes its own check")
}

fn level(level: &Level) -> impl Iterator<Item = PlannedSection> + '_ {
    let wide = 2.0 * OPEN_AT / level.sections as f64;
    (0..level.sections).map(move |ix| {
        let left = -OPEN_AT + wide * ix as f64;
        let angles = [left, left + wide];
        let middle = left + wide / 2.0;
        let outer = level.inner + ROW_SPACING * (level.rows - 1) as f64;
        // The outline keeps clear of the next section by a third of the aisle.
        let shy = AISLE_MARGIN / 3.0 / level.inner;
        let radii = [level.inner - 7.0, outer + 7.0];
        PlannedSection {
            name: (level.hundreds + ix + 1).to_string(),
            outline: BOWL.sector(radii, [angles[0] + shy, angles[1] - shy]),
            label_at: BOWL.at((level.inner + outer) / 2.0, middle),
            rows: (0..level.rows)
                .map(|row| PlannedRow {
                    label: (row + 1).to_string(),
                    category: category(level, row, middle),
                    places: places(level, row, angles),
                })
                .collect(),
        }
    })
}

fn places(level: &Level, row: usize, angles: [f64; 2]) -> Vec<Place> {
    let radius = level.inner + ROW_SPACING * row as f64;
    let margin = AISLE_MARGIN + f64::from(SEAT_RADIUS);
    let mut places = BOWL.row(radius, angles, PITCH, margin);
    let last_row = row + 1 == level.rows;
    if level.hundreds == 100 && last_row {
        // Level with the concourse: two wheelchair places with a companion each.
        let marks = [
            SeatFlags::ACCESSIBLE,
            SeatFlags::COMPANION,
            SeatFlags::COMPANION,
            SeatFlags::ACCESSIBLE,
        ];
        let from = places.len() / 2 - 2;
        for (place, mark) in places[from..].iter_mut().zip(marks) {
            place.flags = place.flags.with(mark);
        }
    }
    let beside_stage = angles[0].abs().max(angles[1].abs()) > OPEN_AT - 0.15;
    if beside_stage {
        for place in &mut places {
            place.flags = place.flags.with(SeatFlags::RESTRICTED_VIEW);
        }
    }
    places
}

fn category(level: &Level, row: usize, angle: f64) -> u8 {
    match level.hundreds {
        100 if angle.abs() < 1.0 => 0,
        100 => 1,
        200 => 2,
        _ if row < 18 => 3,
        _ => 4,
    }
}

fn standing() -> Area {
    let turn = std::f64::consts::PI * 0.72;
    let mut outline: Vec<Point> = (0..=40)
        .map(|step| BOWL.at(510.0, -turn + 2.0 * turn * f64::from(step) / 40.0))
        .collect();
    outline.dedup();
    Area {
        name: "Standing floor".into(),
        label_at: BOWL.at(60.0, 0.0),
        outline: shape::clockwise(outline),
        capacity: STANDING_PLACES,
        category: 1,
    }
}

fn stage() -> Decoration {
    let (x, y) = (BOWL.center_x, BOWL.center_y);
    let corners = [
        (-260.0, -560.0),
        (260.0, -560.0),
        (260.0, -400.0),
        (90.0, -400.0),
        (60.0, -350.0),
        (-60.0, -350.0),
        (-90.0, -400.0),
        (-260.0, -400.0),
    ];
    Decoration {
        kind: DecorationKind::Stage,
        outline: corners
            .iter()
            .map(|&(dx, dy)| Point::on_grid(x + dx, y + dy))
            .collect(),
        label_at: Point::on_grid(x, y - 470.0),
        text: "Stage".into(),
        color: None,
    }
}

fn gates() -> impl Iterator<Item = Decoration> {
    let names = ["West", "South-west", "South", "South-east", "East"];
    names.into_iter().enumerate().map(|(ix, name)| {
        let angle = -1.9 + 0.95 * ix as f64;
        Decoration {
            kind: DecorationKind::Entrance,
            outline: BOWL.sector([1_750.0, 1_790.0], [angle - 0.03, angle + 0.03]),
            label_at: BOWL.at(1_770.0, angle),
            text: format!("{name} gate"),
            color: None,
        }
    })
}
