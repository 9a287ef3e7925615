//! Which seat is under a finger: a flat uniform grid over the plan, built once per seat map.
//! A hit looks at the few seats of the cells around the point, whatever the size of the house.

use super::shape::polygon_contains;
use super::{Point, Rect, Seat, SeatMap};
use crate::ids::{AreaIx, SeatIx, SectionIx};

/// Cells per seat at most: sparse plans get larger cells instead of more.
const CELLS_PER_SEAT_MAX: f32 = 2.0;

/// An index over the seats of one seat map.
#[derive(Debug, Clone)]
pub struct Grid {
    /// Side of a cell, plan units.
    cell: f32,
    columns: usize,
    rows: usize,
    radius_max: f32,
    /// Cell `c` holds `discs[starts[c] .. starts[c + 1]]`; length columns * rows + 1.
    starts: Vec<u32>,
    /// Ordered by cell, so that a hit reads neighbouring memory only.
    discs: Vec<Disc>,
    sections: Vec<Rect>,
    areas: Vec<Rect>,
}

#[derive(Debug, Clone, Copy)]
struct Disc {
    at: Point,
    radius: f32,
    seat: SeatIx,
}

impl Grid {
    /// Sorts the seats into cells. The map has passed its check.
    pub fn new(map: &SeatMap) -> Self {
        let radius_max = map.seats.iter().map(|s| s.radius).fold(0.0, f32::max);
        let cells = (map.seats.len() as f32 * CELLS_PER_SEAT_MAX).max(1.0);
        let cell = (2.0 * radius_max).max((map.width * map.height / cells).sqrt());
        let columns = (map.width / cell) as usize + 1;
        let rows = (map.height / cell) as usize + 1;
        let mut grid = Self {
            cell,
            columns,
            rows,
            radius_max,
            starts: vec![0; columns * rows + 1],
            discs: Vec::new(),
            sections: boxes(map.sections.iter().map(|s| s.outline.as_slice())),
            areas: boxes(map.areas.iter().map(|a| a.outline.as_slice())),
        };
        grid.sort_in(&map.seats);
        grid
    }

    fn sort_in(&mut self, seats: &[Seat]) {
        for seat in seats {
            let cell = self.cell_of(seat.at);
            self.starts[cell + 1] += 1;
        }
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        let nowhere = Disc {
            at: Point::default(),
            radius: 0.0,
            seat: SeatIx(0),
        };
        self.discs = vec![nowhere; seats.len()];
        let mut next = self.starts.clone();
        for (ix, seat) in seats.iter().enumerate() {
            let slot = &mut next[self.cell_of(seat.at)];
            self.discs[*slot as usize] = Disc {
                at: seat.at,
                radius: seat.radius,
                seat: SeatIx(ix as u32),
            };
            *slot += 1;
        }
    }

    /// The seat whose middle is nearest to the point, among those whose disc, widened by
    /// `slack` plan units, contains it.
    pub fn hit(&self, at: Point, slack: f32) -> Option<SeatIx> {
        let reach = self.radius_max + slack.max(0.0);
        let mut best = None;
        let mut best_square = f32::INFINITY;
        for disc in self.near(around(at, reach)) {
            let (dx, dy) = (disc.at.x - at.x, disc.at.y - at.y);
            let square = dx * dx + dy * dy;
            let limit = disc.radius + slack;
            if square <= limit * limit && square < best_square {
                best_square = square;
                best = Some(disc.seat);
            }
        }
        best
    }

    /// The seats whose discs touch the rectangle, cell by cell, not in order of index.
    pub fn seats_in(&self, rect: Rect) -> impl Iterator<Item = SeatIx> + '_ {
        let r = self.radius_max;
        let wide = Rect {
            min: Point {
                x: rect.min.x - r,
                y: rect.min.y - r,
            },
            max: Point {
                x: rect.max.x + r,
                y: rect.max.y + r,
            },
        };
        self.near(wide)
            .filter(move |disc| rect.touches(disc.at, disc.radius))
            .map(|disc| disc.seat)
    }

    /// The section whose outline contains the point; the smallest where outlines overlap.
    pub fn section_at(&self, map: &SeatMap, at: Point) -> Option<SectionIx> {
        let outlines = map.sections.iter().map(|s| s.outline.as_slice());
        containing(&self.sections, outlines, at).map(|ix| SectionIx(ix as u16))
    }

    /// The standing area whose outline contains the point.
    pub fn area_at(&self, map: &SeatMap, at: Point) -> Option<AreaIx> {
        let outlines = map.areas.iter().map(|a| a.outline.as_slice());
        containing(&self.areas, outlines, at).map(|ix| AreaIx(ix as u16))
    }

    /// Box around a section's outline.
    pub fn section_box(&self, ix: SectionIx) -> Option<Rect> {
        self.sections.get(ix.at()).copied()
    }

    fn near(&self, rect: Rect) -> impl Iterator<Item = &Disc> + '_ {
        let (x0, y0) = self.column_row(rect.min);
        let (x1, y1) = self.column_row(rect.max);
        (y0..=y1).flat_map(move |row| {
            // The cells of one line are neighbours in memory: one slice per line.
            let line = row * self.columns;
            let first = self.starts[line + x0] as usize;
            let end = self.starts[line + x1 + 1] as usize;
            &self.discs[first..end]
        })
    }

    fn column_row(&self, p: Point) -> (usize, usize) {
        // A float to integer cast saturates: negative and NaN become 0.
        let column = (p.x / self.cell) as usize;
        let row = (p.y / self.cell) as usize;
        (column.min(self.columns - 1), row.min(self.rows - 1))
    }

    fn cell_of(&self, p: Point) -> usize {
        let (column, row) = self.column_row(p);
        row * self.columns + column
    }
}

fn around(at: Point, reach: f32) -> Rect {
    Rect {
        min: Point {
            x: at.x - reach,
            y: at.y - reach,
        },
        max: Point {
            x: at.x + reach,
            y: at.y + reach,
        },
    }
}

fn boxes<'a>(outlines: impl Iterator<Item = &'a [Point]>) -> Vec<Rect> {
    outlines
        .map(|outline| Rect::around(outline.iter().copied()).expect("an outline has corners"))
        .collect()
}

fn containing<'a>(
    boxes: &[Rect],
    outlines: impl Iterator<Item = &'a [Point]>,
    at: Point,
) -> Option<usize> {
    let size = |rect: &Rect| (rect.max.x - rect.min.x) * (rect.max.y - rect.min.y);
    boxes
        .iter()
        .zip(outlines)
        .enumerate()
        .filter(|(_, (rect, outline))| rect.contains(at) && polygon_contains(outline, at))
        .min_by(|(_, (a, _)), (_, (b, _))| size(a).total_cmp(&size(b)))
        .map(|(ix, _)| ix)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{block, row_of};
    use super::*;

    fn house() -> SeatMap {
        let rows: Vec<_> = (0..30)
            .map(|n| {
                row_of(
                    "R",
                    40,
                    50.0 + f64::from(n),
                    60.0 + 11.0 * f64::from(n),
                    9.5,
                )
            })
            .collect();
        block(&rows)
    }

    #[test]
    fn the_seat_under_the_finger_is_the_nearest_within_reach() {
        let map = house();
        let grid = Grid::new(&map);
        // Compared with looking at every seat, at points all over and beyond the plan.
        for n in 0..40_000 {
            let at = Point {
                x: (n % 200) as f32 * 2.63 - 20.0,
                y: (n / 200) as f32 * 2.17 - 20.0,
            };
            let slack = (n % 3) as f32 * 2.5;
            let slow = (0..map.seats.len())
                .filter(|&ix| map.seats[ix].at.distance(at) <= map.seats[ix].radius + slack)
                .min_by(|&a, &b| {
                    let (a, b) = (map.seats[a].at.distance(at), map.seats[b].at.distance(at));
                    a.total_cmp(&b)
                });
            let fast = grid.hit(at, slack);
            let distance = |ix: usize| map.seats[ix].at.distance(at);
            assert_eq!(
                fast.map(|ix| distance(ix.at())),
                slow.map(distance),
                "at {at:?} with slack {slack}"
            );
        }
        let nan = Point {
            x: f32::NAN,
            y: f32::INFINITY,
        };
        assert_eq!(grid.hit(nan, 3.0), None);
    }

    #[test]
    fn a_rectangle_yields_each_seat_it_touches_once() {
        let map = house();
        let grid = Grid::new(&map);
        for n in 0..200 {
            let x = (n * 37 % 500) as f32 - 40.0;
            let y = (n * 91 % 450) as f32 - 40.0;
            let rect = Rect {
                min: Point { x, y },
                max: Point {
                    x: x + n as f32,
                    y: y + 60.0,
                },
            };
            let mut seats: Vec<u32> = grid.seats_in(rect).map(|ix| ix.0).collect();
            seats.sort_unstable();
            let slow: Vec<u32> = (0..map.seats.len() as u32)
                .filter(|&ix| rect.touches(map.seats[ix as usize].at, 4.0))
                .collect();
            assert_eq!(seats, slow, "{rect:?}");
        }
    }

    #[test]
    fn a_section_is_hit_by_its_outline() {
        let map = house();
        let grid = Grid::new(&map);
        let inside = map.seats[100].at;
        assert_eq!(grid.section_at(&map, inside), Some(SectionIx(0)));
        let outside = Point { x: 900.0, y: 900.0 };
        assert_eq!(grid.section_at(&map, outside), None);
        assert_eq!(grid.area_at(&map, inside), None);
    }
}
