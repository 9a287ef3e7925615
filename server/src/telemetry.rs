//! Logging and metrics, set up once a process.

use std::io::IsTerminal;
use std::sync::OnceLock;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;

use crate::config::Config;

/// Names of all metrics, so that each is written one way.
pub mod names {
    /// Counter by route, method and status class.
    pub const REQUESTS: &str = "rowlock_http_requests_total";
    /// Histogram by route, seconds to the head of the answer.
    pub const REQUEST_SECONDS: &str = "rowlock_http_request_seconds";
    /// Counter by code: expected noes that reached a client.
    pub const REFUSALS: &str = "rowlock_refusals_total";
    /// Counter: answers 500 and 503 that were the house's own trouble.
    pub const FAULTS: &str = "rowlock_faults_total";
    /// Histogram: commands that one commit of a desk carried.
    pub const BATCH_COMMANDS: &str = "rowlock_batch_commands";
    /// Histogram: seconds from inbox to reply.
    pub const BATCH_WAIT_SECONDS: &str = "rowlock_batch_wait_seconds";
    /// Histogram: seconds that Postgres took for one commit of a desk.
    pub const COMMIT_SECONDS: &str = "rowlock_commit_seconds";
    /// Counter: commits that another process was faster with.
    pub const DESK_OVERTAKEN: &str = "rowlock_desk_overtaken_total";
    /// Counter: commits of which nobody knew what became.
    pub const DESK_DOUBTS: &str = "rowlock_desk_doubts_total";
    /// Gauge: commands that wait in desks' inboxes.
    pub const INBOX_COMMANDS: &str = "rowlock_inbox_commands";
    /// Histogram: seconds from a hold's deadline to its end.
    pub const EXPIRY_LAG_SECONDS: &str = "rowlock_expiry_lag_seconds";
    /// Gauge: age of the oldest outbox row that has not left, seconds.
    pub const OUTBOX_AGE_SECONDS: &str = "rowlock_outbox_age_seconds";
    /// Counter: calls that the payment provider failed or left unanswered.
    pub const PROVIDER_FAILURES: &str = "rowlock_provider_failures_total";
    /// Counter by reason: payments that wait for a person.
    pub const PAYMENTS_PARKED: &str = "rowlock_payments_parked_total";
    /// Gauge: open streams.
    pub const STREAM_CLIENTS: &str = "rowlock_stream_clients";
    /// Counter: frames encoded, each once however many hear it.
    pub const STREAM_FRAMES: &str = "rowlock_stream_frames_total";
    /// Counter: bytes handed to streams.
    pub const STREAM_BYTES: &str = "rowlock_stream_bytes_total";
    /// Counter: streams that were told to fetch a snapshot.
    pub const STREAM_RESYNCS: &str = "rowlock_stream_resyncs_total";
    /// Gauge: connections of the pool that are in use.
    pub const DATABASE_CONNECTIONS: &str = "rowlock_database_connections_in_use";
}

const SECONDS_BUCKETS: [f64; 14] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0,
];
const COMMANDS_BUCKETS: [f64; 11] = [
    1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0,
];

/// Logs to standard error. Does nothing when a subscriber is there already (tests).
pub fn log(config: &Config) {
    let filter = EnvFilter::try_new(&config.log).unwrap_or_else(|_| EnvFilter::new("info"));
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let set = if config.log_json {
        builder.json().try_init()
    } else {
        builder.try_init()
    };
    if set.is_err() {
        tracing::debug!("a log subscriber was there already");
    }
}

/// The recorder of this process, installed at the first call.
pub fn metrics() -> &'static PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS_BUCKETS)
            .and_then(|builder| {
                let commands = Matcher::Full(names::BATCH_COMMANDS.to_owned());
                builder.set_buckets_for_metric(commands, &COMMANDS_BUCKETS)
            })
            .expect("bucket lists are not empty")
            .build_recorder();
        let handle = recorder.handle();
        metrics::set_global_recorder(recorder).expect("metrics are installed here alone");
        describe();
        handle
    })
}

fn describe() {
    use metrics::{describe_counter, describe_gauge, describe_histogram};
    describe_counter!(
        names::REQUESTS,
        "Requests by route, method and status class"
    );
    describe_histogram!(names::REQUEST_SECONDS, "Seconds to the head of the answer");
    describe_counter!(names::REFUSALS, "Expected refusals by code");
    describe_counter!(names::FAULTS, "Faults answered with 500 or 503");
    describe_histogram!(names::BATCH_COMMANDS, "Commands in one commit of a desk");
    describe_histogram!(names::BATCH_WAIT_SECONDS, "Seconds from inbox to reply");
    describe_histogram!(names::COMMIT_SECONDS, "Seconds of one commit of a desk");
    describe_counter!(
        names::DESK_OVERTAKEN,
        "Commits that another process was faster with"
    );
    describe_counter!(
        names::DESK_DOUBTS,
        "Commits of which nobody knew what became"
    );
    describe_gauge!(names::INBOX_COMMANDS, "Commands waiting in desks' inboxes");
    describe_histogram!(
        names::EXPIRY_LAG_SECONDS,
        "Seconds from a hold's deadline to its end"
    );
    describe_gauge!(
        names::OUTBOX_AGE_SECONDS,
        "Age of the oldest outbox row that has not left"
    );
    describe_gauge!(names::STREAM_CLIENTS, "Open streams");
    describe_counter!(names::STREAM_FRAMES, "Frames encoded for streams");
    describe_counter!(names::STREAM_BYTES, "Bytes handed to streams");
    describe_counter!(names::STREAM_RESYNCS, "Streams told to fetch a snapshot");
    describe_gauge!(names::DATABASE_CONNECTIONS, "Pool connections in use");
}
