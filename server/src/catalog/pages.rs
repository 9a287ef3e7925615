//! Pages of one event and one show, as fans see them: drafts do not exist here.

use domain::ids::{EventId, ShowId};
use domain::refusal::Refusal;
use domain::wire::view::EventPage;

use super::cards;
use crate::app::App;
use crate::error::Result;

/// Shows listed on an event's page, the latest of them when there are more.
pub const SHOWS_PER_EVENT_MAX: i64 = 200;

/// An event with its published shows, past ones too; `NotFound` while it has none.
pub async fn event_page(app: &App, event: EventId) -> Result<EventPage> {
    let mut conn = app.db.acquire().await?;
    let words: Option<(String, String, String)> =
        sqlx::query_as("select title, summary, description from event where event_id = $1")
            .bind(event.0)
            .fetch_optional(&mut *conn)
            .await?;
    let (title, summary, description) = words.ok_or(Refusal::NotFound)?;
    let mut shows: Vec<i64> = sqlx::query_scalar(
        "select show_id from show where event_id = $1 and published
         order by starts_at desc, show_id desc limit $2",
    )
    .bind(event.0)
    .bind(SHOWS_PER_EVENT_MAX)
    .fetch_all(&mut *conn)
    .await?;
    if shows.is_empty() {
        return Err(Refusal::NotFound.into());
    }
    shows.reverse();
    let shows: Vec<ShowId> = shows.into_iter().map(ShowId).collect();
    let facts = cards::facts(&mut conn, &shows).await?;
    drop(conn);
    Ok(EventPage {
        id: event,
        title,
        summary,
        description,
        shows: cards::cards(app, &facts).await?,
        server_now: app.clock.now(),
    })
}
