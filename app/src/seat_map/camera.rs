//! The one transform between the plan and the screen.
//!
//! `css = plan * scale + origin`, the same scale on both axes, y down on both sides. CSS pixels
//! are counted from the top left corner of the map's box. The device pixel ratio plays no part
//! here: it is for drawing only ([`Backing`]), so a tap means the same seat on every screen.
//!
//! **The rules**, on which anybody who computes where a seat is may rely:
//! 1. At first the whole house is shown: it is as large as fits the box with [`MARGIN`] CSS
//!    pixels left free on every side, and centred.
//! 2. The `+` and `-` buttons and keys multiply the scale by [`STEP`] and by its inverse about
//!    the centre of the box.
//! 3. A wheel turned by `dy` CSS pixels multiplies it by `2^(-dy / 240)` about the pointer
//!    ([`wheel_factor`]; one event counts 240 at most).
//! 4. A tap where seats are drawn smaller than [`TAP_DIAMETER_MIN`] chooses nothing and zooms in
//!    about the tapped point until they measure [`SEAT_DIAMETER_NEAR`].
//! 5. The scale stays between the whole house and seats of [`SEAT_DIAMETER_MAX`]. The centre of
//!    the house stays within half of what the house has grown since the whole view, per axis;
//!    therefore zooming in at any point of the house leaves that point where it is.

use domain::seat_map::{Point, Rect};

mod backing;
mod pose;

pub use backing::{BACKING_PIXELS_MAX, Backing};
pub use pose::{Pose, Px};

/// CSS pixels left free around the whole house.
pub const MARGIN: f64 = 16.0;
/// What one press of a zoom button multiplies the scale by.
pub const STEP: f64 = 2.0;
/// Seats drawn smaller than this many CSS pixels cannot be chosen by a tap.
pub const TAP_DIAMETER_MIN: f64 = 24.0;
/// Seats measure this many CSS pixels after a tap zoomed in to them.
pub const SEAT_DIAMETER_NEAR: f64 = 32.0;
/// Largest drawn seat, in CSS pixels.
pub const SEAT_DIAMETER_MAX: f64 = 64.0;
/// Length of an animated move.
const MOVE_MS: f64 = 220.0;
/// How fast a flung map comes to rest: its speed falls to 1/e in this time.
const FLING_MS: f64 = 280.0;
/// A flung map slower than this stands still, CSS pixels a millisecond.
const FLING_SPEED_MIN: f64 = 0.02;

#[derive(Debug, Clone, Copy)]
enum Motion {
    Rest,
    Move {
        from: Pose,
        to: Pose,
        since: f64,
    },
    /// Velocity in CSS pixels a millisecond at `at`.
    Fling {
        velocity: Px,
        at: f64,
    },
}

/// The camera over one house.
#[derive(Debug, Clone)]
pub struct Camera {
    house: (f64, f64),
    seat_diameter: f64,
    view: (f64, f64),
    pose: Pose,
    motion: Motion,
}

impl Camera {
    /// A camera over a house of `width` x `height` plan units whose seats measure
    /// `seat_diameter`. Until the first [`Camera::resize`] the box is empty.
    pub fn new(width: f32, height: f32, seat_diameter: f32) -> Self {
        let pose = Pose {
            scale: 1.0,
            origin: Px::default(),
        };
        Self {
            house: (f64::from(width).max(1.0), f64::from(height).max(1.0)),
            seat_diameter: f64::from(seat_diameter).max(1e-3),
            view: (0.0, 0.0),
            pose,
            motion: Motion::Rest,
        }
    }

    /// The box changed to `width` x `height` CSS pixels. A whole view stays whole; otherwise what
    /// was in the middle stays in the middle, at the same scale.
    pub fn resize(&mut self, width: f64, height: f64) {
        let whole = self.is_whole() || self.view.0 <= 0.0 || self.view.1 <= 0.0;
        let target = self.target();
        let shift = Px::new((width - self.view.0) / 2.0, (height - self.view.1) / 2.0);
        self.view = (width, height);
        self.motion = Motion::Rest;
        self.pose = if whole {
            self.whole()
        } else {
            let origin = Px::new(target.origin.x + shift.x, target.origin.y + shift.y);
            self.bounded(Pose {
                scale: target.scale,
                origin,
            })
        };
    }

    pub fn pose(&self) -> Pose {
        self.pose
    }

    /// CSS size of the box.
    pub fn view(&self) -> (f64, f64) {
        self.view
    }

    /// There is something to draw on.
    pub fn has_view(&self) -> bool {
        self.view.0 >= 1.0 && self.view.1 >= 1.0
    }

    /// Where `point` is drawn.
    pub fn css(&self, point: Point) -> Px {
        self.pose.css(point)
    }

    /// The point of the plan that is drawn at `at`.
    pub fn plan(&self, at: Px) -> (f64, f64) {
        (
            (at.x - self.pose.origin.x) / self.pose.scale,
            (at.y - self.pose.origin.y) / self.pose.scale,
        )
    }

    /// What the box shows of the plan.
    pub fn visible(&self) -> Rect {
        let min = self.plan_point(Px::default());
        Rect {
            min,
            max: self.plan_point(Px::new(self.view.0, self.view.1)),
        }
    }

    /// [`Camera::plan`] for the hit test.
    pub fn plan_point(&self, at: Px) -> Point {
        let (x, y) = self.plan(at);
        Point {
            x: x as f32,
            y: y as f32,
        }
    }

    /// Drawn diameter of an ordinary seat, CSS pixels.
    pub fn seat_diameter(&self) -> f64 {
        self.seat_diameter * self.pose.scale
    }

    /// The whole house is shown, so there is nowhere to pan to.
    pub fn is_whole(&self) -> bool {
        self.target().scale <= self.scale_min() * 1.0001
    }

    /// The scale cannot grow.
    pub fn is_nearest(&self) -> bool {
        self.target().scale >= self.scale_max() * 0.9999
    }

    /// An animated move or a fling is under way.
    pub fn is_moving(&self) -> bool {
        !matches!(self.motion, Motion::Rest)
    }

    /// Follows the pointer.
    pub fn pan(&mut self, dx: f64, dy: f64) {
        self.motion = Motion::Rest;
        let origin = Px::new(self.pose.origin.x + dx, self.pose.origin.y + dy);
        self.pose = self.bounded(Pose {
            scale: self.pose.scale,
            origin,
        });
    }

    /// Multiplies the scale about `at`, at once.
    pub fn zoom(&mut self, at: Px, factor: f64) {
        self.motion = Motion::Rest;
        let scale = self.allowed(self.pose.scale * factor);
        self.pose = self.bounded(self.pose.about(at, scale));
    }

    /// Two fingers moved: what was between them at `from` is at `to` now, larger by `factor`.
    pub fn pinch(&mut self, from: Px, to: Px, factor: f64) {
        self.motion = Motion::Rest;
        let scale = self.allowed(self.pose.scale * factor);
        let mut pose = self.pose.about(from, scale);
        pose.origin.x += to.x - from.x;
        pose.origin.y += to.y - from.y;
        self.pose = self.bounded(pose);
    }

    /// Goes on moving by itself; velocity in CSS pixels a millisecond.
    pub fn fling(&mut self, velocity: Px, now: f64) {
        self.motion = Motion::Fling { velocity, at: now };
    }

    /// A finger came down: a fling ends, an animated move goes on.
    pub fn catch(&mut self) {
        if let Motion::Fling { .. } = self.motion {
            self.motion = Motion::Rest;
        }
    }

    /// To the whole house.
    pub fn go_whole(&mut self, now: Option<f64>) {
        self.go(self.whole(), now);
    }

    /// One step of a zoom button about the centre of the box; `factor` is [`STEP`] or its inverse.
    pub fn go_step(&mut self, factor: f64, now: Option<f64>) {
        let centre = Px::new(self.view.0 / 2.0, self.view.1 / 2.0);
        let target = self.target();
        self.go(
            target.about(centre, self.allowed(target.scale * factor)),
            now,
        );
    }

    /// To where seats can be told apart by a finger, about `at`.
    pub fn go_near(&mut self, at: Px, now: Option<f64>) {
        let scale = self
            .allowed(SEAT_DIAMETER_NEAR / self.seat_diameter)
            .max(self.pose.scale);
        self.go(self.pose.about(at, scale), now);
    }

    /// So that `rect` fills the box with the margin around it.
    pub fn go_rect(&mut self, rect: Rect, now: Option<f64>) {
        let scale = self.allowed(self.fitting(&rect));
        self.go(self.looking_at(rect.center(), scale), now);
    }

    /// How many times larger `rect` is drawn when it fills the box.
    pub fn closer(&self, rect: &Rect) -> f64 {
        self.allowed(self.fitting(rect)) / self.pose.scale
    }

    /// So that all of `rect` is in the box and large enough to be chosen, moving no more than is
    /// needed: nothing at all when it is so already.
    pub fn go_show(&mut self, rect: Rect, now: Option<f64>) {
        let target = self.target();
        let inset = MARGIN.min(self.view.0 / 4.0).min(self.view.1 / 4.0);
        let inside = |low: f64, high: f64, size: f64| low >= inset && high <= size - inset;
        let (min, max) = (target.css(rect.min), target.css(rect.max));
        let seen = inside(min.x, max.x, self.view.0) && inside(min.y, max.y, self.view.1);
        let near = SEAT_DIAMETER_NEAR / self.seat_diameter;
        if seen && target.scale * self.seat_diameter >= TAP_DIAMETER_MIN {
            return;
        }
        let scale = self.allowed(target.scale.max(near).min(self.fitting(&rect)));
        self.go(self.looking_at(rect.center(), scale), now);
    }

    /// Moves on to `now`; true while there is more to come.
    pub fn advance(&mut self, now: f64) -> bool {
        match self.motion {
            Motion::Rest => false,
            Motion::Move { from, to, since } => {
                let t = ((now - since) / MOVE_MS).clamp(0.0, 1.0);
                let eased = 1.0 - (1.0 - t).powi(3);
                self.pose = if t >= 1.0 { to } else { from.toward(to, eased) };
                if t >= 1.0 {
                    self.motion = Motion::Rest;
                }
                t < 1.0
            }
            Motion::Fling { velocity, at } => {
                let passed = (now - at).max(0.0);
                let decay = (-passed / FLING_MS).exp();
                let way = FLING_MS * (1.0 - decay);
                self.pan(velocity.x * way, velocity.y * way);
                let slower = Px::new(velocity.x * decay, velocity.y * decay);
                let goes_on = slower.distance(Px::default()) > FLING_SPEED_MIN;
                if goes_on {
                    self.motion = Motion::Fling {
                        velocity: slower,
                        at: now,
                    };
                }
                goes_on
            }
        }
    }

    /// Where an animated move will end; the pose itself otherwise.
    fn target(&self) -> Pose {
        match self.motion {
            Motion::Move { to, .. } => to,
            _ => self.pose,
        }
    }

    /// `now` = `None`: at once, for those who asked for less motion.
    fn go(&mut self, to: Pose, now: Option<f64>) {
        let to = self.bounded(to);
        match now {
            Some(since) if to != self.pose => {
                self.motion = Motion::Move {
                    from: self.pose,
                    to,
                    since,
                };
            }
            _ => {
                self.pose = to;
                self.motion = Motion::Rest;
            }
        }
    }

    fn inner(&self) -> (f64, f64) {
        // A box smaller than its margins still shows something.
        let side = |size: f64| (size - 2.0 * MARGIN).max(size * 0.5).max(1.0);
        (side(self.view.0), side(self.view.1))
    }

    fn scale_min(&self) -> f64 {
        let (width, height) = self.inner();
        (width / self.house.0).min(height / self.house.1)
    }

    fn scale_max(&self) -> f64 {
        (SEAT_DIAMETER_MAX / self.seat_diameter).max(self.scale_min() * STEP)
    }

    fn allowed(&self, scale: f64) -> f64 {
        scale.clamp(self.scale_min(), self.scale_max())
    }

    /// The largest scale at which `rect` is inside the margins.
    fn fitting(&self, rect: &Rect) -> f64 {
        let (width, height) = self.inner();
        let side = |low: f32, high: f32| f64::from(high - low).max(1e-3);
        (width / side(rect.min.x, rect.max.x)).min(height / side(rect.min.y, rect.max.y))
    }

    fn looking_at(&self, point: Point, scale: f64) -> Pose {
        let unmoved = Pose {
            scale,
            origin: Px::default(),
        };
        let drawn = unmoved.css(point);
        let origin = Px::new(self.view.0 / 2.0 - drawn.x, self.view.1 / 2.0 - drawn.y);
        Pose { scale, origin }
    }

    fn whole(&self) -> Pose {
        let centre = Point {
            x: self.house.0 as f32 / 2.0,
            y: self.house.1 as f32 / 2.0,
        };
        self.looking_at(centre, self.scale_min())
    }

    /// Rule 5 of the module's page.
    fn bounded(&self, pose: Pose) -> Pose {
        let grown = (pose.scale - self.scale_min()).max(0.0) / 2.0;
        let axis = |origin: f64, house: f64, view: f64| {
            let centred = (view - house * pose.scale) / 2.0;
            origin.clamp(centred - grown * house, centred + grown * house)
        };
        let origin = Px::new(
            axis(pose.origin.x, self.house.0, self.view.0),
            axis(pose.origin.y, self.house.1, self.view.1),
        );
        Pose {
            scale: pose.scale,
            origin,
        }
    }
}

/// What a wheel event of `dy` CSS pixels multiplies the scale by.
pub fn wheel_factor(dy: f64) -> f64 {
    (-dy.clamp(-240.0, 240.0) / 240.0).exp2()
}

#[cfg(test)]
mod tests;
