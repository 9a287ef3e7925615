//! Seating plans of pretix (schema 0.0.1 and files of 2019). Positions are relative and add
//! up: seat = zone + row + seat, area = zone + area; nothing accumulates from row to row.
//! Every seat of the file becomes a seat of its own, whatever its `seat_guid` says.

mod blocks;
mod file;
mod frame;
mod shapes;

use std::collections::HashMap;

use super::super::check::{CATEGORIES_MAX, DECORATIONS_MAX, ROWS_MAX, SEATS_MAX, ensure};
use super::super::grid::Grid;
use super::super::json::{Color, RADIUS_DEFAULT};
use super::super::shape::to_grid;
use super::super::{Builder, Point, Rect, SeatFlags, SeatMap};
use super::report::Note;
use super::{Imported, Report, adjacency, parse};
use crate::ids::SeatIx;
use crate::refusal::Refusal;
use blocks::{Block, BlockRow, BlockSeat, split, steps};
use file::{Label, Plan, Zone, ZoneRow};
use frame::{Frame, focal};
use shapes::{Counts, Drawn, add, place};

const FORMAT_WORDS: &str = "pretix seating plan";
/// Neighbours looked at to see whether a seat overlaps any.
const OVERLAP_LOOKS_MAX: usize = 64;
const COLOR_UNKNOWN: u32 = 0x88_88_88;
/// Templates that only say "row" and "seat": our pages say so themselves.
const PLAIN_TEMPLATES: [&str; 4] = ["Row %s", "Seat %s", "Reihe %s", "Platz %s"];

/// A position in the plan's own coordinates, before anything is moved.
type Place = (f64, f64);

pub(super) fn read(bytes: &[u8]) -> Result<Imported, Refusal> {
    let plan: Plan = parse(bytes)?;
    limits(&plan)?;
    let mut notes = Vec::new();
    let mut cleaned = 0;
    let mut counts = Counts::default();
    notes.extend(guids(&plan));
    let mut categories = Categories::of(&plan, &mut notes);
    let blocks = blocks(&plan, &mut categories, &mut notes, &mut cleaned)?;
    let drawn: Vec<Drawn> = plan
        .zones
        .iter()
        .flat_map(|zone| {
            let at = place(zone.position);
            zone.areas.iter().flatten().map(move |area| (at, area))
        })
        .filter_map(|(at, area)| shapes::draw(area, at, &mut counts))
        .collect();
    let frame = Frame::of(&plan, &blocks, &drawn)?;
    notes.extend(frame.note());
    notes.extend(counts.notes(drawn.len()));
    let focal = focal(&drawn, &frame, &mut notes);
    let name = clean(&plan.name, &mut cleaned);
    let name = if name.is_empty() { "Plan" } else { &name };
    let mut builder = Builder::new(name, frame.width, frame.height, focal);
    for (name, color) in &categories.list {
        builder.category(name, *color);
    }
    let usual = usual_step(&blocks);
    build(&mut builder, &blocks, &frame, usual, &mut notes);
    for drawn in drawn {
        let mut decoration = drawn.decoration;
        decoration.outline = drawn.outline.iter().map(|&p| frame.point(p)).collect();
        decoration.label_at = frame.point(drawn.text_at);
        builder.map().decorations.push(decoration);
    }
    let map = builder.finish()?;
    let cleaned = cleaned + counts.cleaned;
    if cleaned > 0 {
        notes.push(Note::TextsCleaned { count: cleaned });
    }
    notes.extend(oddities(&map));
    let report = Report::of(&map, FORMAT_WORDS, notes);
    Ok(Imported { map, report })
}

/// Before anything is made of it: the file may be all zones, all areas or all seats.
fn limits(plan: &Plan) -> Result<(), Refusal> {
    let zones = plan.zones.iter();
    let rows = || plan.zones.iter().flat_map(|zone| &zone.rows);
    let seats: usize = rows().map(|row| row.seats.len()).sum();
    let areas: usize = zones.map(|z| z.areas.as_ref().map_or(0, Vec::len)).sum();
    for (what, count, max) in [
        ("categories", plan.categories.len(), CATEGORIES_MAX),
        ("rows", rows().count(), ROWS_MAX),
        ("seats", seats, SEATS_MAX),
        ("areas", areas, DECORATIONS_MAX),
    ] {
        ensure(count <= max, || format!("{count} {what}, at most {max}"))?;
    }
    Ok(())
}

fn guids(plan: &Plan) -> Option<Note> {
    let rows = plan.zones.iter().flat_map(|zone| &zone.rows);
    let guids = rows.flat_map(|row| &row.seats).map(|seat| &seat.seat_guid);
    let (mut seats, mut distinct) = (0, std::collections::HashSet::new());
    for guid in guids {
        seats += 1;
        distinct.insert(guid);
    }
    let distinct = distinct.len() as u32;
    (distinct < seats).then(|| Note::RepeatedGuids {
        seats,
        distinct,
        repeated: seats - distinct,
    })
}

struct Categories {
    list: Vec<(String, u32)>,
}

impl Categories {
    fn of(plan: &Plan, notes: &mut Vec<Note>) -> Self {
        let mut list: Vec<(String, u32)> = Vec::new();
        let mut unknown_colors = 0;
        for category in &plan.categories {
            let (name, _) = category.name.clean();
            let color = category.color.as_deref().map(Color::parse);
            unknown_colors += u32::from(matches!(color, Some(None)));
            let color = color.flatten().map_or(COLOR_UNKNOWN, |Color(color)| color);
            if list.iter().any(|(known, _)| *known == name) {
                let name = name.into_owned();
                notes.push(Note::RepeatedCategory { name });
                continue;
            }
            list.push((name.into_owned(), color));
        }
        if unknown_colors > 0 {
            let count = unknown_colors;
            notes.push(Note::UnknownColors { count });
        }
        Self { list }
    }

    /// The category called `name`, added when the file does not list it.
    fn number(&mut self, name: &Label, notes: &mut Vec<Note>) -> Result<u8, Refusal> {
        let (name, _) = name.clean();
        let known = self.list.iter().position(|(known, _)| *known == name);
        let ix = known.unwrap_or_else(|| {
            let name = name.into_owned();
            notes.push(Note::UnlistedCategory { name: name.clone() });
            self.list.push((name, COLOR_UNKNOWN));
            self.list.len() - 1
        });
        u8::try_from(ix).map_err(|_| Refusal::BrokenPlan {
            line: 0,
            detail: "too many categories".into(),
        })
    }
}

fn blocks(
    plan: &Plan,
    categories: &mut Categories,
    notes: &mut Vec<Note>,
    cleaned: &mut u32,
) -> Result<Vec<Block>, Refusal> {
    let (mut blocks, mut empty) = (Vec::new(), 0);
    for (number, zone) in plan.zones.iter().enumerate() {
        let mut rows = Vec::new();
        for row in &zone.rows {
            if row.seats.is_empty() {
                empty += 1;
                continue;
            }
            rows.push(read_row(zone, row, categories, notes, cleaned)?);
        }
        if rows.is_empty() {
            empty += u32::from(zone.areas.as_ref().is_none_or(Vec::is_empty));
            continue;
        }
        let id = zone.zone_id.as_ref().unwrap_or(&zone.name);
        let mut name = clean(&zone.name, cleaned);
        if name.is_empty() {
            name = clean(id, cleaned);
        }
        if name.is_empty() {
            name = format!("Zone {}", number + 1);
        }
        blocks.extend(split(name, rows, notes));
    }
    if empty > 0 {
        notes.push(Note::EmptyRows { count: empty });
    }
    Ok(blocks)
}

fn read_row(
    zone: &Zone,
    row: &ZoneRow,
    categories: &mut Categories,
    notes: &mut Vec<Note>,
    cleaned: &mut u32,
) -> Result<BlockRow, Refusal> {
    let missing = (0.0, 0.0);
    let row_at = add(place(zone.position), row.position.map_or(missing, place));
    let mut seats = Vec::with_capacity(row.seats.len());
    for seat in &row.seats {
        let radius = seat.radius.map_or(RADIUS_DEFAULT, |radius| radius.0);
        seats.push(BlockSeat {
            label: printed(&seat.seat_number, row.seat_label.as_deref(), cleaned),
            at: add(row_at, place(seat.position)),
            radius: to_grid(radius),
            category: categories.number(&seat.category, notes)?,
        });
    }
    let label = match &row.row_number {
        Some(number) => printed(number, row.row_label.as_deref(), cleaned),
        None => String::new(),
    };
    Ok(BlockRow { label, seats })
}

/// A label as people read it: the template is applied unless it only says what it is.
fn printed(label: &Label, template: Option<&str>, cleaned: &mut u32) -> String {
    let text = clean(label, cleaned);
    match template {
        Some(template) if template.contains("%s") && !PLAIN_TEMPLATES.contains(&template) => {
            clean(&Label(template.replacen("%s", &text, 1)), cleaned)
        }
        _ => text,
    }
}

fn usual_step(blocks: &[Block]) -> f32 {
    let rows = blocks.iter().flat_map(|block| &block.rows);
    let all: Vec<f32> = rows.flat_map(|row| steps(&row.seats)).collect();
    adjacency::usual_step(&all).unwrap_or(f32::INFINITY)
}

fn build(
    builder: &mut Builder,
    blocks: &[Block],
    frame: &Frame,
    usual: f32,
    notes: &mut Vec<Note>,
) {
    let mut reordered = 0;
    for block in blocks {
        builder.section(&block.name, common_category(block), vec![]);
        for row in &block.rows {
            builder.row(&row.label);
            let at: Vec<Point> = row.seats.iter().map(|s| frame.point(s.at)).collect();
            let order = adjacency::seating_order(&at);
            reordered += u32::from(order.is_some());
            let order = order.unwrap_or_else(|| (0..at.len()).collect());
            let in_order: Vec<Point> = order.iter().map(|&ix| at[ix]).collect();
            let mut gaps = adjacency::gaps(&in_order, usual).into_iter();
            for &ix in &order {
                let seat = &row.seats[ix];
                let gap = gaps.next().unwrap_or(true);
                let flags = SeatFlags(if gap { SeatFlags::GAP_AFTER } else { 0 });
                let label = seat.label.clone();
                builder.seat(label, at[ix], seat.radius, seat.category, flags);
            }
        }
    }
    if reordered > 0 {
        notes.push(Note::RowsReordered { rows: reordered });
    }
}

fn common_category(block: &Block) -> u8 {
    let mut counts = [0u32; 256];
    let seats = block.rows.iter().flat_map(|row| &row.seats);
    seats.for_each(|seat| counts[usize::from(seat.category)] += 1);
    let most = (0..=u8::MAX).max_by_key(|&ix| (counts[usize::from(ix)], u8::MAX - ix));
    most.unwrap_or(0)
}

/// What can be seen only in the finished map.
fn oddities(map: &SeatMap) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut words: HashMap<_, u32> = HashMap::new();
    for ix in 0..map.seats.len() as u32 {
        if let Some(printed) = map.words(SeatIx(ix)) {
            *words.entry(printed).or_default() += 1;
        }
    }
    let same = words.values().filter(|&&count| count > 1).sum();
    if same > 0 {
        notes.push(Note::SameWords { seats: same });
    }
    let grid = Grid::new(map);
    let overlapping = map.seats.iter().enumerate().filter(|(ix, seat)| {
        let around = Rect {
            min: seat.at,
            max: seat.at,
        };
        let mut near = grid.seats_in(around).take(OVERLAP_LOOKS_MAX);
        near.any(|other| other.at() != *ix)
    });
    let seats = overlapping.count() as u32;
    if seats > 0 {
        notes.push(Note::Overlapping { seats });
    }
    notes
}

/// The label without control characters and outer space, counted when there were any.
fn clean(label: &Label, cleaned: &mut u32) -> String {
    let (text, changed) = label.clean();
    *cleaned += u32::from(changed);
    text.into_owned()
}
