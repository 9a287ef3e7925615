//! Who has what in one show.
pub mod change;
pub mod command;
pub mod settings;
