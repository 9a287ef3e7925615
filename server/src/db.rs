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

/// How long a request may wait for a connection before it is told to come back.
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
        // An answered command is on disk, whatever the cluster's or the role's default is.
        ("synchronous_commit", "on".to_owned()),
    ]))
}

/// Connections of the desks are their own: a crowd of readers must not hold up the sale.
pub struct Pools {
    pub pages: PgPool,
    pub desks: PgPool,
}

/// Opens both pools of a server, which together have the configured connections.
///
/// # Errors
/// Postgres cannot be reached.
pub async fn pools(config: &Config, url: &str) -> anyhow::Result<Pools> {
    let all = config.database_connections_max;
    let desks = all / 4;
    Ok(Pools {
        pages: open(config, url, all - desks).await?,
        desks: open(config, url, desks).await?,
    })
}

/// Opens the pool of a command; the first connection is made here, so that a wrong address fails
/// at start.
///
/// # Errors
/// Postgres cannot be reached.
pub async fn connect(config: &Config, url: &str) -> anyhow::Result<PgPool> {
    open(config, url, config.database_connections_max).await
}

async fn open(config: &Config, url: &str, connections_max: u32) -> anyhow::Result<PgPool> {
    PgPoolOptions::new()
        .max_connections(connections_max)
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
