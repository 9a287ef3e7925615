//! The rules that hold at rest (`invariants.sql`), and the replay of the delta log against what
//! the tables say. Reads only; owns nothing.

use sqlx::PgPool;

use crate::error::Result;

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
    let breaches = sqlx::query_as(include_str!("invariants.sql"))
        .fetch_all(&mut *tx)
        .await?;
    tx.rollback().await?;
    Ok(breaches)
}
