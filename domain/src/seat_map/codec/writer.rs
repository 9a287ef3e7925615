//! Seat map to bytes. Infallible: the seat map has passed its check.

use super::super::shape::STEPS_PER_UNIT;
use super::super::{Point, Row, Seat, SeatFlags, SeatMap};
use super::{HALF_ESCAPE, LABELS_COUNTED, LABELS_LISTED, MAGIC, STEPS_EQUAL, STEPS_VARY, VERSION};

pub(super) fn write(map: &SeatMap) -> Vec<u8> {
    let mut out = Writer {
        bytes: Vec::with_capacity(map.seats.len() * 2 + 1024),
    };
    out.bytes.extend_from_slice(MAGIC);
    out.bytes.push(VERSION);
    out.text(&map.name);
    out.unsigned(steps(map.width) as u32);
    out.unsigned(steps(map.height) as u32);
    out.point(map.focal);
    out.count(map.categories.len());
    for category in &map.categories {
        out.text(&category.name);
        out.color(category.color);
    }
    out.count(map.sections.len());
    for section in &map.sections {
        out.text(&section.name);
        out.unsigned(section.rows);
        out.bytes.push(section.category);
        out.outline(&section.outline);
        out.point(section.label_at);
    }
    out.count(map.rows.len());
    for row in &map.rows {
        out.text(&row.label);
        out.unsigned(row.seats);
        out.labels(map.seats_of(row));
    }
    out.places(map);
    out.runs(&map.seats, |seat| steps(seat.radius) as u32);
    out.runs(&map.seats, |seat| u32::from(seat.category));
    out.flags(map);
    out.areas_and_decorations(map);
    out.bytes
}

struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn unsigned(&mut self, mut value: u32) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn signed(&mut self, value: i32) {
        self.unsigned(((value << 1) ^ (value >> 31)) as u32);
    }

    fn count(&mut self, count: usize) {
        self.unsigned(count as u32);
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn color(&mut self, color: u32) {
        self.bytes.extend_from_slice(&color.to_be_bytes()[1..]);
    }

    fn point(&mut self, p: Point) {
        self.signed(steps(p.x));
        self.signed(steps(p.y));
    }

    fn outline(&mut self, outline: &[Point]) {
        self.count(outline.len());
        let (mut x, mut y) = (0, 0);
        for p in outline {
            self.signed(steps(p.x) - x);
            self.signed(steps(p.y) - y);
            (x, y) = (steps(p.x), steps(p.y));
        }
    }

    fn labels(&mut self, seats: &[Seat]) {
        if let Some((first, step)) = counted(seats) {
            self.bytes.push(LABELS_COUNTED);
            self.unsigned(first);
            self.signed(step);
            return;
        }
        self.bytes.push(LABELS_LISTED);
        for seat in seats {
            self.text(&seat.label);
        }
    }

    fn places(&mut self, map: &SeatMap) {
        let (mut row_x, mut row_y) = (0, 0);
        let (mut row_dx, mut row_dy) = (0, 0);
        for row in &map.rows {
            let seats = map.seats_of(row);
            let (x, y) = grid(seats[0].at);
            self.signed(x - row_x);
            self.signed(y - row_y);
            (row_x, row_y) = (x, y);
            let Some(second) = seats.get(1) else { continue };
            let (next_x, next_y) = grid(second.at);
            let (dx, dy) = (next_x - x, next_y - y);
            self.signed(dx - row_dx);
            self.signed(dy - row_dy);
            (row_dx, row_dy) = (dx, dy);
            if seats.len() > 2 {
                self.bends(map, row, dx, dy);
            }
        }
    }

    /// How each step of a row differs from the step before.
    fn bends(&mut self, map: &SeatMap, row: &Row, mut dx: i32, mut dy: i32) {
        let seats = map.seats_of(row);
        let bends: Vec<(i32, i32)> = seats[1..]
            .windows(2)
            .map(|pair| {
                let ((ax, ay), (bx, by)) = (grid(pair[0].at), grid(pair[1].at));
                let bend = (bx - ax - dx, by - ay - dy);
                (dx, dy) = (bx - ax, by - ay);
                bend
            })
            .collect();
        if bends.iter().all(|&bend| bend == (0, 0)) {
            self.bytes.push(STEPS_EQUAL);
            return;
        }
        self.bytes.push(STEPS_VARY);
        for (x, y) in bends {
            self.bytes.push(half(x) << 4 | half(y));
            for bend in [x, y] {
                if !fits_half(bend) {
                    self.signed(bend);
                }
            }
        }
    }

    fn runs(&mut self, seats: &[Seat], value: impl Fn(&Seat) -> u32) {
        for run in seats.chunk_by(|a, b| value(a) == value(b)) {
            self.count(run.len());
            self.unsigned(value(&run[0]));
        }
    }

    fn flags(&mut self, map: &SeatMap) {
        let mut flags: Vec<SeatFlags> = map.seats.iter().map(|seat| seat.flags).collect();
        for row in &map.rows {
            let last = row.first_seat.at() + row.seats as usize - 1;
            flags[last] = flags[last].without(SeatFlags::GAP_AFTER);
        }
        for run in flags.chunk_by(|a, b| a == b) {
            self.count(run.len());
            self.bytes.push(run[0].0);
        }
    }

    fn areas_and_decorations(&mut self, map: &SeatMap) {
        self.count(map.areas.len());
        for area in &map.areas {
            self.text(&area.name);
            self.outline(&area.outline);
            self.point(area.label_at);
            self.unsigned(area.capacity);
            self.bytes.push(area.category);
        }
        self.count(map.decorations.len());
        for decoration in &map.decorations {
            self.bytes.push(decoration.kind as u8);
            self.outline(&decoration.outline);
            self.point(decoration.label_at);
            self.text(&decoration.text);
            self.bytes.push(u8::from(decoration.color.is_some()));
            if let Some(color) = decoration.color {
                self.color(color);
            }
        }
    }
}

/// First number and step, when the printed labels of a row count evenly and plainly.
fn counted(seats: &[Seat]) -> Option<(u32, i32)> {
    let number = |seat: &Seat| -> Option<u32> {
        let number: u32 = seat.label.parse().ok()?;
        // `007` and `+7` would not come back as they were.
        (number <= 1_000_000 && number.to_string() == seat.label).then_some(number)
    };
    let first = number(&seats[0])?;
    let step = match seats.get(1) {
        Some(second) => number(second)? as i32 - first as i32,
        None => 0,
    };
    let mut expected = i64::from(first);
    for seat in seats {
        if i64::from(number(seat)?) != expected {
            return None;
        }
        expected += i64::from(step);
    }
    Some((first, step))
}

fn steps(length: f32) -> i32 {
    (length * STEPS_PER_UNIT) as i32
}

fn grid(p: Point) -> (i32, i32) {
    (steps(p.x), steps(p.y))
}

fn fits_half(value: i32) -> bool {
    value.abs() < HALF_ESCAPE.abs()
}

fn half(value: i32) -> u8 {
    let value = if fits_half(value) { value } else { HALF_ESCAPE };
    value as u8 & 0x0f
}
