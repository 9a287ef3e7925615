//! Our own JSON form. Adjacency is stated in it, so nothing is derived.

use super::super::check::{PLAN_SIDE_MAX, SEATS_MAX, ensure};
use super::super::json::{
    At, Color, File, FileArc, FileArea, FileDecoration, FileDecorationKind, FileRow, FileSeat,
    FileSection, RADIUS_DEFAULT,
};
use super::super::shape::{centroid, clockwise, to_grid};
use super::super::{Area, Builder, Decoration, DecorationKind, Point, SeatFlags};
use super::{Imported, Report, parse};
use crate::refusal::Refusal;

const FORMAT_WORDS: &str = "Rowlock seat map";

pub(super) fn read(bytes: &[u8]) -> Result<Imported, Refusal> {
    let file: File = parse(bytes)?;
    for side in [file.width.0, file.height.0] {
        ensure(side > 0.0 && side <= f64::from(PLAN_SIDE_MAX), || {
            format!("plan size {side}, more than 0 and at most {PLAN_SIDE_MAX}")
        })?;
    }
    let mut reader = Reader {
        builder: Builder::new(
            &file.name,
            to_grid(file.width.0),
            to_grid(file.height.0),
            file.focal.point(),
        ),
        categories: file.categories.iter().map(|c| c.name.clone()).collect(),
        seats: 0,
    };
    for category in &file.categories {
        reader.builder.category(&category.name, category.color.0);
    }
    for section in file.sections {
        reader.section(section)?;
    }
    for area in file.areas {
        let area = reader.area(area)?;
        reader.builder.map().areas.push(area);
    }
    let decorations = file.decorations.into_iter().map(decoration).collect();
    reader.builder.map().decorations = decorations;
    let map = reader.builder.finish()?;
    let report = Report::of(&map, FORMAT_WORDS, vec![]);
    Ok(Imported { map, report })
}

struct Reader {
    builder: Builder,
    categories: Vec<String>,
    seats: usize,
}

impl Reader {
    fn section(&mut self, section: FileSection) -> Result<(), Refusal> {
        let category = self.category(&section.category, &section.name)?;
        let outline = points(section.outline);
        self.builder.section(&section.name, category, outline);
        if let Some(at) = section.label_at {
            self.builder.label_at(at.point());
        }
        for row in section.rows {
            let place = format!("section {}, row {}", section.name, row.label);
            self.row(row, category, &place)?;
        }
        Ok(())
    }

    fn row(&mut self, row: FileRow, category: u8, place: &str) -> Result<(), Refusal> {
        self.builder.row(&row.label);
        let seats = match row.arc {
            Some(arc) => {
                ensure(row.seats.is_empty(), || {
                    format!("{place}: seats and an arc")
                })?;
                bend(arc, place)?
            }
            None => row.seats,
        };
        self.seats += seats.len();
        ensure(self.seats <= SEATS_MAX, || {
            format!("more than {SEATS_MAX} seats")
        })?;
        for seat in seats {
            let category = match &seat.category {
                Some(name) => self.category(name, place)?,
                None => category,
            };
            let flags = flags(&seat);
            let radius = seat.radius.map_or(RADIUS_DEFAULT, |radius| radius.0);
            let radius = to_grid(radius);
            let at = seat.at.point();
            self.builder.seat(seat.label, at, radius, category, flags);
        }
        Ok(())
    }

    fn area(&self, area: FileArea) -> Result<Area, Refusal> {
        let category = self.category(&area.category, &area.name)?;
        let outline = clockwise(points(area.outline));
        let label_at = area.label_at.map(At::point);
        Ok(Area {
            name: area.name,
            label_at: label_at.unwrap_or_else(|| centroid(&outline)),
            outline,
            capacity: area.capacity,
            category,
        })
    }

    fn category(&self, name: &str, place: &str) -> Result<u8, Refusal> {
        let ix = self.categories.iter().position(|known| known == name);
        let ix = ix.and_then(|ix| u8::try_from(ix).ok());
        ix.ok_or_else(|| Refusal::BrokenPlan {
            line: 0,
            detail: format!("{place}: the category is not listed"),
        })
    }
}

fn flags(seat: &FileSeat) -> SeatFlags {
    let stated = [
        (seat.gap_after, SeatFlags::GAP_AFTER),
        (seat.accessible, SeatFlags::ACCESSIBLE),
        (seat.companion, SeatFlags::COMPANION),
        (seat.restricted_view, SeatFlags::RESTRICTED_VIEW),
    ];
    let set = stated.iter().filter(|(is, _)| *is);
    set.fold(SeatFlags::default(), |flags, &(_, flag)| flags.with(flag))
}

/// The seats of a row given as an arc.
fn bend(mut arc: FileArc, place: &str) -> Result<Vec<FileSeat>, Refusal> {
    // Before anything is made of it: the file may claim billions.
    let count = arc.count as usize;
    ensure((1..=SEATS_MAX).contains(&count), || {
        format!("{place}: an arc of {count} seats, 1 to {SEATS_MAX}")
    })?;
    for positions in [
        &mut arc.gaps_after,
        &mut arc.accessible,
        &mut arc.companion,
        &mut arc.restricted_view,
    ] {
        positions.sort_unstable();
    }
    let among = |positions: &[u32], position| positions.binary_search(&position).is_ok();
    let [x, y] = arc.center.0;
    let degrees = (arc.to.0 - arc.from.0) / (count.max(2) - 1) as f64;
    let seats = (0..count).zip(1..).map(|(n, position): (usize, u32)| {
        let angle = (arc.from.0 + degrees * n as f64).to_radians();
        let at = Point::on_grid(
            x.0 + arc.radius.0 * angle.cos(),
            y.0 + arc.radius.0 * angle.sin(),
        );
        FileSeat {
            label: arc
                .step
                .saturating_mul(n as i64)
                .saturating_add(arc.first)
                .to_string(),
            at: at.into(),
            radius: arc.seat_radius,
            category: None,
            gap_after: among(&arc.gaps_after, position),
            accessible: among(&arc.accessible, position),
            companion: among(&arc.companion, position),
            restricted_view: among(&arc.restricted_view, position),
        }
    });
    Ok(seats.collect())
}

fn decoration(decoration: FileDecoration) -> Decoration {
    let outline = points(decoration.outline);
    let label_at = decoration.label_at.map(At::point);
    Decoration {
        kind: match decoration.kind {
            FileDecorationKind::Stage => DecorationKind::Stage,
            FileDecorationKind::Entrance => DecorationKind::Entrance,
            FileDecorationKind::Shape => DecorationKind::Shape,
            FileDecorationKind::Text => DecorationKind::Text,
        },
        label_at: label_at.unwrap_or_else(|| centroid(&outline)),
        outline,
        text: decoration.text,
        color: decoration.color.map(|Color(color)| color),
    }
}

fn points(outline: Vec<At>) -> Vec<Point> {
    outline.into_iter().map(At::point).collect()
}
