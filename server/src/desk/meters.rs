//! What is measured about desks.

use std::time::Duration;

use domain::desk::Batch;
use domain::time::Span;
use metrics::{counter, gauge, histogram};

use crate::telemetry::names;

/// From inbox to reply.
pub(super) fn answered(time: Duration) {
    histogram!(names::BATCH_WAIT_SECONDS).record(time.as_secs_f64());
}

/// A batch is durable; commands that did nothing are not counted.
pub(super) fn committed(batch: &Batch, time: Duration) {
    histogram!(names::BATCH_COMMANDS).record(batch.outcomes.len() as f64);
    histogram!(names::COMMIT_SECONDS).record(time.as_secs_f64());
}

pub(super) fn expired_late(late: Span) {
    histogram!(names::EXPIRY_LAG_SECONDS).record(late.0.max(0) as f64 / 1000.0);
}

/// Another process wrote first.
pub(super) fn overtaken() {
    counter!(names::DESK_OVERTAKEN).increment(1);
}

/// A commit of which nobody knew what became.
pub(super) fn doubted() {
    counter!(names::DESK_DOUBTS).increment(1);
}

/// Commands that wait in the inboxes of all desks.
pub(super) fn waiting(commands: usize) {
    gauge!(names::INBOX_COMMANDS).set(commands as f64);
}
