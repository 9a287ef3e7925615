//! Seat maps in memory: decoded for desks, encoded and compressed for browsers. Nothing in
//! here can be stale, since a seat map never changes.

use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anyhow::Context;
use axum::body::Bytes;
use domain::ids::SeatMapId;
use domain::seat_map::{SeatMap, codec, json};
use sqlx::PgPool;

use super::store;
use crate::error::{Error, Result};

/// Seat maps kept; a large one takes about 10 MB. Beyond it the memory starts anew: what desks
/// hold lives on with them.
const SEAT_MAPS_MAX: usize = 32;
/// Good compression at a few milliseconds for the largest house.
const BROTLI_QUALITY: i32 = 9;
const BROTLI_WINDOW_BITS: i32 = 22;

/// Cheap to clone; all clones share the memory.
#[derive(Clone)]
pub struct SeatMaps {
    db: PgPool,
    known: Arc<Mutex<HashMap<SeatMapId, Arc<Kept>>>>,
    /// Held while one is read from Postgres, so that a rush on a cold process reads it once.
    reading: Arc<tokio::sync::Mutex<()>>,
}

/// One seat map in all its forms; the served ones are made when first asked for.
pub(super) struct Kept {
    pub map: Arc<SeatMap>,
    binary: Bytes,
    served_binary: OnceLock<Served>,
    served_json: OnceLock<Served>,
}

/// A body as it is and compressed.
pub(super) struct Served {
    pub plain: Bytes,
    pub brotli: Bytes,
    pub gzip: Bytes,
}

impl SeatMaps {
    pub fn new(db: PgPool) -> Self {
        Self {
            db,
            known: Arc::default(),
            reading: Arc::default(),
        }
    }

    /// The seat map called `id`; `NotFound` when there is none.
    pub async fn get(&self, id: SeatMapId) -> Result<Arc<SeatMap>> {
        Ok(Arc::clone(&self.kept(id).await?.map))
    }

    pub(super) async fn kept(&self, id: SeatMapId) -> Result<Arc<Kept>> {
        if let Some(kept) = self.known(id) {
            return Ok(kept);
        }
        let _reading = self.reading.lock().await;
        if let Some(kept) = self.known(id) {
            return Ok(kept);
        }
        let bytes = store::geometry(&self.db, id).await?;
        let kept = tokio::task::spawn_blocking(move || Kept::read(bytes))
            .await
            .context("reading a seat map")??;
        let kept = Arc::new(kept);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= SEAT_MAPS_MAX {
            known.clear();
        }
        known.insert(id, Arc::clone(&kept));
        Ok(kept)
    }

    fn known(&self, id: SeatMapId) -> Option<Arc<Kept>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&id).cloned()
    }
}

impl Kept {
    fn read(bytes: Vec<u8>) -> Result<Self> {
        // Stored seat maps passed their check: one that does not is our fault, not a refusal.
        let map = codec::decode(&bytes)
            .map_err(|refusal| anyhow::anyhow!("a stored seat map is broken: {refusal:?}"))
            .map_err(Error::Fault)?;
        Ok(Self {
            map: Arc::new(map),
            binary: bytes.into(),
            served_binary: OnceLock::new(),
            served_json: OnceLock::new(),
        })
    }

    /// The compact form. Blocking: compresses when first asked.
    pub fn binary(&self) -> &Served {
        self.served_binary
            .get_or_init(|| Served::of(self.binary.clone()))
    }

    /// The form for API clients. Blocking: written and compressed when first asked.
    pub fn json(&self) -> &Served {
        self.served_json
            .get_or_init(|| Served::of(json::write(&self.map).into()))
    }
}

impl Served {
    fn of(plain: Bytes) -> Self {
        Self {
            brotli: brotli(&plain),
            gzip: gzip(&plain),
            plain,
        }
    }
}

fn brotli(plain: &[u8]) -> Bytes {
    let params = brotli::enc::BrotliEncoderParams {
        quality: BROTLI_QUALITY,
        lgwin: BROTLI_WINDOW_BITS,
        size_hint: plain.len(),
        ..Default::default()
    };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &plain[..], &mut compressed, &params)
        .expect("memory takes all that is written");
    compressed.into()
}

fn gzip(plain: &[u8]) -> Bytes {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let compressed = encoder.write_all(plain).and_then(|()| encoder.finish());
    compressed.expect("memory takes all that is written").into()
}
