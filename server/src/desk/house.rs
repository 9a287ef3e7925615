//! What readers of a show may know without asking its desk: plan, settings, and the channel of
//! its live state. Shared by all requests; written by the show's runner alone.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use domain::board::settings::Settings;
use domain::board::{Board, Plan};
use domain::ids::{EventId, SeatMapId, Seq, ShowId};
use domain::wire::frame::Frame;
use domain::wire::snapshot::Snapshot;

use tokio::sync::Notify;

use crate::clock::Stopwatch;
use crate::live::Channel;

pub struct House {
    pub show: ShowId,
    pub event: EventId,
    pub seat_map: SeatMapId,
    pub plan: Arc<Plan>,
    pub channel: Arc<Channel>,
    settings: RwLock<Arc<Settings>>,
    news: Notify,
    /// Since somebody last asked for this house.
    asked: RwLock<Stopwatch>,
}

impl House {
    pub(super) fn new(
        show: ShowId,
        event: EventId,
        seat_map: SeatMapId,
        channel: Arc<Channel>,
        board: &Board,
    ) -> Self {
        Self {
            show,
            event,
            seat_map,
            plan: Arc::clone(board.plan()),
            channel,
            settings: RwLock::new(Arc::clone(board.settings())),
            news: Notify::new(),
            asked: RwLock::new(Stopwatch::start()),
        }
    }

    /// The settings under which the desk decides now.
    pub fn settings(&self) -> Arc<Settings> {
        let settings = self.settings.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&settings)
    }

    /// The live state; the desk has opened when there is a house.
    pub fn snapshot(&self) -> Snapshot {
        self.channel.house().expect("the runner reset the channel")
    }

    /// Tells the runner that there is something to read, unless the public knows it already.
    pub(super) fn wake(&self, seq: Seq) {
        if self.channel.position().is_none_or(|known| known.seq < seq) {
            self.news.notify_one();
        }
    }

    /// Somebody asks for this house.
    pub(super) fn note_asked(&self) {
        *self.asked.write().unwrap_or_else(PoisonError::into_inner) = Stopwatch::start();
    }

    /// How long nobody has asked for it.
    pub(super) fn quiet_for(&self) -> Duration {
        let asked = self.asked.read().unwrap_or_else(PoisonError::into_inner);
        asked.elapsed()
    }

    pub(super) async fn woken(&self) {
        self.news.notified().await;
    }

    pub(super) fn is_watched(&self) -> bool {
        self.channel.is_watched()
    }

    pub(super) fn reset(&self, board: &Board) {
        self.channel.reset(board.snapshot());
        self.note_settings(board);
    }

    /// Hands a commit to the public; what does not follow is replaced whole.
    pub(super) fn publish(&self, frame: Frame, board: &Board) {
        if self.channel.publish(frame).is_err() {
            self.channel.reset(board.snapshot());
        }
    }

    pub(super) fn note_settings(&self, board: &Board) {
        let mut settings = self
            .settings
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&settings, board.settings()) {
            *settings = Arc::clone(board.settings());
        }
    }
}
