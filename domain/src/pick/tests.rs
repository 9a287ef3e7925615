//! Houses as ASCII rows, the stage above: `.` free, `x` taken, `|` an aisle, `w` a free
//! wheelchair place, `1` a free seat of tier 1, `_` nothing there. A case is the house, what
//! is asked, and the house with the picked seats as `o`.

use super::*;
use crate::ids::TierIx;
use crate::seat_map::Point;
use crate::seat_map::testing::{PlainRow, block};

struct House {
    map: SeatMap,
    tiers: Vec<TierIx>,
    free: Vec<bool>,
    text: Vec<String>,
}

fn house(rows: &[&str]) -> House {
    let mut plain = Vec::new();
    let mut marks = Vec::new();
    for (line, row) in rows.iter().enumerate() {
        let mut seats = Vec::new();
        for (column, mark) in row.chars().enumerate() {
            match mark {
                '_' => {}
                '|' => marks.last_mut().map_or((), |(_, gap)| *gap = true),
                _ => {
                    let x = 100.0 + 10.0 * column as f64;
                    let at = Point::on_grid(x, 100.0 + 12.0 * line as f64);
                    // Printed from the right, odd only: the picker must not read labels.
                    seats.push((at, (99 - 2 * column).to_string()));
                    marks.push((mark, false));
                }
            }
        }
        plain.push(PlainRow {
            label: line.to_string(),
            seats,
        });
    }
    let mut map = block(&plain);
    let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    map.focal = Point::on_grid(95.0 + 5.0 * width as f64, 40.0);
    for (seat, &(mark, gap)) in map.seats.iter_mut().zip(&marks) {
        if gap {
            seat.flags = seat.flags.with(SeatFlags::GAP_AFTER);
        }
        if mark == 'w' {
            seat.flags = seat.flags.with(SeatFlags::ACCESSIBLE);
        }
    }
    assert_eq!(map.check(), Ok(()));
    House {
        tiers: marks.iter().map(|m| TierIx(u8::from(m.0 == '1'))).collect(),
        free: marks.iter().map(|m| m.0 != 'x').collect(),
        text: rows.iter().map(|row| row.to_string()).collect(),
        map,
    }
}

/// Asks for `count` seats and compares the house with what is expected.
fn check(rows: &[&str], count: u16, tier: Option<u8>, expected: Option<(&[&str], Nearness)>) {
    let house = house(rows);
    let picker = Picker::new(&house.map);
    let free = |ix: SeatIx| house.free[ix.at()];
    let pick = picker.pick(&house.map, &house.tiers, free, count, tier.map(TierIx));
    let seen = pick.map(|pick| {
        assert!(pick.seats.is_sorted(), "ascending");
        let mut next = 0;
        let draw = |row: &String| -> String {
            row.chars()
                .map(|mark| {
                    if matches!(mark, '_' | '|') {
                        return mark;
                    }
                    let ix = SeatIx(next);
                    next += 1;
                    if pick.seats.contains(&ix) { 'o' } else { mark }
                })
                .collect()
        };
        let drawn: Vec<String> = house.text.iter().map(draw).collect();
        (drawn, pick.nearness)
    });
    let expected = expected.map(|(rows, nearness)| {
        let rows: Vec<String> = rows.iter().map(|row| row.to_string()).collect();
        (rows, nearness)
    });
    assert_eq!(seen, expected, "{count} of {rows:?}");
}

use Nearness::{Apart, OneSection, Together, TwoRows};

#[test]
fn the_middle_of_the_front_row_is_best() {
    check(
        &["........", "........"],
        2,
        None,
        Some((&["...oo...", "........"], Together)),
    );
}

#[test]
fn neighbours_are_not_sought_across_an_aisle() {
    // T11: the two middle seats are printed next to each other and are not.
    check(
        &["x.|.x", "x...x"],
        2,
        None,
        Some((&["x.|.x", "xoo.x"], Together)),
    );
}

#[test]
fn no_single_seat_is_left_alone_while_something_else_fits() {
    // Two of three in front would leave one alone; the whole pair behind does not.
    check(
        &["x...x", "x..xx"],
        2,
        None,
        Some((&["x...x", "xooxx"], Together)),
    );
    check(&["x...x"], 2, None, Some((&["xoo.x"], Together)));
    check(&["....."], 3, None, Some((&["ooo.."], Together)));
    check(&["x.x.."], 1, None, Some((&["xox.."], Together)));
}

#[test]
fn a_tier_is_kept_to() {
    check(
        &["......", "..11.."],
        2,
        Some(1),
        Some((&["......", "..oo.."], Together)),
    );
    check(&["......", "..11.."], 3, Some(1), None);
    check(&["..11.."], 2, Some(7), None);
}

#[test]
fn a_party_too_long_for_a_row_sits_in_two_rows() {
    check(
        &["xx..xx", "xx..xx"],
        4,
        None,
        Some((&["xxooxx", "xxooxx"], TwoRows)),
    );
    check(
        &["x.x..x", "xx..xx"],
        3,
        None,
        Some((&["x.xo.x", "xxooxx"], TwoRows)),
    );
}

#[test]
fn then_in_one_section_then_not_at_all() {
    check(
        &[".xxxxx", "xxxxx.", ".xxxxx"],
        3,
        None,
        Some((&["oxxxxx", "xxxxxo", "oxxxxx"], OneSection)),
    );
    check(&[".xxxxx", "xxxxx."], 3, None, None);
    check(&["..."], 0, None, None);
}

#[test]
fn wheelchair_places_go_last() {
    check(
        &["..ww..", "......"],
        2,
        None,
        Some((&["ooww..", "......"], Together)),
    );
    check(&["xxwwxx"], 2, None, Some((&["xxooxx"], Together)));
    check(&["x.wwxx"], 3, None, Some((&["xoooxx"], Together)));
}

#[test]
fn a_herd_asking_for_pairs_empties_the_house() {
    let mut house = house(&["...|....", "_......_", "..|.w..."]);
    let picker = Picker::new(&house.map);
    let mut left = house.free.len();
    while left >= 2 {
        let free = |ix: SeatIx| house.free[ix.at()];
        let seats = picker.best(&house.map, &house.tiers, free, 2, None);
        let seats = seats.expect("two are left");
        for ix in seats {
            assert!(std::mem::replace(&mut house.free[ix.at()], false));
            left -= 1;
        }
    }
    let free = |ix: SeatIx| house.free[ix.at()];
    assert_eq!(picker.best(&house.map, &house.tiers, free, 2, None), None);
}

#[test]
fn two_sections_are_the_last_resort() {
    let mut house = house(&[".xxxxx", "xxxxx."]);
    let mut second = house.map.sections[0].clone();
    house.map.sections[0].rows = 1;
    second.first_row = crate::ids::RowIx(1);
    second.rows = 1;
    house.map.sections.push(second);
    house.map.rows[1].section = crate::ids::SectionIx(1);
    assert_eq!(house.map.check(), Ok(()));
    let picker = Picker::new(&house.map);
    let free = |ix: SeatIx| house.free[ix.at()];
    let pick = picker
        .pick(&house.map, &house.tiers, free, 2, None)
        .unwrap();
    assert_eq!(pick.nearness, Apart);
    assert_eq!(pick.seats, [SeatIx(0), SeatIx(11)]);
}

#[test]
fn orphans_are_the_seats_left_alone_by_this_choice() {
    let house = house(&["x...x.|.x"]);
    let picker = Picker::new(&house.map);
    let free = |ix: SeatIx| house.free[ix.at()];
    let orphans = |taken: &[u32]| {
        let taken: Vec<SeatIx> = taken.iter().copied().map(SeatIx).collect();
        let orphans = picker.orphans(free, &taken);
        orphans.iter().map(|ix| ix.0).collect::<Vec<u32>>()
    };
    assert_eq!(orphans(&[2]), [1, 3]);
    assert!(orphans(&[1]).is_empty());
    assert_eq!(orphans(&[1, 2]), [3]);
    assert!(orphans(&[1, 2, 3]).is_empty());
    // Across the aisle nobody was a neighbour.
    assert!(orphans(&[5]).is_empty());
}
