//! Redis: what may be lost. A connection that makes itself, lazily and again after a break, so
//! that neither start nor sale waits for it.

use std::time::Duration;

use anyhow::Context;
use redis::aio::{ConnectionManager, ConnectionManagerConfig};

/// Longest wait for a connection and for an answer: beyond it we go on without.
const TIMEOUT: Duration = Duration::from_millis(500);

/// A connection to the Redis at `url`, not made yet.
///
/// # Errors
/// A URL that cannot be read; the error does not repeat it.
pub fn connect(url: &str) -> anyhow::Result<ConnectionManager> {
    let client =
        ::redis::Client::open(url).map_err(|_| anyhow::anyhow!("REDIS_URL is not a Redis URL"))?;
    let config = ConnectionManagerConfig::new()
        .set_connection_timeout(Some(TIMEOUT))
        .set_response_timeout(Some(TIMEOUT));
    ConnectionManager::new_lazy_with_config(client, config).context("Redis cannot be used")
}
