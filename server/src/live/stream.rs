use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use domain::refusal::Refusal;
use domain::wire::frame::Resync;
use domain::wire::snapshot::Position;
use futures::stream;

use super::channel::{Channel, Ear, Step};
use super::{HEARTBEAT, RESYNC_WITHIN_MS, RETRY_MS, STREAMS_MAX};

/// Where a listener says that it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// It knows nothing yet: it hears what comes from now on, and fetches a snapshot meanwhile.
    Now,
    /// A place in the channel's history, or none of this channel's.
    At(Option<Position>),
}

/// One open stream: a place in the ring and an ear. Nothing is queued for it.
pub(super) struct Listener {
    pub(super) channel: Arc<Channel>,
    ear: Ear,
    mine: Option<Position>,
    greeting: Option<Bytes>,
}

/// The stream of a show from `after` on, until the client leaves or the process ends.
pub(super) fn respond(channel: Arc<Channel>, after: After) -> Result<Response, Refusal> {
    let listener = Listener::new(channel, after)?;
    let events = stream::unfold(listener, |mut listener| async {
        let event = listener.next().await?;
        listener.channel.meters.bytes.increment(event.len() as u64);
        Some((Ok::<_, std::convert::Infallible>(event), listener))
    });
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/event-stream"),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        // Proxies of the nginx family would hold events back to fill their buffers.
        (
            header::HeaderName::from_static("x-accel-buffering"),
            HeaderValue::from_static("no"),
        ),
    ];
    Ok((headers, Body::from_stream(events)).into_response())
}

impl Listener {
    pub(super) fn new(channel: Arc<Channel>, after: After) -> Result<Self, Refusal> {
        let open = channel.meters.open.fetch_add(1, Relaxed);
        channel.meters.clients.increment(1.0);
        let mut listener = Self {
            ear: channel.listen(),
            channel,
            mine: None,
            greeting: None,
        };
        if open >= STREAMS_MAX {
            // Dropping the listener counts it out again.
            return Err(Refusal::Busy { retry_after_s: 5 });
        }
        let here = listener.channel.position();
        listener.mine = match after {
            After::Now => here,
            After::At(position) => position,
        };
        listener.greeting = Some(listener.greet());
        Ok(listener)
    }

    /// Says where the stream begins, when that is a place in the channel's history; otherwise
    /// `resync` follows at once.
    fn greet(&self) -> Bytes {
        match self.mine {
            Some(at) if self.channel.continues(at) => {
                format!("retry: {RETRY_MS}\nid: {at}\nevent: at\ndata: {at}\n\n").into()
            }
            _ => format!("retry: {RETRY_MS}\n\n").into(),
        }
    }

    /// The next bytes to write; `None` ends the stream.
    pub(super) async fn next(&mut self) -> Option<Bytes> {
        if let Some(greeting) = self.greeting.take() {
            return Some(greeting);
        }
        if !self.ear.open() {
            return None;
        }
        loop {
            match self.channel.step(&mut self.mine) {
                Step::Event(event) => return Some(event),
                Step::Resync(position) => {
                    self.channel.meters.resyncs.increment(1);
                    return Some(self.resync(position));
                }
                Step::Wait => {}
            }
            match tokio::time::timeout(HEARTBEAT, self.ear.news()).await {
                Ok(true) => {}
                Ok(false) => return None,
                // An event and no comment, so that a browser can tell silence from death.
                Err(_) => return Some(Bytes::from_static(b"event: beat\ndata: 1\n\n")),
            }
        }
    }

    fn resync(&self, position: Position) -> Bytes {
        // Alone there is nobody to make way for.
        let alone = self.channel.listeners() < 100;
        let resync = Resync {
            min: position.seq,
            within_ms: if alone { 0 } else { RESYNC_WITHIN_MS },
        };
        // What follows begins here.
        let (resync, at) = (resync.to_text(), position);
        format!("event: resync\ndata: {resync}\n\nevent: at\ndata: {at}\n\n").into()
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.channel.meters.open.fetch_sub(1, Relaxed);
        self.channel.meters.clients.decrement(1.0);
    }
}
