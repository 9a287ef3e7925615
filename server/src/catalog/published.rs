//! Drafts are for staff: to buyers they do not exist.

use std::collections::HashSet;
use std::sync::{PoisonError, RwLock};

use domain::ids::ShowId;
use domain::refusal::Refusal;
use sqlx::PgPool;

use crate::error::Result;

/// Shows known to be published. Publishing is for ever, so what was seen once holds, and neither a
/// hold nor a snapshot costs a query for it.
#[derive(Default)]
pub struct Published(RwLock<HashSet<ShowId>>);

impl Published {
    /// # Errors
    /// `NotFound` for drafts and for shows that do not exist.
    pub async fn check(&self, db: &PgPool, show: ShowId) -> Result<()> {
        let known = self
            .0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .contains(&show);
        if known {
            return Ok(());
        }
        if !super::plan(db, show).await?.published {
            return Err(Refusal::NotFound.into());
        }
        let mut shows = self.0.write().unwrap_or_else(PoisonError::into_inner);
        shows.insert(show);
        Ok(())
    }
}
