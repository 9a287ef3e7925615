//! The embedded Postgres.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use rustix::process::Signal;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection};

use super::home::Home;
use super::keeper::{Keeper, end_orphan};
use super::{Durability, find_programs, fresh_log, log_tail};
use crate::clock::Stopwatch;

const INSTALLED: &str = "/usr/lib/postgresql";
/// Superuser of the embedded cluster, and the name of its database.
const NAME: &str = "rowlock";
/// How long a start may take: after a crash the log is replayed first.
const START_TIMEOUT: Duration = Duration::from_secs(120);
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// Tries to start while processes of a killed one still hold its shared memory.
const START_TRIES_MAX: u32 = 20;
const RETRY_PAUSE: Duration = Duration::from_millis(500);

/// Settings for a machine of two to four cores with some gigabytes; durability is not among
/// what is traded for speed.
const SETTINGS: [&str; 12] = [
    "listen_addresses=",
    "max_connections=100",
    "shared_buffers=256MB",
    "effective_cache_size=1GB",
    "work_mem=8MB",
    "maintenance_work_mem=128MB",
    "wal_compression=on",
    "max_wal_size=2GB",
    "checkpoint_timeout=15min",
    "random_page_cost=1.1",
    "jit=off",
    "log_min_messages=warning",
];
const KEPT: [&str; 3] = ["fsync=on", "synchronous_commit=on", "full_page_writes=on"];
const THROW_AWAY: [&str; 6] = [
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=600",
    "shared_buffers=128MB",
    "autovacuum=off",
];

/// Starts Postgres in `home` and answers its URL.
pub async fn start(home: &Home, durability: Durability) -> anyhow::Result<(String, Keeper)> {
    let cluster = home.data.join("postgres");
    end_orphan(&cluster.join("postmaster.pid"), &cluster, Signal::INT)?;
    if durability == Durability::ThrowAway && cluster.exists() {
        std::fs::remove_dir_all(&cluster).context("the last tests' cluster cannot be removed")?;
    }
    let programs = programs(&cluster)?;
    if !cluster.join("PG_VERSION").exists() {
        init(home, &programs, &cluster, durability).await?;
    }
    let keeper = begin(home, &programs, &cluster, durability).await?;
    let url = format!(
        "postgres://{NAME}@localhost/{NAME}?host={}",
        home.sockets.display()
    );
    create_database(home).await?;
    Ok((url, keeper))
}

/// The folder of the newest installation, or of the one that made the cluster.
fn programs(cluster: &Path) -> anyhow::Result<PathBuf> {
    let made_by = std::fs::read_to_string(cluster.join("PG_VERSION"));
    let made_by: Option<u32> = made_by.ok().and_then(|text| text.trim().parse().ok());
    let mut versions: Vec<u32> = std::fs::read_dir(INSTALLED)
        .map(|entries| {
            let names = entries.flatten().map(|entry| entry.file_name());
            names
                .filter_map(|name| name.to_str()?.parse().ok())
                .collect()
        })
        .unwrap_or_default();
    versions
        .sort_unstable_by_key(|version| (made_by != Some(*version), std::cmp::Reverse(*version)));
    let folders = versions
        .iter()
        .map(|v| PathBuf::from(format!("{INSTALLED}/{v}/bin")));
    find_programs(folders.collect(), &["postgres", "initdb"])
        .context("Postgres is not installed: install postgresql, or set DATABASE_URL")
}

/// Makes the cluster beside its place and moves it there, so that a half-made one is never used.
async fn init(
    home: &Home,
    programs: &Path,
    cluster: &Path,
    durability: Durability,
) -> anyhow::Result<()> {
    let fresh = home.data.join("postgres.new");
    if fresh.exists() {
        std::fs::remove_dir_all(&fresh).context("a half-made cluster cannot be removed")?;
    }
    tracing::info!("making a database cluster in {}", cluster.display());
    // Whoever reaches the socket is trusted: its folder is private to the services' user.
    let mut command = home.command(&programs.join("initdb"), None);
    command
        .arg("--pgdata")
        .arg(&fresh)
        .args([
            "--username",
            NAME,
            "--auth-local=trust",
            "--auth-host=reject",
        ])
        .args(["--encoding=UTF8", "--locale=C.UTF-8", "--no-instructions"]);
    if durability == Durability::ThrowAway {
        command.arg("--no-sync");
    }
    let output = tokio::task::spawn_blocking(move || command.output())
        .await
        .context("initdb was not waited for")?
        .context("initdb cannot be started")?;
    if !output.status.success() {
        bail!("initdb failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    std::fs::rename(&fresh, cluster).context("the new cluster cannot be moved to its place")
}

async fn begin(
    home: &Home,
    programs: &Path,
    cluster: &Path,
    durability: Durability,
) -> anyhow::Result<Keeper> {
    let log = home.data.join("postgres.log");
    for _ in 0..START_TRIES_MAX {
        let mut command = home.command(&programs.join("postgres"), Some("INT"));
        command.arg("-D").arg(cluster);
        let sockets = format!("unix_socket_directories={}", home.sockets.display());
        let durable: &[&str] = match durability {
            Durability::Kept => &KEPT,
            Durability::ThrowAway => &THROW_AWAY,
        };
        let private = ["unix_socket_permissions=0700", sockets.as_str()];
        for setting in SETTINGS.iter().chain(durable).chain(&private) {
            command.arg("-c").arg(setting);
        }
        let out = fresh_log(&log)?;
        command.stderr(out.try_clone()?).stdout(out);
        // SIGINT is Postgres' fast shutdown: sessions are ended, nothing committed is lost.
        let keeper = Keeper::start("postgres", command, Signal::INT)?;
        if answers(home, &keeper).await {
            return Ok(keeper);
        }
        drop(keeper);
        if !log_tail(&log).contains("shared memory block") {
            break;
        }
        tokio::time::sleep(RETRY_PAUSE).await;
    }
    bail!(
        "Postgres did not start; the end of {}:\n{}",
        log.display(),
        log_tail(&log)
    )
}

/// Waits until Postgres takes connections; `false` when it ended or took too long.
async fn answers(home: &Home, keeper: &Keeper) -> bool {
    let waited = Stopwatch::start();
    while waited.elapsed() < START_TIMEOUT && !keeper.has_ended() {
        if let Ok(conn) = maintenance(home).connect().await {
            // An error here only means that the goodbye was not heard.
            let _ = conn.close().await;
            return true;
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    false
}

async fn create_database(home: &Home) -> anyhow::Result<()> {
    let mut conn = maintenance(home)
        .connect()
        .await
        .context("Postgres went away")?;
    let known: bool =
        sqlx::query_scalar("select exists (select from pg_database where datname = $1)")
            .bind(NAME)
            .fetch_one(&mut conn)
            .await?;
    if !known {
        sqlx::query("create database rowlock")
            .execute(&mut conn)
            .await?;
    }
    conn.close().await?;
    Ok(())
}

fn maintenance(home: &Home) -> PgConnectOptions {
    PgConnectOptions::new_without_pgpass()
        .socket(&home.sockets)
        .username(NAME)
        .database("postgres")
}
