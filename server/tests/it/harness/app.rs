//! A server in this process, on its own database, reached over loopback.

use std::time::Duration;

use server::app::App;
use server::config::Config;
use server::embedded::Services;
use server::run::{self, Running};
use sqlx::PgPool;

use super::{Answer, Buyer, ServerProcess, cluster};

pub struct TestApp {
    running: Running,
    database_url: String,
    redis_url: String,
    pub client: reqwest::Client,
}

impl TestApp {
    pub async fn start() -> Self {
        Self::start_with(|_| ()).await
    }

    /// A server whose settings `change` has seen.
    pub async fn start_with(change: impl FnOnce(&mut Config)) -> Self {
        let cluster = cluster().await;
        let database_url = cluster.new_database().await;
        let redis_url = cluster.redis_url().to_owned();
        let mut config = Config {
            addr: "127.0.0.1:0".parse().expect("an address"),
            database_connections_max: 8,
            sandbox_payments: true,
            data_dir: super::scratch(database_url.split(['/', '?']).nth(3).expect("a name")),
            ..Config::default()
        };
        change(&mut config);
        let services = Services::at(database_url.clone(), redis_url.clone());
        let running = run::start(config, &services)
            .await
            .expect("the server starts");
        Self {
            running,
            database_url,
            redis_url,
            client: client(),
        }
    }

    /// What the server shares; for arranging and checking, while acting goes over HTTP.
    pub fn parts(&self) -> &App {
        &self.running.app
    }

    pub fn db(&self) -> &PgPool {
        &self.running.app.db
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.running.addr)
    }

    pub async fn get(&self, path: &str) -> Answer {
        Answer::of(self.client.get(self.url(path))).await
    }

    /// A new buyer with a session, who talks to this server.
    pub async fn buyer(&self) -> Buyer {
        Buyer::begin(self.client.clone(), self.url("")).await
    }

    /// Many buyers; `count` sessions are begun one after the other.
    pub async fn buyers(&self, count: usize) -> Vec<Buyer> {
        let mut buyers = Vec::with_capacity(count);
        for _ in 0..count {
            buyers.push(self.buyer().await);
        }
        buyers
    }

    /// The real binary on the same database.
    pub async fn process(&self) -> ServerProcess {
        self.process_with(&[]).await
    }

    /// The same with settings of its own.
    pub async fn process_with(&self, env: &[(&str, &str)]) -> ServerProcess {
        ServerProcess::start(&self.database_url, &self.redis_url, env).await
    }

    /// A command of the real binary on the same database, to be run to its end.
    pub fn command(&self, args: &[&str]) -> tokio::process::Command {
        let mut command = ServerProcess::command(args);
        command
            .env("DATABASE_URL", &self.database_url)
            .env("REDIS_URL", &self.redis_url)
            .stderr(std::process::Stdio::piped());
        command
    }

    /// The rules that hold at rest; any row is a failure.
    pub async fn check_invariants(&self) {
        let broken = server::check::invariants(self.db())
            .await
            .expect("the check runs");
        assert!(broken.is_empty(), "invariants are broken: {broken:#?}");
    }

    pub async fn stop(self) {
        self.running.stop().await;
    }
}

/// As a browser that follows no redirects: tests look at them.
pub fn client() -> reqwest::Client {
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(Duration::from_secs(60))
        .tcp_nodelay(true)
        .build()
        .expect("a client without TLS")
}
