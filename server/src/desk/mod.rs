//! The desks of this process: the only way in which a show's inventory changes.
//!
//! Writes the tables of 0004_desk.sql, all through `desk_commit`. Sends out frames to the hub.
//! Invariants: an answer leaves after its commit; nothing here knows HTTP, payments or people;
//! two processes on one show are kept apart by the fence, not by anything in memory.

mod house;
mod ledger;
mod meters;
mod rows;
mod runner;
mod sweep;
mod wake;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

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
pub use sweep::sweep;
pub use wake::listen;

use crate::catalog;
use crate::clock::{Clock, Stopwatch};
use crate::error::Result;
use crate::live::Hubs;
use crate::venues::SeatMaps;
use runner::{Job, Runner};
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
    /// Holds end at their deadline by themselves.
    expire_on_time: bool,
    shows: Mutex<HashMap<ShowId, Arc<OnceCell<Handle>>>>,
    cancel: CancellationToken,
    tasks: TaskTracker,
}

/// A running desk.
struct Handle {
    house: Arc<House>,
    inbox: mpsc::Sender<Job>,
}

impl Desks {
    /// Desks that end holds at their deadline by themselves if `expire_on_time`; otherwise only
    /// for whoever wants their places next.
    pub fn new(
        db: PgPool,
        clock: Clock,
        hubs: Hubs,
        seat_maps: SeatMaps,
        redis: ConnectionManager,
        expire_on_time: bool,
    ) -> Self {
        Self(Arc::new(Inner {
            db,
            clock,
            hubs,
            seat_maps,
            waker: Waker::start(redis),
            expire_on_time,
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
        let cell = self.open(show).await?;
        let handle = cell.get().expect("opened");
        let (reply, answer) = oneshot::channel();
        let job = Job {
            envelope,
            reply,
            arrived: Stopwatch::start(),
        };
        let busy = Refusal::Busy { retry_after_s: 1 };
        match handle.inbox.try_send(job) {
            Ok(()) => {}
            Err(mpsc::error::TrySendError::Full(_)) => return Err(busy.into()),
            Err(mpsc::error::TrySendError::Closed(_)) => {
                self.forget(show, &cell);
                return Err(busy.into());
            }
        }
        match answer.await {
            Ok(answer) => answer,
            // The runner ended in the middle: a repeat of the id will tell what became of it.
            Err(_) => {
                self.forget(show, &cell);
                Err(busy.into())
            }
        }
    }

    /// What may be known about a show; its desk runs from now on.
    pub async fn house(&self, show: ShowId) -> Result<Arc<House>> {
        let cell = self.open(show).await?;
        Ok(Arc::clone(&cell.get().expect("opened").house))
    }

    /// The house of a show whose desk runs already.
    pub fn opened(&self, show: ShowId) -> Option<Arc<House>> {
        let shows = self.0.shows.lock().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(&shows.get(&show)?.get()?.house))
    }

    /// Another process has committed `seq`: the desk, if it runs here and has not seen it yet,
    /// reads the log now.
    fn wake(&self, show: ShowId, seq: Seq) {
        if let Some(house) = self.opened(show) {
            house.wake(seq);
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

    async fn open(&self, show: ShowId) -> Result<Arc<OnceCell<Handle>>> {
        let cell = {
            let mut shows = self.0.shows.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(shows.entry(show).or_default())
        };
        let opened = cell.get_or_try_init(|| self.begin(show)).await.map(|_| ());
        if let Err(error) = opened {
            // Unknown shows must not pile up.
            self.forget(show, &cell);
            return Err(error);
        }
        Ok(cell)
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
        let runner = Runner::new(
            inner.db.clone(),
            inner.clock.clone(),
            Arc::clone(&house),
            Desk::new(board, known, inner.clock.now()),
            jobs,
            inner.waker.clone(),
            inner.cancel.child_token(),
        );
        let runner = if inner.expire_on_time {
            runner
        } else {
            runner.without_timer()
        };
        inner.tasks.spawn(runner.run());
        Ok(Handle { house, inbox })
    }

    /// Lets go of a desk that ended, so that the next command opens it anew.
    fn forget(&self, show: ShowId, cell: &Arc<OnceCell<Handle>>) {
        let mut shows = self.0.shows.lock().unwrap_or_else(PoisonError::into_inner);
        if shows
            .get(&show)
            .is_some_and(|current| Arc::ptr_eq(current, cell))
        {
            shows.remove(&show);
        }
    }
}
