//! Rowlock's server: the authority over seats, money and tickets.
//!
//! Base modules first, then the slices in the order in which they may use each other.

// -- base
/// What every request and every loop shares.
pub mod app;
/// The only place that asks the time.
pub mod clock;
/// Every setting.
pub mod config;
/// The pool of connections to Postgres, and the schema.
pub mod db;
/// Postgres and Redis of our own.
pub mod embedded;
/// Refusals, faults, and how they differ.
pub mod error;
/// The connection to what may be lost.
pub mod redis;
/// Logging and metrics.
pub mod telemetry;
/// Texts for people that the server itself writes.
pub mod messages;

// -- slices
/// Who asks: buyers and staff.
pub mod people;
/// Places and their seat maps.
pub mod venues;
/// What is performed, when and where, and how people find it.
pub mod catalog;
/// Facts on their way out: snapshots and streams.
pub mod live;
/// The one writer of each show.
pub mod desk;
/// Codes of tickets.
pub mod tickets;
/// Payment providers.
pub mod payments;
/// What buyers do with their orders, and how money finds its order.
pub mod orders;
/// Mails.
pub mod mail;
/// Side effects on their way out.
pub mod outbox;
/// What staff do with shows.
pub mod console;

// -- edge
/// The pages' questions, answered.
pub mod backend;
/// The rules that hold at rest.
pub mod check;
/// The demonstration's venues, events and shows.
pub mod demo;
/// The edge: which slice answers where, and what is true of every request.
pub mod http;
/// The closed list of background loops.
pub mod jobs;
/// One running server.
pub mod run;
