//! The outbox: side effects that were written with a commit leave here, at least once each, so
//! every effect has to be the same when it is done twice.
//!
//! Rows are made by the desk's batch; this loop alone marks them.

use std::time::Duration;

use domain::ids::{OrderId, ShowId};
use futures::StreamExt;

use crate::app::App;
use crate::error::Result;
use crate::mail;
use crate::telemetry::names;

/// How often to look.
pub const INTERVAL: Duration = Duration::from_millis(500);
/// Rows taken up in one go.
const BATCH_MAX: i64 = 50;
/// Effects under way at once.
const AT_ONCE: usize = 4;
/// Text of an error that is kept with its row, characters.
const ERROR_CHARACTERS_MAX: usize = 500;

/// An effect that is due.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Effect {
    pub outbox_id: i64,
    pub kind: String,
    pub show_id: i64,
    pub order_id: i64,
}

/// Carries out what is due, until nothing is.
pub async fn round(app: &App) -> Result<()> {
    measure(app).await?;
    loop {
        let effects = claim(app).await?;
        let count = effects.len();
        let all = futures::stream::iter(effects);
        all.for_each_concurrent(AT_ONCE, |effect| carry_out(app, effect))
            .await;
        if count < BATCH_MAX as usize || app.stop.is_cancelled() {
            return Ok(());
        }
    }
}

/// The age of what should have left first.
async fn measure(app: &App) -> Result<()> {
    let age: Option<f64> = sqlx::query_scalar(
        "select extract(epoch from now() - min(created_at))::float8 from outbox
         where done_at is null",
    )
    .fetch_one(&app.db)
    .await?;
    metrics::gauge!(names::OUTBOX_AGE_SECONDS).set(age.unwrap_or(0.0));
    Ok(())
}

async fn carry_out(app: &App, effect: Effect) {
    let done = match effect.kind.as_str() {
        "order_paid" => {
            let (show, order) = (ShowId(effect.show_id), OrderId(effect.order_id));
            mail::order_paid(app, effect.outbox_id, show, order).await
        }
        other => Err(anyhow::anyhow!("no effect of kind {other:?} is known").into()),
    };
    let error = done.err().map(|error| {
        let text = format!("{error:?}");
        tracing::warn!(
            outbox = effect.outbox_id,
            kind = effect.kind,
            text,
            "an effect failed"
        );
        text.chars().take(ERROR_CHARACTERS_MAX).collect::<String>()
    });
    if let Err(error) = note(app, effect.outbox_id, error.as_deref()).await {
        tracing::warn!(
            outbox = effect.outbox_id,
            ?error,
            "an effect could not be noted"
        );
    }
}

/// Claims due rows for one try. The next try is set before this one, with doubling waits up to
/// an hour, so that a process that dies on the way only delays them.
async fn claim(app: &App) -> Result<Vec<Effect>> {
    let effects = sqlx::query_as(
        "with due as (
            select outbox_id from outbox
            where done_at is null and next_at <= to_timestamp($1::bigint / 1000.0)
            order by next_at limit $2 for update skip locked
         )
         update outbox o set attempts = o.attempts + 1,
             next_at = to_timestamp($1::bigint / 1000.0)
                 + make_interval(secs => least(3600, 30 * power(2, least(o.attempts, 10))))
         from due where o.outbox_id = due.outbox_id
         returning o.outbox_id, o.kind, o.show_id, o.order_id",
    )
    .bind(app.clock.now().0)
    .bind(BATCH_MAX)
    .fetch_all(&app.db)
    .await?;
    Ok(effects)
}

async fn note(app: &App, outbox_id: i64, error: Option<&str>) -> Result<()> {
    sqlx::query(
        "update outbox set last_error = $3,
             done_at = case when $3::text is null then to_timestamp($2::bigint / 1000.0) end
         where outbox_id = $1",
    )
    .bind(outbox_id)
    .bind(app.clock.now().0)
    .bind(error)
    .execute(&app.db)
    .await?;
    Ok(())
}
