//! The state of every seat of a show at one seq.

use crate::ids::Seq;

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
