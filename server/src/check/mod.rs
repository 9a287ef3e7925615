//! The rules that hold at rest (`invariants.sql`), and the replay of the delta log against what
//! the tables say. Reads only; owns nothing.

use domain::ids::ShowId;
use sqlx::PgPool;

use crate::error::Result;

/// The log, played again over an empty board.
mod replay;

pub use replay::Audited;

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

/// What was found: the breaches of the rules, and the audit of every show with its own.
pub struct Findings {
    pub rules: Vec<Breach>,
    pub shows: Vec<Audited>,
}

impl Findings {
    /// All breaches; none when all is well.
    pub fn breaches(&self) -> impl Iterator<Item = &Breach> {
        let of_shows = self.shows.iter().flat_map(|show| &show.breaches);
        self.rules.iter().chain(of_shows)
    }
}

impl std::fmt::Display for Audited {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (show, commits, sold) = (self.show, self.commits, self.sold);
        write!(
            f,
            "show {show}: {commits} commits, {sold} seats sold, head "
        )?;
        self.head
            .iter()
            .try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Holds everything against the rules, in one snapshot.
///
/// # Errors
/// Postgres does not answer, or the log cannot be read.
pub async fn all(db: &PgPool) -> Result<Findings> {
    let mut tx = db.begin().await?;
    // One snapshot for the rules and the replay; a full house takes its time to read.
    sqlx::query("set transaction isolation level repeatable read read only")
        .execute(&mut *tx)
        .await?;
    sqlx::query("set local statement_timeout = 0")
        .execute(&mut *tx)
        .await?;
    let rules = sqlx::query_as(include_str!("invariants.sql"))
        .fetch_all(&mut *tx)
        .await?;
    let shows: Vec<i64> = sqlx::query_scalar("select show_id from show_seq order by show_id")
        .fetch_all(&mut *tx)
        .await?;
    let mut findings = Findings {
        rules,
        shows: Vec::new(),
    };
    for show in shows {
        let audited = replay::audit(db, &mut tx, ShowId(show)).await?;
        findings.shows.push(audited);
    }
    tx.rollback().await?;
    Ok(findings)
}

/// Every breach there is; none when all is well.
///
/// # Errors
/// As [`all`].
pub async fn invariants(db: &PgPool) -> Result<Vec<Breach>> {
    Ok(all(db).await?.breaches().cloned().collect())
}
