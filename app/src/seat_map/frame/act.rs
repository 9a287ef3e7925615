//! What gestures and keys come to: the camera moves, the focus goes on, the page is told.

use domain::ids::SeatIx;
use domain::seat_map::Rect;

use super::{Inner, Notice, animated, less_motion};
use crate::seat_map::camera::{Px, STEP};
use crate::seat_map::gestures::Proposal;
use crate::seat_map::hit::{self, Target};
use crate::seat_map::keys::{self, KeyProposal};
use crate::seat_map::listen::now;
use crate::seat_map::scene::Level;

/// A tap that cannot choose goes to a section only where that brings it this much closer.
const CLOSER_MIN: f64 = 1.25;

impl Inner {
    /// Applies what a gesture proposes.
    pub(super) fn apply(&mut self, proposal: Proposal) -> Option<Notice> {
        match proposal {
            Proposal::Tap { at, double } => return self.tap(at, double),
            Proposal::Pan { dx, dy } => {
                self.camera.pan(dx, dy);
                self.moved();
                return self.hover(None, Px::default());
            }
            Proposal::Pinch { from, to, factor } => {
                self.camera.pinch(from, to, factor);
                self.moved();
            }
            Proposal::Fling { velocity } => {
                if !less_motion() {
                    self.camera.fling(velocity, now());
                }
            }
            Proposal::Card { at } | Proposal::Hover { at } => {
                let seat = hit::seat_at(&self.scene, &self.camera, at);
                let seat = seat.filter(|_| Level::of(self.camera.seat_diameter()) != Level::House);
                return self.hover(seat, at);
            }
            Proposal::HoverEnd => return self.hover(None, Px::default()),
        }
        None
    }

    fn hover(&mut self, seat: Option<SeatIx>, at: Px) -> Option<Notice> {
        if self.hovered == seat {
            return None;
        }
        self.hovered = seat;
        self.stale.over = true;
        Some(Notice::Over(seat.map(|seat| (seat, at))))
    }

    fn tap(&mut self, at: Px, double: bool) -> Option<Notice> {
        match hit::target(&self.scene, &self.camera, at) {
            Target::Seat(seat) => {
                self.focused = Some(seat);
                self.stale.over = true;
                return Some(Notice::Toggle(seat));
            }
            // Places in an area are chosen by number, beside the map.
            Target::Area(area) => {
                let area = self.scene.map.area(area);
                self.go_to(
                    area.and_then(|area| Rect::around(area.outline.iter().copied())),
                    at,
                );
            }
            Target::Section(section) => self.go_to(self.scene.grid.section_box(section), at),
            Target::Closer => self.camera.go_near(at, animated()),
            Target::Nothing if double => self.camera.go_step(STEP, animated()),
            Target::Nothing => {}
        }
        self.moved();
        None
    }

    /// Fills the box with a section or an area; where that is no closer, goes near the tap.
    fn go_to(&mut self, bounds: Option<Rect>, at: Px) {
        match bounds {
            Some(bounds) if self.camera.closer(&bounds) >= CLOSER_MIN => {
                self.camera.go_rect(bounds, animated());
            }
            _ => self.camera.go_near(at, animated()),
        }
    }

    pub(super) fn key(&mut self, proposal: KeyProposal) -> Vec<Notice> {
        self.has_keyboard = true;
        self.stale.over = true;
        let now = animated();
        match proposal {
            KeyProposal::ZoomIn => self.camera.go_step(STEP, now),
            KeyProposal::ZoomOut => self.camera.go_step(1.0 / STEP, now),
            KeyProposal::Whole => self.camera.go_whole(now),
            KeyProposal::Leave => self.focused = None,
            KeyProposal::Toggle => {
                return match self.focused {
                    Some(seat) => vec![Notice::Toggle(seat)],
                    None => self.focus(self.first_focus()),
                };
            }
            KeyProposal::Step(way) => {
                let next = match self.focused {
                    None => self.first_focus(),
                    Some(seat) => keys::next(&self.scene, seat, way),
                };
                return self.focus(next);
            }
            KeyProposal::RowStart | KeyProposal::RowEnd => {
                let right = proposal == KeyProposal::RowEnd;
                let end = self
                    .focused
                    .and_then(|seat| keys::row_end(&self.scene, seat, right));
                return self.focus(end.or_else(|| self.first_focus()));
            }
        }
        self.moved();
        vec![]
    }

    /// Where the keyboard begins: what is chosen or suggested, else the seat nearest to the stage.
    fn first_focus(&self) -> Option<SeatIx> {
        let marked = self
            .marks
            .chosen
            .first()
            .or(self.marks.suggested.first())
            .copied();
        marked.or_else(|| keys::nearest(&self.scene, self.scene.map.focal))
    }

    fn focus(&mut self, seat: Option<SeatIx>) -> Vec<Notice> {
        let Some(seat) = seat else { return vec![] };
        self.focused = Some(seat);
        if let Some(rect) = self.scene.around(&[seat]) {
            self.camera.go_show(rect, animated());
            self.moved();
        }
        vec![Notice::Focused(seat)]
    }
}
