//! Rowlock's pages. `domain` decides; this crate shows and asks.

/// Every question that pages may ask the server.
#[cfg(feature = "ssr")]
pub mod backend;
