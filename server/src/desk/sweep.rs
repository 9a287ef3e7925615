//! The third way in which holds end: for shows whose process died. Reads without locks, and
//! leaves the ending to the show's desk, whose timer finds what is due.

use domain::ids::ShowId;
use sqlx::PgPool;

use super::Desks;
use crate::error::Result;

/// Shows opened by one sweep.
const SHOWS_PER_SWEEP_MAX: i64 = 50;

/// Opens the desks of shows that have overdue orders; answers how many there were.
pub async fn sweep(db: &PgPool, desks: &Desks) -> Result<usize> {
    let shows: Vec<i64> = sqlx::query_scalar(
        "select distinct show_id from orders
         where state in ('held', 'paying') and deadline < now() - interval '1 second'
         limit $1",
    )
    .bind(SHOWS_PER_SWEEP_MAX)
    .fetch_all(db)
    .await?;
    for show in &shows {
        // One show that cannot be opened must not keep the others' seats.
        if let Err(error) = desks.house(ShowId(*show)).await {
            tracing::error!(show, "not swept: {:#}", error.into_fault());
        }
    }
    Ok(shows.len())
}
