//! Venues: places and the versions of their geometry.
//!
//! Owns the tables `venue` and `seat_map`. Sends out no facts. Invariant: a seat map never
//! changes; its id is the hash of its bytes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::ids::{SeatMapId, VenueId};
use domain::refusal::Refusal;
use domain::seat_map::{SeatMap, codec};
use sqlx::{PgConnection, PgPool};

use crate::error::Result;

/// Seat maps in memory: decoded once per process.
#[derive(Clone)]
pub struct SeatMaps {
    db: PgPool,
    maps: Arc<Mutex<HashMap<SeatMapId, Arc<SeatMap>>>>,
}

impl SeatMaps {
    pub fn new(db: PgPool) -> Self {
        Self {
            db,
            maps: Arc::default(),
        }
    }

    /// The seat map of that id; `NotFound` when there is none.
    pub async fn get(&self, id: SeatMapId) -> Result<Arc<SeatMap>> {
        let known = {
            let maps = self.maps.lock().unwrap_or_else(PoisonError::into_inner);
            maps.get(&id).cloned()
        };
        if let Some(map) = known {
            return Ok(map);
        }
        let bytes = geometry(&self.db, id).await?;
        let map = Arc::new(codec::decode(&bytes)?);
        let mut maps = self.maps.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(maps.entry(id).or_insert(map)))
    }
}

/// The encoded geometry of a seat map; `NotFound` when there is none.
pub async fn geometry(db: &PgPool, id: SeatMapId) -> Result<Vec<u8>> {
    let bytes = sqlx::query_scalar("select geometry from seat_map where seat_map_id = $1")
        .bind(&id.0[..])
        .fetch_optional(db)
        .await?;
    Ok(bytes.ok_or(Refusal::NotFound)?)
}

/// Keeps `map` as a seat map of `venue`; the same geometry twice is one seat map.
pub async fn store(conn: &mut PgConnection, venue: VenueId, map: &SeatMap) -> Result<SeatMapId> {
    let geometry = codec::encode(map);
    let id = SeatMapId::of(&geometry);
    let places: u32 = map.areas.iter().map(|area| area.capacity).sum();
    sqlx::query(
        "insert into seat_map (seat_map_id, venue_id, name, geometry, seats, area_places)
         values ($1, $2, $3, $4, $5, $6) on conflict on constraint seat_map_pk do nothing",
    )
    .bind(&id.0[..])
    .bind(venue.0)
    .bind(&map.name)
    .bind(geometry)
    .bind(map.seats.len() as i32)
    .bind(places as i32)
    .execute(conn)
    .await?;
    Ok(id)
}
