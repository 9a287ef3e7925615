//! The state of every seat of a show at one seq.
//!
//! Bytes, version 1: `52 01`, then as LEB128 epoch, seq, seats, the counted list of places
//! taken by area, the counted list of places free by tier; last the states, two bits a seat,
//! seat 0 in the lowest bits of the first byte, unused bits zero.

use std::fmt;
use std::str::FromStr;

use super::frame::Frame;
use super::varint::{Malformed, Reader, put, put_list};
use crate::ids::{BadId, SeatIx, Seq};
use crate::seat_map::SEATS_MAX;

/// Areas are numbered by 16 bits.
pub(super) const AREAS_MAX: usize = 1 << 16;
/// Tiers are numbered by 8 bits.
pub(super) const TIERS_MAX: usize = 1 << 8;

const MARK: u8 = b'R';
const VERSION: u8 = 1;

/// What anybody may know about a seat. Two bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum SeatState {
    Free = 0,
    Held = 1,
    Sold = 2,
    /// House hold; the reason is for staff only.
    Blocked = 3,
}

impl SeatState {
    pub const fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::Free,
            1 => Self::Held,
            2 => Self::Sold,
            _ => Self::Blocked,
        }
    }

    pub const fn bits(self) -> u8 {
        self as u8
    }

    /// The word in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Held => "held",
            Self::Sold => "sold",
            Self::Blocked => "blocked",
        }
    }
}

/// Within one epoch a seq names one state for ever. A database that was put back to an earlier
/// state begins another epoch, and what was known before is worth nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Epoch(pub u32);

/// A point in the history of a show that server and client mean alike: the SSE event id, and
/// what a client sends to go on from there. Written `<epoch, 8 hex digits>-<seq>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Position {
    pub epoch: Epoch,
    pub seq: Seq,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}-{}", self.epoch.0, self.seq.0)
    }
}

impl FromStr for Position {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        let (epoch, seq) = text.split_once('-').ok_or(BadId)?;
        let plain = epoch.len() == 8
            && epoch
                .bytes()
                .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
            && !seq.is_empty()
            && seq.bytes().all(|b| b.is_ascii_digit());
        if !plain {
            return Err(BadId);
        }
        Ok(Self {
            epoch: Epoch(u32::from_str_radix(epoch, 16).map_err(|_| BadId)?),
            seq: Seq(seq.parse().map_err(|_| BadId)?),
        })
    }
}

/// States of a whole show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    pub seq: Seq,
    /// Number of seats.
    pub seats: u32,
    /// Two bits a seat, seat 0 in the lowest bits of byte 0; length `seats.div_ceil(4)`.
    pub states: Vec<u8>,
    /// Places taken, by area.
    pub area_taken: Vec<u32>,
    /// Seats and area places still free, by tier.
    pub tier_free: Vec<u32>,
}

/// What a frame did to a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// The snapshot now stands at the frame's `to`.
    Forward,
    /// The snapshot was there already: nothing changed.
    Known,
}

/// The frame does not continue the snapshot: it begins later, or it is about another house.
/// Nothing changed; only a new snapshot helps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    pub mine: Seq,
    pub from: Seq,
}

impl Snapshot {
    /// An untouched house: every seat free, nothing taken.
    pub fn untouched(seats: u32, areas: usize, tier_free: Vec<u32>) -> Self {
        assert!(seats as usize <= SEATS_MAX, "no house has {seats} seats");
        Self {
            seq: Seq(0),
            seats,
            states: vec![0; seats.div_ceil(4) as usize],
            area_taken: vec![0; areas],
            tier_free,
        }
    }

    /// The state of a seat of this house; `Blocked` for any other, so that nobody offers it.
    pub fn get(&self, seat: SeatIx) -> SeatState {
        if seat.0 >= self.seats {
            return SeatState::Blocked;
        }
        SeatState::from_bits(self.states[seat.at() / 4] >> (seat.at() % 4 * 2))
    }

    /// # Panics
    /// When the seat is not of this house.
    pub fn set(&mut self, seat: SeatIx, state: SeatState) {
        assert!(seat.0 < self.seats, "seat {seat} of {}", self.seats);
        let shift = seat.at() % 4 * 2;
        let byte = &mut self.states[seat.at() / 4];
        *byte = *byte & !(3 << shift) | state.bits() << shift;
    }

    /// Seats and their states, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (SeatIx, SeatState)> + '_ {
        (0..self.seats).map(|ix| (SeatIx(ix), self.get(SeatIx(ix))))
    }

    /// Brings the snapshot to the frame's `to` when the frame begins at or before it. What the
    /// frame repeats does no harm, since it carries final states.
    pub fn apply(&mut self, frame: &Frame) -> Result<Applied, Gap> {
        let gap = Gap {
            mine: self.seq,
            from: frame.from,
        };
        if frame.to <= self.seq {
            return Ok(Applied::Known);
        }
        let same_house = frame.seats.iter().all(|(seat, _)| seat.0 < self.seats)
            && frame
                .areas
                .iter()
                .all(|(area, _)| area.at() < self.area_taken.len())
            && frame.tier_free.len() == self.tier_free.len();
        if frame.from > self.seq || !same_house {
            return Err(gap);
        }
        for &(seat, state) in &frame.seats {
            self.set(seat, state);
        }
        for &(area, taken) in &frame.areas {
            self.area_taken[area.at()] = taken;
        }
        self.tier_free.copy_from_slice(&frame.tier_free);
        self.seq = frame.to;
        Ok(Applied::Forward)
    }

    /// Seats whose state in `newer` differs from this one's, with the newer state, ascending.
    /// With another number of seats: all of `newer`.
    pub fn diff(&self, newer: &Self) -> Vec<(SeatIx, SeatState)> {
        if self.seats != newer.seats {
            return newer.iter().collect();
        }
        let mut changed = Vec::new();
        for (at, (old, new)) in self.states.iter().zip(&newer.states).enumerate() {
            if old == new {
                continue;
            }
            for seat in (at * 4..at * 4 + 4).map(|ix| SeatIx(ix as u32)) {
                if self.get(seat) != newer.get(seat) {
                    changed.push((seat, newer.get(seat)));
                }
            }
        }
        changed
    }

    /// The bytes that travel: a quarter of a byte a seat and a few dozen.
    pub fn encode(&self, epoch: Epoch) -> Vec<u8> {
        assert_eq!(self.states.len(), self.seats.div_ceil(4) as usize);
        let mut bytes = Vec::with_capacity(self.states.len() + 64);
        bytes.extend([MARK, VERSION]);
        put(&mut bytes, epoch.0.into());
        put(&mut bytes, self.seq.0);
        put(&mut bytes, self.seats.into());
        put_list(&mut bytes, &self.area_taken);
        put_list(&mut bytes, &self.tier_free);
        bytes.extend_from_slice(&self.states);
        bytes
    }

    pub fn decode(bytes: &[u8]) -> Result<(Epoch, Self), Malformed> {
        let mut reader = Reader(bytes);
        if reader.byte()? != MARK || reader.byte()? != VERSION {
            return Err(Malformed);
        }
        let epoch = Epoch(reader.small()?);
        let seq = Seq(reader.number()?);
        let seats = reader.small()?;
        let area_taken = reader.list(AREAS_MAX)?;
        let tier_free = reader.list(TIERS_MAX)?;
        let states = reader.0.to_vec();
        if seats as usize > SEATS_MAX || states.len() != seats.div_ceil(4) as usize {
            return Err(Malformed);
        }
        let used = seats % 4 * 2;
        if used > 0 && states.last().is_some_and(|last| last >> used != 0) {
            return Err(Malformed);
        }
        Ok((
            epoch,
            Self {
                seq,
                seats,
                states,
                area_taken,
                tier_free,
            },
        ))
    }
}

#[cfg(test)]
#[path = "snapshot_tests.rs"]
mod tests;
