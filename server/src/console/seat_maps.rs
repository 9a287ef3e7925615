//! Seat maps to make shows from.

use domain::ids::{SeatMapId, VenueId};
use domain::refusal::Refusal;
use domain::seat_map::SeatMap;
use domain::wire::view::{CategoryView, SeatMapCard};

use crate::app::App;
use crate::catalog::seat_map_id;
use crate::error::Result;

/// Seat maps in the list, the newest.
pub const SEAT_MAPS_LISTED_MAX: i64 = 100;

type Row = (Vec<u8>, i64, String, String, String, String, i64, i64);

const CARD: &str = "select m.seat_map_id, m.venue_id, v.name, v.city, v.zone, m.name,
        m.seats::bigint, m.area_places::bigint
 from seat_map m join venue v using (venue_id)";

/// All seat maps, newest first, without their categories: those are read from the geometry.
pub async fn list(app: &App) -> Result<Vec<SeatMapCard>> {
    let rows: Vec<Row> = sqlx::query_as(sqlx::AssertSqlSafe(format!(
        "{CARD} order by m.created_at desc, m.seat_map_id limit $1"
    )))
    .bind(SEAT_MAPS_LISTED_MAX)
    .fetch_all(&app.db)
    .await?;
    rows.into_iter().map(card).collect()
}

/// One seat map with its categories; `NotFound` when there is none.
pub async fn one(app: &App, id: SeatMapId) -> Result<SeatMapCard> {
    let row: Option<Row> = sqlx::query_as(sqlx::AssertSqlSafe(format!(
        "{CARD} where m.seat_map_id = $1"
    )))
    .bind(id.0.as_slice())
    .fetch_optional(&app.db)
    .await?;
    let mut card = card(row.ok_or(Refusal::NotFound)?)?;
    card.categories = categories(&*app.seat_maps.get(id).await?);
    Ok(card)
}

fn card(row: Row) -> Result<SeatMapCard> {
    let (id, venue, venue_name, city, zone, name, seats, area_places) = row;
    let count = |n: i64| u32::try_from(n).unwrap_or(u32::MAX);
    Ok(SeatMapCard {
        id: seat_map_id(&id)?,
        venue: VenueId(venue),
        venue_name,
        city,
        zone,
        name,
        seats: count(seats),
        area_places: count(area_places),
        categories: Vec::new(),
    })
}

/// The categories of a plan with the places they have.
fn categories(map: &SeatMap) -> Vec<CategoryView> {
    let mut places = vec![0u32; map.categories.len()];
    for seat in &map.seats {
        places[usize::from(seat.category)] += 1;
    }
    for area in &map.areas {
        places[usize::from(area.category)] += area.capacity;
    }
    let pairs = map.categories.iter().zip(places);
    pairs
        .map(|(category, places)| CategoryView {
            name: category.name.clone(),
            color: category.color,
            places,
        })
        .collect()
}
