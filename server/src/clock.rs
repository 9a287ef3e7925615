//! The only place that asks what time it is. Deadlines are Postgres time: the offset between
//! this machine and Postgres is measured and added, so that all processes agree.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use domain::time::{Millis, Span};

#[derive(Debug, Clone, Default)]
pub struct Clock {
    /// Postgres minus this machine, milliseconds.
    offset: Arc<AtomicI64>,
    /// How far ahead of the truth this clock is, milliseconds: for tests and rehearsals, which
    /// move time instead of waiting for it.
    ahead: Arc<AtomicI64>,
}

impl Clock {
    /// Now, as Postgres would say it.
    pub fn now(&self) -> Millis {
        let here = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .expect("the clock stands after 1970");
        let offset = self.offset.load(Ordering::Relaxed) + self.ahead.load(Ordering::Relaxed);
        Millis(here.as_millis() as i64 + offset)
    }

    /// Lets `span` pass at once, for tests and rehearsals. Time never goes back.
    pub fn advance(&self, span: Span) {
        assert!(span.0 >= 0, "time goes forward");
        self.ahead.fetch_add(span.0, Ordering::Relaxed);
    }

    /// Notes that Postgres is `offset` milliseconds ahead of this machine.
    pub fn set_offset(&self, offset: i64) {
        self.offset.store(offset, Ordering::Relaxed);
    }

    /// Measures the offset: Postgres' time against the middle of the question's way there and
    /// back.
    ///
    /// # Errors
    /// Postgres does not answer; the old offset stays.
    pub async fn measure(&self, db: &sqlx::PgPool) -> crate::error::Result<()> {
        let mut conn = db.acquire().await?;
        let here = Self::default();
        let before = here.now().0;
        let there: i64 =
            sqlx::query_scalar("select (extract(epoch from clock_timestamp()) * 1000)::bigint")
                .fetch_one(&mut *conn)
                .await?;
        let after = here.now().0;
        self.set_offset(there - before.midpoint(after));
        Ok(())
    }
}

/// Measures how long something takes; says nothing about what time it is.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    pub fn start() -> Self {
        Self(Instant::now())
    }

    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
