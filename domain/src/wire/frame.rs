//! What changed between two seqs.
//!
//! Bytes, version 1: `01`, then as LEB128 `to`, `to - from`, the number of seats, for each seat
//! `gap << 2 | state` (gap: seats skipped since the one before), the number of areas, for each
//! area its gap and the places taken, the counted list of places free by tier. As text: base64
//! of the usual alphabet without padding.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde::{Deserialize, Serialize};

use super::snapshot::{AREAS_MAX, Gap, SeatState, TIERS_MAX};
use super::varint::{Malformed, Reader, put, put_list};
use crate::ids::{AreaIx, SeatIx, Seq};
use crate::seat_map::SEATS_MAX;

const VERSION: u8 = 1;

/// Longest text of a frame that is decoded: every seat of the largest house changed.
pub const TEXT_BYTES_MAX: usize = SEATS_MAX * 3;

/// The final state of everything touched in `(from, to]`, also of what ended as it began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    pub from: Seq,
    pub to: Seq,
    /// Ascending by seat, each seat once.
    pub seats: Vec<(SeatIx, SeatState)>,
    /// Places taken, areas touched only. Ascending by area, each area once.
    pub areas: Vec<(AreaIx, u32)>,
    /// Seats and area places still free, by tier: all tiers.
    pub tier_free: Vec<u32>,
}

impl Frame {
    /// Joins a later frame to this one, so that `self` covers both. A frame that adds nothing
    /// is dropped.
    ///
    /// # Errors
    /// When commits between the two are missing; `self` is unchanged then.
    pub fn merge(&mut self, later: Self) -> Result<(), Gap> {
        if later.to <= self.to {
            return Ok(());
        }
        if later.from > self.to {
            return Err(Gap {
                mine: self.to,
                from: later.from,
            });
        }
        self.from = self.from.min(later.from);
        self.to = later.to;
        self.seats = join(std::mem::take(&mut self.seats), later.seats);
        self.areas = join(std::mem::take(&mut self.areas), later.areas);
        self.tier_free = later.tier_free;
        Ok(())
    }

    /// # Panics
    /// When seats or areas are not ascending, or `from` is not before `to`.
    pub fn encode(&self) -> Vec<u8> {
        assert!(
            self.from < self.to,
            "a frame goes forward: {} to {}",
            self.from,
            self.to
        );
        let mut bytes = Vec::with_capacity(self.seats.len() * 3 + 32);
        bytes.push(VERSION);
        put(&mut bytes, self.to.0);
        put(&mut bytes, self.to.0 - self.from.0);
        put(&mut bytes, self.seats.len() as u64);
        let mut next = 0;
        for &(seat, state) in &self.seats {
            assert!(seat.0 >= next, "seats of a frame ascend");
            put(
                &mut bytes,
                u64::from(seat.0 - next) << 2 | u64::from(state.bits()),
            );
            next = seat.0 + 1;
        }
        put(&mut bytes, self.areas.len() as u64);
        let mut next = 0;
        for &(area, taken) in &self.areas {
            assert!(u32::from(area.0) >= next, "areas of a frame ascend");
            put(&mut bytes, u64::from(u32::from(area.0) - next));
            put(&mut bytes, taken.into());
            next = u32::from(area.0) + 1;
        }
        put_list(&mut bytes, &self.tier_free);
        bytes
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader(bytes);
        if reader.byte()? != VERSION {
            return Err(Malformed);
        }
        let to = reader.number()?;
        let covered = reader.number()?;
        if covered == 0 || covered > to {
            return Err(Malformed);
        }
        let count = reader.count(SEATS_MAX)?;
        let mut seats = Vec::with_capacity(count);
        let mut next = 0u64;
        for _ in 0..count {
            let item = reader.number()?;
            let seat = next + (item >> 2);
            if seat >= SEATS_MAX as u64 {
                return Err(Malformed);
            }
            seats.push((SeatIx(seat as u32), SeatState::from_bits(item as u8)));
            next = seat + 1;
        }
        let count = reader.count(AREAS_MAX)?;
        let mut areas = Vec::with_capacity(count);
        let mut next = 0u64;
        for _ in 0..count {
            let area = next + u64::from(reader.small()?);
            let area_ix = u16::try_from(area).map_err(|_| Malformed)?;
            areas.push((AreaIx(area_ix), reader.small()?));
            next = area + 1;
        }
        let tier_free = reader.list(TIERS_MAX)?;
        reader.end()?;
        Ok(Self {
            from: Seq(to - covered),
            to: Seq(to),
            seats,
            areas,
            tier_free,
        })
    }

    /// The data of one event of the stream.
    pub fn to_text(&self) -> String {
        STANDARD_NO_PAD.encode(self.encode())
    }

    pub fn from_text(text: &str) -> Result<Self, Malformed> {
        if text.len() > TEXT_BYTES_MAX {
            return Err(Malformed);
        }
        Self::decode(&STANDARD_NO_PAD.decode(text).map_err(|_| Malformed)?)
    }
}

/// Tells a listener that its history cannot be continued: the data of a `resync` event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resync {
    /// Fetch a snapshot at this seq or later.
    pub min: Seq,
    /// Wait a random part of this time before fetching, so that not all ask at once.
    pub within_ms: u32,
}

impl Resync {
    pub fn to_text(self) -> String {
        serde_json::to_string(&self).expect("numbers serialise")
    }

    pub fn from_text(text: &str) -> Result<Self, Malformed> {
        serde_json::from_str(text).map_err(|_| Malformed)
    }
}

/// Two ascending lists as one; where both name a thing, the later one counts.
fn join<K: Ord + Copy, V>(earlier: Vec<(K, V)>, later: Vec<(K, V)>) -> Vec<(K, V)> {
    let mut joined = Vec::with_capacity(earlier.len() + later.len());
    let mut earlier = earlier.into_iter().peekable();
    for (key, value) in later {
        while let Some(old) = earlier.next_if(|(other, _)| *other < key) {
            joined.push(old);
        }
        let _overtaken = earlier.next_if(|(other, _)| *other == key);
        joined.push((key, value));
    }
    joined.extend(earlier);
    joined
}

#[cfg(test)]
#[path = "frame_tests.rs"]
mod tests;
