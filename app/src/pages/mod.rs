//! The fan's pages.

pub mod choose;
pub mod frame;
