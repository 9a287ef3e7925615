//! What providers told us: secrets to check it with, and the raw events, one row each for ever.

use anyhow::Context;
use domain::ids::{AttemptId, OrderId, ShowId};
use domain::time::{Millis, Span};
use sqlx::PgPool;

use super::AttemptName;
use crate::error::Result;

/// Secrets of one provider that may be good at one time.
const SECRETS_MAX: i64 = 4;
/// Events taken up in one go.
pub const EVENTS_BATCH_MAX: i64 = 50;
/// First wait before an event whose handling failed is looked at again; doubles each time.
const RETRY_FIRST: Span = Span::seconds(2);

/// An event, parsed only after its signature was found good.
#[derive(Debug, Clone)]
pub struct Event {
    pub id: String,
    pub kind: String,
    /// `None` when it names no attempt of ours.
    pub about: Option<AttemptName>,
}

/// Secrets under which `provider` may sign at `now`.
pub async fn secrets(db: &PgPool, provider: &str, now: Millis) -> Result<Vec<Vec<u8>>> {
    let secrets: Vec<String> = sqlx::query_scalar(
        "select secret from provider_secret
         where provider = $1
           and (retired_at is null or retired_at > to_timestamp($2::bigint / 1000.0))
         order by created_at desc limit $3",
    )
    .bind(provider)
    .bind(now.0)
    .bind(SECRETS_MAX)
    .fetch_all(db)
    .await?;
    Ok(secrets.into_iter().map(String::into_bytes).collect())
}

/// Keeps an event as it came. `false`: it was here before.
pub async fn keep(
    db: &PgPool,
    provider: &str,
    event: &Event,
    body: &[u8],
    now: Millis,
) -> Result<bool> {
    let about = event.about;
    let kept = sqlx::query(
        "insert into provider_event (provider, event_id, kind, body, show_id, order_id, attempt,
                                     received_at, next_at)
         values ($1, $2, $3, $4, $5, $6, $7::text::uuid,
                 to_timestamp($8::bigint / 1000.0), to_timestamp($9::bigint / 1000.0))
         on conflict on constraint provider_event_pk do nothing",
    )
    .bind(provider)
    .bind(&event.id)
    .bind(&event.kind)
    .bind(body)
    .bind(about.map(|name| name.show.0))
    .bind(about.map(|name| name.order.0))
    .bind(about.map(|name| name.attempt.to_string()))
    .bind(now.0)
    .bind((now + RETRY_FIRST).0)
    .execute(db)
    .await?;
    Ok(kept.rows_affected() == 1)
}

/// Notes that the effect of an event is in the books.
pub async fn handled(db: &PgPool, provider: &str, event_id: &str, now: Millis) -> Result<()> {
    sqlx::query(
        "update provider_event set handled_at = to_timestamp($3::bigint / 1000.0)
         where provider = $1 and event_id = $2 and handled_at is null",
    )
    .bind(provider)
    .bind(event_id)
    .bind(now.0)
    .execute(db)
    .await?;
    Ok(())
}

/// Claims events whose effect is still missing, for one try; each comes back later, with
/// doubling waits, unless [`handled`] is called.
pub async fn claim_open(db: &PgPool, now: Millis) -> Result<Vec<(String, String, AttemptName)>> {
    let rows: Vec<(String, String, i64, i64, String)> = sqlx::query_as(
        "with due as (
            select provider, event_id from provider_event
            where handled_at is null and attempt is not null
              and next_at <= to_timestamp($1::bigint / 1000.0)
            order by next_at limit $2 for update skip locked
         )
         update provider_event e set tries = e.tries + 1,
             next_at = to_timestamp($1::bigint / 1000.0)
                 + make_interval(secs => 2 * power(2, least(e.tries, 10)))
         from due where e.provider = due.provider and e.event_id = due.event_id
         returning e.provider, e.event_id, e.show_id, e.order_id, e.attempt::text",
    )
    .bind(now.0)
    .bind(EVENTS_BATCH_MAX)
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|(provider, event, show, order, attempt)| {
            let attempt: AttemptId = attempt.parse().context("an attempt of a stored event")?;
            let name = AttemptName {
                show: ShowId(show),
                order: OrderId(order),
                attempt,
            };
            Ok((provider, event, name))
        })
        .collect()
}
