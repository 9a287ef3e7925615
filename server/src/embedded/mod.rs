//! Postgres and Redis of our own, for whoever has not set `DATABASE_URL` and `REDIS_URL`:
//! installed binaries, a private data directory, unix sockets only, never as root. They stop
//! with the server, also when it is killed, and a directory that a killed server left behind is
//! put right at the next start.
//!
//! One process owns a data directory at a time, by a lock on a file that the kernel releases
//! when the process is gone. Commands beside a running server find its services by a note in
//! the directory.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};

use crate::config::Config;

/// Directories, sockets and the unprivileged user.
mod home;
/// A child process that ends with us.
mod keeper;
mod postgres;
mod redis;

use home::Home;
pub use home::data_of;
use keeper::Keeper;

/// How long a command waits for the services of a server that is just starting.
const JOIN_TIMEOUT: Duration = Duration::from_secs(60);

/// What has to survive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// A power cut loses nothing that was confirmed.
    Kept,
    /// Made empty at start and not worth a flush to disk: for tests.
    ThrowAway,
}

/// Where Postgres and Redis are. Those that are our own run until [`Services::close`] or drop.
pub struct Services {
    database_url: String,
    redis_url: String,
    /// What runs until this is dropped.
    _own: Option<Own>,
}

struct Own {
    keepers: Vec<Keeper>,
    home: Home,
    /// Held as long as the services run.
    _lock: File,
}

impl Services {
    /// The configured services; those not configured are started, or shared with the server
    /// that runs on this data directory.
    ///
    /// # Errors
    /// Nothing configured and no binaries installed, or the services do not start; the message
    /// says what to do.
    pub async fn open(config: &Config) -> anyhow::Result<Self> {
        Self::open_as(config, Durability::Kept, true).await
    }

    /// As [`Services::open`], but an error where another server owns the data directory: the
    /// services would stop with it.
    ///
    /// # Errors
    /// As above.
    pub async fn open_alone(config: &Config) -> anyhow::Result<Self> {
        Self::open_as(config, Durability::Kept, false).await
    }

    /// Empty services for tests in `data_dir`.
    ///
    /// # Errors
    /// They do not start, or others use this directory now.
    pub async fn throw_away(data_dir: &Path) -> anyhow::Result<Self> {
        let config = Config {
            data_dir: data_dir.to_owned(),
            ..Config::default()
        };
        Self::open_as(&config, Durability::ThrowAway, false).await
    }

    async fn open_as(config: &Config, durability: Durability, join: bool) -> anyhow::Result<Self> {
        let database_url = config.database_url.as_ref().map(|url| url.0.clone());
        let redis_url = config.redis_url.as_ref().map(|url| url.0.clone());
        if let (Some(database_url), Some(redis_url)) = (&database_url, &redis_url) {
            return Ok(Self::at(database_url.clone(), redis_url.clone()));
        }
        let home = Home::prepare(&config.data_dir)?;
        let Some(lock) = home.lock()? else {
            if join {
                let (their_database, their_redis) = home.running_services(JOIN_TIMEOUT).await?;
                return Ok(Self::at(
                    database_url.unwrap_or(their_database),
                    redis_url.unwrap_or(their_redis),
                ));
            }
            bail!(
                "another Rowlock runs on {}; for several processes set DATABASE_URL and REDIS_URL, \
                 for a separate one set ROWLOCK_DATA_DIR",
                config.data_dir.display()
            );
        };
        let mut keepers = Vec::new();
        let database_url = match database_url {
            Some(url) => url,
            None => {
                let (url, keeper) = postgres::start(&home, durability).await?;
                keepers.push(keeper);
                url
            }
        };
        let redis_url = match redis_url {
            Some(url) => url,
            None => {
                let (url, keeper) = redis::start(&home).await?;
                keepers.push(keeper);
                url
            }
        };
        home.note_services(&database_url, &redis_url)?;
        let own = Some(Own {
            keepers,
            home,
            _lock: lock,
        });
        Ok(Self {
            database_url,
            redis_url,
            _own: own,
        })
    }

    /// Services that somebody else runs.
    pub fn at(database_url: String, redis_url: String) -> Self {
        Self {
            database_url,
            redis_url,
            _own: None,
        }
    }

    pub fn database_url(&self) -> &str {
        &self.database_url
    }

    pub fn redis_url(&self) -> &str {
        &self.redis_url
    }

    /// Stops what is our own and waits for its end.
    pub async fn close(self) {
        let closed = tokio::task::spawn_blocking(move || drop(self)).await;
        if let Err(error) = closed {
            tracing::error!("the services did not close: {error}");
        }
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        // Last started, first stopped; each drop waits for the end of its process.
        while let Some(keeper) = self.keepers.pop() {
            drop(keeper);
        }
        self.home.forget_services();
    }
}

/// The newest installation whose folder holds all of `programs`: first `folders`, then PATH.
fn find_programs(folders: Vec<PathBuf>, programs: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let beside = ["/usr/local/sbin", "/usr/sbin", "/sbin"].map(PathBuf::from);
    folders
        .into_iter()
        .chain(std::env::split_paths(&path))
        .chain(beside)
        .find(|folder| {
            programs
                .iter()
                .all(|program| folder.join(program).is_file())
        })
}

/// The end of a log, for messages.
fn log_tail(path: &Path) -> String {
    const LINES: usize = 12;
    let text = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

/// Makes an empty log and opens it for a child's output.
fn fresh_log(path: &Path) -> anyhow::Result<File> {
    File::create(path).with_context(|| format!("{} cannot be written", path.display()))
}
