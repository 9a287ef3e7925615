//! What lies above the seats: names, numbers, what the buyer chose, what is suggested, the focus.
//! It is said here what and where; `paint` carries it out.

use std::borrow::Cow;

use domain::ids::{SeatIx, TierIx};
use domain::wire::snapshot::Snapshot;

use super::camera::{Camera, Px};
use super::scene::{Filter, Left, Level, Scene};

mod names;
mod seats;

/// Marks of the buyer's own seats are never smaller, CSS pixels: they show from afar.
const OWN_RADIUS_MIN: f64 = 6.0;

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
