//! Places of the box, and the transform as a value.

use domain::seat_map::Point;

/// A position or distance in CSS pixels of the map's box.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Px {
    pub x: f64,
    pub y: f64,
}

impl Px {
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    pub fn distance(self, other: Self) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }

    pub fn middle(self, other: Self) -> Self {
        Self::new((self.x + other.x) / 2.0, (self.y + other.y) / 2.0)
    }
}

/// Scale and origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// CSS pixels per plan unit.
    pub scale: f64,
    /// Where the plan's (0, 0) is drawn.
    pub origin: Px,
}

impl Pose {
    pub(super) fn css(&self, point: Point) -> Px {
        Px::new(
            f64::from(point.x) * self.scale + self.origin.x,
            f64::from(point.y) * self.scale + self.origin.y,
        )
    }

    pub(super) fn about(self, at: Px, scale: f64) -> Self {
        let factor = scale / self.scale;
        let origin = Px::new(
            at.x - (at.x - self.origin.x) * factor,
            at.y - (at.y - self.origin.y) * factor,
        );
        Self { scale, origin }
    }

    /// The pose at `t` of 0..=1 on the way to `end`: the scale grows by equal ratios, and the
    /// one point that both poses draw at the same place stays there.
    pub(super) fn toward(self, end: Self, t: f64) -> Self {
        let scale = self.scale * (end.scale / self.scale).powf(t);
        let grown = end.scale - self.scale;
        let part = if grown.abs() < 1e-9 * self.scale {
            t
        } else {
            (scale - self.scale) / grown
        };
        let origin = Px::new(
            self.origin.x + (end.origin.x - self.origin.x) * part,
            self.origin.y + (end.origin.y - self.origin.y) * part,
        );
        Self { scale, origin }
    }
}
