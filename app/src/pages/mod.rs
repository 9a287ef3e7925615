//! The fan's pages.

/// The seat map.
pub mod choose;
/// Looking for something to go to.
pub mod discover;
/// What is performed, and when.
pub mod event;
/// What stands around every page.
pub mod frame;
/// Seats as lists and forms: the seat map's full equal.
pub mod list;
/// The rows of one section in that list.
mod list_rows;
/// One order: checkout, payment, tickets.
pub mod order;
/// All orders of this buyer.
pub mod orders;
/// One performance.
pub mod show;
