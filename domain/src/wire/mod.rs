//! The only serialised types: what browsers, API clients and other processes read.
pub mod frame;
pub mod log;
pub mod snapshot;
pub mod staff;
#[cfg(test)]
mod testing;
mod varint;
pub mod view;

pub use varint::Malformed;
