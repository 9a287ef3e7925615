//! The compact binary form of a seat map: what browsers fetch once and keep for ever.
//!
//! Layout, version 1. Integers are LEB128 varints, signed ones in zigzag form; lengths and
//! positions are counted in sixteenths of a plan unit; texts are a byte length and UTF-8.
//!
//! ```text
//! "RWSM" version
//! name, width, height, focal
//! categories     count, then name + 3 bytes of colour each
//! sections       count, then name, rows, category, outline, label_at each
//! rows           count, then label, seats, and the seats' printed labels each
//! seat places    row by row: the first seat from the previous row's first, the first step
//!                from the previous row's first step, then how each step differs from the
//!                one before (packed in halves of a byte, since arcs bend evenly)
//! radius, category, flags   of all seats, as runs of equal values
//! areas          count, then name, outline, label_at, capacity, category each
//! decorations    count, then kind, outline, label_at, text, colour each
//! ```
//!
//! Flags are written without the gap at the end of each row, which is always there. The
//! encoding of a seat map is a function of the seat map: [`crate::ids::SeatMapId`] is its hash.

mod reader;
mod writer;

use super::SeatMap;
use crate::refusal::Refusal;

const MAGIC: &[u8; 4] = b"RWSM";
const VERSION: u8 = 1;

/// Media type of the binary form.
pub const MEDIA_TYPE: &str = "application/vnd.rowlock.seat-map";

/// How the printed seat labels of one row are written.
const LABELS_LISTED: u8 = 0;
/// The labels are the numbers first, first + step, …
const LABELS_COUNTED: u8 = 1;

/// How the steps from seat to seat of one row are written.
const STEPS_VARY: u8 = 0;
/// All steps equal the first.
const STEPS_EQUAL: u8 = 1;

/// Half bytes hold -7 ..= 7; this one says that the value follows as a varint.
const HALF_ESCAPE: i32 = -8;

/// The bytes of a seat map that passes [`SeatMap::check`].
///
/// # Panics
/// When the seat map does not pass its check: a bug of whoever built it.
pub fn encode(map: &SeatMap) -> Vec<u8> {
    let checked = map.check();
    assert!(checked.is_ok(), "an unchecked seat map: {checked:?}");
    writer::write(map)
}

/// The seat map written in `bytes`. Allocates in proportion to the limits of
/// [`super::check`] at most, whatever the bytes claim.
///
/// # Errors
/// `BrokenPlan` when the bytes are not the binary form or the seat map fails its check.
pub fn decode(bytes: &[u8]) -> Result<SeatMap, Refusal> {
    let map = reader::read(bytes).map_err(|reader::Broken(detail)| Refusal::BrokenPlan {
        line: 0,
        detail: format!("not a seat map: {detail}"),
    })?;
    map.check()?;
    Ok(map)
}

#[cfg(test)]
mod tests;
