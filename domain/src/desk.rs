//! The desk as a machine without I/O: the one writer of a show in a process. It orders commands,
//! decides them on the board and says what to write; whoever drives it (the server against
//! Postgres, the simulator against a model) carries that out and reports back.
//!
//! ```text
//! Commands -> LookUp?  -> LookedUp -> Write | Confirm | Done
//! Write    -> Committed | Known | Behind
//! Confirm  -> Confirmed | Behind
//! Done       replies, and a frame when something was committed
//! ```
//!
//! When the driver cannot tell what became of a batch, it takes the commands back with
//! [`Desk::doubt`], loads the board afresh, gives it back with [`Desk::reload`] together with
//! what Postgres knows of those commands, and hands them in again in halves, so that a poisoned
//! command fails alone.
//!
//! Absences: replies leave only when what they rest on is durable; a refusal leaves only when the
//! board it was decided on is known to be fresh; nothing is decided from memory after doubt.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::board::Board;
use crate::board::change::{Change, Delta};
use crate::board::command::{Actor, Command, Contact, Envelope, Outcome};
use crate::ids::{CommandId, OrderId, Seq};
use crate::refusal::Refusal;
use crate::time::{Millis, Span};
use crate::wire::frame::Frame;

/// Commands decided in one commit.
pub const BATCH_COMMANDS_MAX: usize = 512;
/// Orders ended by time in one commit: releases go in small batches, or holds wait behind them.
pub const EXPIRIES_PER_BATCH_MAX: usize = 250;
/// Outcomes kept in memory; older ones are looked up.
pub const OUTCOMES_IN_MEMORY_MAX: usize = 20_000;
/// A refusal decided on a board older than this is confirmed first.
pub const CONFIRM_AFTER: Span = Span(500);
/// Times a batch is tried again when other processes keep writing first.
pub const OVERTAKEN_MAX: u32 = 50;

/// The caller's name for one waiting reply.
pub type Token = u64;

/// A command's name within its show.
pub type Key = (Actor, CommandId);

/// What a command answered, as stored with its effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    pub key: Key,
    pub fingerprint: u64,
    pub outcome: Outcome,
}

/// What is told to the desk.
#[derive(Debug)]
pub enum Input {
    /// At most [`BATCH_COMMANDS_MAX`]; only while nothing is under way.
    Commands(Vec<(Token, Envelope)>),
    /// Answer to `LookUp`: those of the keys that Postgres knows.
    LookedUp(Vec<Stored>),
    /// The batch is durable.
    Committed,
    /// Nothing was written: these ids are known already.
    Known(Vec<Stored>),
    /// Nothing was written: other processes did these commits first.
    Behind(Vec<Delta>),
    /// The seq in Postgres is the board's.
    Confirmed,
}

/// What the desk asks for.
#[derive(Debug)]
pub enum Output {
    LookUp(Vec<Key>),
    Write(Batch),
    Confirm,
    Done(Done),
}

/// Answers to give, and what the public learns.
#[derive(Debug, Default)]
pub struct Done {
    pub replies: Vec<(Token, Result<Outcome, Refusal>)>,
    /// What changed, commit by commit; reading another process's commits shows here too.
    pub frames: Vec<Frame>,
}

/// One commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The seq it builds on.
    pub expected: Seq,
    pub delta: Delta,
    /// Effects of commands with an id that may be repeated.
    pub outcomes: Vec<Stored>,
    /// Personal data that goes to the orders' rows and nowhere else.
    pub contacts: Vec<(OrderId, Contact)>,
}

/// See the module.
#[derive(Debug)]
pub struct Desk {
    board: Board,
    confirmed_at: Millis,
    recent: Recent,
    now: Millis,
    waiting: Vec<(Token, Envelope)>,
    decided: Vec<(Token, Result<Outcome, Refusal>)>,
    batch: Option<Batch>,
    overtaken: u32,
    done: Done,
}

impl Desk {
    /// `known` are the keys of all outcomes that Postgres keeps for this show.
    pub fn new(board: Board, known: impl IntoIterator<Item = Key>, now: Millis) -> Self {
        Self {
            board,
            confirmed_at: now,
            recent: Recent::new(known),
            now,
            waiting: Vec::new(),
            decided: Vec::new(),
            batch: None,
            overtaken: 0,
            done: Done::default(),
        }
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    /// When the board was last known to be what Postgres has.
    pub fn confirmed_at(&self) -> Millis {
        self.confirmed_at
    }

    /// One step; `now` is Postgres time.
    pub fn step(&mut self, input: Input, now: Millis) -> Output {
        self.now = self.board.not_before(now);
        match input {
            Input::Commands(commands) => {
                assert!(self.waiting.is_empty(), "one batch at a time");
                assert!(commands.len() <= BATCH_COMMANDS_MAX, "batches are bounded");
                self.waiting = commands;
            }
            Input::LookedUp(stored) => {
                self.recent.remember(stored);
                return self.decide();
            }
            Input::Committed => return self.committed(),
            Input::Known(stored) => {
                self.undecide();
                self.recent.remember(stored);
            }
            Input::Behind(deltas) => {
                self.undecide();
                self.follow(&deltas);
                self.overtaken += 1;
                if self.overtaken > OVERTAKEN_MAX {
                    return self.give_up();
                }
            }
            Input::Confirmed => {
                self.confirmed_at = self.now;
                return self.finish();
            }
        }
        // Another process may have carried out one of these very commands meanwhile.
        let keys: Vec<Key> = self.waiting.iter().map(|(_, e)| e.key()).collect();
        let faded = self.recent.faded(&keys);
        if faded.is_empty() {
            self.decide()
        } else {
            Output::LookUp(faded)
        }
    }

    /// Nobody knows what became of the batch: the commands come back, undecided.
    pub fn doubt(&mut self) -> Vec<(Token, Envelope)> {
        self.undecide();
        self.overtaken = 0;
        // Readers begin anew with the board that is loaded: what was read on the way to here is in it.
        self.done.frames.clear();
        std::mem::take(&mut self.waiting)
    }

    /// The board as Postgres has it after doubt, the keys of all outcomes it keeps (commits of
    /// other processes are in the board without having been read), and those of the doubtful
    /// commands that it knows.
    pub fn reload(
        &mut self,
        board: Board,
        known: impl IntoIterator<Item = Key>,
        stored: Vec<Stored>,
        now: Millis,
    ) {
        assert!(self.waiting.is_empty(), "doubtful commands were taken back");
        self.board = board;
        self.confirmed_at = self.board.not_before(now);
        self.recent.note(known);
        self.recent.remember(stored);
    }

    /// Commits of other processes, read while nothing is under way.
    pub fn catch_up(&mut self, deltas: &[Delta], now: Millis) -> Vec<Frame> {
        assert!(self.waiting.is_empty(), "nothing under way");
        self.now = self.board.not_before(now);
        self.follow(deltas);
        std::mem::take(&mut self.done.frames)
    }

    fn follow(&mut self, deltas: &[Delta]) {
        for delta in deltas {
            self.done.frames.push(self.board.follow(delta));
            self.recent.note(delta.commands.iter().copied());
        }
        // What is decided next is not older than what was read, whatever this clock says.
        self.now = self.board.not_before(self.now);
        self.confirmed_at = self.now;
    }

    /// Decides all that waits, in arrival order, on the board as it will be committed.
    fn decide(&mut self) -> Output {
        self.board.mark();
        let mut changes: Vec<Change> = Vec::new();
        let mut outcomes: Vec<Stored> = Vec::new();
        let mut contacts = Vec::new();
        let mut in_batch: HashMap<Key, usize> = HashMap::new();
        for (token, envelope) in &self.waiting {
            let key = envelope.key();
            let earlier = match in_batch.get(&key) {
                Some(at) => Some(&outcomes[*at]),
                None => self.recent.get(&key),
            };
            let answer = if let Some(stored) = earlier {
                repeat(stored, envelope)
            } else {
                self.board.apply(envelope, self.now).map(|verdict| {
                    if !verdict.changes.is_empty() && envelope.may_be_repeated() {
                        in_batch.insert(key, outcomes.len());
                        outcomes.push(Stored {
                            key,
                            fingerprint: envelope.fingerprint,
                            outcome: verdict.outcome.clone(),
                        });
                    }
                    if let Command::PayStart { order, contact, .. } = &envelope.command {
                        contacts.push((*order, contact.clone()));
                    }
                    changes.extend(verdict.changes);
                    verdict.outcome
                })
            };
            self.decided.push((*token, answer));
        }
        if changes.is_empty() {
            self.board.rollback();
            let stale = (self.now - self.confirmed_at) > CONFIRM_AFTER;
            let refuses = self.decided.iter().any(|(_, answer)| answer.is_err());
            return if stale && refuses {
                Output::Confirm
            } else {
                self.finish()
            };
        }
        let batch = Batch {
            expected: self.board.seq(),
            delta: Delta {
                seq: self.board.seq().next(),
                at: self.now,
                commands: outcomes.iter().map(|stored| stored.key).collect(),
                changes,
            },
            outcomes,
            contacts,
        };
        self.batch = Some(batch.clone());
        Output::Write(batch)
    }

    fn committed(&mut self) -> Output {
        let batch = self.batch.take().expect("a batch was written");
        self.board.keep(&batch.delta);
        self.done.frames.push(self.board.frame(&batch.delta));
        self.recent.remember(batch.outcomes);
        self.confirmed_at = self.now;
        self.finish()
    }

    fn finish(&mut self) -> Output {
        self.waiting.clear();
        self.overtaken = 0;
        self.done.replies.append(&mut self.decided);
        Output::Done(std::mem::take(&mut self.done))
    }

    /// Others write so fast that this process never gets its turn: say so, nothing was done.
    fn give_up(&mut self) -> Output {
        let busy = Refusal::Busy { retry_after_s: 1 };
        self.decided = self
            .waiting
            .iter()
            .map(|(token, _)| (*token, Err(busy.clone())))
            .collect();
        self.finish()
    }

    fn undecide(&mut self) {
        self.board.rollback();
        self.decided.clear();
        self.batch = None;
    }
}

impl Envelope {
    /// The command's name within its show.
    pub fn key(&self) -> Key {
        (self.actor, self.id)
    }

    /// Expiry and decline are idempotent by the order's state alone.
    fn may_be_repeated(&self) -> bool {
        !matches!(
            self.command,
            Command::Expire { .. } | Command::Decline { .. }
        )
    }
}

fn repeat(stored: &Stored, envelope: &Envelope) -> Result<Outcome, Refusal> {
    if stored.fingerprint == envelope.fingerprint {
        Ok(stored.outcome.clone())
    } else {
        Err(Refusal::IdempotencyMismatch)
    }
}

/// Which ids are taken: all of them by name, the newest with their outcomes.
#[derive(Debug)]
struct Recent {
    names: HashSet<Key>,
    outcomes: HashMap<Key, Stored>,
    order: VecDeque<Key>,
}

impl Recent {
    fn new(known: impl IntoIterator<Item = Key>) -> Self {
        Self {
            names: known.into_iter().collect(),
            outcomes: HashMap::new(),
            order: VecDeque::new(),
        }
    }

    fn get(&self, key: &Key) -> Option<&Stored> {
        self.outcomes.get(key)
    }

    fn note(&mut self, keys: impl IntoIterator<Item = Key>) {
        self.names.extend(keys);
    }

    fn remember(&mut self, stored: Vec<Stored>) {
        for stored in stored {
            self.names.insert(stored.key);
            if self.outcomes.insert(stored.key, stored.clone()).is_none() {
                self.order.push_back(stored.key);
            }
        }
        while self.order.len() > OUTCOMES_IN_MEMORY_MAX {
            if let Some(oldest) = self.order.pop_front() {
                self.outcomes.remove(&oldest);
            }
        }
    }

    /// Keys that are taken but whose outcomes are not in memory.
    fn faded(&self, keys: &[Key]) -> Vec<Key> {
        keys.iter()
            .filter(|key| self.names.contains(key) && !self.outcomes.contains_key(key))
            .copied()
            .collect()
    }
}

#[cfg(test)]
mod tests;
