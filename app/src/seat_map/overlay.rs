//! What lies above the seats: names, numbers, what the buyer chose, what is suggested, the focus.
//! This file says what and where; `paint` carries it out.

use std::borrow::Cow;

use domain::ids::{AreaIx, SeatIx, TierIx};
use domain::seat_map::{DecorationKind, Rect};
use domain::wire::snapshot::{SeatState, Snapshot};

use super::camera::{Camera, Px};
use super::scene::{Filter, Left, Level, Scene, meet};

/// Numbers written on seats of one picture; beyond, seats stay without.
const NUMBERS_MAX: usize = 2000;
/// Marks of the buyer's own seats are never smaller, CSS pixels: they show from afar.
const OWN_RADIUS_MIN: f64 = 6.0;
const NAME_SIZE: f64 = 13.0;
const LEFT_SIZE: f64 = 11.0;

/// The colour of a text, by meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    Text,
    Muted,
    /// Readable on a disc of this tier.
    OnTier(TierIx),
}

/// Something to draw; positions and lengths in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark<'a> {
    /// Centred on `at`; `halo` sets it off from the dots beneath.
    Text {
        at: Px,
        text: Cow<'a, str>,
        size: f64,
        bold: bool,
        ink: Ink,
        halo: bool,
    },
    /// A seat of the buyer's own: disc with a tick.
    Chosen {
        at: Px,
        radius: f64,
    },
    /// A seat that "N together" proposes: two rings.
    Suggested {
        at: Px,
        radius: f64,
    },
    /// A seat that has just changed hands; `age` from 0 to 1.
    Pulse {
        at: Px,
        radius: f64,
        age: f64,
    },
    /// A seat the buyer wanted and somebody else got.
    Gone {
        at: Px,
        radius: f64,
    },
    Hovered {
        at: Px,
        radius: f64,
    },
    Focused {
        at: Px,
        radius: f64,
    },
}

/// Everything the overlay speaks of.
pub struct Over<'a> {
    pub scene: &'a Scene,
    pub camera: &'a Camera,
    pub snapshot: &'a Snapshot,
    pub filter: Filter,
    /// By section.
    pub left: &'a [Left],
    pub chosen: &'a [SeatIx],
    pub suggested: &'a [SeatIx],
    pub gone: &'a [SeatIx],
    /// Seats that changed a moment ago, with their age from 0 to 1.
    pub pulses: &'a [(SeatIx, f64)],
    pub hovered: Option<SeatIx>,
    pub focused: Option<SeatIx>,
    /// "37 left" in the language of the page.
    pub left_in_words: &'a dyn Fn(u32) -> String,
}

impl<'a> Over<'a> {
    /// All marks, lowest first.
    pub fn marks(&self) -> Vec<Mark<'a>> {
        let mut marks = Vec::new();
        let visible = self.camera.visible();
        self.decorations(&visible, &mut marks);
        let mut labels = Vec::new();
        self.areas(&visible, &mut labels);
        match Level::of(self.camera.seat_diameter()) {
            Level::House => self.sections(&visible, true, &mut labels),
            Level::Dots => self.sections(&visible, false, &mut labels),
            Level::Seats => {
                self.numbers(visible, &mut marks);
                self.rows(&visible, &mut marks);
            }
        }
        self.labels(&labels, &mut marks);
        for &(ix, age) in self.pulses {
            if let Some((at, radius)) = self.place(ix) {
                marks.push(Mark::Pulse { at, radius, age });
            }
        }
        let own = |ix: SeatIx| {
            self.place(ix)
                .map(|(at, radius)| (at, radius.max(OWN_RADIUS_MIN)))
        };
        marks.extend(
            self.suggested
                .iter()
                .filter_map(|&ix| own(ix))
                .map(|(at, radius)| Mark::Suggested { at, radius }),
        );
        marks.extend(
            self.chosen
                .iter()
                .filter_map(|&ix| own(ix))
                .map(|(at, radius)| Mark::Chosen { at, radius }),
        );
        marks.extend(
            self.gone
                .iter()
                .filter_map(|&ix| own(ix))
                .map(|(at, radius)| Mark::Gone { at, radius }),
        );
        if let Some((at, radius)) = self.hovered.and_then(|ix| self.place(ix)) {
            marks.push(Mark::Hovered { at, radius });
        }
        if let Some((at, radius)) = self.focused.and_then(own) {
            marks.push(Mark::Focused { at, radius });
        }
        marks
    }

    fn place(&self, ix: SeatIx) -> Option<(Px, f64)> {
        let seat = self.scene.map.seat(ix)?;
        Some((
            self.camera.css(seat.at),
            f64::from(seat.radius) * self.camera.pose().scale,
        ))
    }

    fn decorations(&self, visible: &Rect, marks: &mut Vec<Mark<'a>>) {
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

    fn areas(&self, visible: &Rect, labels: &mut Vec<Label<'a>>) {
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

    fn sections(&self, visible: &Rect, with_left: bool, labels: &mut Vec<Label<'a>>) {
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
    fn labels(&self, labels: &[Label<'a>], marks: &mut Vec<Mark<'a>>) {
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

    /// Numbers of free seats, tier by tier, so that the painter changes colour rarely.
    fn numbers(&self, visible: Rect, marks: &mut Vec<Mark<'a>>) {
        let mut seats: Vec<(TierIx, SeatIx)> = self
            .scene
            .bands_in(visible)
            .flat_map(|band| (band.first..band.end).map(SeatIx))
            .filter(|&ix| self.snapshot.get(ix) == SeatState::Free)
            .map(|ix| (self.scene.tier_of(ix), ix))
            .filter(|&(tier, _)| self.filter.shows(tier))
            .take(NUMBERS_MAX)
            .collect();
        seats.sort_unstable();
        let view = self.camera.view();
        for (tier, ix) in seats {
            let (Some(seat), Some((at, radius))) = (self.scene.map.seat(ix), self.place(ix)) else {
                continue;
            };
            let outside = at.x < -radius
                || at.y < -radius
                || at.x > view.0 + radius
                || at.y > view.1 + radius;
            // The tick of a chosen seat takes the number's place.
            if outside || self.chosen.contains(&ix) {
                continue;
            }
            let size =
                (radius * 0.95).min(1.5 * radius * radius / wide(&seat.label, radius).max(1.0));
            marks.push(Mark::Text {
                at,
                text: Cow::Borrowed(&seat.label),
                size,
                bold: false,
                ink: Ink::OnTier(tier),
                halo: false,
            });
        }
    }

    /// The letters of rows, beyond both of their ends.
    fn rows(&self, visible: &Rect, marks: &mut Vec<Mark<'a>>) {
        for (row, band) in self.scene.map.rows.iter().zip(&self.scene.bands) {
            if row.label.is_empty() || !meet(&band.bounds, visible) || row.seats == 0 {
                continue;
            }
            let last = row.first_seat.0 + row.seats - 1;
            let inward = |ix: u32, other: u32| {
                let (end, radius) = self.place(SeatIx(ix))?;
                let beside = self.place(SeatIx(other)).map_or(end, |(at, _)| at);
                let way = end.distance(beside);
                let (dx, dy) = if way > 0.0 {
                    ((end.x - beside.x) / way, (end.y - beside.y) / way)
                } else {
                    (-1.0, 0.0)
                };
                Some((
                    Px::new(end.x + dx * radius * 2.2, end.y + dy * radius * 2.2),
                    radius,
                ))
            };
            let ends = [
                inward(row.first_seat.0, (row.first_seat.0 + 1).min(last)),
                (row.seats > 1).then(|| inward(last, last - 1)).flatten(),
            ];
            for (at, radius) in ends.into_iter().flatten() {
                marks.push(Mark::Text {
                    at,
                    text: Cow::Borrowed(&row.label),
                    size: (radius * 0.9).min(15.0),
                    bold: true,
                    ink: Ink::Muted,
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
struct Label<'a> {
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

/// Roughly how wide a text is: enough to decide whether there is room for it.
fn wide(text: &str, size: f64) -> f64 {
    let chars: f64 = text
        .chars()
        .map(|c| if c as u32 >= 0x2e80 { 1.0 } else { 0.56 })
        .sum();
    chars * size
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seat_map::testing;

    fn texts(scene: &Scene, zoom: f64, chosen: &[SeatIx]) -> Vec<String> {
        let snapshot = testing::untouched(scene);
        let mut camera = Camera::new(scene.map.width, scene.map.height, scene.seat_diameter);
        camera.resize(1200.0, 800.0);
        camera.zoom(camera.css(scene.map.seats[0].at), zoom);
        let left = scene.left(&snapshot, Filter::EVERYTHING);
        let over = Over {
            scene,
            camera: &camera,
            snapshot: &snapshot,
            filter: Filter::EVERYTHING,
            left: &left,
            chosen,
            suggested: &[],
            gone: &[],
            pulses: &[],
            hovered: None,
            focused: None,
            left_in_words: &|n| format!("{n} left"),
        };
        let text = |mark: Mark<'_>| match mark {
            Mark::Text { text, .. } => Some(text.into_owned()),
            _ => None,
        };
        over.marks().into_iter().filter_map(text).collect()
    }

    #[test]
    fn from_afar_sections_say_what_is_left() {
        let scene = testing::scene_of(testing::arena());
        let texts = texts(&scene, 1.0, &[]);
        assert!(texts.contains(&"Stage".to_owned()));
        assert!(
            texts.contains(&"6000 left".to_owned()),
            "the standing floor: {texts:?}"
        );
        assert!(
            scene
                .map
                .sections
                .iter()
                .filter(|section| texts.contains(&section.name))
                .count()
                > 50
        );
    }

    #[test]
    fn near_by_seats_and_rows_are_named_and_a_chosen_seat_is_ticked_instead() {
        let scene = testing::scene();
        let near = texts(&scene, 4.0, &[]);
        assert!(near.contains(&"7".to_owned()) && near.contains(&"A".to_owned()));
        let count = |texts: &[String]| texts.iter().filter(|text| text.as_str() == "1").count();
        assert_eq!(count(&texts(&scene, 4.0, &[SeatIx(0)])), count(&near) - 1);
    }
}
