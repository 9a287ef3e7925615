//! The little pictures that the raster copies: one per size, place within a pixel, tier and state.

use super::Palette;

/// Radius, device pixels, from which shapes are told apart.
const SHAPES_FROM: f32 = 2.6;
/// Radius, device pixels, up to which a sprite is drawn sample by sample.
const SAMPLED_UP_TO: f32 = 3.0;
/// Radius up to which a sprite is so few pixels that they are copied one by one.
const DROPS_UP_TO: f32 = 4.0;
/// A pixel on which nothing is drawn.
pub(super) const NOTHING: [u8; 4] = [0; 4];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Free = 0,
    Held = 1,
    Sold = 2,
    Blocked = 3,
    Aside = 4,
}

#[derive(Clone, Copy)]
pub(super) struct Size {
    /// Device pixels.
    pub(super) radius: f32,
    /// The middle of a sprite is this many whole pixels from its corner.
    pub(super) half: i32,
    /// A sprite is made for this many positions within a pixel, per axis.
    pub(super) phases: i32,
    /// Places of smaller sizes.
    pub(super) before: usize,
}

/// One prepared picture.
pub(super) struct Sprite {
    /// Side, pixels; the middle is at `half + phase`.
    pub(super) side: usize,
    pub(super) pixels: Vec<[u8; 4]>,
    /// By line: where something begins, where it is opaque, where that ends, where all ends.
    pub(super) spans: Vec<[u16; 4]>,
    /// Of small sprites: every pixel that is drawn, by its distance in the buffer from the first.
    pub(super) drops: Vec<(u32, [u8; 4])>,
}

impl Size {
    pub(super) fn of(radius: f32, before: usize) -> Self {
        // A dot of less than a pixel must not vanish.
        let radius = radius.max(0.35);
        let phases = if radius < 10.0 {
            4
        } else if radius < 24.0 {
            2
        } else {
            1
        };
        Self {
            radius,
            half: radius.ceil() as i32 + 1,
            phases,
            before,
        }
    }
}

impl Sprite {
    pub(super) fn new(
        size: Size,
        phase: (i32, i32),
        kind: Kind,
        palette: &Palette,
        tier: u8,
        width: usize,
    ) -> Self {
        let side = (2 * size.half + 2) as usize;
        let middle = |phase: i32| size.half as f32 + phase as f32 / size.phases as f32;
        let centre = (middle(phase.0), middle(phase.1));
        let rgb = match kind {
            Kind::Free | Kind::Held | Kind::Aside => palette
                .tiers
                .get(usize::from(tier))
                .copied()
                .unwrap_or(palette.muted),
            Kind::Sold | Kind::Blocked => palette.muted,
        };
        let shape = Shape::of(kind, size.radius);
        let mut sprite = Self {
            side,
            pixels: Vec::with_capacity(side * side),
            spans: Vec::with_capacity(side),
            drops: Vec::new(),
        };
        for y in 0..side {
            for x in 0..side {
                let alpha = shape.alpha(x as f32 - centre.0, y as f32 - centre.1);
                let pixel = if alpha == 0 {
                    NOTHING
                } else {
                    [rgb[0], rgb[1], rgb[2], alpha]
                };
                sprite.pixels.push(pixel);
                if pixel != NOTHING && size.radius <= DROPS_UP_TO {
                    sprite.drops.push(((y * width + x) as u32, pixel));
                }
            }
            let line = &sprite.pixels[y * side..];
            sprite.spans.push(spans(line));
        }
        sprite
    }
}

/// Where a line begins and ends, and its first opaque run.
fn spans(line: &[[u8; 4]]) -> [u16; 4] {
    let drawn = |pixel: &[u8; 4]| *pixel != NOTHING;
    let opaque = |pixel: &[u8; 4]| pixel[3] == 255;
    let Some(begin) = line.iter().position(drawn) else {
        return [0; 4];
    };
    let end = line.iter().rposition(drawn).map_or(begin, |last| last + 1);
    let solid = line.iter().position(opaque).unwrap_or(end);
    let run = line[solid..end]
        .iter()
        .take_while(|pixel| opaque(pixel))
        .count();
    [begin as u16, solid as u16, (solid + run) as u16, end as u16]
}

/// A shape around (0, 0): how much of it covers a pixel.
struct Shape {
    kind: Kind,
    radius: f32,
    /// Greatest alpha.
    strength: f32,
    /// From afar: a plain dot.
    dot: bool,
}

impl Shape {
    fn of(kind: Kind, radius: f32) -> Self {
        let dot = radius < SHAPES_FROM;
        let (radius, strength) = match (kind, dot) {
            (Kind::Free, _) => (radius, 1.0),
            (Kind::Aside, true) => (radius * 0.8, 0.28),
            (Kind::Aside, false) => (radius * 0.62, 0.4),
            (Kind::Held, true) => (radius * 0.9, 0.5),
            (Kind::Held, false) => (radius * 0.92, 0.95),
            (Kind::Sold, true) => (radius * 0.7, 0.28),
            (Kind::Sold, false) => (radius * 0.58, 0.75),
            (Kind::Blocked, true) => (radius * 0.5, 0.25),
            (Kind::Blocked, false) => (radius * 0.26, 0.5),
        };
        Self {
            kind,
            radius,
            strength,
            dot,
        }
    }

    /// Of the pixel whose corner is at `(x, y)` from the middle.
    fn alpha(&self, x: f32, y: f32) -> u8 {
        let cover = if self.radius <= SAMPLED_UP_TO {
            let at = [0.125, 0.375, 0.625, 0.875];
            let inside = |(dx, dy): (f32, f32)| self.distance(x + dx, y + dy) <= 0.0;
            let pairs = at.iter().flat_map(|&dx| at.iter().map(move |&dy| (dx, dy)));
            pairs.filter(|&pair| inside(pair)).count() as f32 / 16.0
        } else {
            (0.5 - self.distance(x + 0.5, y + 0.5)).clamp(0.0, 1.0)
        };
        (cover * self.strength * 255.0).round() as u8
    }

    /// Signed distance to the edge, negative inside.
    fn distance(&self, x: f32, y: f32) -> f32 {
        let from_middle = x.hypot(y);
        if self.dot {
            return from_middle - self.radius;
        }
        match self.kind {
            Kind::Held => {
                let width = (self.radius * 0.3).max(1.3);
                (from_middle - self.radius + width / 2.0).abs() - width / 2.0
            }
            Kind::Sold => {
                let width = (self.radius * 0.3).max(1.1);
                let (x, y) = ((x + y).abs() * 0.707, (x - y).abs() * 0.707);
                let bar = |along: f32, across: f32| (along - self.radius).max(across - width / 2.0);
                bar(x, y).min(bar(y, x))
            }
            Kind::Free | Kind::Blocked | Kind::Aside => from_middle - self.radius,
        }
    }
}
