use std::collections::HashSet;

use super::super::grid::Grid;
use super::super::shape::polygon_contains;
use super::super::{SeatFlags, SeatMap, codec};
use super::*;
use crate::ids::SeatIx;

/// What must hold for any house that people are shown.
fn check_house(map: &SeatMap) {
    let grid = Grid::new(map);
    let mut printed = HashSet::new();
    for (ix, seat) in map.seats.iter().enumerate() {
        let ix = SeatIx(ix as u32);
        // Within its own disc no other seat is nearer, and no other disc reaches into it.
        assert_eq!(grid.hit(seat.at, seat.radius), Some(ix));
        for n in 0..8 {
            let turn = f64::from(n) * std::f64::consts::FRAC_PI_4;
            let mut edge = seat.at;
            edge.x += seat.radius * 0.98 * turn.cos() as f32;
            edge.y += seat.radius * 0.98 * turn.sin() as f32;
            assert_eq!(grid.hit(edge, 0.0), Some(ix), "{:?}", map.words(ix));
        }
        let section = map.section_of(ix).expect("every seat has a section");
        assert_eq!(grid.section_at(map, seat.at), Some(section));
        let words = map.words(ix).expect("every seat has words");
        assert!(
            printed.insert((section, words.row, words.seat)),
            "{words:?} twice"
        );
        for area in &map.areas {
            assert!(!polygon_contains(&area.outline, seat.at));
        }
    }
    assert_eq!(codec::decode(&codec::encode(map)).as_ref(), Ok(map));
}

/// A gap is where the next seat of the row is further away than a seat's place, and only there.
fn check_aisles(map: &SeatMap, pitch: f32) {
    for row in &map.rows {
        for pair in map.seats_of(row).windows(2) {
            let apart = pair[0].at.distance(pair[1].at);
            let gap = pair[0].flags.has(SeatFlags::GAP_AFTER);
            assert_eq!(gap, apart > pitch * 1.4, "row {}: {apart}", row.label);
        }
    }
}

#[test]
fn the_arena_is_a_house_of_50000() {
    let map = arena("Arena");
    assert_eq!(map.seats.len(), ARENA_SEATS);
    assert_eq!(map.sections.len(), 60);
    assert_eq!(map.categories.len(), 5);
    assert_eq!(map.areas[0].capacity, 6_000);
    check_house(&map);
    check_aisles(&map, 10.0);
    let bytes = codec::encode(&map).len();
    assert!(bytes < 150_000, "{bytes} bytes");
}

#[test]
fn the_theatre_is_a_house_of_1500() {
    let map = theatre("Theatre");
    assert_eq!(map.seats.len(), THEATRE_SEATS);
    check_house(&map);
    check_aisles(&map, 21.0);
    let flagged = |flag| map.seats.iter().filter(|s| s.flags.has(flag)).count();
    assert_eq!(flagged(SeatFlags::ACCESSIBLE), 4);
    assert_eq!(flagged(SeatFlags::COMPANION), 4);
    let boxes = map.sections.iter().filter(|s| s.name.starts_with("Box"));
    assert_eq!(boxes.count(), 10);
    // Two aisles and the end of the row.
    let front = map.seats_of(&map.rows[0]);
    let gaps = front.iter().filter(|s| s.flags.has(SeatFlags::GAP_AFTER));
    assert_eq!(gaps.count(), 3);
}
