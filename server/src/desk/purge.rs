//! What commands answered is kept for two days. A repeat that comes later is decided afresh: by
//! then the order has long ended, and money is known by its payment's name for ever.

use sqlx::PgPool;

use crate::error::Result;

/// Rows removed by one statement: none may hold locks or run for long.
const ROWS_MAX: i64 = 10_000;

/// Removes the answers that are old enough.
pub async fn purge(db: &PgPool) -> Result<()> {
    loop {
        let gone = sqlx::query(
            "delete from command_outcome where ctid = any (array(
                 select ctid from command_outcome
                 where at < now() - interval '48 hours' limit $1))",
        )
        .bind(ROWS_MAX)
        .execute(db)
        .await?;
        if (gone.rows_affected() as i64) < ROWS_MAX {
            return Ok(());
        }
    }
}
