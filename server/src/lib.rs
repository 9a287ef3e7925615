//! Rowlock's server: the authority over seats, money and tickets.
//!
//! Base modules first, then the slices in the order in which they may use each other.

// -- base
/// What every request and every loop shares.
pub mod app;
/// The only place that asks the time.
pub mod clock;
/// Refusals, faults, and how they differ.
pub mod error;

// -- slices
/// What is performed, when and where, and how people find it.
pub mod catalog;
/// Facts on their way out: snapshots and streams.
pub mod live;
