//! "There is something new": a word over Redis, so that other processes read the log at once
//! instead of at their next look. Nothing depends on it: without Redis everything still converges
//! within a look.

use std::time::Duration;

use anyhow::Context;
use domain::ids::{Seq, ShowId};
use futures::StreamExt;
use redis::AsyncCommands;
use redis::aio::ConnectionManager;
use tokio::sync::mpsc;

use super::Desks;

const CHANNEL: &str = "rowlock:wake";
/// Words waiting to leave; beyond it they are dropped, since a later one says more.
const WORDS_MAX: usize = 256;
/// Pause before Redis is asked again.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// Says that shows have moved on. Cheap to clone, never waits.
#[derive(Debug, Clone)]
pub(super) struct Waker(mpsc::Sender<(ShowId, Seq)>);

impl Waker {
    /// Its task ends when the last clone is gone.
    pub(super) fn start(mut redis: ConnectionManager) -> Self {
        let (words, mut leaving) = mpsc::channel::<(ShowId, Seq)>(WORDS_MAX);
        tokio::spawn(async move {
            while let Some((show, seq)) = leaving.recv().await {
                let said: redis::RedisResult<()> =
                    redis.publish(CHANNEL, format!("{show} {seq}")).await;
                if let Err(error) = said {
                    tracing::debug!("no wake-up: {error}");
                }
            }
        });
        Self(words)
    }

    pub(super) fn say(&self, show: ShowId, seq: Seq) {
        let _ = self.0.try_send((show, seq));
    }
}

/// Listens until `desks` close, and wakes the desks that are behind what is said.
pub async fn listen(redis_url: String, desks: Desks) {
    let stop = desks.stopping();
    while !stop.is_cancelled() {
        let heard = stop.run_until_cancelled(hear(&redis_url, &desks)).await;
        if let Some(Err(error)) = heard {
            tracing::debug!("not listening for wake-ups: {error:#}");
        }
        stop.run_until_cancelled(tokio::time::sleep(RETRY_PAUSE))
            .await;
    }
}

async fn hear(redis_url: &str, desks: &Desks) -> anyhow::Result<()> {
    let client = redis::Client::open(redis_url).context("REDIS_URL")?;
    let mut pubsub = client.get_async_pubsub().await?;
    pubsub.subscribe(CHANNEL).await?;
    let mut words = pubsub.on_message();
    while let Some(word) = words.next().await {
        let text: String = word.get_payload()?;
        if let Some((show, seq)) = read(&text) {
            desks.wake(show, seq);
        }
    }
    Ok(())
}

/// Whatever cannot be read is not for us.
fn read(text: &str) -> Option<(ShowId, Seq)> {
    let (show, seq) = text.split_once(' ')?;
    Some((show.parse().ok()?, Seq(seq.parse().ok()?)))
}
