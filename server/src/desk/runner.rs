//! The task that runs one show's desk: it takes what waits in the inbox, drives
//! [`domain::desk::Desk`] against Postgres, answers, and feeds the hub. There is one per show and
//! process, begun when the show is first asked for; it ends with the process.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use domain::board::command::{Actor, Command, Envelope, Outcome};
use domain::desk::{
    BATCH_COMMANDS_MAX, Batch, Desk, Done, EXPIRIES_PER_BATCH_MAX, Input, Output, Token,
};
use domain::ids::CommandId;
use domain::refusal::Refusal;
use domain::time::Millis;
use sqlx::PgPool;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::Habits;
use super::house::House;
use super::ledger::{self, Written};
use super::meters;
use super::wake::Waker;
use crate::clock::{Clock, Stopwatch};
use crate::error::{Error, Result};

/// How often the log is read while somebody watches or buys.
const FOLLOW_EVERY: Duration = Duration::from_millis(250);
/// The same while nobody does.
const FOLLOW_IDLE_EVERY: Duration = Duration::from_secs(2);
/// A command keeps its show awake for this long.
const AWAKE_FOR: Duration = Duration::from_secs(10);
/// Shortest sleep of the expiry timer.
const TIMER_MIN: Duration = Duration::from_millis(5);
/// Times a single command is tried before it fails alone: more than twice, since a connection may
/// be lost under the same command again without any fault of it.
const TRIES_MAX: u32 = 4;
/// Pauses between attempts to load the board again.
const RELOAD_PAUSES: [Duration; 5] = [
    Duration::from_millis(0),
    Duration::from_millis(50),
    Duration::from_millis(200),
    Duration::from_millis(500),
    Duration::from_millis(1000),
];

/// A command with the place where its answer is awaited.
pub(super) struct Job {
    pub envelope: Envelope,
    pub reply: oneshot::Sender<Result<Outcome>>,
    pub arrived: Stopwatch,
}

type Commands = Vec<(Token, Envelope)>;

/// What a runner needs besides its show.
pub(super) struct Surroundings {
    pub db: PgPool,
    pub clock: Clock,
    pub waker: Waker,
    pub cancel: CancellationToken,
    pub habits: Habits,
}

pub(super) struct Runner {
    around: Surroundings,
    house: Arc<House>,
    desk: Desk,
    inbox: mpsc::Receiver<Job>,
    /// Answers awaited, by token; expiries await none.
    waiting: HashMap<Token, (oneshot::Sender<Result<Outcome>>, Stopwatch)>,
    last_token: Token,
    last_command: Stopwatch,
}

impl Runner {
    pub(super) fn new(
        around: Surroundings,
        house: Arc<House>,
        desk: Desk,
        inbox: mpsc::Receiver<Job>,
    ) -> Self {
        house.reset(desk.board());
        Self {
            around,
            house,
            desk,
            inbox,
            waiting: HashMap::new(),
            last_token: 0,
            last_command: Stopwatch::start(),
        }
    }

    /// Runs until the process ends or nobody has asked for long; commands under way are finished
    /// first.
    pub(super) async fn run(mut self) {
        let mut followed = Stopwatch::start();
        let mut more_due = false;
        while !self.is_idle() {
            let pause = if more_due {
                Duration::ZERO
            } else {
                self.pause(followed)
            };
            let mut woken = false;
            let house = Arc::clone(&self.house);
            tokio::select! {
                biased;
                () = self.around.cancel.cancelled() => break,
                job = self.inbox.recv() => match job {
                    Some(job) => {
                        let commands = self.take_batch(job);
                        self.carry_out(commands).await;
                    }
                    None => break,
                },
                () = house.woken() => woken = true,
                () = tokio::time::sleep(pause) => {}
            }
            more_due = self.expire_due().await;
            if woken || followed.elapsed() >= self.follow_every() {
                followed = Stopwatch::start();
                self.follow().await;
            }
        }
        // What is still in the inbox was not begun: its senders see the channel close.
        self.inbox.close();
        while let Ok(job) = self.inbox.try_recv() {
            let _ = job
                .reply
                .send(Err(Refusal::Busy { retry_after_s: 1 }.into()));
        }
    }

    fn now(&self) -> Millis {
        self.around.clock.now()
    }

    fn is_idle(&self) -> bool {
        let nothing_held = self.desk.board().next_deadline(Millis(0)).is_none();
        nothing_held
            && self.house.quiet_for() > self.around.habits.idle_after
            && !self.house.is_watched()
    }

    fn follow_every(&self) -> Duration {
        if self.house.is_watched() || self.last_command.elapsed() < AWAKE_FOR {
            FOLLOW_EVERY
        } else {
            FOLLOW_IDLE_EVERY
        }
    }

    /// Until the next deadline or the next look at the log.
    fn pause(&self, followed: Stopwatch) -> Duration {
        let follow = self.follow_every().saturating_sub(followed.elapsed());
        let now = self.now();
        match self.desk.board().next_deadline(now) {
            Some(deadline) if self.around.habits.expire_on_time => {
                let left = Duration::from_millis((deadline - now).0.max(0) as u64);
                left.min(follow).max(TIMER_MIN)
            }
            _ => follow.max(TIMER_MIN),
        }
    }

    /// `first` and all that wait behind it, up to the maximum: the batch forms from the backlog,
    /// without a timer.
    fn take_batch(&mut self, first: Job) -> Commands {
        let mut commands = Vec::new();
        let mut next = Some(first);
        while let Some(job) = next {
            self.last_token += 1;
            let asked = (job.reply, job.arrived);
            self.waiting.insert(self.last_token, asked);
            commands.push((self.last_token, job.envelope));
            next = if commands.len() < BATCH_COMMANDS_MAX {
                self.inbox.try_recv().ok()
            } else {
                None
            };
        }
        self.last_command = Stopwatch::start();
        commands
    }

    /// Ends what is due; `true` when there may be more of it: it waits for the next turn, behind
    /// the commands that came meanwhile.
    async fn expire_due(&mut self) -> bool {
        if !self.around.habits.expire_on_time {
            return false;
        }
        let now = self.now();
        let due = self.desk.board().due(now, EXPIRIES_PER_BATCH_MAX);
        if due.is_empty() {
            return false;
        }
        let more = due.len() == EXPIRIES_PER_BATCH_MAX;
        for order in &due {
            if let Some(order) = self.desk.board().order(*order) {
                meters::expired_late(now - order.deadline);
            }
        }
        let commands = due
            .into_iter()
            .map(|order| {
                self.last_token += 1;
                let envelope = Envelope {
                    id: CommandId(rand::random()),
                    actor: Actor::System,
                    fingerprint: 0,
                    command: Command::Expire {
                        order,
                        attempt: None,
                    },
                };
                (self.last_token, envelope)
            })
            .collect();
        self.carry_out(commands).await;
        more
    }

    /// Carries out commands; what ends in doubt is tried again in halves on a fresh board, so
    /// that a poisoned command fails alone.
    async fn carry_out(&mut self, commands: Commands) {
        let mut work = vec![(commands, 0)];
        while let Some((commands, tries)) = work.pop() {
            let Err(fault) = self.drive(commands).await else {
                continue;
            };
            meters::doubted();
            tracing::warn!(show = %self.house.show, error = format!("{fault:#}"), "desk in doubt");
            let back = self.desk.doubt();
            if !self.reload(&back).await {
                let left = work.into_iter().flat_map(|(commands, _)| commands);
                self.fail(back.into_iter().chain(left), "the board could not be read");
                return;
            }
            if back.len() > 1 {
                let (first, second) = back.split_at(back.len() / 2);
                work.push((second.to_vec(), tries));
                work.push((first.to_vec(), tries));
            } else if tries + 1 < TRIES_MAX {
                work.push((back, tries + 1));
            } else {
                self.fail(back, &format!("{fault:#}"));
            }
        }
    }

    /// One batch to its end. An error means that nobody knows what became of it.
    async fn drive(&mut self, commands: Commands) -> anyhow::Result<()> {
        let mut output = self.step(Input::Commands(commands));
        loop {
            let input = match output {
                Output::LookUp(keys) => Input::LookedUp(
                    ledger::outcomes(&self.around.db, self.house.show, &keys).await?,
                ),
                Output::Write(batch) => self.write(&batch).await?,
                Output::Confirm => self.confirm().await?,
                Output::Done(done) => {
                    self.finish(done);
                    return Ok(());
                }
            };
            output = self.step(input);
        }
    }

    fn step(&mut self, input: Input) -> Output {
        let now = self.now();
        self.desk.step(input, now)
    }

    async fn write(&self, batch: &Batch) -> anyhow::Result<Input> {
        let began = Stopwatch::start();
        let currency = self.desk.board().settings().currency;
        let written = ledger::commit(&self.around.db, self.house.show, currency, batch).await?;
        Ok(match written {
            Written::Done => {
                meters::committed(batch, began.elapsed());
                self.around.waker.say(self.house.show, batch.delta.seq);
                Input::Committed
            }
            Written::Known => {
                let keys: Vec<_> = batch.outcomes.iter().map(|stored| stored.key).collect();
                Input::Known(ledger::outcomes(&self.around.db, self.house.show, &keys).await?)
            }
            Written::Behind => {
                meters::overtaken();
                let deltas = self.read_log().await?;
                anyhow::ensure!(!deltas.is_empty(), "behind, but the log has nothing new");
                Input::Behind(deltas)
            }
        })
    }

    async fn confirm(&self) -> anyhow::Result<Input> {
        let seq = ledger::seq(&self.around.db, self.house.show).await?;
        if seq == self.desk.board().seq() {
            return Ok(Input::Confirmed);
        }
        Ok(Input::Behind(self.read_log().await?))
    }

    async fn read_log(&self) -> anyhow::Result<Vec<domain::board::change::Delta>> {
        let seq = self.desk.board().seq();
        let deltas = ledger::deltas(&self.around.db, self.house.show, seq).await?;
        // A gap would mean that the log was cut: reloading the board is the only way on.
        let follows = |(ix, delta): (usize, &domain::board::change::Delta)| {
            delta.seq.0 == seq.0 + 1 + ix as u64
        };
        anyhow::ensure!(deltas.iter().enumerate().all(follows), "a gap in the log");
        Ok(deltas)
    }

    /// Reads what other processes did, while nothing is under way here.
    async fn follow(&mut self) {
        let deltas = match self.read_log().await {
            Ok(deltas) => deltas,
            Err(fault) => {
                tracing::warn!(show = %self.house.show, error = format!("{fault:#}"), "log not read");
                return;
            }
        };
        let now = self.now();
        for frame in self.desk.catch_up(&deltas, now) {
            self.house.publish(frame, self.desk.board());
        }
        self.house.note_settings(self.desk.board());
    }

    /// The public first, so that whoever is answered finds what was done in the next snapshot.
    fn finish(&mut self, done: Done) {
        for frame in done.frames {
            self.house.publish(frame, self.desk.board());
        }
        self.house.note_settings(self.desk.board());
        for (token, answer) in done.replies {
            let Some((reply, arrived)) = self.waiting.remove(&token) else {
                continue;
            };
            meters::answered(arrived.elapsed());
            // Whoever asked may have gone; the effect stands and a repeat will find it.
            let _ = reply.send(answer.map_err(Error::from));
        }
    }

    async fn reload(&mut self, doubtful: &Commands) -> bool {
        let keys: Vec<_> = doubtful
            .iter()
            .map(|(_, envelope)| envelope.key())
            .collect();
        for pause in RELOAD_PAUSES {
            tokio::time::sleep(pause).await;
            match self.read_again(&keys).await {
                Ok(()) => return true,
                Err(fault) => {
                    tracing::warn!(show = %self.house.show, error = format!("{fault:#}"), "board not read");
                }
            }
        }
        false
    }

    async fn read_again(&mut self, keys: &[domain::desk::Key]) -> anyhow::Result<()> {
        let plan = Arc::clone(&self.house.plan);
        let (board, known) = ledger::load(&self.around.db, self.house.show, plan)
            .await
            .context("loading the board")?;
        let stored = ledger::outcomes(&self.around.db, self.house.show, keys).await?;
        let now = self.now();
        self.desk.reload(board, known, stored, now);
        self.house.reset(self.desk.board());
        Ok(())
    }

    fn fail(&mut self, commands: impl IntoIterator<Item = (Token, Envelope)>, why: &str) {
        for (token, envelope) in commands {
            if let Some((reply, _)) = self.waiting.remove(&token) {
                let fault = anyhow::anyhow!("command {} failed: {why}", envelope.id);
                let _ = reply.send(Err(Error::Fault(fault)));
            }
        }
    }
}
