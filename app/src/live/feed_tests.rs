use std::collections::VecDeque;

use domain::ids::SeatIx;
use domain::wire::{frame::Resync, snapshot::SeatState};

use super::*;

/// SplitMix64: the same run from the same seed on every machine.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn unit(&mut self) -> f64 {
        self.below(1 << 30) as f64 / f64::from(1 << 30)
    }
}

const SEATS: u32 = 40;
const RING: usize = 6;

/// A server with one listener, in the words of the documented protocol.
struct World {
    dice: Dice,
    now_ms: f64,
    epoch: Epoch,
    house: Snapshot,
    ring: VecDeque<Frame>,
    /// A snapshot that a cache on the way may still serve to those who name no `min`.
    cached: (Epoch, Snapshot),
    feed: Feed,
    /// Where the open stream stands in the ring.
    stream: Option<Position>,
    greeted: bool,
    /// What the client still has to do, with the instant.
    todo: Vec<(f64, Effect)>,
    changes_painted: Snapshot,
    fetches: u32,
}

impl World {
    fn new(seed: u64) -> Self {
        let house = Snapshot::untouched(SEATS, 0, vec![SEATS]);
        Self {
            dice: Dice(seed),
            now_ms: 0.0,
            epoch: Epoch(1),
            ring: VecDeque::new(),
            cached: (Epoch(1), house.clone()),
            feed: Feed::default(),
            stream: None,
            greeted: false,
            todo: Vec::new(),
            changes_painted: house.clone(),
            fetches: 0,
            house,
        }
    }

    fn here(&self) -> Position {
        Position {
            epoch: self.epoch,
            seq: self.house.seq,
        }
    }

    fn tell(&mut self, event: Event) {
        let dice = self.dice.unit();
        for effect in self.feed.step(event, self.now_ms, dice) {
            match effect {
                Effect::Connect { after } | Effect::Revive { after } => {
                    self.stream = Some(after.unwrap_or(Position {
                        epoch: self.epoch,
                        seq: self.house.seq,
                    }));
                    self.greeted = false;
                }
                Effect::Close => self.stream = None,
                Effect::Fetch { delay_ms, .. } | Effect::Wait { delay_ms, .. } => {
                    self.todo.push((self.now_ms + f64::from(delay_ms), effect));
                }
                Effect::Changed(seats) => {
                    for (seat, state) in seats {
                        self.changes_painted.set(seat, state);
                    }
                }
                Effect::Status(_) => {}
            }
        }
    }

    fn commit(&mut self) {
        let mut seats = std::collections::BTreeMap::new();
        for _ in 0..self.dice.below(4) {
            let seat = SeatIx(self.dice.below(SEATS.into()) as u32);
            seats.insert(seat, SeatState::from_bits(self.dice.next() as u8));
        }
        let frame = Frame {
            from: self.house.seq,
            to: Seq(self.house.seq.0 + 1 + self.dice.below(3)),
            seats: seats.into_iter().collect(),
            areas: vec![],
            tier_free: vec![self.dice.below(SEATS.into()) as u32],
        };
        self.house.apply(&frame).unwrap();
        self.ring.push_back(frame);
        if self.ring.len() > RING {
            self.ring.pop_front();
        }
    }

    /// The stream says its next word, if there is one.
    fn deliver(&mut self) -> bool {
        let Some(at) = self.stream else { return false };
        let here = self.here();
        let oldest = self.ring.front().map_or(here.seq, |frame| frame.from);
        if at.epoch != here.epoch || at.seq > here.seq || at.seq < oldest {
            self.stream = Some(here);
            self.greeted = true;
            self.tell(Event::Resync(Resync {
                min: here.seq,
                within_ms: 500,
            }));
        } else if !self.greeted {
            self.greeted = true;
            self.tell(Event::Opened { at });
        } else if let Some(frame) = self.ring.iter().find(|frame| frame.to > at.seq).cloned() {
            let to = Position {
                epoch: here.epoch,
                seq: frame.to,
            };
            self.stream = Some(to);
            self.tell(Event::Frame { to, frame });
        } else {
            return false;
        }
        true
    }

    /// Carries out one thing that is due; `healthy` says whether fetches work.
    fn work(&mut self, healthy: bool) -> bool {
        let due = self.todo.iter().position(|(at, _)| *at <= self.now_ms);
        let Some(due) = due else { return false };
        match self.todo.swap_remove(due).1 {
            Effect::Wait { number, .. } => self.tell(Event::Waited(number)),
            Effect::Fetch { min, .. } => {
                self.fetches += 1;
                let fresh = (self.epoch, self.house.clone());
                let answer = match min {
                    _ if !healthy => None,
                    None => Some(self.cached.clone()),
                    Some(_) => Some(fresh),
                };
                self.tell(Event::Fetched(answer));
            }
            other => panic!("nothing to wait for in {other:?}"),
        }
        true
    }

    fn disturb(&mut self) {
        match self.dice.below(14) {
            0..4 => self.commit(),
            4..7 => drop(self.deliver()),
            7 => {
                let healthy = self.dice.below(3) > 0;
                self.work(healthy);
            }
            8 => {
                if self.stream.take().is_some() {
                    self.tell(Event::Cut);
                }
            }
            9 => {
                // A restart: the ring is gone, the stream with it.
                self.ring.clear();
                if self.stream.take().is_some() {
                    self.tell(Event::Cut);
                }
            }
            10 => {
                // The machine sleeps: the stream dies without a word.
                self.stream = None;
                self.now_ms += 100_000.0;
                let event = if self.dice.below(2) == 0 {
                    Event::Tick
                } else {
                    Event::InView
                };
                self.tell(event);
            }
            11 => self.strange_words(),
            12 => {
                let (down, up) = match self.dice.below(2) {
                    0 => (Event::Away, Event::InView),
                    _ => (Event::Offline, Event::Online),
                };
                self.tell(down);
                self.commit();
                self.tell(up);
            }
            _ if self.dice.below(10) == 0 => {
                // The database was put back: another epoch from an earlier seq on.
                self.epoch = Epoch(self.epoch.0 + 1);
                self.house = Snapshot::untouched(SEATS, 0, vec![SEATS]);
                self.house.seq = Seq(self.dice.below(20));
                self.ring.clear();
            }
            _ => self.cached = (self.epoch, self.house.clone()),
        }
    }

    fn strange_words(&mut self) {
        let here = self.here();
        let future = Frame {
            from: Seq(here.seq.0 + 50),
            to: Seq(here.seq.0 + 60),
            seats: vec![(SeatIx(SEATS + 7), SeatState::Sold)],
            areas: vec![],
            tier_free: vec![],
        };
        let to = Position {
            epoch: Epoch(99),
            seq: future.to,
        };
        let event = match self.dice.below(3) {
            0 => Event::Garbage,
            1 => Event::Frame { to, frame: future },
            _ => Event::Resync(Resync {
                min: Seq(u64::MAX),
                within_ms: u32::MAX,
            }),
        };
        let from_the_future = matches!(event, Event::Resync(_));
        self.tell(event);
        if from_the_future {
            // Nobody can reach that; the next connection tells the truth.
            self.stream = None;
            self.tell(Event::Cut);
        }
    }

    /// From here on everything works; time passes until nothing is left to do.
    fn calm_down(&mut self) {
        self.cached = (self.epoch, self.house.clone());
        self.tell(Event::Online);
        self.tell(Event::InView);
        for _ in 0..400 {
            while self.work(true) || self.deliver() {}
            self.now_ms += 1_000.0;
            if self.now_ms as u64 % 10_000 < 1_000 {
                if self.stream.is_some() && self.greeted {
                    self.tell(Event::Beat);
                }
                self.tell(Event::Tick);
            }
        }
    }
}

/// F51: whatever happened on the way, the client ends with what the server has.
#[test]
fn f51_any_trouble_ends_in_the_servers_snapshot() {
    for seed in 0..1_500 {
        let mut world = World::new(seed);
        world.tell(Event::Start);
        for _ in 0..60 {
            world.disturb();
            world.now_ms += world.dice.unit() * 3_000.0;
        }
        world.calm_down();
        assert_eq!(world.feed.snapshot(), Some(&world.house), "seed {seed}");
        assert_eq!(world.feed.position(), Some(world.here()), "seed {seed}");
        assert_eq!(
            world.changes_painted.states, world.house.states,
            "seed {seed}: painted"
        );
        assert_eq!(world.feed.status(), LiveStatus::Live, "seed {seed}");
        assert!(
            world.todo.is_empty(),
            "seed {seed}: still busy with {:?}",
            world.todo
        );
    }
}

#[test]
fn a_calm_start_fetches_once_and_connects_from_there() {
    let mut world = World::new(1);
    world.commit();
    world.cached = (world.epoch, world.house.clone());
    let effects = world.feed.step(Event::Start, 0.0, 0.5);
    assert_eq!(
        effects,
        [Effect::Fetch {
            min: None,
            delay_ms: 0
        }]
    );
    let answer = Some((world.epoch, world.house.clone()));
    let effects = world.feed.step(Event::Fetched(answer), 0.0, 0.5);
    assert!(matches!(&effects[0], Effect::Changed(_)));
    assert_eq!(
        effects[1],
        Effect::Connect {
            after: Some(world.here())
        }
    );
    let effects = world
        .feed
        .step(Event::Opened { at: world.here() }, 0.0, 0.5);
    assert_eq!(effects, [Effect::Status(LiveStatus::Live)]);
}

#[test]
fn a_frame_beyond_a_gap_is_kept_until_the_snapshot_is_there() {
    let mut world = World::new(2);
    world.tell(Event::Start);
    while world.work(true) || world.deliver() {}
    let frame = |from, to, seat| Frame {
        from: Seq(from),
        to: Seq(to),
        seats: vec![(SeatIx(seat), SeatState::Sold)],
        areas: vec![],
        tier_free: vec![7],
    };
    let at = |seq| Position {
        epoch: Epoch(1),
        seq: Seq(seq),
    };
    let effects = world.feed.step(
        Event::Frame {
            to: at(12),
            frame: frame(10, 12, 3),
        },
        1.0,
        0.0,
    );
    assert_eq!(
        effects,
        [Effect::Fetch {
            min: Some(Seq(10)),
            delay_ms: 0
        }]
    );
    let effects = world.feed.step(
        Event::Frame {
            to: at(13),
            frame: frame(12, 13, 4),
        },
        2.0,
        0.0,
    );
    assert_eq!(effects, [], "one fetch is enough");
    let mut snapshot = Snapshot::untouched(SEATS, 0, vec![9]);
    snapshot.seq = Seq(11);
    let answer = Some((Epoch(1), snapshot));
    world.feed.step(Event::Fetched(answer), 3.0, 0.0);
    let house = world.feed.snapshot().unwrap();
    assert_eq!(house.seq, Seq(13));
    assert_eq!(
        (house.get(SeatIx(3)), house.get(SeatIx(4))),
        (SeatState::Sold, SeatState::Sold)
    );
    assert_eq!(house.tier_free, [7]);
}

#[test]
fn tries_are_spread_and_bounded() {
    assert_eq!(back_off_ms(0, 0.0), 500);
    assert!(back_off_ms(0, 0.999) < 1_000);
    for failures in [5, 10, 40, u32::MAX] {
        let longest = back_off_ms(failures, 0.999_999);
        assert!((15_000..=30_000).contains(&longest), "{longest}");
    }
}

#[test]
fn silence_revives_the_stream_once() {
    let mut world = World::new(3);
    world.tell(Event::Start);
    while world.work(true) || world.deliver() {}
    assert_eq!(world.feed.step(Event::Tick, 29_000.0, 0.0), []);
    let after = world.feed.position();
    assert_eq!(
        world.feed.step(Event::Tick, 31_000.0, 0.0),
        [Effect::Revive { after }]
    );
    assert_eq!(world.feed.step(Event::Tick, 32_000.0, 0.0), []);
}
