//! What every request and every loop shares. Cheap to clone; made once in `main`.

use std::sync::Arc;

use sqlx::PgPool;

use crate::clock::Clock;

#[derive(Clone)]
pub struct App(Arc<Parts>);

/// One field per slice that keeps something in memory.
pub struct Parts {
    pub db: PgPool,
    pub clock: Clock,
    pub hubs: crate::live::Hubs,
    pub counts: crate::catalog::Counts,
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
