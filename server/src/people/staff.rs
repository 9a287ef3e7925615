//! Members of staff and their passwords (argon2id with the crate's parameters, which are
//! OWASP's: 19 MiB, two passes).

use std::sync::Arc;

use anyhow::{Context, anyhow};
use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use domain::ids::StaffId;
use domain::refusal::Refusal;
use domain::time::Millis;
use domain::wire::view::StaffView;
use sqlx::PgPool;
use tokio::sync::Semaphore;

use super::guesses::Guesses;
use crate::error::Result;
use crate::http::limits::{PASSWORD_BYTES_MAX, PASSWORD_HASHES_AT_ONCE};
use crate::http::network::Network;

/// Shortest password that `staff add` takes, characters.
pub const PASSWORD_CHARS_MIN: usize = 10;

/// What logins share: how many passwords were guessed lately, and how many are hashed at once.
pub struct Logins {
    guesses: Guesses,
    hashing: Arc<Semaphore>,
}

impl Default for Logins {
    fn default() -> Self {
        Self {
            guesses: Guesses::default(),
            hashing: Arc::new(Semaphore::new(PASSWORD_HASHES_AT_ONCE)),
        }
    }
}

impl Logins {
    /// The member of staff with this address and password, unless too many were guessed from
    /// this network.
    ///
    /// # Errors
    /// `WrongLogin`, `TooManyRequests`; faults when Postgres does not answer.
    pub async fn log_in(
        &self,
        db: &PgPool,
        now: Millis,
        from: Network,
        email: &str,
        password: &str,
    ) -> Result<StaffView> {
        let email = email.trim().to_lowercase();
        self.guesses.begin(from, &email, now)?;
        let staff = self.check(db, &email, password).await?;
        self.guesses.was_right(from, &email);
        Ok(staff)
    }

    /// The member of staff with this address and password. Takes as long for an address that
    /// nobody has.
    ///
    /// # Errors
    /// `WrongLogin`; faults when Postgres does not answer.
    pub async fn check(&self, db: &PgPool, email: &str, password: &str) -> Result<StaffView> {
        let email = email.trim().to_lowercase();
        // A NUL is nobody's address, and Postgres has no place for it.
        if email.len() > 254 || email.contains('\0') || password.len() > PASSWORD_BYTES_MAX {
            return Err(Refusal::WrongLogin.into());
        }
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
