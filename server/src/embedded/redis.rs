//! The embedded Redis: nothing in it has to survive, so nothing is written to disk.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use rustix::process::Signal;

use super::home::Home;
use super::keeper::{Keeper, end_orphan};
use super::{find_programs, fresh_log, log_tail};
use crate::clock::Stopwatch;

const START_TIMEOUT: Duration = Duration::from_secs(30);
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Starts Redis in `home` and answers its URL.
pub async fn start(home: &Home) -> anyhow::Result<(String, Keeper)> {
    let programs = find_programs(vec![PathBuf::from("/usr/bin")], &["redis-server"])
        .context("Redis is not installed: install redis-server, or set REDIS_URL")?;
    let folder = home.data.join("redis");
    home.own_dir(&folder)?;
    let pid_file = folder.join("redis.pid");
    end_orphan(&pid_file, &folder, Signal::TERM)?;
    let socket = home.sockets.join("redis.sock");
    let log = home.data.join("redis.log");
    let mut command = home.command(&programs.join("redis-server"), Some("TERM"));
    command
        .args(["--port", "0", "--unixsocketperm", "700", "--unixsocket"])
        .arg(&socket)
        .args(["--save", "", "--appendonly", "no", "--daemonize", "no"])
        .args(["--maxmemory", "256mb", "--maxmemory-policy", "allkeys-lru"])
        .arg("--dir")
        .arg(&folder)
        .arg("--pidfile")
        .arg(&pid_file);
    let out = fresh_log(&log)?;
    command.stderr(out.try_clone()?).stdout(out);
    let keeper = Keeper::start("redis", command, Signal::TERM)?;
    let waited = Stopwatch::start();
    while waited.elapsed() < START_TIMEOUT && !keeper.has_ended() {
        if tokio::net::UnixStream::connect(&socket).await.is_ok() {
            return Ok((format!("unix://{}", socket.display()), keeper));
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    drop(keeper);
    bail!(
        "Redis did not start; the end of {}:\n{}",
        log.display(),
        log_tail(&log)
    )
}
