use super::super::testing::{block, row_of};
use super::super::{Area, Decoration, DecorationKind, Point, SeatFlags};
use super::*;

fn sample() -> SeatMap {
    let mut map = block(&[
        row_of("A", 7, 100.0, 100.0, 10.0),
        row_of("A", 1, 100.0, 120.0, 10.0),
        row_of("Ω", 2, 103.5, 140.0625, 11.0),
        row_of("D", 40, 20.0, 160.0, 12.5),
    ]);
    // A bent row with an aisle, odd labels and every flag.
    let first = map.rows[3].first_seat.at();
    for (at, seat) in map.seats[first..].iter_mut().enumerate() {
        let bend = (at as f64 - 20.0).powi(2) / 9.0;
        let aisle = if at < 22 { 0.0 } else { 17.0 };
        seat.at = Point::on_grid(200.0 + 10.0 * at as f64 + aisle, 300.0 + bend);
        seat.label = format!("{:03}", at * 7 % 5);
    }
    map.seats[0].flags = SeatFlags(SeatFlags::ACCESSIBLE | SeatFlags::GAP_AFTER);
    map.seats[1].flags = SeatFlags(SeatFlags::COMPANION);
    map.seats[2].radius = 7.5;
    map.areas.push(Area {
        name: "站席".into(),
        outline: map.sections[0].outline.clone(),
        label_at: Point { x: 9.0, y: 9.5 },
        capacity: 250_000,
        category: 0,
    });
    map.decorations.push(Decoration {
        kind: DecorationKind::Text,
        outline: vec![],
        label_at: Point { x: 1.0, y: 2.0 },
        text: "Bar".into(),
        color: Some(0x12_34_56),
    });
    map
}

#[test]
fn a_seat_map_comes_back_as_it_was() {
    let map = sample();
    let bytes = encode(&map);
    assert_eq!(decode(&bytes).as_ref(), Ok(&map));
    assert_eq!(encode(&decode(&bytes).unwrap()), bytes);
}

#[test]
fn the_encoding_is_stable() {
    // Shows name their seat map by the hash of its bytes: a change here orphans stored maps
    // and needs a new version number.
    let id = crate::ids::SeatMapId::of(&encode(&sample()));
    assert_eq!(id.to_string(), "793b6de0f5aab70bae8a0f42079c9268");
}

#[test]
fn cut_or_flipped_bytes_are_refused_or_another_sound_map() {
    let bytes = encode(&sample());
    for end in 0..bytes.len() {
        assert!(decode(&bytes[..end]).is_err(), "cut at {end}");
    }
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << bit;
            if let Ok(map) = decode(&flipped) {
                assert_eq!(map.check(), Ok(()));
            }
        }
    }
}

#[test]
fn a_claim_of_a_billion_seats_costs_nothing() {
    let mut bytes = encode(&sample());
    let huge = [0xff, 0xff, 0xff, 0xff, 0x0f];
    for at in 5..bytes.len() {
        let mut claim = bytes[..at].to_vec();
        claim.extend_from_slice(&huge);
        claim.extend_from_slice(&bytes[at..]);
        let _ = decode(&claim);
    }
    bytes.push(0);
    assert!(decode(&bytes).is_err(), "trailing byte");
}
