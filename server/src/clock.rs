//! The only place that asks what time it is. Deadlines are Postgres time: the offset between
//! this machine and Postgres is measured and added, so that all processes agree.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use domain::time::Millis;

#[derive(Debug, Clone, Default)]
pub struct Clock {
    /// Postgres minus this machine, milliseconds.
    offset: Arc<AtomicI64>,
}

impl Clock {
    /// Now, as Postgres would say it.
    pub fn now(&self) -> Millis {
        let here = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .expect("the clock stands after 1970");
        Millis(here.as_millis() as i64 + self.offset.load(Ordering::Relaxed))
    }

    /// Notes that Postgres is `offset` milliseconds ahead of this machine.
    pub fn set_offset(&self, offset: i64) {
        self.offset.store(offset, Ordering::Relaxed);
    }
}
