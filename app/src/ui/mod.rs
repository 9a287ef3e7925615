//! Parts that several pages share.

pub mod countdown;
pub mod language;
pub mod load;
pub mod missing;
pub mod notice;
pub mod price;
#[cfg(feature = "hydrate")]
pub mod share;
pub mod show_row;
pub mod status;
pub mod title;
