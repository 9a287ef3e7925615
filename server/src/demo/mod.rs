//! The demonstration: venues, events and shows of our own invention, seeded once. Sold seats
//! are sold through the desk, as everything is.
//!
//! Owns no table. Invariant: every step looks at what is there first, so that a seeding that was
//! cut off is taken up where it ended, and a complete one costs a few reads.

/// What is on.
mod programme;
/// Sales before the doors open.
mod sales;

use anyhow::Context;
use domain::board::command::{Actor, Command, Envelope, Outcome};
use domain::board::settings::{Fees, Settings, Tier};
use domain::ids::{CommandId, EventId, SeatMapId, ShowId, VenueId};
use domain::money::{Currency, Minor};
use domain::seat_map::{SeatMap, generate};
use domain::time::{Millis, Span};
use jiff::ToSpan;
use jiff::tz::TimeZone;

use crate::app::App;
use crate::catalog::{self, EventWords, ShowRow, venue_time};
use crate::error::Result;
use crate::venues::{self, NewVenue};
use programme::{EVENTS, House, PlannedEvent, PlannedShow, VENUES, Window};

/// Makes what is missing of the demonstration.
///
/// # Errors
/// Postgres does not answer, or a desk refuses what it is told here.
pub async fn seed(app: &App) -> Result<()> {
    for event in EVENTS {
        let stored = stored_event(app, event).await?;
        for (ix, show) in event.shows.iter().enumerate() {
            // Shows of an event are made in order: the nth one planned is the nth one stored.
            let known = stored.shows.get(ix).copied();
            if known.is_some_and(|(_, published)| published) {
                continue;
            }
            let venue = venue(app, event.venue).await?;
            let show_id = match known {
                Some((show, _)) => show,
                None => make(app, stored.event, &venue, show).await?,
            };
            open(app, show_id, &venue, event, show).await?;
        }
    }
    Ok(())
}

struct StoredEvent {
    event: EventId,
    /// In the order in which they were made, and whether they are published.
    shows: Vec<(ShowId, bool)>,
}

async fn stored_event(app: &App, event: &PlannedEvent) -> Result<StoredEvent> {
    let known: Option<i64> =
        sqlx::query_scalar("select event_id from event where title = $1 order by event_id limit 1")
            .bind(event.title)
            .fetch_optional(&app.db)
            .await?;
    let id = match known {
        Some(id) => EventId(id),
        None => {
            let words = EventWords {
                title: event.title.into(),
                summary: event.summary.into(),
                description: event.description.into(),
            };
            catalog::insert_event(&mut *app.db.acquire().await?, &words).await?
        }
    };
    let shows: Vec<(i64, bool)> =
        sqlx::query_as("select show_id, published from show where event_id = $1 order by show_id")
            .bind(id.0)
            .fetch_all(&app.db)
            .await?;
    Ok(StoredEvent {
        event: id,
        shows: shows.into_iter().map(|(id, p)| (ShowId(id), p)).collect(),
    })
}

/// A venue with its seat map, stored.
struct StoredVenue {
    id: VenueId,
    seat_map: SeatMapId,
    map: std::sync::Arc<SeatMap>,
    zone: TimeZone,
    currency: Currency,
}

async fn venue(app: &App, ix: usize) -> Result<StoredVenue> {
    let planned = &VENUES[ix];
    let mut map = match planned.house {
        House::Arena => generate::arena(planned.name),
        House::Theatre => generate::theatre(planned.name),
    };
    translate(&mut map, planned.words);
    let row = NewVenue {
        name: planned.name.into(),
        city: planned.city.into(),
        country: planned.country.into(),
        zone: planned.zone.into(),
    };
    let mut transaction = app.db.begin().await?;
    let id = venues::put_venue(&mut transaction, &row).await?;
    let seat_map = venues::store(&mut transaction, id, &map).await?;
    transaction.commit().await?;
    Ok(StoredVenue {
        id,
        seat_map,
        map: map.into(),
        zone: venue_time::zone(planned.zone)?,
        currency: Currency::new(planned.currency).context("a currency")?,
    })
}

/// Names of the generated house in the venue's own language; words begin a name.
fn translate(map: &mut SeatMap, words: &[(&str, &str)]) {
    let sections = map.sections.iter_mut().map(|section| &mut section.name);
    let categories = map.categories.iter_mut().map(|c| &mut c.name);
    let texts = map.decorations.iter_mut().map(|d| &mut d.text);
    for name in sections.chain(categories).chain(texts) {
        let known = words.iter().find(|(from, _)| name.starts_with(from));
        if let Some((from, to)) = known {
            *name = format!("{to}{}", &name[from.len()..]);
        }
    }
}

async fn make(
    app: &App,
    event: EventId,
    venue: &StoredVenue,
    show: &PlannedShow,
) -> Result<ShowId> {
    let starts_at = at_venue(app.clock.now(), show.in_days, show.at, &venue.zone)?;
    let row = ShowRow {
        event,
        venue: venue.id,
        seat_map: venue.seat_map,
        starts_at,
        starts_on: venue_time::day_at_venue(starts_at, &venue.zone)?,
        seat_tiers: venue.map.seats.iter().map(|s| s.category).collect(),
        area_tiers: venue.map.areas.iter().map(|a| a.category).collect(),
    };
    let mut transaction = app.db.begin().await?;
    let show = catalog::insert_show(&mut transaction, &row).await?;
    transaction.commit().await?;
    Ok(show)
}

/// Sells what is sold already, sets the sale up, and lets fans see it.
async fn open(
    app: &App,
    show: ShowId,
    venue: &StoredVenue,
    event: &PlannedEvent,
    planned: &PlannedShow,
) -> Result<()> {
    let now = app.clock.now();
    let starts_at = at_venue(now, planned.in_days, planned.at, &venue.zone)?;
    let opens_at = match planned.window {
        Window::Open => now + Span::minutes(-3 * 24 * 60),
        Window::OpensIn(minutes) => now + Span::minutes(minutes),
    };
    let settings = Settings {
        currency: venue.currency,
        tiers: tiers(&venue.map, event.prices),
        fees: Fees {
            per_ticket: Minor(event.fee),
            per_order: Minor(0),
        },
        opens_at,
        closes_at: starts_at,
        paused: false,
        hold_ttl: Span::minutes(10),
        per_order_max: 8,
        per_buyer_max: 8,
        choose_seats: true,
    };
    // Sold in large orders first, under limits that allow them; the fans' limits come last.
    let wide = Settings {
        per_order_max: sales::SEATS_PER_ORDER,
        per_buyer_max: sales::SEATS_PER_ORDER,
        ..settings.clone()
    };
    submit(app, show, Command::Configure(wide)).await?;
    sales::sell(app, show, &venue.map, planned).await?;
    submit(app, show, Command::Configure(settings)).await?;
    catalog::publish(&mut *app.db.acquire().await?, show).await
}

fn tiers(map: &SeatMap, prices: &[i64]) -> Vec<Tier> {
    let categories = map.categories.iter().zip(prices);
    categories
        .map(|(category, &price)| Tier {
            name: category.name.clone(),
            color: category.color,
            price: Minor(price),
        })
        .collect()
}

/// The instant of `at` (`HH:MM`) at the venue, `days` from today.
fn at_venue(now: Millis, days: i64, at: &str, zone: &TimeZone) -> Result<Millis> {
    let today = jiff::Timestamp::from_millisecond(now.0)
        .context("the time")?
        .to_zoned(zone.clone())
        .date();
    let day = today.checked_add(days.days()).context("a day to come")?;
    let instant = venue_time::from_venue(&format!("{day}T{at}"), zone);
    Ok(instant.map_err(|bad| anyhow::anyhow!("{day} {at}: {}", bad.detail()))?)
}

/// Puts a command of the house's own before the show's desk.
async fn submit(app: &App, show: ShowId, command: Command) -> Result<Outcome> {
    let envelope = Envelope {
        id: CommandId(uuid::Uuid::new_v4().as_u128()),
        actor: Actor::System,
        fingerprint: 0,
        command,
    };
    app.desks.submit(show, envelope).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_prices_every_category_of_its_house() {
        for event in EVENTS {
            let map = match VENUES[event.venue].house {
                House::Arena => generate::arena("A"),
                House::Theatre => generate::theatre("T"),
            };
            assert_eq!(event.prices.len(), map.categories.len(), "{}", event.title);
            assert!(event.prices.iter().all(|&price| price > 0));
            assert!(Currency::new(VENUES[event.venue].currency).is_some());
        }
    }
}
