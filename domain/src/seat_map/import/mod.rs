//! Plan files to seat maps. A file is read whole or refused whole, with the line where it is
//! broken; what was odd but could be read is in the report.

/// Who sits beside whom, from where the seats are.
mod adjacency;
/// Our own JSON form.
mod own;
/// Seating plans of pretix.
mod pretix;
/// What was read, and what was odd.
pub mod report;

#[cfg(test)]
mod tests;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::check::ensure;
use super::{SeatMap, json};
use crate::refusal::Refusal;
pub use report::Report;

/// Bytes of a plan file.
pub const PLAN_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Characters of a parser's complaint that are passed on.
const DETAIL_CHARS_MAX: usize = 240;

/// A seat map and how it was read.
#[derive(Debug)]
pub struct Imported {
    pub map: SeatMap,
    pub report: Report,
}

/// Reads a plan file of a known kind: our own JSON or a pretix seating plan.
///
/// # Errors
/// `BodyTooLarge` beyond [`PLAN_BYTES_MAX`]; `BrokenPlan`, with the line where one is known.
pub fn import(bytes: &[u8]) -> Result<Imported, Refusal> {
    if bytes.len() > PLAN_BYTES_MAX {
        return Err(Refusal::BodyTooLarge {
            bytes_max: PLAN_BYTES_MAX as u64,
        });
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let kind: Kind = parse(bytes)?;
    if let Some(format) = kind.format {
        ensure(format == json::FORMAT, || {
            format!("the format is not {}", json::FORMAT)
        })?;
        return own::read(bytes);
    }
    ensure(kind.zones.is_some(), || {
        "neither our own JSON (member \"format\") nor a pretix plan (member \"zones\")".into()
    })?;
    pretix::read(bytes)
}

/// The members that tell the kinds of file apart.
#[derive(Deserialize)]
struct Kind {
    #[serde(default)]
    format: Option<String>,
    #[serde(default)]
    zones: Option<IgnoredAny>,
}

fn parse<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, Refusal> {
    serde_json::from_slice(bytes).map_err(|error| Refusal::BrokenPlan {
        line: u32::try_from(error.line()).unwrap_or(0),
        detail: error.to_string().chars().take(DETAIL_CHARS_MAX).collect(),
    })
}
