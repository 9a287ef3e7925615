//! Shows as staff see them: drafts too, with what is held, sold and kept, and what came in.

use std::collections::HashMap;

use domain::board::command::Command;
use domain::board::settings::Settings;
use domain::ids::{ShowId, StaffId};
use domain::money::{Currency, Minor, Money};
use domain::refusal::Refusal;
use domain::wire::view::StaffShow;

use super::submit;
use crate::app::App;
use crate::catalog::cards::{self, ShowFacts};
use crate::catalog::{self, venue_time};
use crate::error::Result;

/// Shows in the list: those to come first, soonest first, then past ones, latest first.
pub const SHOWS_LISTED_MAX: i64 = 100;

pub async fn list(app: &App) -> Result<Vec<StaffShow>> {
    let shows: Vec<i64> = sqlx::query_scalar(
        "select show_id from show
         order by starts_at < to_timestamp($1::bigint / 1000.0),
                  abs(extract(epoch from starts_at) - $1::bigint / 1000.0), show_id
         limit $2",
    )
    .bind(app.clock.now().0)
    .bind(SHOWS_LISTED_MAX)
    .fetch_all(&app.db)
    .await?;
    let shows: Vec<ShowId> = shows.into_iter().map(ShowId).collect();
    let facts = cards::facts(&mut *app.db.acquire().await?, &shows).await?;
    with_counts(app, facts).await
}

/// One show with its settings; `NotFound` when there is none or it was never set up.
pub async fn one(app: &App, show: ShowId) -> Result<(StaffShow, Settings)> {
    let facts = cards::facts(&mut *app.db.acquire().await?, &[show]).await?;
    let settings = facts.first().and_then(|facts| facts.settings.clone());
    let settings = settings.ok_or(Refusal::NotFound)?;
    let mut shows = with_counts(app, facts).await?;
    Ok((shows.pop().ok_or(Refusal::NotFound)?, settings))
}

/// Makes a draft visible and its window count. There is no way back: fans keep links.
pub async fn publish(app: &App, show: ShowId) -> Result<()> {
    one(app, show).await?;
    catalog::publish(&mut *app.db.acquire().await?, show).await
}

/// Stops the sale, or lets it go on. Holds that are there go on to be paid.
pub async fn pause(app: &App, staff: StaffId, show: ShowId, paused: bool) -> Result<()> {
    let house = app.desks.house(show).await?;
    let settings = Settings {
        paused,
        ..(*house.settings()).clone()
    };
    submit(app, staff, show, Command::Configure(settings)).await
}

/// What the tables say about one show.
#[derive(Default)]
struct Counts {
    held: u32,
    sold: u32,
    blocked: u32,
    revenue: i64,
}

async fn with_counts(app: &App, facts: Vec<ShowFacts>) -> Result<Vec<StaffShow>> {
    let cards = cards::cards(app, &facts).await?;
    let counts = counts(app, &facts).await?;
    let shows = facts.into_iter().zip(cards).map(|(facts, card)| {
        let closes_at = facts
            .settings
            .as_ref()
            .map_or(facts.starts_at, |settings| settings.closes_at);
        let closes = venue_time::at_venue(closes_at, &venue_time::zone(&facts.zone)?)?;
        let none = Counts::default();
        let counts = counts.get(&facts.id.0).unwrap_or(&none);
        let currency = facts
            .settings
            .as_ref()
            .map_or(Currency::EUR, |settings| settings.currency);
        Ok(StaffShow {
            card,
            title: facts.title,
            seat_map: facts.seat_map,
            closes,
            held: counts.held,
            sold: counts.sold,
            blocked: counts.blocked,
            revenue: Money {
                amount: Minor(counts.revenue),
                currency,
            },
        })
    });
    shows.collect()
}

/// Seats by claim, places in areas by the orders that have them, money by paid orders.
async fn counts(app: &App, facts: &[ShowFacts]) -> Result<HashMap<i64, Counts>> {
    let shows: Vec<i64> = facts.iter().map(|facts| facts.id.0).collect();
    let mut counts: HashMap<i64, Counts> = HashMap::new();
    // One row per show, kind (1 held, 2 sold, 3 blocked) and source.
    let taken: Vec<(i64, i32, i64)> = sqlx::query_as(
        "select show_id, state::int, count(*) from seat_claim
         where show_id = any($1) group by 1, 2
         union all
         select l.show_id, case when o.state = 'paid' then 2 else 1 end, count(*)
         from order_line l join orders o using (show_id, order_id)
         where l.show_id = any($1) and l.area_ix is not null
               and o.state in ('held', 'paying', 'paid')
         group by 1, 2",
    )
    .bind(&shows)
    .fetch_all(&app.db)
    .await?;
    for (show, kind, places) in taken {
        let counts = counts.entry(show).or_default();
        let places = u32::try_from(places).unwrap_or(u32::MAX);
        match kind {
            1 => counts.held += places,
            2 => counts.sold += places,
            _ => counts.blocked += places,
        }
    }
    let revenue: Vec<(i64, i64)> = sqlx::query_as(
        "select show_id, sum(total)::bigint from orders
         where show_id = any($1) and state = 'paid' group by 1",
    )
    .bind(&shows)
    .fetch_all(&app.db)
    .await?;
    for (show, amount) in revenue {
        counts.entry(show).or_default().revenue = amount;
    }
    Ok(counts)
}
