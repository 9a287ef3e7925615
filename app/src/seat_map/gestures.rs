//! From pointers and wheels to proposals. A machine without a browser: it is told what happened
//! and when, and proposes what to do; the frame loop alone applies proposals to the camera and
//! the selection.
//!
//! - A pointer that moved less than [`PAN_FROM`] CSS pixels and was lifted within
//!   [`LONG_PRESS_MS`] is a tap. From there on it is a pan, for good, also when it comes back.
//! - Two pointers are a pinch. After a pinch nothing taps until every pointer is lifted.
//! - A long press proposes a card and never taps.
//! - Whether the wheel belongs to the map or to the page is settled once per turn of the wheel:
//!   a turn that begins with nothing to zoom out of scrolls the page.

use super::camera::Px;

/// From this distance on a pressed pointer pans.
pub const PAN_FROM: f64 = 8.0;
/// A pointer held still this long asks for the card.
pub const LONG_PRESS_MS: f64 = 500.0;
/// Two taps within this time and [`DOUBLE_TAP_DISTANCE`] are a double tap.
pub const DOUBLE_TAP_MS: f64 = 300.0;
pub const DOUBLE_TAP_DISTANCE: f64 = 24.0;
/// Wheel events closer than this are one turn of the wheel.
pub const WHEEL_TURN_MS: f64 = 200.0;
/// Only the way of the last moments counts for a fling.
const FLING_WINDOW_MS: f64 = 80.0;
const FLING_SPEED_FROM: f64 = 0.15;
/// Samples of a moving pointer kept for its speed.
const TRAIL_MAX: usize = 16;
/// Pointers followed; further fingers are ignored.
const POINTERS_MAX: usize = 2;

/// What a pointer did, in CSS pixels of the map's box and milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Input {
    /// `still` is false when the map was moving by itself: such a press stops it and taps nothing.
    Down {
        id: i32,
        at: Px,
        time: f64,
        still: bool,
    },
    /// `id` of a pointer that is not down: a hovering mouse or pen.
    Move {
        id: i32,
        at: Px,
        time: f64,
    },
    Up {
        id: i32,
        at: Px,
        time: f64,
    },
    /// The browser took the pointer for itself (scrolling the page), or it was lost.
    Cancel {
        id: i32,
    },
    /// The pointer left the map.
    Leave,
    /// Time passed; see [`Gestures::is_waiting`].
    Tick {
        time: f64,
    },
}

/// What should happen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Proposal {
    /// `double`: the second of two.
    Tap {
        at: Px,
        double: bool,
    },
    Pan {
        dx: f64,
        dy: f64,
    },
    Pinch {
        from: Px,
        to: Px,
        factor: f64,
    },
    /// Velocity in CSS pixels a millisecond.
    Fling {
        velocity: Px,
    },
    /// Show what is here, choose nothing.
    Card {
        at: Px,
    },
    Hover {
        at: Px,
    },
    HoverEnd,
}

#[derive(Debug, Clone, Copy)]
struct Pointer {
    id: i32,
    at: Px,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    Idle,
    /// One pointer is down and may still become a tap.
    Pressed {
        start: Px,
        since: f64,
    },
    Panning,
    Pinching,
    /// Something is down that can no longer do anything.
    Spent,
}

/// The machine.
#[derive(Debug, Clone)]
pub struct Gestures {
    phase: Phase,
    pointers: Vec<Pointer>,
    /// Where the panning pointer was and when, newest last.
    trail: Vec<(Px, f64)>,
    last_tap: Option<(Px, f64)>,
    /// When the wheel last moved, and whether that turn is the page's.
    wheel: Option<(f64, bool)>,
}

impl Default for Gestures {
    fn default() -> Self {
        Self {
            phase: Phase::Idle,
            pointers: Vec::with_capacity(POINTERS_MAX),
            trail: Vec::with_capacity(TRAIL_MAX),
            last_tap: None,
            wheel: None,
        }
    }
}

impl Gestures {
    /// A press may become a long press: [`Input::Tick`] is wanted.
    pub fn is_waiting(&self) -> bool {
        matches!(self.phase, Phase::Pressed { .. })
    }

    /// A pointer is down.
    pub fn is_busy(&self) -> bool {
        self.phase != Phase::Idle
    }

    pub fn step(&mut self, input: Input) -> Option<Proposal> {
        match input {
            Input::Down {
                id,
                at,
                time,
                still,
            } => self.down(id, at, time, still),
            Input::Move { id, at, time } => self.moved(id, at, time),
            Input::Up { id, at, time } => self.up(id, at, time),
            Input::Cancel { id } => {
                self.release(id);
                self.settle();
                None
            }
            Input::Leave => Some(Proposal::HoverEnd),
            Input::Tick { time } => self.tick(time),
        }
    }

    /// A wheel event at `time`: whether the map takes it. `in_vain` when zooming that way does
    /// nothing because the whole house is shown.
    pub fn wheel(&mut self, time: f64, in_vain: bool) -> bool {
        let pages = match self.wheel {
            Some((last, pages)) if time - last < WHEEL_TURN_MS => pages,
            _ => in_vain,
        };
        self.wheel = Some((time, pages));
        !pages
    }

    fn down(&mut self, id: i32, at: Px, time: f64, still: bool) -> Option<Proposal> {
        self.release(id);
        if self.pointers.len() >= POINTERS_MAX {
            return None;
        }
        self.pointers.push(Pointer { id, at });
        if self.pointers.len() == 2 {
            self.phase = Phase::Pinching;
            self.last_tap = None;
            return Some(Proposal::HoverEnd);
        }
        self.trail.clear();
        self.trail.push((at, time));
        self.phase = match self.phase {
            Phase::Idle if still => Phase::Pressed {
                start: at,
                since: time,
            },
            // A moving map is caught by the press and may be dragged on, but nothing is tapped.
            Phase::Idle => Phase::Panning,
            _ => Phase::Spent,
        };
        None
    }

    fn moved(&mut self, id: i32, at: Px, time: f64) -> Option<Proposal> {
        let Some(index) = self.pointers.iter().position(|p| p.id == id) else {
            return self.pointers.is_empty().then_some(Proposal::Hover { at });
        };
        let before = self.pointers[index].at;
        match self.phase {
            Phase::Pressed { start, .. } => {
                if start.distance(at) < PAN_FROM {
                    return None;
                }
                self.phase = Phase::Panning;
                self.pointers[index].at = at;
                self.follow(at, time);
                // The whole way, so that the point under the finger stays under it.
                Some(Proposal::Pan {
                    dx: at.x - start.x,
                    dy: at.y - start.y,
                })
            }
            Phase::Panning => {
                self.pointers[index].at = at;
                self.follow(at, time);
                // The release repeats the last place.
                (at != before).then_some(Proposal::Pan {
                    dx: at.x - before.x,
                    dy: at.y - before.y,
                })
            }
            Phase::Pinching => {
                let other = self.pointers[1 - index].at;
                self.pointers[index].at = at;
                let factor = (at.distance(other) / before.distance(other).max(1.0)).clamp(0.2, 5.0);
                Some(Proposal::Pinch {
                    from: before.middle(other),
                    to: at.middle(other),
                    factor,
                })
            }
            Phase::Idle | Phase::Spent => {
                self.pointers[index].at = at;
                None
            }
        }
    }

    fn up(&mut self, id: i32, at: Px, time: f64) -> Option<Proposal> {
        if !self.pointers.iter().any(|p| p.id == id) {
            return None;
        }
        // The last step of the way may come with the release itself.
        let late = self.moved(id, at, time);
        let phase = self.phase;
        self.release(id);
        self.settle();
        match phase {
            Phase::Pressed { since, .. } if time - since < LONG_PRESS_MS => {
                Some(self.tap(at, time))
            }
            Phase::Panning => self
                .speed(time)
                .map(|velocity| Proposal::Fling { velocity })
                .or(late),
            _ => late.filter(|_| phase == Phase::Pinching),
        }
    }

    fn tap(&mut self, at: Px, time: f64) -> Proposal {
        let double = self.last_tap.is_some_and(|(place, when)| {
            time - when < DOUBLE_TAP_MS && place.distance(at) < DOUBLE_TAP_DISTANCE
        });
        // A third tap begins anew.
        self.last_tap = (!double).then_some((at, time));
        Proposal::Tap { at, double }
    }

    fn tick(&mut self, time: f64) -> Option<Proposal> {
        match self.phase {
            Phase::Pressed { start, since } if time - since >= LONG_PRESS_MS => {
                self.phase = Phase::Spent;
                Some(Proposal::Card { at: start })
            }
            _ => None,
        }
    }

    fn release(&mut self, id: i32) {
        self.pointers.retain(|p| p.id != id);
    }

    /// What is left after a pointer went.
    fn settle(&mut self) {
        self.phase = if self.pointers.is_empty() {
            Phase::Idle
        } else {
            Phase::Spent
        };
    }

    fn follow(&mut self, at: Px, time: f64) {
        if self.trail.len() == TRAIL_MAX {
            self.trail.remove(0);
        }
        self.trail.push((at, time));
    }

    /// Velocity over the last moments; `None` for a pointer that had come to rest.
    fn speed(&self, now: f64) -> Option<Px> {
        let recent = self
            .trail
            .iter()
            .find(|(_, time)| now - time <= FLING_WINDOW_MS)?;
        let last = self.trail.last()?;
        let passed = now - recent.1;
        if passed < 8.0 {
            return None;
        }
        let velocity = Px::new(
            (last.0.x - recent.0.x) / passed,
            (last.0.y - recent.0.y) / passed,
        );
        (velocity.distance(Px::default()) >= FLING_SPEED_FROM).then_some(velocity)
    }
}

#[cfg(test)]
mod tests;
