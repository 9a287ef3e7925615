//! The closed list of background loops. Each gets the app, ends when `app.stop` is cancelled,
//! and is waited for at shutdown.

use std::time::Duration;

use tokio_util::task::TaskTracker;

use crate::app::App;

/// How often the clock's offset to Postgres is measured again.
const CLOCK_INTERVAL: Duration = Duration::from_secs(30);
/// How often gauges are read and old samples dropped from the metrics.
const METRICS_INTERVAL: Duration = Duration::from_secs(5);
/// How often ended staff sessions and old answers are removed.
const PURGE_INTERVAL: Duration = Duration::from_secs(3600);
/// How often Postgres is searched for overdue holds of shows that no process has open.
const SWEEP_INTERVAL: Duration = Duration::from_secs(30);

/// Starts every loop.
pub fn start(app: &App) -> TaskTracker {
    let jobs = TaskTracker::new();
    jobs.spawn(every(
        app.clone(),
        CLOCK_INTERVAL,
        "clock",
        async |app: &App| app.clock.measure(&app.db).await,
    ));
    jobs.spawn(every(
        app.clone(),
        METRICS_INTERVAL,
        "metrics",
        async |app: &App| {
            app.desks.measure();
            crate::telemetry::metrics().run_upkeep();
            Ok(())
        },
    ));
    jobs.spawn(every(
        app.clone(),
        PURGE_INTERVAL,
        "purge",
        async |app: &App| {
            crate::people::sessions::purge(app).await?;
            crate::desk::purge(&app.db).await
        },
    ));
    if app.config.expire_on_time {
        jobs.spawn(every(
            app.clone(),
            SWEEP_INTERVAL,
            "sweep",
            async |app: &App| {
                crate::desk::sweep(&app.db, &app.desks).await?;
                Ok(())
            },
        ));
    }
    reconcile(app, &jobs);
    jobs.spawn(every(
        app.clone(),
        crate::outbox::INTERVAL,
        "outbox",
        crate::outbox::round,
    ));
    if let Some(sandbox) = app.payments.sandbox.clone() {
        let address = format!("http://{}/webhooks/sandbox", app.config.addr);
        jobs.spawn(crate::payments::sandbox::courier::run(
            sandbox,
            address,
            app.stop.clone(),
        ));
    }
    jobs.close();
    jobs
}

fn reconcile(app: &App, jobs: &TaskTracker) {
    use crate::orders::reconcile::{INTERVAL, LEFT_INTERVAL, left, open, overdue, told};
    jobs.spawn(every(app.clone(), INTERVAL, "events", told));
    jobs.spawn(every(app.clone(), INTERVAL, "overdue payments", overdue));
    jobs.spawn(every(app.clone(), INTERVAL, "open payments", open));
    jobs.spawn(every(app.clone(), LEFT_INTERVAL, "left payments", left));
}

/// Runs `work` now and after every `interval`; a fault is logged and the loop goes on.
pub async fn every<W>(app: App, interval: Duration, name: &'static str, work: W)
where
    W: AsyncFn(&App) -> crate::error::Result<()>,
{
    let mut ticks = tokio::time::interval(interval);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    while app.stop.run_until_cancelled(ticks.tick()).await.is_some() {
        if let Err(error) = work(&app).await {
            tracing::error!(job = name, "{:#}", error.into_fault());
        }
    }
}
