//! Zones that use a row label twice often are several blocks drawn into one zone. They become
//! a section each, so that printed words tell the seats apart and a section is one place.

use std::collections::{HashMap, HashSet};

use super::super::adjacency;
use super::super::report::Note;
use super::Place;

/// Rows within this many usual steps of each other, at an end or the middle, are one block.
const BLOCK_STEPS: f32 = 2.2;
/// Rows remembered per cell while looking for neighbours, so that a file with all rows in one
/// place stays cheap.
const CELL_ROWS_MAX: usize = 16;

/// A section to be: a zone, or the part of a zone whose rows lie together.
pub(super) struct Block {
    pub name: String,
    pub rows: Vec<BlockRow>,
}

pub(super) struct BlockRow {
    pub label: String,
    pub seats: Vec<BlockSeat>,
}

pub(super) struct BlockSeat {
    pub label: String,
    pub at: Place,
    pub radius: f32,
    pub category: u8,
}

/// The zone as it is when its row labels are distinct, else its blocks.
pub(super) fn split(name: String, rows: Vec<BlockRow>, notes: &mut Vec<Note>) -> Vec<Block> {
    let mut seen = HashSet::new();
    if rows.iter().all(|row| seen.insert(row.label.clone())) {
        return vec![Block { name, rows }];
    }
    let places = places(&rows);
    let mut blocks: Vec<Vec<BlockRow>> = Vec::new();
    for (row, place) in rows.into_iter().zip(places) {
        if place == blocks.len() {
            blocks.push(vec![]);
        }
        blocks[place].push(row);
    }
    let blocks: Vec<Vec<BlockRow>> = blocks.into_iter().flat_map(tell_apart).collect();
    let count = blocks.len();
    if count > 1 {
        notes.push(Note::ZoneSplit {
            zone: name.clone(),
            blocks: count as u32,
        });
    }
    let named = blocks.into_iter().enumerate().map(|(ix, rows)| Block {
        name: match count {
            1 => name.clone(),
            _ => format!("{name} {}", ix + 1),
        },
        rows,
    });
    named.collect()
}

/// For each row the number of its block; blocks count from 0 in the order of the file.
fn places(rows: &[BlockRow]) -> Vec<usize> {
    let steps: Vec<f32> = rows.iter().flat_map(|row| steps(&row.seats)).collect();
    let Some(usual) = adjacency::usual_step(&steps) else {
        return vec![0; rows.len()];
    };
    let apart = usual * BLOCK_STEPS;
    let mut links = Links((0..rows.len()).collect());
    let mut cells: HashMap<(i64, i64), Vec<(usize, Place)>> = HashMap::new();
    for (ix, row) in rows.iter().enumerate() {
        let last = row.seats.len() - 1;
        for mark in [0, last / 2, last].map(|seat| row.seats[seat].at) {
            let cell = |length: f64| (length / f64::from(apart)).floor() as i64;
            let (x, y) = (cell(mark.0), cell(mark.1));
            for near in (x - 1..=x + 1).flat_map(|x| (y - 1..=y + 1).map(move |y| (x, y))) {
                for &(other, at) in cells.get(&near).into_iter().flatten() {
                    if distance(at, mark) <= apart {
                        links.join(other, ix);
                    }
                }
            }
            let known = cells.entry((x, y)).or_default();
            if known.len() < CELL_ROWS_MAX {
                known.push((ix, mark));
            }
        }
    }
    let mut numbers = HashMap::new();
    (0..rows.len())
        .map(|ix| {
            let next = numbers.len();
            *numbers.entry(links.root(ix)).or_insert(next)
        })
        .collect()
}

/// Blocks that touch: a row whose words a block already has begins another one.
fn tell_apart(rows: Vec<BlockRow>) -> Vec<Vec<BlockRow>> {
    let mut parts: Vec<Vec<BlockRow>> = vec![vec![]];
    let mut words: HashSet<(String, String)> = HashSet::new();
    for row in rows {
        let own = |seat: &BlockSeat| (row.label.clone(), seat.label.clone());
        if row.seats.iter().any(|seat| words.contains(&own(seat))) {
            parts.push(vec![]);
            words.clear();
        }
        words.extend(row.seats.iter().map(own));
        parts.last_mut().expect("there is one part").push(row);
    }
    parts
}

/// Which rows hang together: each points at another of its block or at itself.
struct Links(Vec<usize>);

impl Links {
    fn root(&mut self, mut ix: usize) -> usize {
        while self.0[ix] != ix {
            self.0[ix] = self.0[self.0[ix]];
            ix = self.0[ix];
        }
        ix
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        // The earlier row leads, so that blocks keep the order of the file.
        self.0[a.max(b)] = a.min(b);
    }
}

pub(super) fn steps(seats: &[BlockSeat]) -> impl Iterator<Item = f32> + '_ {
    seats.windows(2).map(|w| distance(w[0].at, w[1].at))
}

fn distance(a: Place, b: Place) -> f32 {
    let (dx, dy) = (a.0 - b.0, a.1 - b.1);
    (dx * dx + dy * dy).sqrt() as f32
}
