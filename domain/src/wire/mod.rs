//! The only serialised types: what browsers, API clients and other processes read.
pub mod frame;
pub mod snapshot;
pub mod view;
