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
use crate::desk::{BATCH_COMMANDS_MAX, Done, EXPIRIES_PER_BATCH_MAX, Input, Key, Output};
use crate::ids::{AttemptId, CommandId, OrderId, SeatIx, Seq, StaffId};
use crate::money::{Currency, Minor};
use crate::order::{OrderState, OrderSummary};
use crate::refusal::Refusal;
use crate::time::{Millis, Span};
use crate::wire::snapshot::SeatState;

/// Fans act for so long; afterwards everything has to come to rest.
const SALE: Span = Span::minutes(8);
/// Past the last deadline, with all its extensions.
const END: Span = Span::minutes(40);
const HOLD_TTL: Span = Span::seconds(60);
const PATIENCE: Span = Span::seconds(3);
const STATEMENT_TIMEOUT: Span = Span::seconds(2);
const SWEEP_EVERY: Span = Span::seconds(30);
/// A refusal that rests on something this long gone is wrong.
const STALE: Span = Span::seconds(10);
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
    Paid(Captured),
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
            world.skews.push(world.random.between(0, 60) as i64 - 30);
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
        Span(self.random.between(0, if slow { 2_500 } else { 4 }) as i64)
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
                let known: Vec<Key> = self.store.outcomes.keys().copied().collect();
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

    // -- processes

    fn begin(&mut self, process: usize) {
        self.read_again(process);
        let life = self.processes[process].life;
        self.after(Span(100), Event::Wake { process, life });
    }

    /// A reader that asks for the snapshot.
    fn read_again(&mut self, process: usize) {
        let board = self.processes[process].desk.board();
        let states = (0..self.seats).map(|seat| board.seat_state(SeatIx(seat)));
        self.readers[process] = (board.seq(), states.collect());
    }

    fn wake(&mut self, process: usize) {
        let life = self.processes[process].life;
        let pause = Span(self.random.between(200, 400) as i64);
        self.after(pause, Event::Wake { process, life });
        if !matches!(self.processes[process].busy, Busy::Idle) {
            return;
        }
        let now = self.clock(process);
        let due = self.processes[process]
            .desk
            .board()
            .due(now, EXPIRIES_PER_BATCH_MAX);
        if due.is_empty() {
            self.processes[process].busy = Busy::Following;
            return self.ask(process, Ask::Follow);
        }
        let mut commands = Vec::new();
        for order in due {
            let envelope = self.envelope(
                Actor::System,
                Command::Expire {
                    order,
                    attempt: None,
                },
            );
            let token = self.processes[process].token(Client::Nobody);
            commands.push((token, envelope));
        }
        self.drive(process, commands, 0);
    }

    fn envelope(&mut self, actor: Actor, command: Command) -> Envelope {
        Envelope {
            id: CommandId(u128::from(self.random.next()) << 64 | u128::from(self.random.next())),
            actor,
            fingerprint: 0,
            command,
        }
    }

    /// Whatever waits next: a half of a doubtful batch, or the backlog.
    fn go_on(&mut self, process: usize) {
        let at = &mut self.processes[process];
        if !matches!(at.busy, Busy::Idle) {
            return;
        }
        if let Some((commands, tries)) = at.work.pop() {
            return self.drive(process, commands, tries);
        }
        let mut commands = Vec::new();
        while commands.len() < BATCH_COMMANDS_MAX {
            let Some((envelope, client)) = at.inbox.pop_front() else {
                break;
            };
            commands.push((at.token(client), envelope));
        }
        if !commands.is_empty() {
            self.drive(process, commands, 0);
        }
    }

    fn drive(&mut self, process: usize, commands: Commands, tries: u32) {
        self.processes[process].tries = tries;
        self.processes[process].busy = Busy::Driving;
        self.step(process, Input::Commands(commands));
    }

    fn step(&mut self, process: usize, input: Input) {
        let now = self.clock(process);
        match self.processes[process].desk.step(input, now) {
            Output::LookUp(keys) => {
                self.tally.looked_up += 1;
                self.ask(process, Ask::LookUp(keys));
            }
            Output::Write(batch) => self.ask(process, Ask::Write(Box::new(batch))),
            Output::Confirm => self.ask(process, Ask::Confirm),
            Output::Done(done) => self.finish(process, done),
        }
    }

    fn ask(&mut self, process: usize, ask: Ask) {
        let at = &mut self.processes[process];
        at.question += 1;
        let (life, question) = (at.life, at.question);
        if self.lost() {
            // It never arrived.
        } else {
            let (way, lost) = (self.way(), self.lost());
            self.after(
                way,
                Event::Execute {
                    process,
                    life,
                    question,
                    ask,
                    lost,
                },
            );
        }
        self.after(
            STATEMENT_TIMEOUT,
            Event::Answer {
                process,
                life,
                question,
                answer: Answer::Doubt,
            },
        );
    }

    /// At Postgres. A statement runs whether or not anybody still waits for it.
    fn execute(&mut self, process: usize, life: u32, question: u32, ask: Ask, lost: bool) {
        let at = &self.processes[process];
        let awaited = at.alive && at.life == life && at.question == question;
        let answer = match ask {
            Ask::LookUp(keys) => Answer::LookedUp(self.store.known(&keys)),
            Ask::Confirm => self.confirm(process),
            Ask::Load(keys) => Answer::Loaded(Box::new(self.store.load()), self.store.known(&keys)),
            Ask::Follow if !awaited => return,
            Ask::Follow => {
                let seq = self.processes[process].desk.board().seq();
                Answer::Log(self.store.deltas_after(seq))
            }
            Ask::Write(batch) => {
                let written = self
                    .store
                    .commit(&batch)
                    .unwrap_or_else(|guard| panic!("a guard of the database was met: {}", guard.0));
                match written {
                    Written::Done => {
                        self.tally.zombies += u64::from(!awaited);
                        self.note(&batch.delta.changes, &batch.outcomes);
                        Answer::Done
                    }
                    Written::Known(stored) => Answer::Known(stored),
                    Written::Behind(deltas) => Answer::Behind(deltas),
                }
            }
        };
        if !lost {
            let way = self.way();
            self.after(
                way,
                Event::Answer {
                    process,
                    life,
                    question,
                    answer,
                },
            );
        }
    }

    fn confirm(&self, process: usize) -> Answer {
        let seq = self.processes[process].desk.board().seq();
        if seq == self.store.seq() {
            Answer::Confirmed
        } else if seq < self.store.seq() {
            Answer::Behind(self.store.deltas_after(seq))
        } else {
            // A new life reads what an old one asked: nobody waits for it.
            Answer::Doubt
        }
    }

    /// One commit: the rules hold.
    fn note(&mut self, changes: &[Change], outcomes: &[crate::desk::Stored]) {
        self.tally.commits += 1;
        check::rows(&self.store);
        for stored in outcomes {
            self.committed_at.insert(stored.key.1.0, self.now);
        }
        let snapshot = self.store.history.last().expect("it was just written");
        for seat in 0..self.seats as usize {
            let free = snapshot.states[seat / 4] >> (seat % 4 * 2) & 3 == 0;
            match (free, self.free_since[seat]) {
                (true, None) => self.free_since[seat] = Some(self.now),
                (false, Some(_)) => self.free_since[seat] = None,
                _ => {}
            }
        }
        for change in changes {
            let count = match change {
                Change::Expired { .. } => &mut self.tally.expired,
                Change::Cancelled { .. } => &mut self.tally.cancelled,
                Change::Blocked { .. } => &mut self.tally.blocked,
                Change::Configured(_) => &mut self.tally.configured,
                Change::Declined { .. } => &mut self.tally.declined,
                Change::Settled { retaken: true, .. } => &mut self.tally.retaken,
                Change::Settled { .. } => &mut self.tally.paid,
                Change::Parked { reason, .. } => match reason {
                    ParkReason::OrderEnded => &mut self.tally.late_parked,
                    ParkReason::Surplus => &mut self.tally.surplus,
                    ParkReason::AmountDiffers => &mut self.tally.wrong_amounts,
                },
                _ => continue,
            };
            *count += 1;
        }
    }

    fn answered(&mut self, process: usize, answer: Answer) {
        // Nothing that comes later belongs to this question.
        self.processes[process].question += 1;
        let busy = std::mem::replace(&mut self.processes[process].busy, Busy::Driving);
        match (busy, answer) {
            (Busy::Driving, Answer::LookedUp(stored)) => {
                self.step(process, Input::LookedUp(stored))
            }
            (Busy::Driving, Answer::Done) => self.step(process, Input::Committed),
            (Busy::Driving, Answer::Known(stored)) => {
                self.tally.known += 1;
                self.step(process, Input::Known(stored));
            }
            (Busy::Driving, Answer::Behind(deltas)) => {
                self.tally.overtaken += 1;
                self.step(process, Input::Behind(deltas));
            }
            (Busy::Driving, Answer::Confirmed) => {
                self.tally.confirmed += 1;
                self.step(process, Input::Confirmed);
            }
            (Busy::Driving, Answer::Doubt) => {
                self.tally.doubts += 1;
                let back = self.processes[process].desk.doubt();
                let tries = self.processes[process].tries;
                self.load(process, back, tries);
            }
            (Busy::Loading(back, tries), Answer::Loaded(board, stored)) => {
                let now = self.clock(process);
                let at = &mut self.processes[process];
                at.desk.reload(*board, stored, now);
                if back.len() > 1 {
                    let (first, second) = back.split_at(back.len() / 2);
                    at.work.push((second.to_vec(), tries));
                    at.work.push((first.to_vec(), tries));
                } else if tries + 1 < TRIES_MAX {
                    at.work.push((back, tries + 1));
                } else {
                    // It fails alone: whoever asked hears of a fault, and asks again.
                    for (token, _) in back {
                        at.client_of(token);
                    }
                }
                self.read_again(process);
                self.idle(process);
            }
            (Busy::Loading(back, tries), _) => self.load(process, back, tries),
            (Busy::Following, Answer::Log(deltas)) => {
                let now = self.clock(process);
                let frames = self.processes[process].desk.catch_up(&deltas, now);
                self.publish(process, frames);
                self.idle(process);
            }
            (Busy::Following, _) => self.idle(process),
            (Busy::Driving | Busy::Idle, _) => unreachable!("one question, one answer"),
        }
    }

    fn load(&mut self, process: usize, back: Commands, tries: u32) {
        let keys = back.iter().map(|(_, envelope)| envelope.key()).collect();
        self.processes[process].busy = Busy::Loading(back, tries);
        self.ask(process, Ask::Load(keys));
    }

    fn idle(&mut self, process: usize) {
        self.processes[process].busy = Busy::Idle;
        self.go_on(process);
    }

    fn finish(&mut self, process: usize, done: Done) {
        self.publish(process, done.frames);
        for (token, answer) in done.replies {
            let Some(client) = self.processes[process].client_of(token) else {
                continue;
            };
            self.check_answer(client, &answer);
            if !self.lost() {
                let way = self.way();
                self.after(way, Event::Hear { client, answer });
            }
        }
        self.idle(process);
    }

    /// What a process shows is what the rows were at its seq, read by frames or afresh.
    fn publish(&mut self, process: usize, frames: Vec<crate::wire::frame::Frame>) {
        let (seq, states) = &mut self.readers[process];
        for frame in frames {
            assert_eq!(frame.from, *seq, "frames leave no gap");
            for (seat, state) in &frame.seats {
                states[seat.at()] = *state;
            }
            *seq = frame.to;
        }
        let board = self.processes[process].desk.board();
        assert_eq!(board.seq(), *seq, "a reader is as far as the board");
        let history = &self.store.history[seq.0 as usize];
        assert_eq!(
            board.snapshot(),
            *history,
            "the board is the rows at {seq:?}"
        );
        let seen = (0..self.seats).map(|seat| board.seat_state(SeatIx(seat)));
        assert!(seen.eq(states.iter().copied()), "a reader sees the board");
    }

    /// What may never be said, whoever hears it.
    fn check_answer(&mut self, client: Client, answer: &Result<Outcome, Refusal>) {
        let Client::Fan { fan, call } = client else {
            return;
        };
        let (fan, call) = (&self.fans[fan], &self.fans[fan].calls[call]);
        let key = (Actor::Buyer(fan.buyer), call.id);
        let stored = self.store.outcomes.get(&key);
        match answer {
            Ok(outcome) => {
                let stored = stored.expect("what is answered is durable");
                assert_eq!(stored.outcome, *outcome, "an effect has one answer");
                self.tally.repeats += u64::from(call.answered);
            }
            Err(Refusal::Busy { .. }) => {}
            Err(refusal) => {
                let long = |since: Millis| self.now - since > STALE;
                let since = self.committed_at.get(&call.id.0);
                assert!(
                    !since.is_some_and(|at| long(*at)) || *refusal == Refusal::IdempotencyMismatch,
                    "carried out long ago, now {refusal:?}"
                );
                self.tally.mismatches += u64::from(*refusal == Refusal::IdempotencyMismatch);
                if let Refusal::SeatsTaken { seats } = refusal {
                    self.tally.conflicts += 1;
                    for seat in seats {
                        let free = self.free_since[seat.at()].is_some_and(long);
                        assert!(!free, "seat {} was free all along", seat.0);
                    }
                }
            }
        }
    }

    // -- people

    fn someone(&mut self) -> usize {
        self.random.below(self.processes.len() as u64) as usize
    }

    fn fan_thinks(&mut self, fan: usize) {
        if !self.faulty || self.fans[fan].thoughts == 0 {
            return;
        }
        self.fans[fan].thoughts -= 1;
        let body = self.fans[fan].think(&mut self.random, self.seats, self.now);
        let Some(body) = body else {
            let later = Span(self.random.between(1_000, 90_000) as i64);
            return self.after(later, Event::Fan(fan));
        };
        let id = CommandId(u128::from(self.random.next()));
        let calls = &mut self.fans[fan].calls;
        calls.push(Call {
            id,
            body,
            tries: 0,
            answered: false,
            outcome: None,
        });
        let call = calls.len() - 1;
        self.send_call(fan, call);
    }

    fn send_call(&mut self, fan: usize, call: usize) {
        let at = &mut self.fans[fan].calls[call];
        at.tries += 1;
        let tries = at.tries;
        if tries > CALL_TRIES_MAX {
            return;
        }
        self.post_call(fan, call);
        if self.faulty && self.random.permille(60) {
            self.post_call(fan, call);
        }
        self.after(PATIENCE, Event::Impatience { fan, call, tries });
    }

    /// On its way to some process, perhaps for ever.
    fn post_call(&mut self, fan: usize, call: usize) {
        let minted = self.random.next() as i64 & i64::MAX;
        let (buyer, at) = (self.fans[fan].buyer, &self.fans[fan].calls[call]);
        let (mut fingerprint, mut command) =
            (at.body.fingerprint(), at.body.command(buyer, minted));
        let id = at.id;
        // A broken client: the same name for something else.
        if self.faulty && self.random.permille(10) {
            let other = Body::Cancel(OrderId(1));
            (fingerprint, command) = (other.fingerprint(), other.command(buyer, minted));
        }
        let envelope = Envelope {
            id,
            actor: Actor::Buyer(buyer),
            fingerprint,
            command,
        };
        self.post(envelope, Client::Fan { fan, call });
    }

    fn post(&mut self, envelope: Envelope, client: Client) {
        let process = self.someone();
        if !self.lost() {
            let (way, envelope) = (self.way(), Box::new(envelope));
            self.after(
                way,
                Event::Arrive {
                    process,
                    envelope,
                    client,
                },
            );
        }
    }

    fn hear(&mut self, client: Client, answer: Result<Outcome, Refusal>) {
        match client {
            Client::Nobody => {}
            Client::Provider { event } => match answer {
                Ok(_) => self.told[event].heard = true,
                Err(Refusal::NotFound | Refusal::Busy { .. }) => {}
                Err(other) => panic!("money was refused: {other:?}"),
            },
            Client::Fan { fan, call } => {
                let at = &mut self.fans[fan].calls[call];
                if matches!(answer, Err(Refusal::Busy { .. })) {
                    return;
                }
                let first = !std::mem::replace(&mut at.answered, true);
                if let Ok(outcome) = answer {
                    if let Some(before) = &at.outcome {
                        assert_eq!(*before, outcome, "asked twice, answered twice the same");
                        return;
                    }
                    at.outcome = Some(outcome.clone());
                    if let Outcome::Order(order) = outcome {
                        self.learn(fan, order);
                    }
                }
                if first {
                    let later = Span(self.random.between(50, 40_000) as i64);
                    self.after(later, Event::Fan(fan));
                }
            }
        }
    }

    fn learn(&mut self, fan: usize, order: OrderSummary) {
        if order.state == OrderState::Paying {
            self.go_to_provider(&order);
        }
        self.fans[fan].order = Some(order);
    }

    // -- the provider

    fn go_to_provider(&mut self, order: &OrderSummary) {
        let attempt = order.attempt.expect("who pays is at an attempt");
        let soon = self.random.between(500, 50_000);
        // After the deadline and all its extensions.
        let late = self.random.between(60_000, 900_000);
        match self.random.below(100) {
            0..55 => self.capture(order, order.total, soon),
            55..70 => self.capture(order, order.total, late),
            70..73 => self.capture(order, Minor(order.total.0 - 1), soon),
            73..78 => {
                self.capture(order, order.total, soon);
                self.capture(order, order.total, late);
            }
            78..92 => {
                let kind = Told::Declined(attempt);
                self.report(order.order, kind, soon);
            }
            _ => {}
        }
    }

    fn capture(&mut self, order: &OrderSummary, amount: Minor, after: u64) {
        let payment = Captured {
            provider: "model".into(),
            payment_id: format!("p{}", self.captured.len()),
            amount,
            currency: Currency::EUR,
        };
        let name = format!("model:{}", payment.payment_id);
        self.captured.insert(name, order.order);
        self.report(order.order, Told::Paid(payment), after);
    }

    /// Told several times, in no order.
    fn report(&mut self, order: OrderId, kind: Told, after: u64) {
        self.told.push(ProviderEvent {
            order,
            kind,
            heard: false,
        });
        let event = self.told.len() - 1;
        for _ in 0..self.random.between(1, 3) {
            let more = self.random.below(20_000);
            self.after(Span((after + more) as i64), Event::Tell { event });
        }
    }

    fn tell(&mut self, event: usize) {
        let (order, kind) = (self.told[event].order, self.told[event].kind.clone());
        let id = CommandId(u128::from(hash(&event.to_le_bytes())));
        let command = match kind {
            Told::Paid(payment) => {
                let row = self.store.orders.get(&order);
                let ended = row.map(|row| row.summary.clone());
                Command::Settle {
                    order,
                    payment,
                    ended: ended.filter(|order| !order.state.has_seats()),
                }
            }
            Told::Declined(attempt) => Command::Decline { order, attempt },
        };
        let envelope = Envelope {
            id,
            actor: Actor::System,
            fingerprint: 0,
            command,
        };
        self.post(envelope, Client::Provider { event });
        if !self.told[event].heard {
            let again = Span(self.random.between(5_000, 30_000) as i64);
            self.after(again, Event::Tell { event });
        }
    }

    // -- the house

    /// Holds of processes that died, and paying orders whose provider said nothing.
    fn sweep(&mut self) {
        self.after(SWEEP_EVERY, Event::Sweep);
        let mut over = Vec::new();
        for (id, row) in &self.store.orders {
            let order = &row.summary;
            match order.state {
                OrderState::Held if order.deadline <= self.now => over.push((*id, None)),
                OrderState::Paying if order.deadline <= self.now => over.push((*id, order.attempt)),
                _ => {}
            }
        }
        for (order, attempt) in over {
            // The provider's session is not always known to be over.
            let known = self.random.permille(400);
            let attempt = attempt.filter(|_| known);
            let envelope = self.envelope(Actor::System, Command::Expire { order, attempt });
            self.post(envelope, Client::Nobody);
        }
    }

    fn staff_acts(&mut self) {
        let next = Span(self.random.between(5_000, 40_000) as i64);
        self.after(next, Event::Staff);
        let blocked = self.store.claims.iter();
        let blocked = blocked.filter(|(_, holder)| **holder == super::store::Holder::House);
        let blocked: Vec<SeatIx> = blocked.map(|(seat, _)| *seat).collect();
        let command = if !self.faulty && self.store.settings.paused {
            Command::Configure(Settings {
                paused: false,
                ..self.store.settings.clone()
            })
        } else if !self.faulty {
            return;
        } else if self.random.permille(150) || self.store.settings.paused {
            let paused = !self.store.settings.paused;
            Command::Configure(Settings {
                paused,
                ..self.store.settings.clone()
            })
        } else if !blocked.is_empty() && self.random.permille(600) {
            Command::Unblock {
                seats: vec![self.random.pick(&blocked)],
            }
        } else {
            Command::Block {
                seats: vec![SeatIx(self.random.below(u64::from(self.seats)) as u32)],
                reason: "sound desk".into(),
            }
        };
        let envelope = self.envelope(Actor::Staff(StaffId(1)), command);
        self.post(envelope, Client::Nobody);
    }

    /// Long after the last fan: nothing hangs, nothing is lost.
    fn at_rest(&self) {
        let last = self.store.seq();
        for (process, at) in self.processes.iter().enumerate() {
            assert!(
                at.alive && at.inbox.is_empty(),
                "process {process} is at rest"
            );
            assert_eq!(at.desk.board().seq(), last, "process {process} read it all");
        }
        for (order, row) in &self.store.orders {
            let state = row.summary.state;
            assert!(
                !matches!(state, OrderState::Held | OrderState::Paying),
                "{order} is {state:?} for ever, until {:?} + {PAYING_EXTENSION:?}",
                row.summary.deadline
            );
        }
        for (payment, order) in &self.captured {
            let row = self.store.payments.get(payment);
            assert_eq!(
                row.map(|row| row.order),
                Some(*order),
                "{payment} is on record"
            );
        }
        for fan in &self.fans {
            let hangs = |call: &Call| !call.answered && call.tries <= CALL_TRIES_MAX;
            assert!(!fan.calls.iter().any(hangs), "{} waits for ever", fan.buyer);
        }
    }
}
