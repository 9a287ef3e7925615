//! Members of staff and their passwords (argon2id with the crate's parameters, which are
//! OWASP's: 19 MiB, two passes).

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use anyhow::{Context, anyhow};
use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use domain::ids::StaffId;
use domain::refusal::Refusal;
use domain::time::Millis;
use domain::wire::view::StaffView;
use sqlx::PgPool;
use tokio::sync::Semaphore;

use crate::error::Result;
use crate::http::limits::{
    LOGIN_WINDOW_S, LOGINS_MAX, LOGINS_PER_ADDRESS_MAX, PASSWORD_BYTES_MAX, PASSWORD_HASHES_AT_ONCE,
};

/// Shortest password that `staff add` takes, characters.
pub const PASSWORD_CHARS_MIN: usize = 10;

/// What logins share: how many there were lately, and how many passwords are hashed at once.
pub struct Logins {
    recent: Mutex<Recent>,
    hashing: Arc<Semaphore>,
}

#[derive(Default)]
struct Recent {
    window: i64,
    all: u32,
    /// At most [`LOGINS_MAX`] addresses, since the window takes no more logins.
    by_address: HashMap<String, u32>,
}

impl Default for Logins {
    fn default() -> Self {
        Self {
            recent: Mutex::default(),
            hashing: Arc::new(Semaphore::new(PASSWORD_HASHES_AT_ONCE)),
        }
    }
}

impl Logins {
    /// Counts an attempt for this address, or refuses it until the window ends.
    fn count(&self, email: &str, now: Millis) -> Result<(), Refusal> {
        let window_ms = i64::from(LOGIN_WINDOW_S) * 1000;
        let mut recent = self.recent.lock().expect("no panic while counting");
        let window = now.0.div_euclid(window_ms);
        if recent.window != window {
            *recent = Recent {
                window,
                ..Recent::default()
            };
        }
        let of_address = recent.by_address.get(email).copied().unwrap_or(0);
        if recent.all >= LOGINS_MAX || of_address >= LOGINS_PER_ADDRESS_MAX {
            let left_ms = window_ms - now.0.rem_euclid(window_ms);
            return Err(Refusal::TooManyRequests {
                retry_after_s: (left_ms / 1000 + 1) as u32,
            });
        }
        recent.all += 1;
        recent.by_address.insert(email.to_owned(), of_address + 1);
        Ok(())
    }

    /// The member of staff with this address and password. Takes as long for an address that
    /// nobody has.
    ///
    /// # Errors
    /// `WrongLogin`, `TooManyRequests`; faults when Postgres does not answer.
    pub async fn check(
        &self,
        db: &PgPool,
        now: Millis,
        email: &str,
        password: &str,
    ) -> Result<StaffView> {
        let email = email.trim().to_lowercase();
        // A NUL is nobody's address, and Postgres has no place for it.
        if email.len() > 254 || email.contains('\0') || password.len() > PASSWORD_BYTES_MAX {
            return Err(Refusal::WrongLogin.into());
        }
        self.count(&email, now)?;
        let row: Option<(i64, String, String, String)> = sqlx::query_as(
            "select staff_id, email, name, password_hash from staff where lower(email) = $1",
        )
        .bind(&email)
        .fetch_optional(db)
        .await?;
        let permit = self
            .hashing
            .clone()
            .acquire_owned()
            .await
            .context("never closed")?;
        let password = password.to_owned();
        let checked = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            match row {
                Some((id, email, name, hash)) => verify(&password, &hash).then_some(StaffView {
                    id: StaffId(id),
                    email,
                    name,
                }),
                None => {
                    // The work is done for nobody too, or time would tell who has an account.
                    let _ = hash(&password);
                    None
                }
            }
        })
        .await
        .context("the password check panicked")?;
        checked.ok_or_else(|| Refusal::WrongLogin.into())
    }
}

/// Adds a member of staff, or gives the one with this address a new password and name; every
/// session that the address had ends.
///
/// # Errors
/// An address or password that cannot be taken, as a `BadField` refusal.
pub async fn put(db: &PgPool, email: &str, name: &str, password: &str) -> Result<StaffId> {
    let bad = |field: &str, detail: &str| Refusal::BadField {
        field: field.into(),
        detail: detail.into(),
    };
    let email = email.trim();
    if !(3..=254).contains(&email.len()) || !email.contains('@') {
        return Err(bad("email", "not a mail address").into());
    }
    if password.chars().count() < PASSWORD_CHARS_MIN || password.len() > PASSWORD_BYTES_MAX {
        return Err(bad("password", "10 characters or more, at most 512 bytes").into());
    }
    let password = password.to_owned();
    let hash = tokio::task::spawn_blocking(move || hash(&password))
        .await
        .context("hashing panicked")??;
    let mut tx = db.begin().await?;
    let id: i64 = sqlx::query_scalar(
        "insert into staff (email, name, password_hash) values ($1, $2, $3)
         on conflict (lower(email)) do update
            set name = excluded.name, password_hash = excluded.password_hash
         returning staff_id",
    )
    .bind(email)
    .bind(name)
    .bind(hash)
    .fetch_one(&mut *tx)
    .await?;
    sqlx::query("delete from staff_session where staff_id = $1")
        .bind(id)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(StaffId(id))
}

fn hash(password: &str) -> anyhow::Result<String> {
    let salt: [u8; 16] = rand::random();
    SaltString::encode_b64(&salt)
        .and_then(|salt| {
            let hash = Argon2::default().hash_password(password.as_bytes(), &salt)?;
            Ok(hash.to_string())
        })
        .map_err(|error| anyhow!("the password cannot be hashed: {error}"))
}

fn verify(password: &str, stored: &str) -> bool {
    PasswordHash::new(stored).is_ok_and(|hash| {
        Argon2::default()
            .verify_password(password.as_bytes(), &hash)
            .is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logins_are_counted_by_address_and_all_together() {
        let logins = Logins::default();
        let now = Millis(1_000);
        for _ in 0..LOGINS_PER_ADDRESS_MAX {
            logins.count("a@x", now).unwrap();
        }
        let refused = logins.count("a@x", now).unwrap_err();
        assert_eq!(
            refused,
            Refusal::TooManyRequests {
                retry_after_s: LOGIN_WINDOW_S
            }
        );
        let others = LOGINS_MAX - LOGINS_PER_ADDRESS_MAX;
        for n in 0..others {
            logins.count(&format!("{n}@x"), now).unwrap();
        }
        assert!(
            logins.count("b@x", now).is_err(),
            "the whole process is full"
        );
        let later = Millis(i64::from(LOGIN_WINDOW_S) * 1000);
        assert!(
            logins.count("a@x", later).is_ok(),
            "the next window is empty"
        );
    }
}
