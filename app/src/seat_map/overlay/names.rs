//! Names from afar: the stage, areas, sections, and how many seats they have left. A name is
//! written where it has room and covers no other.

use std::borrow::Cow;

use domain::ids::AreaIx;
use domain::seat_map::{DecorationKind, Rect};

use super::{Ink, Mark, Over, wide};
use crate::seat_map::camera::Px;
use crate::seat_map::scene::meet;

const NAME_SIZE: f64 = 13.0;
const LEFT_SIZE: f64 = 11.0;

impl<'a> Over<'a> {
    pub(super) fn decorations(&self, visible: &Rect, marks: &mut Vec<Mark<'a>>) {
        for decoration in &self.scene.map.decorations {
            if decoration.text.is_empty() {
                continue;
            }
            let bounds = Rect::around(decoration.outline.iter().copied());
            // A text without an outline has all the room it needs.
            let room = bounds.map_or((f64::INFINITY, f64::INFINITY), |bounds| self.drawn(&bounds));
            if bounds.is_some_and(|bounds| !meet(&bounds, visible)) {
                continue;
            }
            let stage = decoration.kind == DecorationKind::Stage;
            let size = if stage {
                (room.1 * 0.4).clamp(9.0, 22.0)
            } else {
                11.0
            };
            if wide(&decoration.text, size) <= room.0 && size <= room.1 {
                marks.push(Mark::Text {
                    at: self.camera.css(decoration.label_at),
                    text: Cow::Borrowed(&decoration.text),
                    size,
                    bold: stage,
                    ink: Ink::Muted,
                    halo: false,
                });
            }
        }
    }

    pub(super) fn areas(&self, visible: &Rect, labels: &mut Vec<Label<'a>>) {
        for (ix, area) in self.scene.map.areas.iter().enumerate() {
            let Some(bounds) = Rect::around(area.outline.iter().copied()) else {
                continue;
            };
            if !meet(&bounds, visible) {
                continue;
            }
            let taken = self.snapshot.area_taken.get(ix).copied().unwrap_or(0);
            let shown = self.filter.shows(self.scene.area_tier(AreaIx(ix as u16)));
            let left = if shown {
                area.capacity.saturating_sub(taken)
            } else {
                0
            };
            labels.push(Label {
                name: &area.name,
                at: self.camera.css(area.label_at),
                room: self.drawn(&bounds),
                left: Some(left),
            });
        }
    }

    pub(super) fn sections(&self, visible: &Rect, with_left: bool, labels: &mut Vec<Label<'a>>) {
        for (ix, (section, plate)) in self
            .scene
            .map
            .sections
            .iter()
            .zip(&self.scene.plates)
            .enumerate()
        {
            if meet(&plate.bounds, visible) {
                labels.push(Label {
                    name: &section.name,
                    at: self.camera.css(section.label_at),
                    room: self.drawn(&plate.bounds),
                    left: self
                        .left
                        .get(ix)
                        .map(|left| left.free)
                        .filter(|_| with_left),
                });
            }
        }
    }

    /// Names first, then what is left, each only where it has room and covers no other text.
    pub(super) fn labels(&self, labels: &[Label<'a>], marks: &mut Vec<Mark<'a>>) {
        let mut written = Written::default();
        let mut named: Vec<&Label<'a>> = Vec::new();
        for label in labels {
            let size = NAME_SIZE.min(label.room.1 * 0.8);
            let width = wide(label.name, size);
            if size < 8.0 || width > label.room.0 * 1.1 || !written.take(label.at, width, size) {
                continue;
            }
            named.push(label);
            marks.push(Mark::Text {
                at: label.at,
                text: Cow::Borrowed(label.name),
                size,
                bold: true,
                ink: Ink::Text,
                halo: true,
            });
        }
        for label in named {
            let Some(left) = label.left else { continue };
            let words = (self.left_in_words)(left);
            let width = wide(&words, LEFT_SIZE);
            let at = Px::new(label.at.x, label.at.y + (NAME_SIZE + LEFT_SIZE) * 0.56);
            let fits = label.room.1 >= NAME_SIZE + LEFT_SIZE + 6.0 && width <= label.room.0 * 0.8;
            if fits && written.take(at, width, LEFT_SIZE) {
                marks.push(Mark::Text {
                    at,
                    text: Cow::Owned(words),
                    size: LEFT_SIZE,
                    bold: false,
                    ink: if left == 0 { Ink::Muted } else { Ink::Text },
                    halo: true,
                });
            }
        }
    }

    /// CSS size of a rectangle of the plan.
    fn drawn(&self, rect: &Rect) -> (f64, f64) {
        let scale = self.camera.pose().scale;
        (
            f64::from(rect.max.x - rect.min.x) * scale,
            f64::from(rect.max.y - rect.min.y) * scale,
        )
    }
}

/// A section or an area, and its room in CSS pixels.
pub(super) struct Label<'a> {
    name: &'a str,
    at: Px,
    room: (f64, f64),
    left: Option<u32>,
}

/// Where texts stand already.
#[derive(Default)]
struct Written(Vec<(Px, f64, f64)>);

impl Written {
    /// Takes the room of a text around `at`; false where another stands.
    fn take(&mut self, at: Px, width: f64, height: f64) -> bool {
        let apart = |&(other, w, h): &(Px, f64, f64)| {
            (at.x - other.x).abs() * 2.0 >= width + w || (at.y - other.y).abs() * 2.0 >= height + h
        };
        let free = self.0.iter().all(apart);
        if free {
            self.0.push((at, width, height));
        }
        free
    }
}
