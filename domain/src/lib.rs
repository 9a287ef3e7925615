//! Everything in Rowlock that decides, without I/O, clock or randomness: `now` and seeds are
//! arguments. The browser suggests, the server decides and the simulator searches with the
//! same code. Modules in reading order.

/// Who has what in one show.
pub mod board;
/// Names of things.
pub mod ids;
/// Money in minor units.
pub mod money;
/// The life of an order.
pub mod order;
/// Best available: seats together for a party.
pub mod pick;
/// The expected "no".
pub mod refusal;
/// Geometry: sections, rows, seats, adjacency, areas; encoding, hit test, import.
pub mod seat_map;
/// What a ticket's code says.
pub mod ticket;
/// Instants as numbers.
pub mod time;
/// The only serialised types.
pub mod wire;
