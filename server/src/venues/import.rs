//! Plan files by command: `rowlock import-map FILE`.

use std::path::Path;

use anyhow::Context;
use domain::ids::{SeatMapId, VenueId};
use domain::seat_map::import::{Imported, PLAN_BYTES_MAX, Report, import};
use sqlx::PgPool;
use tokio::io::AsyncReadExt;

use super::store::{NewVenue, put_venue, store_imported};
use crate::error::Result;

/// A stored plan file.
pub struct ImportedMap {
    pub seat_map: SeatMapId,
    pub venue: VenueId,
    pub report: Report,
}

/// Reads the file and stores its seat map under `venue`, all or nothing. Without a name the
/// venue is called as the plan is.
///
/// # Errors
/// `BrokenPlan` with the line, `BodyTooLarge`, `BadField` for the venue; a fault when the file
/// cannot be read or Postgres does not answer.
pub async fn import_file(db: &PgPool, path: &Path, mut venue: NewVenue) -> Result<ImportedMap> {
    let bytes = read(path).await?;
    let imported = tokio::task::spawn_blocking(move || import(&bytes))
        .await
        .context("reading a plan")?;
    let Imported { map, report } = imported?;
    if venue.name.is_empty() {
        venue.name.clone_from(&map.name);
    }
    let mut transaction = db.begin().await?;
    let venue = put_venue(&mut transaction, &venue).await?;
    let seat_map = store_imported(&mut transaction, venue, &map, &report).await?;
    transaction.commit().await?;
    Ok(ImportedMap {
        seat_map,
        venue,
        report,
    })
}

/// At most one byte more than a plan file may have, whatever size the file states: a pipe or a
/// device states none and need not end, and a file may grow while it is read.
async fn read(path: &Path) -> Result<Vec<u8>> {
    let cannot = || format!("{} cannot be read", path.display());
    let file = tokio::fs::File::open(path).await.with_context(cannot)?;
    let mut bytes = Vec::new();
    file.take(PLAN_BYTES_MAX as u64 + 1)
        .read_to_end(&mut bytes)
        .await
        .with_context(cannot)?;
    Ok(bytes)
}
