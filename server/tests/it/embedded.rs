//! Services of our own: started, stopped, and put right after a power cut.

use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use server::config::Config;
use server::embedded::{Services, data_of};
use server::{db, people};
use sqlx::{ConnectOptions, Connection, PgConnection};

use crate::harness::{ServerProcess, scratch};

/// A server that starts its own services in `folder`.
async fn serve(folder: &Path) -> ServerProcess {
    let mut command = ServerProcess::command(&["serve"]);
    command.env("ROWLOCK_DATA_DIR", folder);
    ServerProcess::wait_for(command).await
}

/// Where the database of the server on `folder` is: as a command beside it finds out.
async fn database_of(folder: &Path) -> String {
    let config = Config {
        data_dir: folder.to_owned(),
        ..Config::default()
    };
    let services = Services::open(&config)
        .await
        .expect("joins the running server");
    services.database_url().to_owned()
}

async fn connect(url: &str) -> sqlx::Result<PgConnection> {
    db::options(url, 5_000)
        .expect("our own URL")
        .connect()
        .await
}

/// Waits until nothing answers at `url`.
async fn gone(url: &str) -> bool {
    for _ in 0..200 {
        match connect(url).await {
            Err(_) => return true,
            Ok(conn) => drop(conn),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    false
}

async fn staff_count(url: &str) -> i64 {
    let mut conn = connect(url).await.expect("Postgres runs");
    let count = sqlx::query_scalar("select count(*) from staff")
        .fetch_one(&mut conn)
        .await;
    conn.close().await.expect("a goodbye");
    count.expect("migrated")
}

#[tokio::test]
async fn services_stop_with_the_server_and_recover_when_it_was_killed() {
    let folder = scratch("embedded");
    // An earlier run's cluster, which may be of an earlier schema.
    let data = data_of(&folder.canonicalize().unwrap());
    if data.exists() {
        std::fs::remove_dir_all(&data).unwrap();
    }
    let server = serve(&folder).await;
    let url = database_of(&folder).await;
    let mut conn = connect(&url).await.unwrap();

    // Unix sockets only, as an unprivileged user, and durable.
    let show = async |conn: &mut PgConnection, name: &'static str| -> String {
        let query = sqlx::query_scalar("select current_setting($1)").bind(name);
        query.fetch_one(conn).await.unwrap()
    };
    assert_eq!(show(&mut conn, "listen_addresses").await, "");
    let cluster = PathBuf::from(show(&mut conn, "data_directory").await);
    assert_eq!(show(&mut conn, "fsync").await, "on");
    assert_eq!(show(&mut conn, "synchronous_commit").await, "on");
    let backend: i32 = sqlx::query_scalar("select pg_backend_pid()")
        .fetch_one(&mut conn)
        .await
        .unwrap();
    let status = std::fs::read_to_string(format!("/proc/{backend}/status")).unwrap();
    let uid = status
        .lines()
        .find(|line| line.starts_with("Uid:"))
        .unwrap();
    assert_ne!(uid.split_whitespace().nth(1), Some("0"), "never as root");
    drop(conn);

    // A second server would lose its services when the first one stops.
    let mut second = ServerProcess::command(&["serve"]);
    second
        .env("ROWLOCK_DATA_DIR", &folder)
        .stderr(Stdio::piped());
    let second = second.output().await.unwrap();
    assert!(!second.status.success());
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(said.contains("another Rowlock runs on"), "{said}");

    // Killed: the kernel ends the services, and the next start finds everything.
    let pool = sqlx::PgPool::connect(&url).await.unwrap();
    people::staff::put(&pool, "ann@x.example", "Ann", "correct horse")
        .await
        .unwrap();
    pool.close().await;
    server.kill_9().await;
    assert!(gone(&url).await, "Postgres ends with a killed server");

    let server = serve(&folder).await;
    assert_eq!(staff_count(&database_of(&folder).await).await, 1);
    assert!(server.terminate().await, "SIGTERM ends it well");
    assert!(connect(&url).await.is_err(), "and its Postgres before it");

    leave_stale_pid(&cluster);
    let server = serve(&folder).await;
    assert_eq!(staff_count(&database_of(&folder).await).await, 1);
    assert!(server.terminate().await);

    leave_orphan(&cluster);
    let server = serve(&folder).await;
    assert_eq!(staff_count(&database_of(&folder).await).await, 1);
    assert!(server.terminate().await);
    assert!(
        !cluster.join("postmaster.pid").exists(),
        "nothing is left running"
    );
}

/// What a power cut leaves: the number of a process that is somebody else's by now (ours).
fn leave_stale_pid(cluster: &Path) {
    let text = format!("{}\n{}\n", std::process::id(), cluster.display());
    std::fs::write(cluster.join("postmaster.pid"), text).unwrap();
}

/// What is left where nothing ends the services with a killed server: a Postgres that runs.
fn leave_orphan(cluster: &Path) {
    let owner = std::fs::metadata(cluster).unwrap();
    let programs = std::fs::read_to_string(cluster.join("postmaster.opts")).unwrap();
    let programs = Path::new(programs.split(' ').next().unwrap())
        .parent()
        .unwrap()
        .to_owned();
    let pg_ctl = programs.join("pg_ctl");
    let options = format!(
        "-c listen_addresses= -c unix_socket_directories={}",
        cluster.display()
    );
    let mut command = std::process::Command::new(&pg_ctl);
    if rustix::process::geteuid().is_root() {
        command.uid(owner.uid()).gid(owner.gid());
    }
    let started = command
        .arg("--pgdata")
        .arg(cluster)
        .args([
            "--wait",
            "--silent",
            "-o",
            &options,
            "-l",
            "/dev/null",
            "start",
        ])
        .current_dir(cluster)
        .status()
        .unwrap();
    assert!(started.success());
}
