//! Parts that several pages share.

pub mod missing;
