//! Asking about every payment that is not final, so that an order is right within minutes even
//! when every webhook is lost and no browser comes back.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use anyhow::Context;
use domain::board::command::Command;
use domain::board::settings::PAYING_EXTENSION;
use domain::ids::{AttemptId, OrderId, ShowId};
use domain::time::{Millis, Span};

use super::settle::{self, Settled};
use super::{submit_own, webhook};
use crate::app::App;
use crate::error::Result;
use crate::payments::{self, AttemptName, events};

/// How often to ask.
pub const INTERVAL: Duration = Duration::from_secs(5);
/// Orders past their deadline taken up in one round.
const OVERDUE_BATCH_MAX: i64 = 50;
/// Orders still in time asked about in one round.
const OPEN_BATCH_MAX: i64 = 50;
/// An attempt is asked about once it is so old: younger ones are most likely being paid.
const OPEN_AGE_MIN: Span = Span::seconds(30);

/// Where the last round among the orders still in time ended.
#[derive(Default)]
pub struct Cursor(AtomicI64);

struct Paying {
    name: AttemptName,
    deadline: Millis,
}

/// One round.
pub async fn round(app: &App) -> Result<()> {
    for (provider, event, name) in events::claim_open(&app.db, app.clock.now()).await? {
        if let Err(error) = webhook::handle(app, &provider, &event, Some(name)).await {
            tracing::warn!(event, ?error, "an event waits to be handled");
        }
    }
    for order in overdue(app).await? {
        // One order that cannot be decided must not hold up the others.
        if let Err(error) = end(app, &order).await {
            tracing::warn!(order = %order.name.order, ?error, "an overdue payment stays open");
        }
    }
    for order in open(app).await? {
        if let Err(error) = settle::from_provider(app, order.name).await {
            tracing::warn!(order = %order.name.order, ?error, "an open payment stays open");
        }
    }
    Ok(())
}

/// Ends an order that is paying past its deadline: first the provider's session, then ours. A
/// provider that does not answer is waited for, but not for ever.
async fn end(app: &App, order: &Paying) -> Result<()> {
    let name = order.name;
    let attempt = match payments::ask(app.payments.provider.expire(name)).await {
        Ok(progress) => match settle::capture_if_complete(app, name, progress).await? {
            Settled::Paid | Settled::Parked(_) => return Ok(()),
            _ => Some(name.attempt),
        },
        Err(_) if app.clock.now() >= order.deadline + PAYING_EXTENSION => None,
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

async fn overdue(app: &App) -> Result<Vec<Paying>> {
    let rows = sqlx::query_as(
        "select show_id, order_id, attempt::text,
                (extract(epoch from deadline) * 1000)::bigint
         from orders
         where state = 'paying' and attempt is not null
           and deadline <= to_timestamp($1::bigint / 1000.0)
         order by deadline limit $2",
    )
    .bind(app.clock.now().0)
    .bind(OVERDUE_BATCH_MAX)
    .fetch_all(&app.db)
    .await?;
    paying(rows)
}

/// The next few of the orders that are paying in time, round and round.
async fn open(app: &App) -> Result<Vec<Paying>> {
    let now = app.clock.now();
    let rows: Vec<Row> = sqlx::query_as(
        "select o.show_id, o.order_id, o.attempt::text,
                (extract(epoch from o.deadline) * 1000)::bigint
         from orders o join payment_attempt a using (show_id, order_id, attempt)
         where o.state = 'paying' and o.deadline > to_timestamp($1::bigint / 1000.0)
           and a.started_at <= to_timestamp($2::bigint / 1000.0) and o.order_id > $3
         order by o.order_id limit $4",
    )
    .bind(now.0)
    .bind(now.0 - OPEN_AGE_MIN.0)
    .bind(app.orders.cursor.0.load(Ordering::Relaxed))
    .bind(OPEN_BATCH_MAX)
    .fetch_all(&app.db)
    .await?;
    let next = match rows.last() {
        Some(row) if rows.len() as i64 == OPEN_BATCH_MAX => row.1,
        _ => 0,
    };
    app.orders.cursor.0.store(next, Ordering::Relaxed);
    paying(rows)
}

type Row = (i64, i64, String, i64);

fn paying(rows: Vec<Row>) -> Result<Vec<Paying>> {
    rows.into_iter()
        .map(|(show, order, attempt, deadline)| {
            let attempt: AttemptId = attempt.parse().context("an attempt in the books")?;
            Ok(Paying {
                name: AttemptName {
                    show: ShowId(show),
                    order: OrderId(order),
                    attempt,
                },
                deadline: Millis(deadline),
            })
        })
        .collect()
}
