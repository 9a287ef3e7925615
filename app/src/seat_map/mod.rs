//! The seat map on the canvas, in reading order: where things are drawn, what fingers mean, what
//! is drawn, and last the few files that touch the browser.
//!
//! Only [`camera`] turns plan units into CSS pixels. Gestures propose, the frame loop applies.
//! Only `paint` touches a drawing context. A seat changes its look because a snapshot or a frame
//! said so, never because somebody tapped.

/// From the plan to the screen and back.
pub mod camera;
/// From pointers to proposals.
pub mod gestures;
/// From keys to proposals, and from seat to seat.
pub mod keys;
/// Labels, selection, suggestion: what lies above the seats.
pub mod overlay;
/// Seats into pixels.
pub mod raster;
/// What of a house is drawn.
pub mod scene;
/// What a tap means.
pub mod hit;
/// Seats like those that went.
pub mod near;

// -- the browser's half
/// One animation loop: applies proposals, paints when something changed.
#[cfg(feature = "hydrate")]
pub mod frame;
/// Events as the browser tells them.
#[cfg(feature = "hydrate")]
mod listen;
/// The only file that touches a drawing context.
#[cfg(feature = "hydrate")]
mod paint;
/// Colours from the style sheet.
#[cfg(feature = "hydrate")]
mod theme;

#[cfg(test)]
mod testing;
