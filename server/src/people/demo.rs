//! The demonstration's member of staff, so that who tries Rowlock can sign in at once.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;

use anyhow::Context;

use super::staff;
use crate::app::App;
use crate::error::{Error, Result};

const EMAIL: &str = "admin@rowlock.example";
const PASSWORD_FILE: &str = "demo-password";

/// What to print at start.
pub struct DemoLogin {
    pub email: &'static str,
    pub password: String,
}

/// Makes the account, or makes sure that the printed password is the one that works. The
/// password is the configured one, or a random one kept in the data directory, readable by its
/// owner alone: a fixed one would open every demonstration that somebody left on a network.
///
/// # Errors
/// The data directory cannot be written, or Postgres does not answer.
pub async fn ensure(app: &App) -> Result<DemoLogin> {
    let password = match &app.config.demo_password {
        Some(password) => password.0.clone(),
        None => kept_password(app)?,
    };
    // Signed-in browsers stay signed in over a restart: the account is touched only when the
    // password is not the one it has.
    let check = app.logins.check(&app.db, EMAIL, &password).await;
    match check {
        Ok(_) => {}
        Err(Error::Refusal(_)) => {
            staff::put(&app.db, EMAIL, "Demo admin", &password).await?;
        }
        Err(fault) => return Err(fault),
    }
    Ok(DemoLogin {
        email: EMAIL,
        password,
    })
}

fn kept_password(app: &App) -> anyhow::Result<String> {
    let path = app.config.data_dir.join(PASSWORD_FILE);
    if let Ok(kept) = std::fs::read_to_string(&path) {
        return Ok(kept.trim().to_owned());
    }
    let password = format!("{:016x}", rand::random::<u64>());
    std::fs::create_dir_all(&app.config.data_dir).context("the data directory cannot be made")?;
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path)
        .with_context(|| format!("{} cannot be written", path.display()))?;
    writeln!(file, "{password}").context("the demonstration's password cannot be kept")?;
    Ok(password)
}
