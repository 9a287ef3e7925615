use domain::ids::{SeatMapId, VenueId};
use domain::refusal::Refusal;
use domain::seat_map::import::Report;
use domain::seat_map::{SeatMap, codec};
use sqlx::types::Json;
use sqlx::{PgConnection, PgPool};

use crate::error::{Error, Result};

/// A venue about to be stored.
#[derive(Debug, Clone)]
pub struct NewVenue {
    pub name: String,
    pub city: String,
    /// ISO 3166-1 alpha-2, `ZZ` while unknown.
    pub country: String,
    /// IANA name.
    pub zone: String,
}

/// The venue of that name in that city, stored when it is new. What is known about an old one
/// stays as it is.
///
/// # Errors
/// `BadField` when the zone does not exist or a text does not fit.
pub async fn put_venue(conn: &mut PgConnection, venue: &NewVenue) -> Result<VenueId> {
    if jiff::tz::TimeZone::get(&venue.zone).is_err() {
        return Err(bad_field("zone", "no such time zone").into());
    }
    let stored = sqlx::query_scalar(
        "insert into venue (name, city, country, zone) values ($1, $2, $3, $4)
         on conflict on constraint venue_name_city_unique do update set name = excluded.name
         returning venue_id",
    )
    .bind(&venue.name)
    .bind(&venue.city)
    .bind(&venue.country)
    .bind(&venue.zone)
    .fetch_one(conn)
    .await;
    stored.map(VenueId).map_err(|error| {
        let constraint = error.as_database_error().and_then(|e| e.constraint());
        match constraint {
            Some("venue_name_length") => bad_field("name", "1 to 200 characters").into(),
            Some("venue_city_length") => bad_field("city", "1 to 100 characters").into(),
            Some("venue_country_form") => bad_field("country", "two capital letters").into(),
            Some("venue_zone_length") => bad_field("zone", "1 to 64 characters").into(),
            _ => Error::from(error),
        }
    })
}

/// Stores a generated seat map of `venue`; storing it again changes nothing.
///
/// # Errors
/// `BadField` when the same geometry is another venue's.
///
/// # Panics
/// When the seat map does not pass its check.
pub async fn store(conn: &mut PgConnection, venue: VenueId, map: &SeatMap) -> Result<SeatMapId> {
    insert(conn, venue, map, None).await
}

/// As [`store`], with the report of its import.
pub async fn store_imported(
    conn: &mut PgConnection,
    venue: VenueId,
    map: &SeatMap,
    report: &Report,
) -> Result<SeatMapId> {
    insert(conn, venue, map, Some(report)).await
}

async fn insert(
    conn: &mut PgConnection,
    venue: VenueId,
    map: &SeatMap,
    report: Option<&Report>,
) -> Result<SeatMapId> {
    let geometry = codec::encode(map);
    let id = SeatMapId::of(&geometry);
    sqlx::query(
        "insert into seat_map (seat_map_id, venue_id, name, geometry, seats, area_places,
                               report)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict on constraint seat_map_pk do nothing",
    )
    .bind(id.0.as_slice())
    .bind(venue.0)
    .bind(&map.name)
    .bind(geometry)
    .bind(map.seats.len() as i32)
    .bind(map.area_places() as i32)
    .bind(report.map(Json))
    .execute(&mut *conn)
    .await?;
    let owner: i64 = sqlx::query_scalar("select venue_id from seat_map where seat_map_id = $1")
        .bind(id.0.as_slice())
        .fetch_one(conn)
        .await?;
    if owner != venue.0 {
        return Err(bad_field("venue", "this very geometry is another venue's").into());
    }
    Ok(id)
}

/// The encoded geometry; `NotFound` when there is no such seat map.
pub(super) async fn geometry(db: &PgPool, id: SeatMapId) -> Result<Vec<u8>> {
    let bytes = sqlx::query_scalar("select geometry from seat_map where seat_map_id = $1")
        .bind(id.0.as_slice())
        .fetch_optional(db)
        .await?;
    bytes.ok_or(Error::Refusal(Refusal::NotFound))
}

fn bad_field(field: &str, detail: &str) -> Refusal {
    Refusal::BadField {
        field: field.to_owned(),
        detail: detail.to_owned(),
    }
}
