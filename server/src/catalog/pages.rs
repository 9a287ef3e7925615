//! Pages of one event and one show, as fans see them: drafts do not exist here.

use domain::ids::{EventId, ShowId, TierIx};
use domain::refusal::Refusal;
use domain::wire::view::{EventPage, ShowPage, TierView};

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

/// A published show with what is left by tier. Opens its desk here, so that the seat map that
/// people go to next is warm.
pub async fn show_page(app: &App, show: ShowId) -> Result<ShowPage> {
    let facts = {
        let mut conn = app.db.acquire().await?;
        let mut facts = cards::facts(&mut conn, &[show]).await?;
        facts
            .pop()
            .filter(|facts| facts.published)
            .ok_or(Refusal::NotFound)?
    };
    let house = app.desks.house(show).await?;
    let settings = house.settings();
    let left = house.snapshot().tier_free;
    let now = app.clock.now();
    let facts = cards::ShowFacts {
        settings: Some((*settings).clone()),
        ..facts
    };
    let tiers = settings
        .tiers
        .iter()
        .enumerate()
        .map(|(at, tier)| TierView {
            tier: TierIx(at as u8),
            name: tier.name.clone(),
            color: tier.color,
            price: tier.price,
            free: left.get(at).copied().unwrap_or(0),
        });
    Ok(ShowPage {
        card: cards::card(&facts, left.iter().sum(), now)?,
        tiers: tiers.collect(),
        event: facts.event,
        title: facts.title,
        description: facts.description,
        venue_zone: facts.zone,
        seat_map: facts.seat_map,
        currency: settings.currency,
        area_tiers: house.plan.area_tiers.to_vec(),
        closes_at: settings.closes_at,
        per_order_max: settings.per_order_max,
        choose_seats: settings.choose_seats,
        server_now: now,
    })
}
