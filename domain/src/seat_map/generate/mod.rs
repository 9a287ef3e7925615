//! Houses of our own invention: for demonstrations, benches and tests at full size.

mod arcs;
/// 50,000 seats around a standing floor.
mod arena;
/// 1,500 seats in stalls, circle, balcony and boxes.
mod theatre;

pub use arena::{ARENA_SEATS, arena};
pub use theatre::{THEATRE_SEATS, theatre};

#[cfg(test)]
mod tests;
