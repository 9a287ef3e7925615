use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use axum::body::Bytes;
use domain::ids::{Seq, ShowId};
use domain::wire::frame::Frame;
use domain::wire::snapshot::{Applied, Epoch, Gap, Position, Snapshot};
use tokio::sync::watch;

use super::TICK;
use super::hubs::Meters;
use super::ring::{Next, Ring};
use super::snapshot::json;

/// The way out of one show. Made by [`super::Hubs`], kept as long as the process.
pub struct Channel {
    pub show: ShowId,
    state: Mutex<State>,
    /// Bumped when there is something new to read; what it is stands in `state`.
    news: watch::Sender<News>,
    pub(super) meters: Arc<Meters>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum News {
    Open,
    /// The process shuts down: streams end.
    Ended,
}

struct State {
    epoch: Epoch,
    /// `None` until the desk has opened.
    house: Option<Snapshot>,
    /// What `house` knows beyond the ring.
    pending: Option<Frame>,
    /// A task waits for the end of the tick.
    ticking: bool,
    ring: Ring,
    served: Option<Arc<Served>>,
}

impl State {
    /// A place of another epoch, or from the future, is no place in this history.
    fn after(&self, mine: Position) -> Next {
        match &self.house {
            Some(house) if mine.epoch == self.epoch && mine.seq <= house.seq => {
                self.ring.after(mine.seq)
            }
            _ => Next::Gone,
        }
    }
}

/// A snapshot as it travels, encoded once.
pub(super) struct Served {
    pub position: Position,
    pub binary: Bytes,
    show: ShowId,
    snapshot: Snapshot,
    json: OnceLock<Bytes>,
}

impl Served {
    pub fn json(&self) -> Bytes {
        self.json
            .get_or_init(|| json(self.show, self.position, &self.snapshot))
            .clone()
    }
}

/// What a stream does next.
pub(super) enum Step {
    /// An event that takes the listener on.
    Event(Bytes),
    /// What the listener knows cannot be continued; it stands here after fetching a snapshot.
    Resync(Position),
    Wait,
}

impl Channel {
    pub(super) fn new(show: ShowId, epoch: Epoch, meters: Arc<Meters>) -> Self {
        Self {
            show,
            state: Mutex::new(State {
                epoch,
                house: None,
                pending: None,
                ticking: false,
                ring: Ring::at(Seq(0)),
                served: None,
            }),
            news: watch::Sender::new(News::Open),
            meters,
        }
    }

    /// Puts the channel at `house`, when the desk has opened or has read its board again.
    /// The same state at the same seq changes nothing; a later one continues the epoch, and
    /// streams fetch it; any other begins an epoch.
    pub fn reset(&self, house: Snapshot) {
        let mut state = self.lock();
        if let Some(old) = &state.house {
            if *old == house {
                return;
            }
            if house.seq <= old.seq {
                state.epoch = after(state.epoch, house.seq);
            }
        }
        state.ring = Ring::at(house.seq);
        state.pending = None;
        state.served = None;
        state.house = Some(house);
        drop(state);
        self.tell();
    }

    /// Takes a commit. It is in the snapshot at once and leaves for the streams with the tick.
    ///
    /// # Errors
    /// When the frame does not continue what the channel has: nothing changed, and the desk
    /// resets the channel to its board.
    pub fn publish(self: &Arc<Self>, frame: Frame) -> Result<(), Gap> {
        let mut state = self.lock();
        let Some(house) = &mut state.house else {
            return Err(Gap {
                mine: Seq(0),
                from: frame.from,
            });
        };
        if house.apply(&frame)? == Applied::Known {
            return Ok(());
        }
        state.served = None;
        match &mut state.pending {
            Some(pending) => pending
                .merge(frame)
                .expect("pending frames follow each other"),
            None => state.pending = Some(frame),
        }
        if !state.ticking {
            state.ticking = true;
            drop(state);
            self.flush();
            tokio::spawn(Arc::clone(self).ticks());
        }
        Ok(())
    }

    /// Sends what gathers in each tick, and ends with the first tick in which nothing did.
    async fn ticks(self: Arc<Self>) {
        loop {
            tokio::time::sleep(TICK).await;
            if !self.flush() {
                return;
            }
        }
    }

    /// Moves what is pending into the ring. False, and not ticking any more, if nothing is.
    fn flush(&self) -> bool {
        let mut state = self.lock();
        let Some(frame) = state.pending.take() else {
            state.ticking = false;
            return false;
        };
        let epoch = state.epoch;
        state.ring.push(epoch, &frame);
        drop(state);
        self.meters.frames.increment(1);
        self.tell();
        true
    }

    /// Where the channel stands; `None` until the desk has opened.
    pub fn position(&self) -> Option<Position> {
        let state = self.lock();
        let seq = state.house.as_ref()?.seq;
        Some(Position {
            epoch: state.epoch,
            seq,
        })
    }

    /// A copy of the house as it is now; `None` until the desk has opened.
    pub fn house(&self) -> Option<Snapshot> {
        self.lock().house.clone()
    }

    pub(super) fn served(&self) -> Option<Arc<Served>> {
        let mut state = self.lock();
        if let Some(served) = &state.served {
            return Some(Arc::clone(served));
        }
        let snapshot = state.house.clone()?;
        let served = Arc::new(Served {
            position: Position {
                epoch: state.epoch,
                seq: snapshot.seq,
            },
            binary: snapshot.encode(state.epoch).into(),
            show: self.show,
            snapshot,
            json: OnceLock::new(),
        });
        state.served = Some(Arc::clone(&served));
        Some(served)
    }

    /// What there is for a listener that stands at `mine`, which moves on with it.
    pub(super) fn step(&self, mine: &mut Option<Position>) -> Step {
        let state = self.lock();
        let Some(house) = &state.house else {
            return Step::Wait;
        };
        let here = Position {
            epoch: state.epoch,
            seq: house.seq,
        };
        let next = mine.map_or(Next::Gone, |mine| state.after(mine));
        match next {
            Next::Event(event, seq) => {
                *mine = Some(Position { seq, ..here });
                Step::Event(event)
            }
            Next::Nothing => Step::Wait,
            Next::Gone => {
                *mine = Some(here);
                Step::Resync(here)
            }
        }
    }

    /// Whether a listener that stands at `mine` can go on from there.
    pub(super) fn continues(&self, mine: Position) -> bool {
        self.lock().after(mine) != Next::Gone
    }

    /// Ends with the next news: a new frame, a reset, or (false) the end of the process.
    pub(super) fn listen(&self) -> Ear {
        Ear(self.news.subscribe())
    }

    /// Somebody streams this show.
    pub fn is_watched(&self) -> bool {
        self.listeners() > 0
    }

    pub(super) fn listeners(&self) -> usize {
        self.news.receiver_count()
    }

    /// Wakes who listens, unless the end has been told.
    fn tell(&self) {
        self.news.send_if_modified(|news| *news == News::Open);
    }

    pub(super) fn end(&self) {
        self.news.send_replace(News::Ended);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that runs under this lock leaves the state half changed.
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Hears of news, also of news between two calls.
pub(super) struct Ear(watch::Receiver<News>);

impl Ear {
    /// Waits for news; false when there will be none any more.
    pub async fn news(&mut self) -> bool {
        self.0.changed().await.is_ok() && self.open()
    }

    pub fn open(&self) -> bool {
        *self.0.borrow() == News::Open
    }
}

/// Another epoch than `epoch`. Where the channel was put back to is mixed in, so that two
/// processes that saw the same agree.
fn after(epoch: Epoch, seq: Seq) -> Epoch {
    let mixed = (u64::from(epoch.0) << 32 ^ seq.0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let next = (mixed >> 32) as u32;
    Epoch(if next == epoch.0 { !next } else { next })
}

#[cfg(test)]
#[path = "channel_tests.rs"]
mod tests;
