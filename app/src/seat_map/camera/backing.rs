//! Device pixels: they matter for drawing, never for where a tap lands.

/// Pixels of one canvas: tablets refuse backing stores beyond 16.7 million.
pub const BACKING_PIXELS_MAX: f64 = 16_000_000.0;

/// The pixels behind a canvas: for drawing only.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backing {
    pub width: u32,
    pub height: u32,
    /// Device pixels per CSS pixel, on each axis, after rounding to whole pixels.
    pub ratio: (f64, f64),
}

impl Backing {
    /// Backing of a box of CSS size `view` on a screen of `device_pixel_ratio`, coarser where it
    /// would pass [`BACKING_PIXELS_MAX`].
    pub fn of(view: (f64, f64), device_pixel_ratio: f64) -> Self {
        let area = (view.0 * view.1).max(1.0);
        let ratio = device_pixel_ratio
            .clamp(0.25, 8.0)
            .min((BACKING_PIXELS_MAX / area).sqrt());
        let mut width = (view.0 * ratio).round().max(1.0);
        let mut height = (view.1 * ratio).round().max(1.0);
        if width * height > BACKING_PIXELS_MAX {
            width = (view.0 * ratio).floor().max(1.0);
            height = (view.1 * ratio).floor().max(1.0);
        }
        Self {
            width: width as u32,
            height: height as u32,
            ratio: (width / view.0.max(1.0), height / view.1.max(1.0)),
        }
    }
}
