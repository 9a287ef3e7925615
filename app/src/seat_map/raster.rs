//! Seats into pixels: prepared little pictures ("sprites") copied into one RGBA buffer, which
//! reaches the canvas in one call. Every state has its own shape, so that colour is never the
//! only sign:
//!
//! | state | drawn as |
//! |---|---|
//! | free | solid disc in the tier's colour |
//! | free, tier switched off in the legend | small pale disc |
//! | held by somebody | ring in the tier's colour |
//! | sold | grey cross |
//! | blocked | faint grey dot |
//!
//! From afar, where a shape would be smaller than its outline, held and sold are paler and
//! smaller dots. What the buyer chose is drawn above, by the overlay.

mod sprite;

use domain::board::settings::TIERS_MAX;
use domain::seat_map::Rect;
use domain::wire::snapshot::{SeatState, Snapshot};

use super::camera::{Backing, Pose};
use super::scene::{Band, Filter, Scene};

use sprite::{Kind, NOTHING, Size, Sprite};

/// Shapes of one tier.
const KINDS: usize = 5;
/// Sprites made for one scale; a house of all sizes in all tiers shares the last one.
const SPRITES_MAX: usize = 16_384;

/// Red, green, blue.
pub type Rgb = [u8; 3];

/// What seats are drawn with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Palette {
    /// By tier; missing ones are grey.
    pub tiers: Vec<Rgb>,
    /// Sold and blocked seats.
    pub muted: Rgb,
}

/// The buffer and the sprites of the present scale.
#[derive(Default)]
pub struct Raster {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 4]>,
    sprites: Vec<Sprite>,
    /// Number of the sprite by place, tier and kind, counted from 1; 0: not made yet.
    slots: Vec<u16>,
    /// What `sprites` were made for.
    made_for: Option<MadeFor>,
    sizes: Vec<Size>,
}

#[derive(PartialEq)]
struct MadeFor {
    /// Device pixels per plan unit.
    scale: f64,
    width: usize,
    palette: Palette,
}

impl Raster {
    /// The last drawing, RGBA, not premultiplied.
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn height(&self) -> usize {
        self.height
    }

    /// Draws the seats of `scene` that are in view.
    pub fn draw(&mut self, scene: &Scene, snapshot: &Snapshot, look: &Look<'_>) {
        self.begin(look.backing);
        self.prepare(scene, look);
        let (scale, ratio) = (look.pose.scale, look.backing.ratio);
        let to = Affine {
            scale_x: (scale * ratio.0) as f32,
            scale_y: (scale * ratio.1) as f32,
            x: (look.pose.origin.x * ratio.0) as f32,
            y: (look.pose.origin.y * ratio.1) as f32,
        };
        for band in scene.bands_in(look.visible) {
            self.band(scene, snapshot, look, &to, band);
        }
    }

    fn begin(&mut self, backing: Backing) {
        (self.width, self.height) = (backing.width as usize, backing.height as usize);
        self.pixels.resize(self.width * self.height, [0; 4]);
        self.pixels.as_flattened_mut().fill(0);
    }

    fn prepare(&mut self, scene: &Scene, look: &Look<'_>) {
        let ratio = (look.backing.ratio.0 + look.backing.ratio.1) / 2.0;
        let scale = look.pose.scale * ratio;
        let wanted = MadeFor {
            scale,
            width: self.width,
            palette: look.palette.clone(),
        };
        if self.made_for.as_ref() == Some(&wanted) && self.sizes.len() == scene.sizes.len() {
            return;
        }
        self.made_for = Some(wanted);
        let mut places = 0;
        self.sizes.clear();
        for &radius in &scene.sizes {
            let size = Size::of(radius * scale as f32, places);
            places += (size.phases * size.phases) as usize;
            self.sizes.push(size);
        }
        self.sprites.clear();
        self.slots.clear();
        self.slots.resize(places * TIERS_MAX * KINDS, 0);
    }

    fn band(
        &mut self,
        scene: &Scene,
        snapshot: &Snapshot,
        look: &Look<'_>,
        to: &Affine,
        band: &Band,
    ) {
        let spots = &scene.spots[band.first as usize..band.end as usize];
        for (ix, spot) in (band.first as usize..).zip(spots) {
            let size = self.sizes[usize::from(spot.size)];
            let steps = size.phases as f32;
            let x = ((spot.x * to.scale_x + to.x) * steps).round() as i32;
            let y = ((spot.y * to.scale_y + to.y) * steps).round() as i32;
            let left = x.div_euclid(size.phases) - size.half;
            let top = y.div_euclid(size.phases) - size.half;
            let reach = 2 * size.half + 2;
            if left + reach < 0
                || top + reach < 0
                || left >= self.width as i32
                || top >= self.height as i32
            {
                continue;
            }
            let byte = snapshot.states.get(ix / 4).copied().unwrap_or(u8::MAX);
            let kind = match SeatState::from_bits(byte >> (ix % 4 * 2)) {
                SeatState::Free if look.filter.shows(spot.tier) => Kind::Free,
                SeatState::Free => Kind::Aside,
                SeatState::Held => Kind::Held,
                SeatState::Sold => Kind::Sold,
                SeatState::Blocked => Kind::Blocked,
            };
            let phase = (x.rem_euclid(size.phases), y.rem_euclid(size.phases));
            let sprite = self.sprite(size, phase, spot.tier.0, kind, look.palette);
            let sprite = &self.sprites[sprite];
            let inside = left >= 0
                && top >= 0
                && left as usize + sprite.side <= self.width
                && top as usize + sprite.side <= self.height;
            if inside && !sprite.drops.is_empty() {
                let first = top as usize * self.width + left as usize;
                for &(offset, above) in &sprite.drops {
                    lay(&mut self.pixels[first + offset as usize], above);
                }
            } else {
                blit(&mut self.pixels, self.width, self.height, sprite, left, top);
            }
        }
    }

    /// Number of the sprite, which is made when it is needed first.
    fn sprite(
        &mut self,
        size: Size,
        phase: (i32, i32),
        tier: u8,
        kind: Kind,
        palette: &Palette,
    ) -> usize {
        let place = size.before + (phase.1 * size.phases + phase.0) as usize;
        let slot = (place * TIERS_MAX + usize::from(tier) % TIERS_MAX) * KINDS + kind as usize;
        if self.slots[slot] == 0 {
            if self.sprites.len() < SPRITES_MAX {
                self.sprites
                    .push(Sprite::new(size, phase, kind, palette, tier, self.width));
            }
            self.slots[slot] = self.sprites.len() as u16;
        }
        usize::from(self.slots[slot]) - 1
    }
}

/// Everything about a drawing besides house and states.
pub struct Look<'a> {
    pub pose: Pose,
    pub backing: Backing,
    pub visible: Rect,
    pub filter: Filter,
    pub palette: &'a Palette,
}

struct Affine {
    scale_x: f32,
    scale_y: f32,
    x: f32,
    y: f32,
}

/// Copies a sprite so that its left top corner is at `(left, top)`, clipped to the buffer.
fn blit(pixels: &mut [[u8; 4]], width: usize, height: usize, sprite: &Sprite, left: i32, top: i32) {
    let first = (-top).max(0) as usize;
    let end = sprite.side.min((height as i32 - top).max(0) as usize);
    for line in first..end {
        let [begin, solid, opaque_end, stop] = sprite.spans[line].map(i32::from);
        let row = (top + line as i32) as usize * width;
        let from = &sprite.pixels[line * sprite.side..(line + 1) * sprite.side];
        // Of the part begin..stop, what lies inside the buffer.
        let clip = |at: i32| at.clamp(-left, width as i32 - left);
        let part = |low: i32, high: i32| (clip(low).max(0) as usize, clip(high).max(0) as usize);
        let (a, b) = part(begin, solid);
        let (c, d) = part(solid, opaque_end);
        let (e, f) = part(opaque_end, stop);
        let at = |x: usize| row + (left + x as i32) as usize;
        if b > a {
            mix(&mut pixels[at(a)..at(a) + b - a], &from[a..b]);
        }
        if d > c {
            pixels[at(c)..at(c) + d - c].copy_from_slice(&from[c..d]);
        }
        if f > e {
            mix(&mut pixels[at(e)..at(e) + f - e], &from[e..f]);
        }
    }
}

/// Soft edges: neighbours add their cover, and the stronger one lends its colour.
fn mix(onto: &mut [[u8; 4]], from: &[[u8; 4]]) {
    for (below, &above) in onto.iter_mut().zip(from) {
        lay(below, above);
    }
}

fn lay(below: &mut [u8; 4], above: [u8; 4]) {
    if *below == NOTHING {
        *below = above;
    } else if above != NOTHING {
        let alpha = below[3].saturating_add(above[3]);
        if above[3] >= below[3] {
            *below = above;
        }
        below[3] = alpha;
    }
}

#[cfg(test)]
mod tests;
