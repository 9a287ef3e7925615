//! Facts on their way out: one channel a show, fed by the show's desk, read by everybody.
//!
//! No tables. In: snapshots and frames from the desk's runner, the only caller of
//! [`Channel::reset`] and [`Channel::publish`]. Out: snapshots and streams of frames over HTTP.
//!
//! - A channel keeps the newest snapshot and a ring of encoded frames. A stream is a place in
//!   that ring, never a queue: a slow reader costs nothing and hears `resync` when the ring has
//!   moved past it.
//! - Everything is encoded once and shared, however many listen.
//! - Within one epoch a seq names one state in every process. A channel that is put back to
//!   anything but a continuation begins another epoch, and every stream hears `resync`.
//! - Nothing in here can issue a command, and nothing in here knows who listens.

/// The channel of a show and the ring of its frames.
mod channel;
/// All channels of this process.
mod hubs;
/// Frames, encoded once, that streams may still ask for.
mod ring;
/// The two routes.
mod routes;
/// The snapshot as a response.
mod snapshot;
/// One listener.
mod stream;

pub use channel::Channel;
pub use hubs::{Hubs, epoch};
pub use routes::api;

/// How long changes gather before they leave as one frame. The first change after a calm leaves
/// at once.
pub const TICK: std::time::Duration = std::time::Duration::from_millis(200);
/// Silence after which a stream says that it lives; proxies cut at 30 s and more.
pub const HEARTBEAT: std::time::Duration = std::time::Duration::from_secs(12);
/// Frames that a reconnecting stream may go on from: at least 100 s.
pub const RING_FRAMES_MAX: usize = 512;
/// Encoded bytes of those frames together, a show.
pub const RING_BYTES_MAX: usize = 4 << 20;
/// Streams of one process.
pub const STREAMS_MAX: usize = 50_000;
/// How long `?min=` waits for a commit to arrive here.
pub const MIN_WAIT: std::time::Duration = std::time::Duration::from_secs(2);
/// Clients that must fetch a snapshot spread over this time, unless nobody else has to.
pub const RESYNC_WITHIN_MS: u32 = 2_000;
/// How long a browser waits before it connects again by itself.
pub const RETRY_MS: u32 = 2_000;
