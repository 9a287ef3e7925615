//! Venues: places and the geometry of their houses.
//!
//! Owns the tables `venue` and `seat_map`. Sends out no facts. Invariants:
//! - A stored seat map never changes; its id is the hash of its bytes, so that caches anywhere
//!   may keep it for ever.
//! - What is stored has passed `SeatMap::check`.

/// Plan files by command.
pub mod import;
/// Seat maps in memory.
mod maps;
/// `GET /api/v1/seat-maps/{id}`.
mod serve;
/// The tables.
mod store;

pub use maps::SeatMaps;
pub use serve::api;
pub use store::{NewVenue, put_venue, store, store_imported};
