//! Catalog: what is performed, when and where, and how people find it.
//!
//! Owns the tables `event` and `show`. Sends out no facts. Invariants:
//! - A show's seat map and tiers by seat never change once it is made; prices, window and limits
//!   are the desk's settings and are not stored here.
//! - A show that is not published does not exist for fans: every read for them says `NotFound`.
//! - Search text is folded by [`search::fold`] both when written and when asked for.

/// Events and shows for everybody, as JSON.
pub mod api;
/// Shows in lists: when, where, from what price, what is left.
pub mod cards;
/// Pages of one event and one show.
pub mod pages;
/// Which shows fans may know of.
mod published;
/// Finding events.
pub mod search;
/// Instants as clocks at the venue show them.
pub mod venue_time;

pub use cards::Counts;

use std::sync::Arc;

use domain::ids::{EventId, SeatMapId, ShowId, TierIx, VenueId};
use domain::refusal::Refusal;
use domain::time::Millis;
use sqlx::{PgConnection, PgPool};

pub use published::Published;

use crate::error::{Error, Result};

/// What a show's desk needs to know besides its settings. Never changes, but for `published`.
#[derive(Debug, Clone)]
pub struct Plan {
    pub event: EventId,
    pub seat_map: SeatMapId,
    /// By seat of the seat map.
    pub seat_tiers: Arc<[TierIx]>,
    /// By area of the seat map.
    pub area_tiers: Arc<[TierIx]>,
    pub published: bool,
}

type PlanRow = (i64, Vec<u8>, Vec<u8>, Vec<u8>, bool);

/// The plan of `show`; `NotFound` when there is no such show. Drafts are found: their desk takes
/// commands of staff, and those who ask for a fan look at `published`.
pub async fn plan(db: &PgPool, show: ShowId) -> Result<Plan> {
    let row: Option<PlanRow> = sqlx::query_as(
        "select event_id, seat_map_id, seat_tiers, area_tiers, published
         from show where show_id = $1",
    )
    .bind(show.0)
    .fetch_optional(db)
    .await?;
    let (event, seat_map, seat_tiers, area_tiers, published) = row.ok_or(Refusal::NotFound)?;
    Ok(Plan {
        event: EventId(event),
        seat_map: seat_map_id(&seat_map)?,
        seat_tiers: seat_tiers.into_iter().map(TierIx).collect(),
        area_tiers: area_tiers.into_iter().map(TierIx).collect(),
        published,
    })
}

/// A seat map's id as Postgres keeps it.
pub fn seat_map_id(bytes: &[u8]) -> Result<SeatMapId> {
    let bytes = bytes
        .try_into()
        .map_err(|_| anyhow::anyhow!("a seat map id of {} bytes", bytes.len()))?;
    Ok(SeatMapId(bytes))
}

/// Texts of an event, checked by the caller against the constraints of the table.
#[derive(Debug, Clone)]
pub struct EventWords {
    pub title: String,
    pub summary: String,
    pub description: String,
}

/// A show about to be made.
#[derive(Debug, Clone)]
pub struct ShowRow {
    pub event: EventId,
    pub venue: VenueId,
    pub seat_map: SeatMapId,
    pub starts_at: Millis,
    /// The venue's own day of `starts_at`, `YYYY-MM-DD`.
    pub starts_on: String,
    pub seat_tiers: Vec<u8>,
    pub area_tiers: Vec<u8>,
}

/// Stores an event without shows.
pub async fn insert_event(conn: &mut PgConnection, words: &EventWords) -> Result<EventId> {
    let id = sqlx::query_scalar(
        "insert into event (title, summary, description, search_text)
         values ($1, $2, $3, $4) returning event_id",
    )
    .bind(&words.title)
    .bind(&words.summary)
    .bind(&words.description)
    .bind(search::fold(&format!("{} {}", words.title, words.summary)))
    .fetch_one(conn)
    .await?;
    Ok(EventId(id))
}

/// Stores a draft and makes its event findable by venue and city.
pub async fn insert_show(conn: &mut PgConnection, show: &ShowRow) -> Result<ShowId> {
    let id = sqlx::query_scalar(
        "insert into show (event_id, venue_id, seat_map_id, starts_at, starts_on,
                           seat_tiers, area_tiers)
         values ($1, $2, $3, to_timestamp($4::bigint / 1000.0), $5::text::date, $6, $7)
         returning show_id",
    )
    .bind(show.event.0)
    .bind(show.venue.0)
    .bind(show.seat_map.0.as_slice())
    .bind(show.starts_at.0)
    .bind(&show.starts_on)
    .bind(&show.seat_tiers)
    .bind(&show.area_tiers)
    .fetch_one(&mut *conn)
    .await?;
    index_event(conn, show.event).await?;
    Ok(ShowId(id))
}

/// Writes the search text of an event anew from its words and the places of its shows.
async fn index_event(conn: &mut PgConnection, event: EventId) -> Result<()> {
    let text: String = sqlx::query_scalar(
        "select concat_ws(' ', e.title, e.summary,
            (select string_agg(distinct v.name || ' ' || v.city, ' ')
             from show s join venue v using (venue_id) where s.event_id = e.event_id))
         from event e where e.event_id = $1",
    )
    .bind(event.0)
    .fetch_one(&mut *conn)
    .await?;
    sqlx::query("update event set search_text = $2 where event_id = $1")
        .bind(event.0)
        .bind(search::fold(&text))
        .execute(conn)
        .await?;
    Ok(())
}

/// Makes a show visible to fans. Doing it twice is fine; `NotFound` when there is no such show.
pub async fn publish(conn: &mut PgConnection, show: ShowId) -> Result<()> {
    let done = sqlx::query("update show set published = true where show_id = $1")
        .bind(show.0)
        .execute(conn)
        .await?;
    if done.rows_affected() == 1 {
        Ok(())
    } else {
        Err(Error::Refusal(Refusal::NotFound))
    }
}
