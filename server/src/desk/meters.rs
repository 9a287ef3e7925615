//! What is measured about desks.

use std::time::Duration;

use domain::desk::Batch;
use domain::refusal::Refusal;
use domain::time::Span;
use metrics::{counter, histogram};

pub(super) fn waited(time: Duration) {
    histogram!("rowlock_desk_wait_seconds").record(time.as_secs_f64());
}

pub(super) fn committed(batch: &Batch, time: Duration) {
    histogram!("rowlock_desk_batch_commands").record(batch.outcomes.len() as f64);
    histogram!("rowlock_desk_commit_seconds").record(time.as_secs_f64());
}

pub(super) fn refused(refusal: &Refusal) {
    counter!("rowlock_refusals_total", "code" => refusal.code()).increment(1);
}

pub(super) fn expired_late(late: Span) {
    histogram!("rowlock_expiry_lag_seconds").record(late.0.max(0) as f64 / 1000.0);
}

/// Another process wrote first.
pub(super) fn overtaken() {
    counter!("rowlock_desk_overtaken_total").increment(1);
}

/// A commit of which nobody knew what became.
pub(super) fn doubted() {
    counter!("rowlock_desk_doubts_total").increment(1);
}
