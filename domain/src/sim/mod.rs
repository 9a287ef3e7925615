//! The seeded simulator: the very desk that the server runs, several of them on one model of
//! Postgres, with thousands of commands, a network that loses, doubles and reorders, a payment
//! provider that is late, and crashes between any two steps. A seed is one whole life, bit for
//! bit; after every commit the rows are held against the rules of `check.rs`.
//!
//! `make simulate SEEDS=n FIRST=m` runs more of it; a failing seed prints itself.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

mod check;
mod fans;
mod process;
mod random;
mod store;
mod world;

use world::{Tally, World};

/// Seeds in `make test`.
const SEEDS: u64 = 1_000;

fn number(name: &str, otherwise: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) if !text.is_empty() => text.parse().expect("SEEDS and FIRST are numbers"),
        _ => otherwise,
    }
}

#[test]
fn every_seed_keeps_the_invariants() {
    let (first, seeds) = (number("FIRST", 1), number("SEEDS", SEEDS));
    let next = AtomicU64::new(first);
    let sum = Mutex::new(Tally::default());
    let failed = Mutex::new(None);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + seeds || failed.lock().expect("no panic").is_some() {
                        return;
                    }
                    match catch_unwind(AssertUnwindSafe(|| World::new(seed).live())) {
                        Ok(life) => sum.lock().expect("no panic").add(&life.tally),
                        Err(_) => *failed.lock().expect("no panic") = Some(seed),
                    }
                }
            });
        }
    });
    if let Some(seed) = *failed.lock().expect("no panic") {
        panic!("seed {seed} broke a rule (above); again: make simulate SEEDS=1 FIRST={seed}");
    }
    let sum = sum.into_inner().expect("no panic");
    println!("{seeds} seeds from {first}: {sum}");
    if seeds >= SEEDS {
        sum.assert_all_happened();
    }
}

#[test]
fn a_seed_is_the_same_life_every_time() {
    for seed in [1, 7, 42] {
        let lives = [(); 2].map(|()| World::new(seed).live().trace);
        assert_eq!(lives[0], lives[1], "seed {seed}");
    }
}
