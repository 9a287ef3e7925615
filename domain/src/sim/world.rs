//! Time, the network, the provider and everybody's next step.

use std::collections::BTreeMap;
use std::fmt;

use super::check;
use super::fans::{Body, Call, Fan};
use super::process::{Answer, Ask, Busy, Commands, Process, TRIES_MAX};
use super::random::Random;
use super::store::{Store, Written};
use crate::board::change::Change;
use crate::board::command::{Actor, Captured, Command, Envelope, Outcome, ParkReason};
use crate::board::settings::{PAYING_EXTENSION, Settings};
use crate::board::tests::{board, settings};
use crate::desk::{BATCH_COMMANDS_MAX, CONFIRM_AFTER, Done, EXPIRIES_PER_BATCH_MAX, Input, Output};
use crate::ids::{AttemptId, CommandId, OrderId, SeatIx, Seq, StaffId};
use crate::money::{Currency, Minor};
use crate::order::{OrderState, OrderSummary};
use crate::refusal::Refusal;
use crate::time::{Millis, Span};
use crate::wire::snapshot::SeatState;

mod driving;
mod people;
mod seen;

/// Fans act for so long; afterwards everything has to come to rest.
const SALE: Span = Span::minutes(8);
/// Past the last deadline, with all its extensions.
const END: Span = Span::minutes(40);
const HOLD_TTL: Span = Span::seconds(60);
const PATIENCE: Span = Span::seconds(3);
const STATEMENT_TIMEOUT: Span = Span::seconds(2);
const SWEEP_EVERY: Span = Span::seconds(30);
/// Longest way of a message.
const WAY_MAX: Span = Span(2_500);
/// How far clocks are apart at most.
const SKEW_MAX: Span = Span(30);
/// A refusal that rests on something this long gone is wrong: what a board knows was true when
/// the answer left Postgres, and goes unconfirmed for a while.
const STALE: Span = Span(WAY_MAX.0 + CONFIRM_AFTER.0 + 2 * SKEW_MAX.0);
const CALL_TRIES_MAX: u32 = 12;

/// FNV-1a.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Who waits for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Client {
    Fan { fan: usize, call: usize },
    Provider { event: usize },
    Nobody,
}

/// Something the provider tells until it is heard.
struct ProviderEvent {
    order: OrderId,
    kind: Told,
    heard: bool,
}

#[derive(Clone)]
enum Told {
    Paid(AttemptId, Captured),
    Declined(AttemptId),
}

enum Event {
    Fan(usize),
    Impatience {
        fan: usize,
        call: usize,
        tries: u32,
    },
    Arrive {
        process: usize,
        envelope: Box<Envelope>,
        client: Client,
    },
    Execute {
        process: usize,
        life: u32,
        question: u32,
        ask: Ask,
        lost: bool,
    },
    Answer {
        process: usize,
        life: u32,
        question: u32,
        answer: Answer,
    },
    Wake {
        process: usize,
        life: u32,
    },
    Crash {
        process: usize,
    },
    Start {
        process: usize,
    },
    Hear {
        client: Client,
        answer: Result<Outcome, Refusal>,
    },
    Tell {
        event: usize,
    },
    Sweep,
    Staff,
}

macro_rules! tally {
    ($($name:ident),*) => {
        /// How often what happened: a search that meets none of it proves nothing.
        #[derive(Debug, Default, Clone)]
        pub struct Tally { $(pub $name: u64),* }

        impl Tally {
            pub fn add(&mut self, other: &Self) { $(self.$name += other.$name;)* }

            pub fn assert_all_happened(&self) {
                $(assert!(self.$name > 0, "{} never happened", stringify!($name));)*
            }
        }

        impl fmt::Display for Tally {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                $(write!(f, "{} {}, ", self.$name, stringify!($name))?;)*
                Ok(())
            }
        }
    };
}

tally!(
    commits,
    conflicts,
    repeats,
    mismatches,
    doubts,
    overtaken,
    known,
    looked_up,
    confirmed,
    expired,
    cancelled,
    blocked,
    configured,
    declined,
    paid,
    retaken,
    late_parked,
    surplus,
    wrong_amounts,
    crashes,
    zombies
);

/// How a seed ended.
pub struct Life {
    pub tally: Tally,
    /// Of every step, in order.
    pub trace: u64,
}

pub struct World {
    random: Random,
    now: Millis,
    events: BTreeMap<(Millis, u64), Event>,
    number: u64,
    store: Store,
    seats: u32,
    processes: Vec<Process>,
    /// What a reader of a process's frames sees, and up to which seq.
    readers: Vec<(Seq, Vec<SeatState>)>,
    /// Clocks differ.
    skews: Vec<i64>,
    fans: Vec<Fan>,
    told: Vec<ProviderEvent>,
    /// Money that left a buyer, by payment.
    captured: BTreeMap<String, OrderId>,
    committed_at: BTreeMap<u128, Millis>,
    free_since: Vec<Option<Millis>>,
    tally: Tally,
    trace: u64,
    faulty: bool,
}

impl World {
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        // Every fiftieth life is a crowd.
        let (rows, fans) = if seed.is_multiple_of(50) {
            (12, 1_000)
        } else {
            (random.between(1, 5), random.between(5, 60))
        };
        let plan = std::sync::Arc::clone(board(&vec!["........"; rows as usize]).plan());
        let settings = Settings {
            hold_ttl: HOLD_TTL,
            ..settings()
        };
        let seats = plan.seat_tiers.len() as u32;
        let store = Store::new(plan, settings.clone());
        let mut world = Self {
            now: Millis(0),
            events: BTreeMap::new(),
            number: 0,
            seats,
            processes: Vec::new(),
            readers: Vec::new(),
            skews: Vec::new(),
            fans: Vec::new(),
            told: Vec::new(),
            captured: BTreeMap::new(),
            committed_at: BTreeMap::new(),
            free_since: vec![Some(Millis(0)); seats as usize],
            tally: Tally::default(),
            trace: seed,
            faulty: true,
            store,
            random,
        };
        for process in 0..world.random.between(1, 3) as usize {
            let skew = world.random.between(0, 2 * SKEW_MAX.0 as u64) as i64;
            world.skews.push(skew - SKEW_MAX.0);
            world.readers.push((Seq(0), Vec::new()));
            let started = Process::start(world.store.load(), Vec::new(), world.now, 0);
            world.processes.push(started);
            world.begin(process);
            for _ in 0..world.random.below(4) {
                let at = Span(world.random.below(SALE.0 as u64) as i64);
                world.after(at, Event::Crash { process });
            }
        }
        for fan in 0..fans as usize {
            let thoughts = world.random.between(2, 8) as u32;
            world.fans.push(Fan::new(fan, thoughts));
            let at = world.random.below(SALE.0 as u64 / 4);
            world.after(Span(at as i64), Event::Fan(fan));
        }
        world.after(SWEEP_EVERY, Event::Sweep);
        world.after(Span::seconds(5), Event::Staff);
        world
    }

    /// The whole life, to the end of all deadlines.
    pub fn live(mut self) -> Life {
        while let Some(((at, number), event)) = self.events.pop_first() {
            if at > Millis(0) + END {
                break;
            }
            self.now = at;
            self.faulty = at < Millis(0) + SALE;
            self.trace = hash(
                &[self.trace, at.0 as u64, number]
                    .map(u64::to_le_bytes)
                    .concat(),
            );
            self.happen(event);
        }
        self.at_rest();
        Life {
            tally: self.tally,
            trace: self.trace,
        }
    }

    fn after(&mut self, span: Span, event: Event) {
        self.number += 1;
        self.events.insert((self.now + span, self.number), event);
    }

    /// A message's way: mostly quick.
    fn way(&mut self) -> Span {
        let slow = self.faulty && self.random.permille(15);
        let max = if slow { WAY_MAX } else { Span(4) };
        Span(self.random.between(0, max.0 as u64) as i64)
    }

    fn lost(&mut self) -> bool {
        self.faulty && self.random.permille(10)
    }

    fn clock(&self, process: usize) -> Millis {
        Millis((self.now.0 + self.skews[process]).max(0))
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Fan(fan) => self.fan_thinks(fan),
            Event::Impatience { fan, call, tries } => {
                let waiting = &self.fans[fan].calls[call];
                if !waiting.answered && waiting.tries == tries {
                    self.send_call(fan, call);
                }
            }
            Event::Arrive {
                process,
                envelope,
                client,
            } => {
                if self.processes[process].alive {
                    self.processes[process].inbox.push_back((*envelope, client));
                    self.go_on(process);
                }
            }
            Event::Execute {
                process,
                life,
                question,
                ask,
                lost,
            } => self.execute(process, life, question, ask, lost),
            Event::Answer {
                process,
                life,
                question,
                answer,
            } => {
                let at = &self.processes[process];
                if at.alive && at.life == life && at.question == question {
                    self.answered(process, answer);
                }
            }
            Event::Wake { process, life } => {
                if self.processes[process].alive && self.processes[process].life == life {
                    self.wake(process);
                }
            }
            Event::Crash { process } => {
                if self.processes[process].alive {
                    self.tally.crashes += 1;
                    self.processes[process].alive = false;
                    let pause = Span(self.random.between(500, 8_000) as i64);
                    self.after(pause, Event::Start { process });
                }
            }
            Event::Start { process } => {
                let known = self.store.keys();
                let life = self.processes[process].life + 1;
                let now = self.clock(process);
                self.processes[process] = Process::start(self.store.load(), known, now, life);
                self.begin(process);
            }
            Event::Hear { client, answer } => self.hear(client, answer),
            Event::Tell { event } => self.tell(event),
            Event::Sweep => self.sweep(),
            Event::Staff => self.staff_acts(),
        }
    }
}
