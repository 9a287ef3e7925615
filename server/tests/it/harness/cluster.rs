//! One throw-away cluster for the whole test binary, with a migrated database that every
//! test's own is copied from.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use server::db;
use server::embedded::Services;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use tokio::sync::{Mutex, OnceCell};

const TEMPLATE: &str = "rowlock_template";
/// Test binaries that may run beside each other on one checkout.
const CLUSTERS_MAX: u32 = 8;

pub struct Cluster {
    services: Services,
    databases: AtomicU32,
    /// Postgres copies a template for one at a time.
    copying: Mutex<()>,
}

/// The cluster, started by the first test that asks. It ends with the process: its keepers'
/// threads go, and the kernel tells the services.
pub async fn cluster() -> &'static Cluster {
    static CLUSTER: OnceCell<Cluster> = OnceCell::const_new();
    CLUSTER.get_or_init(Cluster::start).await
}

impl Cluster {
    async fn start() -> Self {
        let services = Self::services().await;
        let cluster = Self {
            services,
            databases: AtomicU32::new(0),
            copying: Mutex::new(()),
        };
        cluster
            .maintain("create database rowlock_template".to_owned())
            .await;
        db::migrate(&cluster.database_url(TEMPLATE))
            .await
            .expect("migrations apply to an empty database");
        cluster
    }

    /// The first folder that no other test binary uses now.
    async fn services() -> Services {
        let mut last = None;
        for number in 0..CLUSTERS_MAX {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("it-{number}"));
            match Services::throw_away(&folder).await {
                Ok(services) => return services,
                Err(error) => last = Some(error),
            }
        }
        panic!(
            "no services for tests: {:#}",
            last.expect("tried at least once")
        );
    }

    /// A new migrated database; answers its URL.
    pub async fn new_database(&self) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let _copying = self.copying.lock().await;
        self.maintain(format!("create database {name} template {TEMPLATE}"))
            .await;
        self.database_url(&name)
    }

    pub fn redis_url(&self) -> &str {
        self.services.redis_url()
    }

    fn database_url(&self, name: &str) -> String {
        self.services
            .database_url()
            .replacen("/rowlock?", &format!("/{name}?"), 1)
    }

    async fn maintain(&self, statement: String) {
        let mut conn = db::options(self.services.database_url(), 0)
            .expect("our own URL")
            .connect()
            .await
            .expect("the cluster runs");
        sqlx::query(AssertSqlSafe(statement))
            .execute(&mut conn)
            .await
            .expect("a maintenance statement");
        conn.close().await.expect("a goodbye");
    }
}

/// A fresh folder for a test's files.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("scratch")
        .join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("an earlier run's folder");
    }
    std::fs::create_dir_all(&folder).expect("a folder of our own");
    folder
}
