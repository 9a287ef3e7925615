//! Where the embedded services live, and as whom.

use std::ffi::OsStr;
use std::fs::{DirBuilder, File, Permissions};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, bail};
use sha2::{Digest, Sha256};

use super::find_programs;
use crate::clock::Stopwatch;

/// The kernel takes at most 107 bytes for a socket's path; Postgres adds `/.s.PGSQL.5432`.
const SOCKET_FOLDER_BYTES_MAX: usize = 107 - 16;
/// Home of the data of servers that root started.
const ROOT_DATA: &str = "/var/lib/rowlock";
const SERVICE_USER: &str = "rowlock";

pub struct Home {
    /// Data of the services, private to their user.
    pub data: PathBuf,
    /// Their sockets; short, private to their user.
    pub sockets: PathBuf,
    /// The unprivileged user to become; `None` when we are one.
    user: Option<User>,
}

#[derive(Debug, Clone, Copy)]
struct User {
    uid: u32,
    gid: u32,
}

/// A name of its own for every data directory, short enough for sockets.
fn name_of(absolute: &Path) -> String {
    let digest = Sha256::digest(absolute.as_os_str().as_encoded_bytes());
    digest[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Where the services of a data directory, named by its absolute path, keep their data: in it, or
/// in a folder of the service user's when root starts them.
pub fn data_of(absolute: &Path) -> PathBuf {
    if rustix::process::geteuid().is_root() {
        Path::new(ROOT_DATA).join(name_of(absolute))
    } else {
        absolute.join("services")
    }
}

impl Home {
    /// Makes the directories for `data_dir`, and the service user when started as root.
    pub fn prepare(data_dir: &Path) -> anyhow::Result<Self> {
        let made = || format!("the data directory {} cannot be made", data_dir.display());
        private_dir(data_dir).with_context(made)?;
        let absolute = data_dir.canonicalize().with_context(made)?;
        let name = name_of(&absolute);
        let root = rustix::process::geteuid().is_root();
        let data = data_of(&absolute);
        let user = if root {
            Some(User::of_data(&data).map_or_else(User::service, Ok)?)
        } else {
            None
        };
        let home = Self {
            data,
            sockets: socket_folder(&name, root)?,
            user,
        };
        home.own_dir(&home.data)?;
        home.own_dir(&home.sockets)?;
        Ok(home)
    }

    /// Makes a directory private to the services' user. Where others may write beside it, an
    /// existing one is only taken when it already belongs to that user.
    pub fn own_dir(&self, path: &Path) -> anyhow::Result<()> {
        let cannot = || format!("{} cannot be made", path.display());
        private_dir(path).with_context(cannot)?;
        let meta = std::fs::symlink_metadata(path).with_context(cannot)?;
        let us = rustix::process::geteuid().as_raw();
        let uid = self.user.map_or(us, |user| user.uid);
        if !meta.is_dir() || ![us, uid].contains(&meta.uid()) {
            bail!("{} belongs to somebody else", path.display());
        }
        std::fs::set_permissions(path, Permissions::from_mode(0o700)).with_context(cannot)?;
        if let Some(user) = self.user {
            chown(path, Some(user.uid), Some(user.gid)).with_context(cannot)?;
        }
        Ok(())
    }

    /// The lock on this data directory; `None` when another process has it.
    pub fn lock(&self) -> anyhow::Result<Option<File>> {
        let path = self.data.join("lock");
        let file =
            File::create(&path).with_context(|| format!("{} cannot be made", path.display()))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(std::fs::TryLockError::WouldBlock) => Ok(None),
            Err(std::fs::TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("{} cannot be locked", path.display()))
            }
        }
    }

    /// A command that runs `program` as the services' user, with none of our environment, in a
    /// process group of its own (Ctrl-C must reach us, not them), and that gets `death_signal`
    /// when the thread that started it is gone.
    pub fn command(&self, program: &Path, death_signal: Option<&str>) -> Command {
        use std::os::unix::process::CommandExt;
        let setpriv = find_programs(vec!["/usr/bin".into()], &["setpriv"]);
        let mut command = match setpriv {
            Some(folder) => {
                let mut command = Command::new(folder.join("setpriv"));
                if let Some(user) = self.user {
                    command.arg(format!("--reuid={}", user.uid));
                    command.arg(format!("--regid={}", user.gid));
                    command.arg("--clear-groups");
                }
                command.arg("--no-new-privs");
                if let Some(signal) = death_signal {
                    command.arg(format!("--pdeathsig={signal}"));
                }
                command.arg("--").arg(program);
                command
            }
            None => {
                let mut command = Command::new(program);
                if let Some(user) = self.user {
                    command.uid(user.uid).gid(user.gid);
                }
                command
            }
        };
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LC_ALL", "C.UTF-8")
            .current_dir(&self.data)
            .stdin(std::process::Stdio::null())
            .process_group(0);
        command
    }

    /// Leaves word where the services are, for commands beside the server.
    pub fn note_services(&self, database_url: &str, redis_url: &str) -> anyhow::Result<()> {
        let note = self.note();
        let fresh = note.with_extension("new");
        std::fs::write(&fresh, format!("{database_url}\n{redis_url}\n"))
            .and_then(|()| std::fs::set_permissions(&fresh, Permissions::from_mode(0o600)))
            .and_then(|()| std::fs::rename(&fresh, &note))
            .with_context(|| format!("{} cannot be written", note.display()))
    }

    /// Takes the word back and removes the folder of the sockets.
    pub fn forget_services(&self) {
        for gone in [
            std::fs::remove_file(self.note()),
            std::fs::remove_dir_all(&self.sockets),
        ] {
            if let Err(error) = gone {
                tracing::debug!("left behind: {error}");
            }
        }
    }

    /// Postgres and Redis of the server that owns this directory.
    pub async fn running_services(&self, patience: Duration) -> anyhow::Result<(String, String)> {
        let waited = Stopwatch::start();
        while waited.elapsed() < patience {
            if let Ok(text) = std::fs::read_to_string(self.note())
                && let Some((database_url, redis_url)) = text.trim_end().split_once('\n')
            {
                return Ok((database_url.to_owned(), redis_url.to_owned()));
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        bail!(
            "another Rowlock has locked {} but does not serve",
            self.data.display()
        )
    }

    fn note(&self) -> PathBuf {
        self.data.join("services")
    }
}

impl User {
    /// The user who owns data that is there already: it stays theirs.
    fn of_data(data: &Path) -> Option<Self> {
        let meta = std::fs::symlink_metadata(data).ok()?;
        (meta.uid() != 0).then(|| Self {
            uid: meta.uid(),
            gid: meta.gid(),
        })
    }

    /// Our own system user, made when missing; otherwise Postgres' or nobody.
    fn service() -> anyhow::Result<Self> {
        if let Some(user) = Self::named(SERVICE_USER) {
            return Ok(user);
        }
        if let Some(folder) = find_programs(vec!["/usr/sbin".into()], &["useradd"]) {
            let made = Command::new(folder.join("useradd"))
                .args(["--system", "--user-group", "--no-create-home"])
                .args([
                    "--home-dir",
                    "/nonexistent",
                    "--shell",
                    "/usr/sbin/nologin",
                    SERVICE_USER,
                ])
                .output();
            if let Some(user) = Self::named(SERVICE_USER) {
                return Ok(user);
            }
            tracing::warn!("the user {SERVICE_USER} cannot be made: {made:?}");
        }
        ["postgres", "nobody"]
            .into_iter()
            .find_map(Self::named)
            .context("started as root, and there is no unprivileged user to run the services as")
    }

    fn named(name: &str) -> Option<Self> {
        let ask = |what: &str| {
            let output = Command::new("id").args([what, name]).output().ok()?;
            String::from_utf8(output.stdout).ok()?.trim().parse().ok()
        };
        Some(Self {
            uid: ask("-u")?,
            gid: ask("-g")?,
        })
    }
}

fn private_dir(path: &Path) -> std::io::Result<()> {
    if let Some(parent) = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
    {
        std::fs::create_dir_all(parent)?;
    }
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        other => other,
    }
}

/// A short folder for sockets: below `/run` for root, otherwise below the session's runtime
/// directory or the temporary one.
fn socket_folder(name: &str, root: bool) -> anyhow::Result<PathBuf> {
    let folder = format!("rowlock-{name}");
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let candidates = [
        root.then(|| PathBuf::from("/run")),
        runtime.filter(|_| !root),
        Some(std::env::temp_dir()),
        Some(PathBuf::from("/tmp")),
    ];
    candidates
        .into_iter()
        .flatten()
        .filter(|parent| parent.is_absolute() && writable(parent))
        .map(|parent| parent.join(&folder))
        .find(|path| OsStr::len(path.as_os_str()) <= SOCKET_FOLDER_BYTES_MAX)
        .context("no folder with a path short enough for sockets; set TMPDIR to a short one")
}

fn writable(folder: &Path) -> bool {
    rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).is_ok() && folder.is_dir()
}
