//! Asking about every attempt of which the provider has not said its last word, so that an order
//! is right within minutes even when every webhook is lost and no browser comes back. Four loops,
//! so that none waits for another's slow answers.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use anyhow::Context;
use domain::board::command::Command;
use domain::board::settings::PAYING_EXTENSION;
use domain::ids::{AttemptId, OrderId, ShowId};
use domain::time::{Millis, Span};
use futures::StreamExt;

use super::settle::{self, Settled};
use super::{submit_own, webhook};
use crate::app::App;
use crate::error::Result;
use crate::payments::{self, AttemptName, events};

/// How often to ask about orders that are being paid.
pub const INTERVAL: Duration = Duration::from_secs(5);
/// How often to ask about attempts that were left behind.
pub const LEFT_INTERVAL: Duration = Duration::from_secs(60);
/// Rows read at once.
const PAGE_ROWS: i64 = 100;
/// Questions under way at once in one loop.
const AT_ONCE: usize = 8;
/// Orders still in time asked about in one round: providers limit how often they are asked.
const OPEN_PER_ROUND_MAX: usize = 500;
/// An attempt is asked about once it is so old: younger ones are most likely being paid.
const OPEN_AGE_MIN: Span = Span::seconds(30);
/// A provider that has not heard of an attempt after so long never will: nobody is on the way to
/// it any more.
const UNKNOWN_AGE_MAX: Span = Span::minutes(60);

/// Where the last round among the orders still in time ended.
#[derive(Default)]
pub struct Cursor(AtomicI64);

/// An attempt that may still bring money.
struct Open {
    name: AttemptName,
    /// The deadline of its order, or when it was begun: what the query says.
    at: Millis,
}

/// Events whose effect is still missing.
pub async fn told(app: &App) -> Result<()> {
    loop {
        let due = events::claim_open(&app.db, app.clock.now()).await?;
        let last = due.len() < events::EVENTS_BATCH_MAX as usize;
        let all = futures::stream::iter(due);
        all.for_each_concurrent(AT_ONCE, async |(provider, event, name)| {
            if let Err(error) = webhook::handle(app, &provider, &event, Some(name)).await {
                tracing::warn!(event, ?error, "an event waits to be handled");
            }
        })
        .await;
        if last || app.stop.is_cancelled() {
            return Ok(());
        }
    }
}

/// Orders that are paying past their deadline.
pub async fn overdue(app: &App) -> Result<()> {
    let query = "select show_id, order_id, attempt::text,
                (extract(epoch from deadline) * 1000)::bigint
         from orders
         where state = 'paying' and attempt is not null and order_id > $2
           and deadline <= to_timestamp($1::bigint / 1000.0)
         order by order_id limit $3";
    let mut after = 0;
    while let Some(last) = page(app, query, app.clock.now(), after, end).await? {
        after = last;
    }
    Ok(())
}

/// The next of the orders that are paying in time, round and round.
pub async fn open(app: &App) -> Result<()> {
    let query = "select o.show_id, o.order_id, o.attempt::text,
                (extract(epoch from o.deadline) * 1000)::bigint
         from orders o join payment_attempt a using (show_id, order_id, attempt)
         where o.state = 'paying' and o.order_id > $2
           and a.started_at <= to_timestamp($1::bigint / 1000.0)
         order by o.order_id limit $3";
    let cursor = &app.orders.cursor.0;
    for _ in 0..OPEN_PER_ROUND_MAX / PAGE_ROWS as usize {
        let begun_by = Millis(app.clock.now().0 - OPEN_AGE_MIN.0);
        let after = cursor.load(Ordering::Relaxed);
        let last = page(app, query, begun_by, after, ask).await?;
        cursor.store(last.unwrap_or(0), Ordering::Relaxed);
        if last.is_none() {
            break;
        }
    }
    Ok(())
}

/// Attempts that their order is not at any more, but that may still bring money: the provider did
/// not answer while the order ended.
pub async fn left(app: &App) -> Result<()> {
    let query = "select a.show_id, a.order_id, a.attempt::text,
                (extract(epoch from a.started_at) * 1000)::bigint
         from payment_attempt a join orders o using (show_id, order_id)
         where a.state = 'started' and a.order_id > $2
           and a.started_at <= to_timestamp($1::bigint / 1000.0)
           and not (o.state = 'paying' and o.attempt = a.attempt)
         order by a.order_id limit $3";
    let mut after = 0;
    while let Some(last) = page(app, query, app.clock.now(), after, close).await? {
        after = last;
    }
    Ok(())
}

/// Asks about one page of attempts; answers where the next one begins.
async fn page(
    app: &App,
    query: &'static str,
    at: Millis,
    after: i64,
    ask: impl AsyncFn(&App, &Open) -> Result<()>,
) -> Result<Option<i64>> {
    let rows: Vec<(i64, i64, String, i64)> = sqlx::query_as(query)
        .bind(at.0)
        .bind(after)
        .bind(PAGE_ROWS)
        .fetch_all(&app.db)
        .await?;
    let full = rows.len() as i64 == PAGE_ROWS && !app.stop.is_cancelled();
    let next = rows.last().filter(|_| full).map(|row| row.1);
    let attempts: Vec<Open> = rows.into_iter().map(of_row).collect::<Result<_>>()?;
    let all = futures::stream::iter(&attempts);
    all.for_each_concurrent(AT_ONCE, async |attempt| {
        // One that cannot be decided must not hold up the others.
        if let Err(error) = ask(app, attempt).await {
            tracing::warn!(order = %attempt.name.order, ?error, "a payment stays open");
        }
    })
    .await;
    Ok(next)
}

fn of_row((show, order, attempt, at): (i64, i64, String, i64)) -> Result<Open> {
    let attempt: AttemptId = attempt.parse().context("an attempt in the books")?;
    Ok(Open {
        name: AttemptName {
            show: ShowId(show),
            order: OrderId(order),
            attempt,
        },
        at: Millis(at),
    })
}

async fn ask(app: &App, attempt: &Open) -> Result<()> {
    settle::from_provider(app, attempt.name).await.map(drop)
}

/// Ends an order that is paying past its deadline: first the provider's session, then ours. A
/// provider that does not answer is waited for, but not for ever: then the seats go back, and the
/// attempt is asked about until there is an answer.
async fn end(app: &App, overdue: &Open) -> Result<()> {
    let name = overdue.name;
    let attempt = match payments::ask(app.payments.provider.expire(name)).await {
        Ok(progress) => match settle::capture_if_complete(app, name, progress).await? {
            Settled::Paid | Settled::Parked(_) => return Ok(()),
            _ => Some(name.attempt),
        },
        Err(_) if app.clock.now() >= overdue.at + PAYING_EXTENSION => None,
        Err(error) => return Err(error),
    };
    let words = ["expire", &name.attempt.to_string()];
    let command = Command::Expire {
        order: name.order,
        attempt,
    };
    submit_own(app, name.show, &words, command).await?;
    Ok(())
}

/// Ends an attempt that was left behind, and takes the money if it was faster.
async fn close(app: &App, left: &Open) -> Result<()> {
    let name = left.name;
    let progress = payments::ask(app.payments.provider.expire(name)).await?;
    let over = match settle::capture_if_complete(app, name, progress).await? {
        Settled::Paid | Settled::Parked(_) | Settled::Open => false,
        Settled::Ended => true,
        Settled::Unknown => app.clock.now() >= left.at + UNKNOWN_AGE_MAX,
    };
    if over {
        let words = ["close", &name.attempt.to_string()];
        let command = Command::CloseAttempt {
            order: name.order,
            attempt: name.attempt,
        };
        submit_own(app, name.show, &words, command).await?;
    }
    Ok(())
}
