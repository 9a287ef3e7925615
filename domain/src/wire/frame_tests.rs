use super::*;
use crate::wire::snapshot::Snapshot;
use crate::wire::testing::{Dice, random_frame, random_snapshot};

#[test]
fn every_frame_comes_back_as_it_was() {
    let mut dice = Dice(11);
    for round in 0..300 {
        let frame = {
            let snapshot = random_snapshot(&mut dice, round);
            random_frame(&mut dice, &snapshot)
        };
        assert_eq!(Frame::decode(&frame.encode()).as_ref(), Ok(&frame));
        assert_eq!(Frame::from_text(&frame.to_text()).as_ref(), Ok(&frame));
    }
}

#[test]
fn broken_frames_are_refused_without_panic() {
    let mut dice = Dice(12);
    for round in 0..2_000 {
        let snapshot = random_snapshot(&mut dice, round % 60);
        let mut bytes = random_frame(&mut dice, &snapshot).encode();
        dice.damage(&mut bytes);
        if let Ok(frame) = Frame::decode(&bytes) {
            assert_eq!(frame.encode(), bytes, "one frame, one encoding");
        }
        let noise: Vec<u8> = (0..dice.below(64)).map(|_| dice.next() as u8).collect();
        let _ = Frame::decode(&noise);
        let _ = Frame::decode(&[&[VERSION], &noise[..]].concat());
        let _ = Frame::from_text(&String::from_utf8_lossy(&noise));
    }
}

#[test]
fn a_change_takes_at_most_three_and_a_half_characters() {
    let mut dice = Dice(13);
    let house = Snapshot::untouched(100_000, 2, vec![20_000; 5]);
    for changes in [200, 1_000, 5_000] {
        let mut seats = std::collections::BTreeMap::new();
        while seats.len() < changes {
            seats.insert(SeatIx(dice.below(100_000) as u32), SeatState::Held);
        }
        let frame = Frame {
            from: Seq(1_000_000),
            to: Seq(1_000_050),
            seats: seats.into_iter().collect(),
            areas: vec![(AreaIx(0), 3_000)],
            tier_free: house.tier_free.clone(),
        };
        let per_change = frame.to_text().len() as f64 / changes as f64;
        assert!(
            per_change <= 3.5,
            "{per_change} characters a change with {changes} changes"
        );
    }
}

#[test]
fn merging_keeps_the_later_state_and_refuses_gaps() {
    let frame = |from, to, seats: &[(u32, SeatState)]| Frame {
        from: Seq(from),
        to: Seq(to),
        seats: seats
            .iter()
            .map(|&(ix, state)| (SeatIx(ix), state))
            .collect(),
        areas: vec![(AreaIx(0), to as u32)],
        tier_free: vec![to as u32],
    };
    let mut both = frame(1, 2, &[(1, SeatState::Held), (5, SeatState::Held)]);
    both.merge(frame(2, 3, &[(0, SeatState::Sold), (5, SeatState::Free)]))
        .unwrap();
    let expect = frame(
        1,
        3,
        &[
            (0, SeatState::Sold),
            (1, SeatState::Held),
            (5, SeatState::Free),
        ],
    );
    assert_eq!(both, expect);
    both.merge(frame(1, 2, &[(9, SeatState::Held)])).unwrap();
    assert_eq!(both, expect, "what is known already adds nothing");
    assert_eq!(
        both.merge(frame(4, 5, &[])),
        Err(Gap {
            mine: Seq(3),
            from: Seq(4)
        })
    );
    assert_eq!(both, expect);
}
