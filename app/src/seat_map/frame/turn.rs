//! One frame: the camera goes on, the map follows its box and its screen, and what has become
//! stale is painted.

use domain::ids::SeatIx;
use wasm_bindgen::JsCast;
use web_sys::Element;

use super::{Inner, Notice, Stale};
use crate::seat_map::camera::Backing;
use crate::seat_map::gestures::Input;
use crate::seat_map::listen::{matches, now};
use crate::seat_map::overlay::Over;
use crate::seat_map::paint::Ground;
use crate::seat_map::raster::Look;
use crate::seat_map::theme::Theme;

/// How long a changed seat draws the eye.
const PULSE_MS: f64 = 700.0;

impl Inner {
    /// Asks the browser for a frame, once.
    pub(super) fn ask(&mut self) {
        if self.frame_asked {
            return;
        }
        let (Some(window), Some(tick)) = (web_sys::window(), &self.tick) else {
            return;
        };
        self.frame_asked = window
            .request_animation_frame(tick.as_ref().unchecked_ref())
            .is_ok();
    }

    pub(super) fn moved(&mut self) {
        self.stale.seats = true;
        self.stale.over = true;
    }

    pub(super) fn frame(&mut self, time: f64) -> Vec<Notice> {
        self.frame_asked = false;
        let mut notices = Vec::new();
        if self.camera.is_moving() {
            self.camera.advance(time);
            self.moved();
        }
        if self.gestures.is_waiting() {
            let said = self.gestures.step(Input::Tick { time: now() });
            notices.extend(said.and_then(|proposal| self.apply(proposal)));
        }
        self.pulses.retain(|&(_, since)| time - since < PULSE_MS);
        self.refit();
        if self.camera.has_view() {
            self.paint(time);
            notices.extend(self.zoom_notice());
        }
        if self.camera.is_moving() || self.gestures.is_waiting() || !self.pulses.is_empty() {
            self.ask();
        }
        notices
    }

    /// Follows the box and the screen; cheap when neither changed.
    fn refit(&mut self) {
        let ratio = web_sys::window().map_or(1.0, |window| window.device_pixel_ratio());
        if self.stale.size {
            self.stale.size = false;
            let bounds = self.elements.stage.get_bounding_client_rect();
            if self.camera.view() != (bounds.width(), bounds.height()) {
                self.camera.resize(bounds.width(), bounds.height());
                self.moved();
            }
        }
        let backing = Backing::of(self.camera.view(), ratio);
        if backing != self.backing {
            self.backing = backing;
            self.moved();
        }
        if self.stale.theme {
            self.stale.theme = false;
            let element: &Element = &self.elements.stage;
            self.theme = Theme::read(
                element,
                &self.tier_colours,
                matches("(forced-colors: active)"),
            );
            self.moved();
        }
    }

    fn paint(&mut self, time: f64) {
        if self.stale.left {
            self.left = self.scene.left(&self.snapshot, self.marks.filter);
        }
        self.painter.fit(&self.backing);
        if self.stale.seats {
            let look = Look {
                pose: self.camera.pose(),
                backing: self.backing,
                visible: self.camera.visible(),
                filter: self.marks.filter,
                palette: &self.theme.palette,
            };
            self.raster.draw(&self.scene, &self.snapshot, &look);
            let ground = Ground {
                scene: &self.scene,
                camera: &self.camera,
                theme: &self.theme,
                filter: self.marks.filter,
                left: &self.left,
            };
            self.painter.seats(&self.raster, &self.backing, &ground);
        }
        if self.stale.over {
            let pulses: Vec<(SeatIx, f64)> = self
                .pulses
                .iter()
                .map(|&(seat, since)| (seat, ((time - since) / PULSE_MS).clamp(0.0, 1.0)))
                .collect();
            let over = Over {
                scene: &self.scene,
                camera: &self.camera,
                snapshot: &self.snapshot,
                filter: self.marks.filter,
                left: &self.left,
                chosen: &self.marks.chosen,
                suggested: &self.marks.suggested,
                gone: &self.marks.gone,
                pulses: &pulses,
                hovered: self.hovered,
                focused: self.focused.filter(|_| self.has_keyboard),
                left_in_words: &*self.left_in_words,
            };
            self.painter.over(
                &over.marks(),
                &self.backing,
                &self.theme,
                self.camera.view(),
            );
        }
        // When the last pulse has faded, the overlay is drawn once more without it.
        self.stale = Stale {
            over: !self.pulses.is_empty(),
            ..Stale::NOTHING
        };
    }

    fn zoom_notice(&mut self) -> Option<Notice> {
        let zoom = (self.camera.is_whole(), self.camera.is_nearest());
        if self.told_zoom == Some(zoom) {
            return None;
        }
        self.told_zoom = Some(zoom);
        // While the whole house is shown there is nothing to pan: one finger up or down scrolls
        // the page past the map.
        let action = if zoom.0 { "pan-y" } else { "none" };
        let _ = self
            .elements
            .over
            .style()
            .set_property("touch-action", action);
        Some(Notice::Zoom {
            whole: zoom.0,
            nearest: zoom.1,
        })
    }
}
