//! The rules that hold at rest (`invariants.sql`), and the replay of the delta log against what
//! the tables say. Reads only; owns nothing.

use domain::ids::ShowId;
use sqlx::PgPool;

use crate::error::Result;

/// The log, played again over an empty board.
mod replay;

/// One breach of a rule.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Breach {
    /// `I1` to `I10`.
    pub rule: String,
    pub breach: String,
}

impl std::fmt::Display for Breach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}  {}", self.rule, self.breach)
    }
}

/// Every breach there is; none when all is well.
///
/// # Errors
/// Postgres does not answer, or the log cannot be read.
pub async fn invariants(db: &PgPool) -> Result<Vec<Breach>> {
    let mut tx = db.begin().await?;
    // One snapshot for the rules and the replay; a full house takes its time to read.
    sqlx::query("set transaction isolation level repeatable read read only")
        .execute(&mut *tx)
        .await?;
    sqlx::query("set local statement_timeout = 0")
        .execute(&mut *tx)
        .await?;
    let mut breaches = sqlx::query_as(include_str!("invariants.sql"))
        .fetch_all(&mut *tx)
        .await?;
    let shows: Vec<i64> = sqlx::query_scalar("select show_id from show_seq order by show_id")
        .fetch_all(&mut *tx)
        .await?;
    for show in shows {
        breaches.extend(replay::compare(db, &mut tx, ShowId(show)).await?);
    }
    tx.rollback().await?;
    Ok(breaches)
}
