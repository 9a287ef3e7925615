//! The desks of this process: the only way in which a show's inventory changes.
//!
//! Writes the tables of 0004_desk.sql, all through `desk_commit`. Sends out frames to the hub.
//! Invariants: an answer leaves after its commit; nothing here knows HTTP, payments or people;
//! two processes on one show are kept apart by the fence, not by anything in memory.

mod house;
mod ledger;
mod meters;
mod purge;
mod rows;
mod runner;
mod sweep;
mod wake;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::board::Plan;
use domain::board::command::{Envelope, Outcome};
use domain::desk::Desk;
use domain::ids::Seq;
use domain::ids::ShowId;
use domain::refusal::Refusal;
use redis::aio::ConnectionManager;
use sqlx::PgPool;
use tokio::sync::{OnceCell, mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use house::House;
pub use purge::purge;
pub use sweep::sweep;
pub use wake::listen;

use crate::catalog;
use crate::clock::{Clock, Stopwatch};
use crate::error::Result;
use crate::live::Hubs;
use crate::venues::SeatMaps;
use runner::{Job, Runner, Surroundings};
use wake::Waker;

/// Commands waiting for one desk; beyond it they are told to come back.
pub const INBOX_COMMANDS_MAX: usize = 8_192;

/// All desks of this process. Cheap to clone.
#[derive(Clone)]
pub struct Desks(Arc<Inner>);

struct Inner {
    db: PgPool,
    clock: Clock,
    hubs: Hubs,
    seat_maps: SeatMaps,
    waker: Waker,
    habits: Habits,
    shows: Mutex<HashMap<ShowId, Arc<OnceCell<Handle>>>>,
    cancel: CancellationToken,
    tasks: TaskTracker,
}

/// What desks do without being asked.
#[derive(Debug, Clone, Copy)]
pub struct Habits {
    /// End holds at their deadline; otherwise only for whoever wants their places next.
    pub expire_on_time: bool,
    /// End themselves when nobody has asked or watched for so long and nothing is held; the next
    /// question opens them anew.
    pub idle_after: Duration,
}

impl Default for Habits {
    fn default() -> Self {
        Self {
            expire_on_time: true,
            idle_after: Duration::from_secs(15 * 60),
        }
    }
}

/// A running desk.
#[derive(Clone)]
struct Handle {
    house: Arc<House>,
    inbox: mpsc::Sender<Job>,
}

impl Desks {
    /// Desks of this process; each begins when its show is first asked for.
    pub fn new(
        db: PgPool,
        clock: Clock,
        hubs: Hubs,
        seat_maps: SeatMaps,
        redis: ConnectionManager,
        habits: Habits,
    ) -> Self {
        Self(Arc::new(Inner {
            db,
            clock,
            hubs,
            seat_maps,
            waker: Waker::start(redis),
            habits,
            shows: Mutex::new(HashMap::new()),
            cancel: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }))
    }

    /// Has `envelope` decided and, if it is not refused, made durable.
    ///
    /// # Errors
    /// Any refusal of the board; `NotFound` for an unknown show; `Busy` when the inbox is full.
    pub async fn submit(&self, show: ShowId, envelope: Envelope) -> Result<Outcome> {
        let handle = self.open(show).await?;
        let (reply, answer) = oneshot::channel();
        let job = Job {
            envelope,
            reply,
            arrived: Stopwatch::start(),
        };
        let busy = Refusal::Busy { retry_after_s: 1 };
        if handle.inbox.try_send(job).is_err() {
            return Err(busy.into());
        }
        // A runner that ended in the middle: a repeat of the id will tell what became of it.
        answer.await.unwrap_or_else(|_| Err(busy.into()))
    }

    /// What may be known about a show; its desk runs from now on.
    pub async fn house(&self, show: ShowId) -> Result<Arc<House>> {
        Ok(self.open(show).await?.house)
    }

    /// Commands that wait in the inboxes.
    pub fn waiting(&self) -> usize {
        let shows = self.0.shows.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = shows.values().filter_map(|cell| cell.get());
        let waiting = opened.map(|desk| desk.inbox.max_capacity() - desk.inbox.capacity());
        waiting.sum()
    }

    /// Brings the gauge of waiting commands up to date.
    pub fn measure(&self) {
        meters::waiting(self.waiting());
    }

    /// Another process has committed `seq`: the desk, if it runs here and has not seen it yet,
    /// reads the log now.
    fn wake(&self, show: ShowId, seq: Seq) {
        let shows = self.0.shows.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(handle) = shows.get(&show).and_then(|cell| cell.get()) {
            handle.house.wake(seq);
        }
    }

    fn stopping(&self) -> CancellationToken {
        self.0.cancel.clone()
    }

    /// Finishes what is under way and ends all desks.
    pub async fn close(&self) {
        self.0.cancel.cancel();
        self.0.tasks.close();
        self.0.tasks.wait().await;
    }

    /// The desk of `show`, which runs: one that ended, by itself or by a bug, is begun anew.
    async fn open(&self, show: ShowId) -> Result<Handle> {
        let cell = {
            let mut shows = self.0.shows.lock().unwrap_or_else(PoisonError::into_inner);
            let cell = shows.entry(show).or_default();
            if cell.get().is_some_and(|handle| handle.inbox.is_closed()) {
                *cell = Arc::default();
            }
            Arc::clone(cell)
        };
        match cell.get_or_try_init(|| self.begin(show)).await {
            Ok(handle) => {
                handle.house.note_asked();
                Ok(handle.clone())
            }
            Err(error) => {
                self.forget_unopened(show, &cell);
                Err(error)
            }
        }
    }

    async fn begin(&self, show: ShowId) -> Result<Handle> {
        let inner = &self.0;
        let row = catalog::plan(&inner.db, show).await?;
        let seat_map = inner.seat_maps.get(row.seat_map).await?;
        let plan = Arc::new(Plan::new(seat_map, row.seat_tiers, row.area_tiers));
        ledger::open(&inner.db, show, &plan).await?;
        let (board, known) = ledger::load(&inner.db, show, plan).await?;
        let channel = inner.hubs.channel(show);
        let house = House::new(show, row.event, row.seat_map, channel, &board);
        let house = Arc::new(house);
        let (inbox, jobs) = mpsc::channel(INBOX_COMMANDS_MAX);
        let around = Surroundings {
            db: inner.db.clone(),
            clock: inner.clock.clone(),
            waker: inner.waker.clone(),
            cancel: inner.cancel.child_token(),
            habits: inner.habits,
        };
        let desk = Desk::new(board, known, inner.clock.now());
        let runner = Runner::new(around, Arc::clone(&house), desk, jobs);
        inner.tasks.spawn(runner.run());
        Ok(Handle { house, inbox })
    }

    /// Unknown shows must not pile up. Somebody else may have had more luck with the same cell.
    fn forget_unopened(&self, show: ShowId, cell: &Arc<OnceCell<Handle>>) {
        let mut shows = self.0.shows.lock().unwrap_or_else(PoisonError::into_inner);
        let current = shows.get(&show);
        if cell.get().is_none() && current.is_some_and(|current| Arc::ptr_eq(current, cell)) {
            shows.remove(&show);
        }
    }
}
