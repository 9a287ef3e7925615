//! Shows as people see them in lists: when, where, from what price, and what is left.

use std::collections::HashMap;
use std::sync::Mutex;

use domain::board::settings::Settings;
use domain::ids::{EventId, SeatMapId, ShowId};
use domain::money::Money;
use domain::time::{Millis, Span};
use domain::wire::view::{ShowCard, ShowStatus};
use sqlx::types::Json;
use sqlx::{PgConnection, PgPool};

use super::venue_time;
use crate::app::App;
use crate::error::Result;

/// How old a count of claims may be in a list. Seat maps show the live state.
const COUNT_AGE_MAX: Span = Span::seconds(3);
/// Shows whose counts are remembered; beyond it the memory starts anew.
const COUNTS_MAX: usize = 10_000;

/// All that is known of a show without asking its desk.
#[derive(Debug, Clone)]
pub struct ShowFacts {
    pub id: ShowId,
    pub event: EventId,
    pub title: String,
    pub description: String,
    pub published: bool,
    pub starts_at: Millis,
    pub venue: String,
    pub city: String,
    /// IANA name.
    pub zone: String,
    pub seat_map: SeatMapId,
    /// Seats and area places.
    pub capacity: u32,
    /// As of the last commit; a show that was never configured has none and is not for sale.
    pub settings: Option<Settings>,
}

#[derive(sqlx::FromRow)]
struct FactsRow {
    show_id: i64,
    event_id: i64,
    title: String,
    description: String,
    published: bool,
    starts_at_ms: i64,
    venue: String,
    city: String,
    zone: String,
    seat_map_id: Vec<u8>,
    capacity: i64,
    settings: Option<Json<Settings>>,
}

/// Facts of those of `shows` that exist, in their order. Drafts too: whoever answers fans looks
/// at `published`.
pub async fn facts(conn: &mut PgConnection, shows: &[ShowId]) -> Result<Vec<ShowFacts>> {
    let ids: Vec<i64> = shows.iter().map(|show| show.0).collect();
    let rows: Vec<FactsRow> = sqlx::query_as(
        "select s.show_id, s.event_id, e.title, e.description, s.published,
                (extract(epoch from s.starts_at) * 1000)::bigint as starts_at_ms,
                v.name as venue, v.city, v.zone, s.seat_map_id,
                m.seats::bigint + m.area_places as capacity, st.settings
         from unnest($1::bigint[]) with ordinality as asked (show_id, place)
         join show s using (show_id)
         join event e using (event_id)
         join venue v using (venue_id)
         join seat_map m on m.seat_map_id = s.seat_map_id
         left join show_settings st on st.show_id = s.show_id
         order by asked.place",
    )
    .bind(ids)
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(ShowFacts {
                id: ShowId(row.show_id),
                event: EventId(row.event_id),
                title: row.title,
                description: row.description,
                published: row.published,
                starts_at: Millis(row.starts_at_ms),
                venue: row.venue,
                city: row.city,
                zone: row.zone,
                seat_map: super::seat_map_id(&row.seat_map_id)?,
                capacity: u32::try_from(row.capacity).unwrap_or(u32::MAX),
                settings: row.settings.map(|settings| settings.0),
            })
        })
        .collect()
}

/// Where a show stands for buyers at `now`, first match wins. A show that has begun is closed
/// even if its window was set beyond it.
pub fn status(facts: &ShowFacts, free: u32, now: Millis) -> ShowStatus {
    let Some(settings) = facts.settings.as_ref().filter(|_| facts.published) else {
        return ShowStatus::Draft;
    };
    if now >= settings.closes_at || now >= facts.starts_at {
        ShowStatus::Closed
    } else if now < settings.opens_at {
        ShowStatus::Upcoming
    } else if free == 0 {
        ShowStatus::SoldOut
    } else if settings.paused {
        ShowStatus::Paused
    } else if u64::from(free) * 10 < u64::from(facts.capacity) {
        ShowStatus::FewLeft
    } else {
        ShowStatus::OnSale
    }
}

/// The card of a show of which `free` places are left.
pub fn card(facts: &ShowFacts, free: u32, now: Millis) -> Result<ShowCard> {
    let zone = venue_time::zone(&facts.zone)?;
    let price = |pick: fn(
        &mut dyn Iterator<Item = domain::money::Minor>,
    ) -> Option<domain::money::Minor>| {
        let settings = facts.settings.as_ref()?;
        let amount = pick(&mut settings.tiers.iter().map(|tier| tier.price))?;
        Some(Money {
            amount,
            currency: settings.currency,
        })
    };
    let opens_at = facts
        .settings
        .as_ref()
        .map_or(facts.starts_at, |settings| settings.opens_at);
    Ok(ShowCard {
        id: facts.id,
        starts: venue_time::at_venue(facts.starts_at, &zone)?,
        opens_at,
        opens: venue_time::at_venue(opens_at, &zone)?,
        status: status(facts, free, now),
        price_from: price(|prices| prices.min()),
        price_to: price(|prices| prices.max()),
        free,
        capacity: facts.capacity,
        venue: facts.venue.clone(),
        city: facts.city.clone(),
    })
}

/// The cards of `shows`, in their order. Desks are not opened for a list: a show that is open in
/// this process is counted by its channel, the others by their claims.
pub async fn cards(app: &App, shows: &[ShowFacts]) -> Result<Vec<ShowCard>> {
    let now = app.clock.now();
    let mut taken = HashMap::new();
    let mut ask = Vec::new();
    for show in shows {
        match app.hubs.channel(show.id).house() {
            Some(house) => {
                let free: u32 = house.tier_free.iter().sum();
                taken.insert(show.id, show.capacity.saturating_sub(free));
            }
            None => ask.push(show.id),
        }
    }
    taken.extend(app.counts.taken(&app.db, &ask, now).await?);
    shows
        .iter()
        .map(|show| {
            let taken = taken.get(&show.id).copied().unwrap_or(0);
            card(show, show.capacity.saturating_sub(taken), now)
        })
        .collect()
}

/// Counts of claims, remembered for a moment: a list of sold-out shows would otherwise count
/// every one of their seats each time it is read. A cache; may be lost at any moment.
#[derive(Default)]
pub struct Counts(Mutex<HashMap<ShowId, (Millis, u32)>>);

impl Counts {
    /// Seats and places taken in each of `shows`, at most [`COUNT_AGE_MAX`] old.
    async fn taken(
        &self,
        db: &PgPool,
        shows: &[ShowId],
        now: Millis,
    ) -> Result<HashMap<ShowId, u32>> {
        let mut known = HashMap::new();
        let mut ask = Vec::new();
        {
            let counts = self.lock();
            for show in shows {
                match counts.get(show) {
                    Some((at, taken)) if now - *at <= COUNT_AGE_MAX => {
                        known.insert(*show, *taken);
                    }
                    _ => ask.push(show.0),
                }
            }
        }
        if ask.is_empty() {
            return Ok(known);
        }
        let rows: Vec<(i64, i64)> = sqlx::query_as(
            "select asked.show_id,
                    (select count(*) from seat_claim c where c.show_id = asked.show_id)
                    + (select coalesce(sum(taken), 0) from area_stock a
                       where a.show_id = asked.show_id)
             from unnest($1::bigint[]) as asked (show_id)",
        )
        .bind(ask)
        .fetch_all(db)
        .await?;
        let mut counts = self.lock();
        if counts.len() + rows.len() > COUNTS_MAX {
            counts.clear();
        }
        for (show, taken) in rows {
            let taken = u32::try_from(taken).unwrap_or(u32::MAX);
            counts.insert(ShowId(show), (now, taken));
            known.insert(ShowId(show), taken);
        }
        Ok(known)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<ShowId, (Millis, u32)>> {
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
