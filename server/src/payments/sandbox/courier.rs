//! Carries the pretend provider's events to our own webhook, over HTTP like anybody's: signed,
//! repeated with growing waits until we answer 2xx, given up after three days.

use std::time::Duration;

use futures::StreamExt;
use tokio_util::sync::CancellationToken;

use super::{NAME, Sandbox};
use crate::error::Result;
use crate::payments::{events, signature};

/// How often the courier looks by itself; events of this process wake it at once.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// Events taken up in one go.
const EVENTS_BATCH_MAX: i64 = 64;
/// Deliveries on the way at once.
const DELIVERIES_AT_ONCE: usize = 8;
/// Longest wait for the webhook's answer.
const ANSWER_WAIT_MAX: Duration = Duration::from_secs(10);
/// Signs when the provider was told to mis-sign.
const WRONG_SECRET: &[u8] = b"whsec_of_somebody_else";

struct Letter {
    event_id: String,
    body: String,
    copies: usize,
    mis_sign: bool,
}

/// Delivers to `address` until `stop`.
pub async fn run(sandbox: Sandbox, address: String, stop: CancellationToken) {
    let client = reqwest::Client::builder()
        .timeout(ANSWER_WAIT_MAX)
        .no_proxy()
        .build()
        .expect("a client without TLS has nothing to load");
    while !stop.is_cancelled() {
        let full = match deliver(&sandbox, &client, &address).await {
            Ok(carried) => carried == EVENTS_BATCH_MAX as usize,
            Err(error) => {
                tracing::warn!(error = ?error, "the sandbox's courier failed");
                false
            }
        };
        if !full {
            tokio::select! {
                () = stop.cancelled() => {}
                () = sandbox.news.notified() => {}
                () = tokio::time::sleep(LOOK_INTERVAL) => {}
            }
        }
    }
}

async fn deliver(sandbox: &Sandbox, client: &reqwest::Client, address: &str) -> Result<usize> {
    let letters = claim(sandbox).await?;
    let count = letters.len();
    let now = sandbox.clock.now();
    let secrets = events::secrets(&sandbox.db, NAME, now).await?;
    let secret = secrets.first().map_or(WRONG_SECRET, Vec::as_slice);
    futures::stream::iter(letters)
        .for_each_concurrent(DELIVERIES_AT_ONCE, |letter| async move {
            let key = if letter.mis_sign {
                WRONG_SECRET
            } else {
                secret
            };
            let stamp = sandbox.clock.now().0 / 1000;
            let header = signature::sign(key, stamp, letter.body.as_bytes());
            let copies = (0..letter.copies).map(|_| {
                client
                    .post(address)
                    .header("stripe-signature", &header)
                    .header("content-type", "application/json")
                    .body(letter.body.clone())
                    .send()
            });
            let answers = futures::future::join_all(copies).await;
            let taken = answers
                .iter()
                .all(|answer| answer.as_ref().is_ok_and(|a| a.status().is_success()));
            if taken && let Err(error) = delivered(sandbox, &letter.event_id).await {
                tracing::warn!(?error, "a delivered event could not be noted");
            }
        })
        .await;
    Ok(count)
}

/// Takes due events for one try; the next try is set before this one, so that a courier that dies
/// on the way only delays them.
async fn claim(sandbox: &Sandbox) -> Result<Vec<Letter>> {
    let now = sandbox.clock.now();
    let rows: Vec<(String, String, i32, bool)> = sqlx::query_as(
        "with due as (
            select event_id from sandbox_event
            where delivered_at is null and next_at <= to_timestamp($1::bigint / 1000.0)
              and created_at > to_timestamp($1::bigint / 1000.0) - interval '3 days'
            order by next_at limit $2 for update skip locked
         )
         update sandbox_event e set tries = e.tries + 1,
             next_at = to_timestamp($1::bigint / 1000.0)
                 + make_interval(secs => least(3600, power(2, e.tries)))
         from due, sandbox_behaviour where e.event_id = due.event_id
         returning e.event_id, e.body, webhook_copies, mis_sign",
    )
    .bind(now.0)
    .bind(EVENTS_BATCH_MAX)
    .fetch_all(&sandbox.db)
    .await?;
    let letters = rows
        .into_iter()
        .map(|(event_id, body, copies, mis_sign)| Letter {
            event_id,
            body,
            copies: usize::try_from(copies).unwrap_or(0),
            mis_sign,
        });
    Ok(letters.collect())
}

async fn delivered(sandbox: &Sandbox, event_id: &str) -> Result<()> {
    sqlx::query(
        "update sandbox_event set delivered_at = to_timestamp($2::bigint / 1000.0)
         where event_id = $1",
    )
    .bind(event_id)
    .bind(sandbox.clock.now().0)
    .execute(&sandbox.db)
    .await?;
    Ok(())
}
