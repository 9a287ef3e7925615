use super::*;
use crate::ids::AreaIx;
use crate::wire::testing::{Dice, random_frame, random_snapshot};

#[test]
fn every_snapshot_comes_back_as_it_was() {
    let mut dice = Dice(1);
    for round in 0..300 {
        let snapshot = random_snapshot(&mut dice, round);
        let epoch = Epoch(dice.next() as u32);
        let bytes = snapshot.encode(epoch);
        assert_eq!(Snapshot::decode(&bytes), Ok((epoch, snapshot)));
    }
}

#[test]
fn fifty_thousand_seats_take_at_most_12_6_kilobytes() {
    let mut snapshot = Snapshot::untouched(50_000, 3, vec![10_000; 5]);
    snapshot.seq = Seq(1_000_000_000);
    snapshot.area_taken = vec![5_000; 3];
    let bytes = snapshot.encode(Epoch(u32::MAX));
    assert!(bytes.len() <= 12_600, "{} bytes", bytes.len());
}

#[test]
fn broken_bytes_are_refused_without_panic() {
    let mut dice = Dice(2);
    for round in 0..2_000 {
        let mut bytes = random_snapshot(&mut dice, round % 40).encode(Epoch(7));
        dice.damage(&mut bytes);
        if let Ok((epoch, snapshot)) = Snapshot::decode(&bytes) {
            assert_eq!(snapshot.encode(epoch), bytes, "one snapshot, one encoding");
        }
        let noise: Vec<u8> = (0..dice.below(64)).map(|_| dice.next() as u8).collect();
        let _ = Snapshot::decode(&noise);
        let _ = Snapshot::decode(&[&bytes[..2.min(bytes.len())], &noise].concat());
    }
}

#[test]
fn unused_bits_and_wrong_lengths_are_refused() {
    let bytes = Snapshot::untouched(5, 0, vec![]).encode(Epoch(0));
    let mut stray = bytes.clone();
    *stray.last_mut().unwrap() |= 0b100;
    assert_eq!(Snapshot::decode(&stray), Err(Malformed));
    assert_eq!(Snapshot::decode(&bytes[..bytes.len() - 1]), Err(Malformed));
    assert_eq!(
        Snapshot::decode(&[&bytes[..], &[0]].concat()),
        Err(Malformed)
    );
}

#[test]
fn seats_are_set_without_touching_their_neighbours() {
    let mut snapshot = Snapshot::untouched(9, 0, vec![9]);
    let states = [
        SeatState::Held,
        SeatState::Sold,
        SeatState::Blocked,
        SeatState::Free,
    ];
    for ix in 0..9 {
        snapshot.set(SeatIx(ix), states[ix as usize % 4]);
    }
    for ix in 0..9 {
        assert_eq!(snapshot.get(SeatIx(ix)), states[ix as usize % 4]);
    }
    assert_eq!(
        snapshot.get(SeatIx(9)),
        SeatState::Blocked,
        "not a seat: never on offer"
    );
}

#[test]
fn frames_apply_when_they_begin_at_or_before_mine_and_end_after() {
    let frame = |from, to| Frame {
        from: Seq(from),
        to: Seq(to),
        seats: vec![(SeatIx(3), SeatState::Sold)],
        areas: vec![(AreaIx(0), 4)],
        tier_free: vec![1],
    };
    let mut at_ten = Snapshot::untouched(4, 1, vec![5]);
    at_ten.seq = Seq(10);
    for (from, to, expect) in [
        (10, 11, Ok(Applied::Forward)),
        (4, 12, Ok(Applied::Forward)),
        (9, 10, Ok(Applied::Known)),
        (2, 3, Ok(Applied::Known)),
        (
            11,
            12,
            Err(Gap {
                mine: Seq(10),
                from: Seq(11),
            }),
        ),
    ] {
        let mut snapshot = at_ten.clone();
        assert_eq!(snapshot.apply(&frame(from, to)), expect, "({from}, {to}]");
        if expect == Ok(Applied::Forward) {
            assert_eq!(snapshot.seq, Seq(to));
            assert_eq!(snapshot.get(SeatIx(3)), SeatState::Sold);
            assert_eq!((snapshot.area_taken[0], snapshot.tier_free[0]), (4, 1));
        } else {
            assert_eq!(snapshot, at_ten);
        }
    }
}

#[test]
fn frames_of_another_house_change_nothing() {
    let before = Snapshot::untouched(4, 1, vec![5]);
    let good = Frame {
        from: Seq(0),
        to: Seq(1),
        seats: vec![(SeatIx(0), SeatState::Held)],
        areas: vec![],
        tier_free: vec![4],
    };
    let strange_seat = Frame {
        seats: vec![(SeatIx(4), SeatState::Held)],
        ..good.clone()
    };
    let strange_area = Frame {
        areas: vec![(AreaIx(1), 1)],
        ..good.clone()
    };
    let strange_tiers = Frame {
        tier_free: vec![4, 4],
        ..good
    };
    for frame in [strange_seat, strange_area, strange_tiers] {
        let mut snapshot = before.clone();
        assert!(snapshot.apply(&frame).is_err(), "{frame:?}");
        assert_eq!(snapshot, before);
    }
}

#[test]
fn any_grouping_of_frames_ends_in_the_same_snapshot() {
    let mut dice = Dice(3);
    for _ in 0..200 {
        let begin = random_snapshot(&mut dice, 50);
        let mut house = begin.clone();
        let frames: Vec<Frame> = (0..12)
            .map(|_| {
                let frame = random_frame(&mut dice, &house);
                house.apply(&frame).unwrap();
                frame
            })
            .collect();
        // Groups that overlap what went before, as after a reconnect.
        let mut client = begin.clone();
        let mut at = 0;
        while at < frames.len() {
            let first = at - dice.below(at as u64 + 1) as usize;
            let last = at + dice.below((frames.len() - at) as u64) as usize;
            let mut group = frames[first].clone();
            for frame in &frames[first + 1..=last] {
                group.merge(frame.clone()).unwrap();
            }
            client
                .apply(&Frame::from_text(&group.to_text()).unwrap())
                .unwrap();
            at = last + 1;
        }
        assert_eq!(client, house);
        let mut by_diff = begin.clone();
        for (seat, state) in begin.diff(&house) {
            assert_ne!(begin.get(seat), state);
            by_diff.set(seat, state);
        }
        assert_eq!(by_diff.states, house.states);
    }
}

#[test]
fn positions_have_one_spelling() {
    let position = Position {
        epoch: Epoch(0xab),
        seq: Seq(12),
    };
    assert_eq!(position.to_string(), "000000ab-12");
    assert_eq!("000000ab-12".parse(), Ok(position));
    for text in [
        "",
        "12",
        "ab-12",
        "000000ab-",
        "000000AB-12",
        "000000ab--1",
        "000000ab-+1",
        "+00000ab-1",
        "000000ab-99999999999999999999",
    ] {
        assert_eq!(text.parse::<Position>(), Err(BadId), "{text:?}");
    }
}
