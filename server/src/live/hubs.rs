use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use domain::ids::ShowId;
use domain::wire::snapshot::Epoch;
use metrics::{Counter, Gauge};
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use super::channel::Channel;
use crate::error::Result;
use crate::telemetry::names;

/// The channels of this process. Cheap to clone.
#[derive(Clone)]
pub struct Hubs(Arc<Parts>);

struct Parts {
    epoch: Epoch,
    /// One per show that was looked at; a channel without a house is a few hundred bytes.
    channels: Mutex<HashMap<ShowId, Arc<Channel>>>,
    meters: Arc<Meters>,
    ending: CancellationToken,
}

/// What `/metrics` says about streams.
pub(super) struct Meters {
    pub clients: Gauge,
    /// Frames encoded, over all shows.
    pub frames: Counter,
    /// Bytes handed to connections, heartbeats included.
    pub bytes: Counter,
    pub resyncs: Counter,
    /// Streams open now; the gauge shows it, the limit needs it.
    pub open: std::sync::atomic::AtomicUsize,
}

impl Hubs {
    /// `epoch` is the one of [`epoch()`]. When `ending` is cancelled all streams end.
    pub fn new(epoch: Epoch, ending: CancellationToken) -> Self {
        let meters = Meters {
            clients: metrics::gauge!(names::STREAM_CLIENTS),
            frames: metrics::counter!(names::STREAM_FRAMES),
            bytes: metrics::counter!(names::STREAM_BYTES),
            resyncs: metrics::counter!(names::STREAM_RESYNCS),
            open: 0.into(),
        };
        let hubs = Self(Arc::new(Parts {
            epoch,
            channels: Mutex::default(),
            meters: Arc::new(meters),
            ending: ending.clone(),
        }));
        let ended = hubs.clone();
        tokio::spawn(async move {
            ending.cancelled().await;
            for channel in ended.lock().values() {
                channel.end();
            }
        });
        hubs
    }

    /// The channel of a show that exists; made at the first call.
    pub fn channel(&self, show: ShowId) -> Arc<Channel> {
        let mut channels = self.lock();
        let channel = channels.entry(show).or_insert_with(|| {
            Arc::new(Channel::new(show, self.0.epoch, Arc::clone(&self.0.meters)))
        });
        if self.0.ending.is_cancelled() {
            channel.end();
        }
        Arc::clone(channel)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<ShowId, Arc<Channel>>> {
        self.0
            .channels
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The epoch that all processes on one database share. It changes with another cluster and with
/// another timeline: a restored or failed-over database may have lost commits that clients saw.
pub async fn epoch(db: &PgPool) -> Result<Epoch> {
    let (cluster, timeline): (i64, i32) = sqlx::query_as(
        "select s.system_identifier, c.timeline_id from pg_control_system() s, pg_control_checkpoint() c",
    )
    .fetch_one(db)
    .await?;
    let mixed = (cluster as u64 ^ (timeline as u64) << 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Ok(Epoch((mixed >> 32) as u32))
}
