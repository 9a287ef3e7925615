//! The delta log's bytes: what one commit did. First byte: version.

use crate::board::change::{Change, Delta};
use crate::board::command::Actor;
use crate::ids::{CommandId, Seq};
use crate::time::Millis;

const VERSION: u8 = 2;

/// Bytes that are not a log row of a version known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadLog;

impl std::fmt::Display for BadLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not a delta of a known version")
    }
}

impl std::error::Error for BadLog {}

/// Commands and changes; seq and time have columns of their own.
pub fn encode(delta: &Delta) -> Vec<u8> {
    postcard::to_extend(&(&delta.commands, &delta.changes), vec![VERSION])
        .expect("memory is the only limit")
}

/// The delta of row `seq`, decided `at`.
pub fn decode(seq: Seq, at: Millis, bytes: &[u8]) -> Result<Delta, BadLog> {
    let Some((&VERSION, body)) = bytes.split_first() else {
        return Err(BadLog);
    };
    let (commands, changes): (Vec<(Actor, CommandId)>, Vec<Change>) =
        postcard::from_bytes(body).map_err(|_| BadLog)?;
    Ok(Delta {
        seq,
        at,
        commands,
        changes,
    })
}
