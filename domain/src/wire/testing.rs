//! Random houses and frames from a seed, for the tests of the codecs.

use std::collections::BTreeMap;

use super::frame::Frame;
use super::snapshot::{SeatState, Snapshot};
use crate::ids::{AreaIx, SeatIx, Seq};

/// SplitMix64: the same numbers from the same seed on every machine.
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    /// Flips, cuts, doubles or stretches some of the bytes.
    pub fn damage(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(3) {
            let at = self.below(bytes.len() as u64) as usize;
            match self.below(5) {
                _ if bytes.is_empty() => bytes.push(self.next() as u8),
                0 => bytes.truncate(at),
                1 => bytes[at] = 0xff,
                2 => bytes.insert(at, self.next() as u8),
                3 => drop(bytes.remove(at)),
                _ => bytes[at] ^= 1 << self.below(8),
            }
        }
    }
}

pub fn random_snapshot(dice: &mut Dice, seats: u32) -> Snapshot {
    let numbers = |dice: &mut Dice, count: u64| {
        (0..count)
            .map(|_| dice.below(30_000) as u32)
            .collect::<Vec<_>>()
    };
    let (areas, tiers) = (dice.below(4), 1 + dice.below(5));
    let tier_free = numbers(dice, tiers);
    let mut snapshot = Snapshot::untouched(seats, areas as usize, tier_free);
    snapshot.area_taken = numbers(dice, areas);
    snapshot.seq = Seq(dice.below(1 << 40));
    for ix in 0..seats {
        snapshot.set(SeatIx(ix), SeatState::from_bits(dice.next() as u8));
    }
    snapshot
}

/// A frame that continues `house`.
pub fn random_frame(dice: &mut Dice, house: &Snapshot) -> Frame {
    let seats: BTreeMap<_, _> = (0..dice.below(8))
        .filter(|_| house.seats > 0)
        .map(|_| {
            let seat = SeatIx(dice.below(house.seats.into()) as u32);
            (seat, SeatState::from_bits(dice.next() as u8))
        })
        .collect();
    let areas = (0..house.area_taken.len() as u16)
        .filter(|_| dice.below(2) == 0)
        .map(AreaIx)
        .collect::<Vec<_>>();
    Frame {
        from: house.seq,
        to: Seq(house.seq.0 + 1 + dice.below(5)),
        seats: seats.into_iter().collect(),
        areas: areas
            .into_iter()
            .map(|area| (area, dice.below(5_000) as u32))
            .collect(),
        tier_free: house
            .tier_free
            .iter()
            .map(|_| dice.below(30_000) as u32)
            .collect(),
    }
}
