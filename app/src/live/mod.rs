//! The house as it changes: facts from the server, never from taps.
//!
//! - A seat changes its colour only because a snapshot or a frame said so.
//! - [`feed`] decides (when to fetch, to connect, to wait) without any browser call; `source`
//!   carries it out with one stream a browser, shared by its tabs; `store` is what pages use.

/// When to fetch, to connect, to wait: pure.
pub mod feed;
/// The stream of a show, shared by the tabs of a browser.
#[cfg(feature = "hydrate")]
mod source;
/// The live house for pages.
pub mod store;

pub use feed::LiveStatus;
