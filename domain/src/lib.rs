//! Everything in Rowlock that decides, without I/O, clock or randomness: `now` and seeds are
//! arguments. The browser suggests, the server decides and the simulator searches with the
//! same code. Modules in reading order.

/// Names of things.
pub mod ids;
/// Instants as numbers.
pub mod time;
/// Money in minor units.
pub mod money;
/// The expected "no".
pub mod refusal;
/// Geometry: sections, rows, seats, adjacency, areas; encoding, hit test, import.
pub mod seat_map;
/// The best seats together.
pub mod pick;
/// The form that makes a show, checked by page and server alike.
pub mod new_show;
/// The life of an order.
pub mod order;
/// One function from lines to total.
pub mod pricing;
/// Who has what in one show.
pub mod board;
/// The one writer of a show, as a machine without I/O.
pub mod desk;
/// What a ticket's code says.
pub mod ticket;
/// The only serialised types.
pub mod wire;
/// The seeded simulator, in tests only.
#[cfg(test)]
mod sim;
