//! What every request and every loop shares. Cheap to clone; made once in `run`.

use std::sync::Arc;

use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::config::Config;
use crate::people;

#[derive(Clone)]
pub struct App(Arc<Parts>);

/// One field per slice that keeps something in memory.
pub struct Parts {
    pub config: Config,
    pub db: PgPool,
    /// Connects by itself and again; may be gone at any moment.
    pub redis: redis::aio::ConnectionManager,
    pub clock: Clock,
    pub hubs: crate::live::Hubs,
    pub seat_maps: crate::venues::SeatMaps,
    pub desks: crate::desk::Desks,
    pub counts: crate::catalog::Counts,
    pub published: crate::catalog::Published,
    /// Cancelled when the server begins to stop: streams end, loops end, nothing new is begun.
    pub stop: CancellationToken,
    pub keys: people::Keys,
    pub logins: people::staff::Logins,
    pub orders: crate::orders::Orders,
    pub payments: crate::payments::Payments,
    pub signatory: crate::tickets::Signatory,
}

impl App {
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }
}

impl std::ops::Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}
