//! A small house for tests, four blocks in two tiers behind a stage, and a large arena.

use std::rc::Rc;

use domain::ids::{RowIx, SeatIx, SectionIx, TierIx};
use domain::seat_map::{
    Category, Decoration, DecorationKind, Point, Row, Seat, SeatFlags, SeatMap, Section,
};
use domain::wire::snapshot::{SeatState, Snapshot};

use crate::seat_map::scene::Scene;

/// Adds a section whose seats `place(row, seat)` puts.
fn section(
    map: &mut SeatMap,
    name: &str,
    category: u8,
    (rows, seats): (u32, u32),
    place: impl Fn(f64, f64) -> (f64, f64),
) {
    let ix = SectionIx(map.sections.len() as u16);
    let first_row = RowIx(map.rows.len() as u32);
    for row in 0..rows {
        let first_seat = SeatIx(map.seats.len() as u32);
        let label = char::from(b'A' + (row % 26) as u8).to_string();
        map.rows.push(Row {
            section: ix,
            label,
            first_seat,
            seats,
        });
        for seat in 0..seats {
            let (x, y) = place(f64::from(row), f64::from(seat));
            map.seats.push(Seat {
                row: RowIx(first_row.0 + row),
                label: (seat + 1).to_string(),
                at: Point::on_grid(x, y),
                radius: 4.0,
                category,
                flags: SeatFlags(if seat + 1 == seats {
                    SeatFlags::GAP_AFTER
                } else {
                    0
                }),
            });
        }
    }
    let edge = |row: f64, seat: f64| {
        let (x, y) = place(row, seat);
        Point::on_grid(x, y)
    };
    let (last_row, last_seat) = (f64::from(rows - 1) + 0.6, f64::from(seats - 1) + 0.6);
    let steps = 8;
    let along = |n: u32| -0.6 + (last_seat + 0.6) * f64::from(n) / f64::from(steps);
    let mut outline: Vec<Point> = (0..=steps).map(|n| edge(-0.6, along(n))).collect();
    outline.extend((0..=steps).rev().map(|n| edge(last_row, along(n))));
    map.sections.push(Section {
        name: name.into(),
        first_row,
        rows,
        category,
        outline,
        label_at: edge(last_row / 2.0, last_seat / 2.0),
    });
}

fn empty(width: f32, height: f32, focal: Point, colors: &[u32]) -> SeatMap {
    SeatMap {
        name: "Test house".into(),
        width,
        height,
        focal,
        categories: colors
            .iter()
            .map(|&color| Category {
                name: "Tier".into(),
                color,
            })
            .collect(),
        sections: vec![],
        rows: vec![],
        seats: vec![],
        areas: vec![],
        decorations: vec![],
    }
}

pub fn rectangle(left: f32, top: f32, right: f32, bottom: f32) -> Vec<Point> {
    [(left, top), (right, top), (right, bottom), (left, bottom)]
        .map(|(x, y)| Point { x, y })
        .to_vec()
}

/// 4 blocks of 8 rows with 12 seats, in two tiers.
pub fn house() -> SeatMap {
    let mut map = empty(
        340.0,
        260.0,
        Point { x: 170.0, y: 0.0 },
        &[0x2f_6f_de, 0xc2_41_0c],
    );
    for (n, name) in ["Left", "Right", "Left rear", "Right rear"]
        .into_iter()
        .enumerate()
    {
        let (dx, dy) = ((n % 2) as f64 * 160.0, (n / 2) as f64 * 105.0);
        section(&mut map, name, (n / 2) as u8, (8, 12), |row, seat| {
            (30.0 + dx + seat * 11.0, 50.0 + dy + row * 11.0)
        });
    }
    map.decorations.push(Decoration {
        kind: DecorationKind::Stage,
        outline: rectangle(80.0, 6.0, 260.0, 30.0),
        label_at: Point { x: 170.0, y: 18.0 },
        text: "Stage".into(),
        color: None,
    });
    map
}

/// The generated arena of 50,000.
pub fn arena() -> SeatMap {
    domain::seat_map::generate::arena("Arena")
}

pub fn scene_of(map: SeatMap) -> Scene {
    let tiers: Vec<TierIx> = map.seats.iter().map(|seat| TierIx(seat.category)).collect();
    let areas = map.areas.iter().map(|area| TierIx(area.category)).collect();
    Scene::new(Rc::new(map), &tiers, areas)
}

pub fn scene() -> Scene {
    scene_of(house())
}

pub fn untouched(scene: &Scene) -> Snapshot {
    Snapshot::untouched(scene.spots.len() as u32, scene.map.areas.len(), vec![])
}

/// About half gone, the same every time.
pub fn half_sold(scene: &Scene) -> Snapshot {
    let mut snapshot = untouched(scene);
    let mut seed = 7u32;
    for ix in 0..snapshot.seats {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let state = match seed >> 24 {
            0..=109 => SeatState::Sold,
            110..=130 => SeatState::Held,
            131..=136 => SeatState::Blocked,
            _ => SeatState::Free,
        };
        snapshot.set(SeatIx(ix), state);
    }
    snapshot
}
