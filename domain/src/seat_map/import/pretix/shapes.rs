//! Areas of a pretix plan: drawn, not sold, since the format gives them no capacity.

use super::super::super::json::Color;
use super::super::super::{Decoration, DecorationKind, shape};
use super::super::report::Note;
use super::file::{AreaText, PlanArea, Position};
use super::{Place, clean};

/// Corners by which a round shape is drawn.
const ROUND_CORNERS: usize = 48;
/// Words by which organisers call what the audience looks at.
const STAGE_WORDS: [&str; 10] = [
    "stage", "bühne", "buehne", "scène", "scene", "screen", "pitch", "podium", "舞台", "银幕",
];

/// A decoration in the plan's own coordinates, before anything is moved.
pub(super) struct Drawn {
    pub outline: Vec<Place>,
    pub text_at: Place,
    pub decoration: Decoration,
    /// Width times height of its box.
    pub size: f64,
}

/// What was met on the way.
#[derive(Default)]
pub(super) struct Counts {
    pub polygons: u32,
    pub unknown: u32,
    pub cleaned: u32,
}

impl Counts {
    pub fn notes(&self, drawn: usize) -> impl Iterator<Item = Note> {
        let drawn = u32::try_from(drawn).unwrap_or(u32::MAX);
        let notes = [
            (drawn, Note::AreasDrawnOnly { count: drawn }),
            (
                self.polygons,
                Note::PolygonsFromZone {
                    count: self.polygons,
                },
            ),
            (
                self.unknown,
                Note::UnknownShapes {
                    count: self.unknown,
                },
            ),
        ];
        let met = notes.into_iter().filter(|(count, _)| *count > 0);
        met.map(|(_, note)| note)
    }
}

/// `None` for shapes of an unknown kind.
pub(super) fn draw(area: &PlanArea, zone: Place, counts: &mut Counts) -> Option<Drawn> {
    let own = area.position.map_or((0.0, 0.0), place);
    let at = add(zone, own);
    let Some(outline) = outline(area, zone, at, counts) else {
        counts.unknown += 1;
        return None;
    };
    let (text, text_offset) = match &area.text {
        Some(AreaText::Placed { text, position }) => {
            (text.clone().unwrap_or_default(), position.map(place))
        }
        Some(AreaText::Plain(text)) => (text.clone(), None),
        None => (String::new(), None),
    };
    let text = clean(&super::file::Label(text), &mut counts.cleaned);
    let (middle, size) = box_of(&outline).unwrap_or((at, 0.0));
    let lower = text.to_lowercase();
    let kind = if STAGE_WORDS.iter().any(|word| lower.contains(word)) {
        DecorationKind::Stage
    } else if outline.is_empty() {
        DecorationKind::Text
    } else {
        DecorationKind::Shape
    };
    let color = area.color.as_deref().and_then(Color::parse);
    Some(Drawn {
        outline,
        text_at: text_offset.map_or(middle, |offset| add(at, offset)),
        decoration: Decoration {
            kind,
            outline: vec![],
            label_at: shape::Point::default(),
            text,
            color: color.map(|Color(color)| color),
        },
        size,
    })
}

fn outline(area: &PlanArea, zone: Place, at: Place, counts: &mut Counts) -> Option<Vec<Place>> {
    let round = |rx: f64, ry: f64| -> Vec<Place> {
        (0..ROUND_CORNERS)
            .map(|n| {
                let turn = std::f64::consts::TAU * n as f64 / ROUND_CORNERS as f64;
                (at.0 + rx * turn.cos(), at.1 + ry * turn.sin())
            })
            .collect()
    };
    let corners = match area.shape.as_str() {
        "polygon" => {
            counts.polygons += 1;
            let points = &area.polygon.as_ref()?.points;
            points.iter().map(|&p| add(zone, place(p))).collect()
        }
        "rectangle" => {
            let (width, height) = match (&area.rectangle, area.width, area.height) {
                (Some(size), _, _) => (size.width.0, size.height.0),
                (None, Some(width), Some(height)) => (width.0, height.0),
                _ => return None,
            };
            let corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)];
            corners.iter().map(|&corner| add(at, corner)).collect()
        }
        "ellipse" => {
            let radius = place(area.ellipse.as_ref()?.radius);
            round(radius.0, radius.1)
        }
        "circle" => {
            let radius = area.circle.as_ref()?.radius.0;
            round(radius, radius)
        }
        "text" => vec![],
        _ => return None,
    };
    let turn = area.rotation.map_or(0.0, |degrees| degrees.0.to_radians());
    Some(corners.iter().map(|&p| rotate(p, at, turn)).collect())
}

fn rotate(p: Place, around: Place, turn: f64) -> Place {
    let (x, y) = (p.0 - around.0, p.1 - around.1);
    let (sin, cos) = turn.sin_cos();
    (around.0 + x * cos - y * sin, around.1 + x * sin + y * cos)
}

/// Middle and size of the box around the points.
fn box_of(points: &[Place]) -> Option<(Place, f64)> {
    let first = *points.first()?;
    let (mut min, mut max) = (first, first);
    for p in points {
        min = (min.0.min(p.0), min.1.min(p.1));
        max = (max.0.max(p.0), max.1.max(p.1));
    }
    let middle = ((min.0 + max.0) / 2.0, (min.1 + max.1) / 2.0);
    Some((middle, (max.0 - min.0) * (max.1 - min.1)))
}

pub(super) fn place(p: Position) -> Place {
    (p.x.0, p.y.0)
}

pub(super) fn add(a: Place, b: Place) -> Place {
    (a.0 + b.0, a.1 + b.1)
}
