//! Bytes to seat map. The bytes may come from anywhere: every count is checked against its
//! limit before anything is allocated for it, and arithmetic wraps rather than panics, since
//! the check that follows judges the result.

use super::super::check::{
    AREAS_MAX, CATEGORIES_MAX, DECORATIONS_MAX, LABEL_BYTES_MAX, OUTLINE_POINTS_MAX, ROWS_MAX,
    SEATS_MAX, SECTIONS_MAX, TEXT_BYTES_MAX,
};
use super::super::shape::STEPS_PER_UNIT;
use super::super::{
    Area, Category, Decoration, DecorationKind, Point, Row, Seat, SeatFlags, SeatMap, Section,
};
use super::{HALF_ESCAPE, LABELS_COUNTED, LABELS_LISTED, MAGIC, STEPS_EQUAL, STEPS_VARY, VERSION};
use crate::ids::{RowIx, SeatIx, SectionIx};

/// What did not hold.
pub(super) struct Broken(pub &'static str);

type Read<T> = Result<T, Broken>;

pub(super) fn read(bytes: &[u8]) -> Read<SeatMap> {
    let mut input = Reader { left: bytes };
    if input.bytes(MAGIC.len())? != MAGIC {
        return Err(Broken("other magic"));
    }
    if input.byte()? != VERSION {
        return Err(Broken("other version"));
    }
    let name = input.text(TEXT_BYTES_MAX)?;
    let width = input.length()?;
    let height = input.length()?;
    let focal = input.point()?;
    let categories = input.list(CATEGORIES_MAX, Reader::category)?;
    let sections = input.sections()?;
    let (rows, mut seats) = input.rows(&sections)?;
    input.places(&rows, &mut seats)?;
    input.runs(&mut seats, |input, run| {
        let radius = input.length()?;
        run.iter_mut().for_each(|seat| seat.radius = radius);
        Ok(())
    })?;
    input.runs(&mut seats, |input, run| {
        let category = u8::try_from(input.unsigned()?).map_err(|_| Broken("category"))?;
        run.iter_mut().for_each(|seat| seat.category = category);
        Ok(())
    })?;
    input.runs(&mut seats, |input, run| {
        let flags = SeatFlags(input.byte()?);
        run.iter_mut().for_each(|seat| seat.flags = flags);
        Ok(())
    })?;
    for row in &rows {
        let last = &mut seats[row.first_seat.at() + row.seats as usize - 1];
        last.flags = last.flags.with(SeatFlags::GAP_AFTER);
    }
    let areas = input.list(AREAS_MAX, Reader::area)?;
    let decorations = input.list(DECORATIONS_MAX, Reader::decoration)?;
    if !input.left.is_empty() {
        return Err(Broken("bytes after the end"));
    }
    Ok(SeatMap {
        name,
        width,
        height,
        focal,
        categories,
        sections,
        rows,
        seats,
        areas,
        decorations,
    })
}

struct Reader<'a> {
    left: &'a [u8],
}

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Read<&'a [u8]> {
        let (head, tail) = self
            .left
            .split_at_checked(count)
            .ok_or(Broken("cut short"))?;
        self.left = tail;
        Ok(head)
    }

    fn byte(&mut self) -> Read<u8> {
        Ok(self.bytes(1)?[0])
    }

    fn unsigned(&mut self) -> Read<u32> {
        let mut value = 0u32;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            let part = u32::from(byte & 0x7f);
            if shift == 28 && byte > 0x0f {
                break;
            }
            value |= part << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Broken("number too large"))
    }

    fn signed(&mut self) -> Read<i32> {
        let value = self.unsigned()?;
        Ok((value >> 1) as i32 ^ -((value & 1) as i32))
    }

    fn count(&mut self, max: usize) -> Read<usize> {
        let count = self.unsigned()? as usize;
        if count > max {
            return Err(Broken("more than the limit"));
        }
        Ok(count)
    }

    fn list<T>(&mut self, max: usize, item: fn(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let count = self.count(max)?;
        (0..count).map(|_| item(self)).collect()
    }

    fn text(&mut self, bytes_max: usize) -> Read<String> {
        let count = self.count(bytes_max)?;
        let text = std::str::from_utf8(self.bytes(count)?).map_err(|_| Broken("text"))?;
        Ok(text.to_owned())
    }

    fn color(&mut self) -> Read<u32> {
        let bytes = self.bytes(3)?;
        Ok(u32::from_be_bytes([0, bytes[0], bytes[1], bytes[2]]))
    }

    fn length(&mut self) -> Read<f32> {
        Ok(self.unsigned()? as f32 / STEPS_PER_UNIT)
    }

    fn point(&mut self) -> Read<Point> {
        let (x, y) = (self.signed()?, self.signed()?);
        Ok(point(x, y))
    }

    fn outline(&mut self) -> Read<Vec<Point>> {
        let count = self.count(OUTLINE_POINTS_MAX)?;
        let (mut x, mut y) = (0i32, 0i32);
        (0..count)
            .map(|_| {
                x = x.wrapping_add(self.signed()?);
                y = y.wrapping_add(self.signed()?);
                Ok(point(x, y))
            })
            .collect()
    }

    fn category(&mut self) -> Read<Category> {
        Ok(Category {
            name: self.text(TEXT_BYTES_MAX)?,
            color: self.color()?,
        })
    }

    fn sections(&mut self) -> Read<Vec<Section>> {
        let count = self.count(SECTIONS_MAX)?;
        let mut first_row = 0;
        (0..count)
            .map(|_| {
                let name = self.text(TEXT_BYTES_MAX)?;
                let rows = self.count(ROWS_MAX)? as u32;
                let section = Section {
                    name,
                    first_row: RowIx(first_row),
                    rows,
                    category: self.byte()?,
                    outline: self.outline()?,
                    label_at: self.point()?,
                };
                first_row += rows;
                Ok(section)
            })
            .collect()
    }

    fn rows(&mut self, sections: &[Section]) -> Read<(Vec<Row>, Vec<Seat>)> {
        let count = self.count(ROWS_MAX)?;
        let mut of_rows = sections.iter().enumerate().flat_map(|(ix, section)| {
            std::iter::repeat_n(SectionIx(ix as u16), section.rows as usize)
        });
        let mut rows = Vec::new();
        let mut seats = Vec::new();
        for ix in 0..count {
            let row = Row {
                section: of_rows.next().ok_or(Broken("a row outside all sections"))?,
                label: self.text(LABEL_BYTES_MAX)?,
                first_seat: SeatIx(seats.len() as u32),
                seats: self.count(SEATS_MAX - seats.len())? as u32,
            };
            if row.seats == 0 {
                return Err(Broken("an empty row"));
            }
            self.labels(RowIx(ix as u32), row.seats, &mut seats)?;
            rows.push(row);
        }
        Ok((rows, seats))
    }

    fn labels(&mut self, row: RowIx, count: u32, seats: &mut Vec<Seat>) -> Read<()> {
        let mut seat = |label| {
            seats.push(Seat {
                row,
                label,
                at: Point::default(),
                radius: 0.0,
                category: 0,
                flags: SeatFlags::default(),
            });
        };
        match self.byte()? {
            LABELS_COUNTED => {
                let mut number = i64::from(self.unsigned()?);
                let step = i64::from(self.signed()?);
                for _ in 0..count {
                    seat(number.to_string());
                    number += step;
                }
            }
            LABELS_LISTED => {
                for _ in 0..count {
                    seat(self.text(LABEL_BYTES_MAX)?);
                }
            }
            _ => return Err(Broken("labels of another kind")),
        }
        Ok(())
    }

    fn places(&mut self, rows: &[Row], seats: &mut [Seat]) -> Read<()> {
        let (mut row_x, mut row_y) = (0i32, 0i32);
        let (mut row_dx, mut row_dy) = (0i32, 0i32);
        for row in rows {
            let first = row.first_seat.at();
            let seats = &mut seats[first..first + row.seats as usize];
            row_x = row_x.wrapping_add(self.signed()?);
            row_y = row_y.wrapping_add(self.signed()?);
            seats[0].at = point(row_x, row_y);
            if seats.len() == 1 {
                continue;
            }
            row_dx = row_dx.wrapping_add(self.signed()?);
            row_dy = row_dy.wrapping_add(self.signed()?);
            let (mut x, mut y) = (row_x, row_y);
            let (mut dx, mut dy) = (row_dx, row_dy);
            let vary = seats.len() > 2 && self.steps_vary()?;
            for (at, seat) in seats.iter_mut().enumerate().skip(1) {
                if vary && at > 1 {
                    let (bend_x, bend_y) = self.bend()?;
                    dx = dx.wrapping_add(bend_x);
                    dy = dy.wrapping_add(bend_y);
                }
                x = x.wrapping_add(dx);
                y = y.wrapping_add(dy);
                seat.at = point(x, y);
            }
        }
        Ok(())
    }

    fn steps_vary(&mut self) -> Read<bool> {
        match self.byte()? {
            STEPS_VARY => Ok(true),
            STEPS_EQUAL => Ok(false),
            _ => Err(Broken("steps of another kind")),
        }
    }

    fn bend(&mut self) -> Read<(i32, i32)> {
        let packed = self.byte()?;
        // Shifting the half byte up and back spreads its sign.
        let halves = [packed as i8 >> 4, ((packed << 4) as i8) >> 4];
        let mut bend = [0; 2];
        for (value, half) in bend.iter_mut().zip(halves) {
            *value = match i32::from(half) {
                HALF_ESCAPE => self.signed()?,
                half => half,
            };
        }
        Ok((bend[0], bend[1]))
    }

    fn runs(
        &mut self,
        mut seats: &mut [Seat],
        set: impl Fn(&mut Self, &mut [Seat]) -> Read<()>,
    ) -> Read<()> {
        while !seats.is_empty() {
            let count = self.count(seats.len())?;
            if count == 0 {
                return Err(Broken("an empty run"));
            }
            let (run, rest) = seats.split_at_mut(count);
            set(self, run)?;
            seats = rest;
        }
        Ok(())
    }

    fn area(&mut self) -> Read<Area> {
        Ok(Area {
            name: self.text(TEXT_BYTES_MAX)?,
            outline: self.outline()?,
            label_at: self.point()?,
            capacity: self.unsigned()?,
            category: self.byte()?,
        })
    }

    fn decoration(&mut self) -> Read<Decoration> {
        let kind = DecorationKind::from_number(self.byte()?);
        Ok(Decoration {
            kind: kind.ok_or(Broken("decoration of another kind"))?,
            outline: self.outline()?,
            label_at: self.point()?,
            text: self.text(TEXT_BYTES_MAX)?,
            color: match self.byte()? {
                0 => None,
                1 => Some(self.color()?),
                _ => return Err(Broken("colour")),
            },
        })
    }
}

fn point(x: i32, y: i32) -> Point {
    Point {
        x: x as f32 / STEPS_PER_UNIT,
        y: y as f32 / STEPS_PER_UNIT,
    }
}
