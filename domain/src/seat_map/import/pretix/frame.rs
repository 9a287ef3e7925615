//! Where the file's coordinates come to lie, and what the audience looks at.

use super::super::super::check::{PLAN_SIDE_MAX, ensure};
use super::super::super::shape::to_grid;
use super::super::super::{DecorationKind, Point, Rect};
use super::super::report::Note;
use super::Place;
use super::blocks::Block;
use super::file::Plan;
use super::shapes::{Drawn, add};
use crate::refusal::Refusal;

/// Kept free around plans without a size or with things outside it, plan units.
const MARGIN: f64 = 40.0;

/// Where the file's coordinates come to lie.
pub(super) struct Frame {
    shift: Place,
    pub width: f32,
    pub height: f32,
}

impl Frame {
    /// The file's own size when everything lies within it; else all is moved and the plan
    /// made as large as needed.
    pub fn of(plan: &Plan, blocks: &[Block], drawn: &[Drawn]) -> Result<Self, Refusal> {
        let seats = blocks.iter().flat_map(|b| &b.rows).flat_map(|r| &r.seats);
        let mut min = (f64::INFINITY, f64::INFINITY);
        let mut max = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let mut include = |p: Place, around: f64| {
            min = (min.0.min(p.0 - around), min.1.min(p.1 - around));
            max = (max.0.max(p.0 + around), max.1.max(p.1 + around));
        };
        for seat in seats {
            include(seat.at, f64::from(seat.radius));
        }
        for drawn in drawn {
            drawn.outline.iter().for_each(|&p| include(p, 0.0));
            include(drawn.text_at, 0.0);
        }
        ensure(min.0 <= max.0, || "no seat and no area".into())?;
        let fits = plan.size.as_ref().filter(|size| {
            min.0 >= 0.0 && min.1 >= 0.0 && max.0 <= size.width.0 && max.1 <= size.height.0
        });
        let (shift, width, height) = match fits {
            Some(size) => ((0.0, 0.0), size.width.0, size.height.0),
            None => (
                ((MARGIN - min.0).round(), (MARGIN - min.1).round()),
                (max.0 - min.0 + 2.0 * MARGIN).ceil(),
                (max.1 - min.1 + 2.0 * MARGIN).ceil(),
            ),
        };
        let side_max = f64::from(PLAN_SIDE_MAX);
        ensure(width <= side_max && height <= side_max, || {
            format!("the plan is {width:.0} by {height:.0}, at most {side_max} each way")
        })?;
        Ok(Self {
            shift,
            width: to_grid(width),
            height: to_grid(height),
        })
    }

    pub fn point(&self, p: Place) -> Point {
        let (x, y) = add(p, self.shift);
        Point::on_grid(x, y)
    }

    pub fn note(&self) -> Option<Note> {
        (self.shift != (0.0, 0.0)).then_some(Note::Moved {
            x: self.shift.0 as i32,
            y: self.shift.1 as i32,
        })
    }
}

/// The middle of what is called a stage, else of the largest shape, else the upper edge.
pub(super) fn focal(drawn: &[Drawn], frame: &Frame, notes: &mut Vec<Note>) -> Point {
    let middle = |drawn: &Drawn| {
        let points = drawn.outline.iter().map(|&p| frame.point(p));
        Rect::around(points).map_or(frame.point(drawn.text_at), |rect| {
            let middle = rect.center();
            Point::on_grid(middle.x.into(), middle.y.into())
        })
    };
    let stage = drawn
        .iter()
        .filter(|drawn| drawn.decoration.kind == DecorationKind::Stage)
        .max_by(|a, b| a.size.total_cmp(&b.size));
    if let Some(stage) = stage {
        return middle(stage);
    }
    let largest = drawn
        .iter()
        .filter(|drawn| drawn.size > 0.0)
        .max_by(|a, b| a.size.total_cmp(&b.size));
    let (focal, from) = match largest {
        Some(shape) => (middle(shape), "the middle of the largest shape"),
        None => (
            Point::on_grid(f64::from(frame.width) / 2.0, 0.0),
            "the middle of the upper edge",
        ),
    };
    let from = from.to_owned();
    notes.push(Note::FocalGuessed { from });
    focal
}
