//! Keys that all processes on one database share; see `app_key`.

use sqlx::PgPool;

use crate::error::Result;

/// The keys this process signs with, loaded at start.
#[derive(Clone)]
pub struct Keys {
    /// Signs buyer tokens (HMAC-SHA256).
    pub buyer: [u8; 32],
    /// Seed of the key that signs ticket codes (Ed25519).
    pub ticket: [u8; 32],
    /// Signs the webhooks of the pretend payment provider (HMAC-SHA256).
    pub sandbox: [u8; 32],
    /// Signs the links in mails (HMAC-SHA256).
    pub link: [u8; 32],
}

impl Keys {
    /// Loads the keys, making those that are not there yet.
    ///
    /// # Errors
    /// Postgres does not answer.
    pub async fn load(db: &PgPool) -> Result<Self> {
        Ok(Self {
            buyer: key(db, "buyer").await?,
            ticket: key(db, "ticket").await?,
            sandbox: key(db, "sandbox").await?,
            link: key(db, "link").await?,
        })
    }
}

async fn key(db: &PgPool, name: &str) -> Result<[u8; 32]> {
    let fresh: [u8; 32] = rand::random();
    // Two statements, so that the loser of two processes that start at once reads the winner's.
    sqlx::query("insert into app_key (name, secret) values ($1, $2) on conflict (name) do nothing")
        .bind(name)
        .bind(fresh.as_slice())
        .execute(db)
        .await?;
    let stored: Vec<u8> = sqlx::query_scalar("select secret from app_key where name = $1")
        .bind(name)
        .fetch_one(db)
        .await?;
    Ok(stored
        .try_into()
        .expect("app_key_secret_length keeps it at 32 bytes"))
}
