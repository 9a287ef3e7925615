//! A child process that ends with us. The kernel signals a child when the *thread* that started
//! it is gone, so every child has a thread of its own that lives as long as it does: a pool's
//! thread would take the child along when it idles out.

use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::Context;
use rustix::process::{Pid, Signal, kill_process};

use crate::clock::Stopwatch;

/// How often a running child is looked at.
const WATCH_INTERVAL: Duration = Duration::from_millis(200);
/// How often a stopping one is.
const STOP_INTERVAL: Duration = Duration::from_millis(5);
/// How long a stopping child may take before it is killed.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);

/// Runs a child; dropping it stops the child and waits for its end.
pub struct Keeper {
    /// Its end is the order to stop.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
    ended: Arc<AtomicBool>,
}

impl Keeper {
    /// Starts `command`; `signal` is what ends it in good order.
    pub fn start(name: &'static str, mut command: Command, signal: Signal) -> anyhow::Result<Self> {
        let (stop, stopped) = channel();
        let (begun, beginning) = channel();
        let ended = Arc::new(AtomicBool::new(false));
        let end = ended.clone();
        let thread = std::thread::Builder::new()
            .name(format!("{name} keeper"))
            .spawn(move || {
                match command.spawn() {
                    Ok(child) => {
                        // The one who asked waits for this word, so it is received.
                        let _ = begun.send(Ok(()));
                        keep(name, child, &stopped, signal);
                    }
                    Err(error) => {
                        let _ = begun.send(Err(error));
                    }
                }
                end.store(true, Ordering::Release);
            })
            .context("no thread for a child process")?;
        beginning
            .recv()
            .context("the keeper ended before its child began")?
            .with_context(|| format!("{name} cannot be started"))?;
        Ok(Self {
            stop: Some(stop),
            thread: Some(thread),
            ended,
        })
    }

    /// The child is gone, whether asked to or not.
    pub fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("a keeper panicked");
        }
    }
}

fn keep(name: &str, mut child: Child, stopped: &Receiver<()>, signal: Signal) {
    while stopped.recv_timeout(WATCH_INTERVAL) == Err(RecvTimeoutError::Timeout) {
        if let Ok(Some(status)) = child.try_wait() {
            tracing::error!("{name} ended by itself: {status}");
            return;
        }
    }
    if let Some(pid) = Pid::from_raw(child.id() as i32)
        && let Err(error) = kill_process(pid, signal)
    {
        tracing::warn!("{name} cannot be signalled: {error}");
    }
    let waited = Stopwatch::start();
    while waited.elapsed() < STOP_TIMEOUT {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        std::thread::sleep(STOP_INTERVAL);
    }
    tracing::warn!("{name} did not stop in time and is killed");
    let killed = child.kill().and_then(|()| child.wait().map(|_| ()));
    if let Err(error) = killed {
        tracing::error!("{name} cannot be killed: {error}");
    }
}

/// Ends the process that `pid_file` names when it is really the one that worked in `folder`
/// (a number alone may by now be somebody else's), and removes the file. Only the holder of the
/// data directory's lock may ask, so that process is an orphan.
pub fn end_orphan(pid_file: &Path, folder: &Path, signal: Signal) -> anyhow::Result<()> {
    let Ok(text) = std::fs::read_to_string(pid_file) else {
        return Ok(());
    };
    let pid = text
        .lines()
        .next()
        .and_then(|line| line.trim().parse().ok());
    if let Some(pid) = pid.and_then(Pid::from_raw)
        && works_in(pid, folder)
    {
        tracing::warn!("ending process {pid:?} that an earlier server left behind");
        for (signal, patience) in [(signal, 30), (Signal::QUIT, 5), (Signal::KILL, 5)] {
            if kill_process(pid, signal).is_err() {
                break;
            }
            let waited = Stopwatch::start();
            while works_in(pid, folder) && waited.elapsed() < Duration::from_secs(patience) {
                std::thread::sleep(STOP_INTERVAL);
            }
            if !works_in(pid, folder) {
                break;
            }
        }
        anyhow::ensure!(
            !works_in(pid, folder),
            "process {pid:?} of an earlier server cannot be ended"
        );
    }
    match std::fs::remove_file(pid_file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("{} cannot be removed", pid_file.display()))
        }
        _ => Ok(()),
    }
}

fn works_in(pid: Pid, folder: &Path) -> bool {
    let link = format!("/proc/{}/cwd", pid.as_raw_nonzero());
    std::fs::read_link(link).is_ok_and(|cwd| cwd == folder)
}
