//! What changed between two seqs.

use super::snapshot::SeatState;
use crate::ids::{AreaIx, SeatIx, Seq};

/// The final state of everything touched in `(from, to]`, also of what ended as it began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    pub from: Seq,
    pub to: Seq,
    /// Ascending by seat, each seat once.
    pub seats: Vec<(SeatIx, SeatState)>,
    /// Places taken, areas touched only.
    pub areas: Vec<(AreaIx, u32)>,
    /// Seats and area places still free, by tier: all tiers.
    pub tier_free: Vec<u32>,
}
