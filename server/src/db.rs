//! The pool of connections to Postgres, and the schema.

use std::str::FromStr;
use std::time::Duration;

use anyhow::Context;
use sqlx::PgPool;
use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use crate::config::Config;

/// All migrations, embedded in the binary; a lock in Postgres lets one process apply them.
pub static MIGRATOR: Migrator = sqlx::migrate!("../migrations");

/// How long a request may wait for a connection before it is refused as a fault.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

/// How to reach the database at `url`, with the limits that every statement has.
///
/// # Errors
/// A URL that cannot be read; the error does not repeat it.
pub fn options(url: &str, statement_timeout_ms: u64) -> anyhow::Result<PgConnectOptions> {
    let options = PgConnectOptions::from_str(url)
        .map_err(|_| anyhow::anyhow!("DATABASE_URL is not a Postgres URL"))?;
    Ok(options.application_name("rowlock").options([
        ("statement_timeout", statement_timeout_ms.to_string()),
        // A transaction that a bug left open must not hold locks for ever.
        ("idle_in_transaction_session_timeout", "60000".to_owned()),
        ("timezone", "UTC".to_owned()),
    ]))
}

/// Opens the pool; the first connection is made here, so that a wrong address fails at start.
///
/// # Errors
/// Postgres cannot be reached.
pub async fn connect(config: &Config, url: &str) -> anyhow::Result<PgPool> {
    PgPoolOptions::new()
        .max_connections(config.database_connections_max)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .connect_with(options(url, config.statement_timeout_ms)?)
        .await
        .context("Postgres cannot be reached")
}

/// Brings the schema up to date.
///
/// # Errors
/// A migration failed or an applied one differs from ours.
pub async fn migrate(url: &str) -> anyhow::Result<()> {
    use sqlx::{ConnectOptions, Connection};
    // Without the statement limit: building an index over a full table may take its time.
    let mut conn = options(url, 0)?
        .connect()
        .await
        .context("Postgres cannot be reached")?;
    MIGRATOR
        .run(&mut conn)
        .await
        .context("migrations cannot be applied")?;
    conn.close().await?;
    Ok(())
}
