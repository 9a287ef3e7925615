//! The real binary as a process of its own, to be killed.

use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::Buyer;
use super::app::client;

const START_TIMEOUT: Duration = Duration::from_secs(60);

pub struct ServerProcess {
    child: Child,
    /// `http://127.0.0.1:port`
    pub base: String,
}

impl ServerProcess {
    /// Starts `rowlock serve` on this database and waits until it answers.
    pub async fn start(database_url: &str, redis_url: &str, env: &[(&str, &str)]) -> Self {
        let mut command = Self::command(&["serve"]);
        command
            .env("DATABASE_URL", database_url)
            .env("REDIS_URL", redis_url)
            .envs(env.iter().copied());
        Self::wait_for(command).await
    }

    /// The binary with these arguments, on a free port, with nothing of our environment's
    /// settings; it ends with the test.
    pub fn command(args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rowlock"));
        for (name, _) in std::env::vars() {
            if name.starts_with("ROWLOCK_") || name == "DATABASE_URL" || name == "REDIS_URL" {
                command.env_remove(name);
            }
        }
        command
            .args(args)
            .env("ROWLOCK_ADDR", "127.0.0.1:0")
            .env("ROWLOCK_SANDBOX_PAYMENTS", "true")
            .env("ROWLOCK_LOG", "error")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    /// Starts a command that serves, and waits until it says where.
    pub async fn wait_for(mut command: Command) -> Self {
        let mut child = command.spawn().expect("the binary starts");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let said = tokio::time::timeout(START_TIMEOUT, async {
            while let Some(line) = lines.next_line().await.expect("text") {
                if let Some(base) = line.strip_prefix("Rowlock is at ") {
                    return Some(base.to_owned());
                }
            }
            None
        });
        let base = said.await.expect("it starts in time").expect("it serves");
        Self { child, base }
    }

    pub async fn buyer(&self) -> Buyer {
        Buyer::begin(client(), self.base.clone()).await
    }

    /// Ends it as a power cut would.
    pub async fn kill_9(mut self) {
        self.child.kill().await.expect("it ran");
    }

    /// Asks it to stop and answers whether it ended well.
    pub async fn terminate(mut self) -> bool {
        let pid = self.child.id().expect("it runs");
        let pid = rustix::process::Pid::from_raw(pid as i32).expect("a real process");
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it runs");
        self.child.wait().await.expect("it ends").success()
    }
}
