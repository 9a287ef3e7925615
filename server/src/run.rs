//! One running server: its parts, its listener, its loops, and how it stops.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::app::{App, Parts};
use crate::clock::Clock;
use crate::config::Config;
use crate::embedded::Services;
use crate::error::Error;
use crate::{
    catalog, db, desk, http, jobs, live, orders, payments, people, redis, telemetry, tickets,
    venues,
};

/// A server that answers. Stop it with [`Running::stop`]; dropping it leaves it running.
pub struct Running {
    pub app: App,
    /// Where it listens: the port is real even if 0 was asked for.
    pub addr: SocketAddr,
    serving: JoinHandle<std::io::Result<()>>,
    jobs: TaskTracker,
}

/// Makes what requests and loops share: schema up to date, keys loaded, clock measured.
///
/// # Errors
/// Postgres cannot be reached or migrated. Redis is not waited for.
pub async fn parts(config: &Config, services: &Services) -> anyhow::Result<App> {
    db::migrate(services.database_url()).await?;
    let db::Pools { pages: pool, desks } = db::pools(config, services.database_url()).await?;
    let clock = Clock::default();
    clock.measure(&pool).await.map_err(Error::into_fault)?;
    let keys = people::Keys::load(&pool).await.map_err(Error::into_fault)?;
    let payments = payments::Payments::open(&pool, &clock, &keys).await?;
    let orders = orders::Orders::open(&pool)
        .await
        .map_err(Error::into_fault)?;
    let stop = CancellationToken::new();
    let epoch = live::epoch(&pool).await.map_err(Error::into_fault)?;
    let hubs = live::Hubs::new(epoch, stop.clone());
    let seat_maps = venues::SeatMaps::new(pool.clone());
    let redis = redis::connect(services.redis_url())?;
    let desks = desk::Desks::new(
        desks,
        clock.clone(),
        hubs.clone(),
        seat_maps.clone(),
        redis.clone(),
        desk::Habits {
            expire_on_time: config.expire_on_time,
            ..desk::Habits::default()
        },
    );
    tokio::spawn(desk::listen(services.redis_url().to_owned(), desks.clone()));
    Ok(App::new(Parts {
        config: config.clone(),
        db: pool,
        redis,
        clock,
        hubs,
        seat_maps,
        desks,
        counts: catalog::Counts::default(),
        published: catalog::Published::default(),
        stop,
        payments,
        orders,
        signatory: tickets::Signatory::new(&keys.ticket),
        keys,
        logins: people::staff::Logins::default(),
    }))
}

/// Listens, serves and starts the loops.
///
/// # Errors
/// The address is taken, there is no payment provider, or the parts cannot be made.
pub async fn start(mut config: Config, services: &Services) -> anyhow::Result<Running> {
    telemetry::metrics();
    payments::check(&config)?;
    // Bound first: with port 0 the parts have to know the address that links will carry.
    let listener = TcpListener::bind(config.addr)
        .await
        .with_context(|| format!("cannot listen on {}", config.addr))?;
    let addr = listener.local_addr()?;
    config.addr = addr;
    let app = parts(&config, services).await?;
    let router = http::assemble(app.clone());
    let stopped = app.stop.clone().cancelled_owned();
    let serving = tokio::spawn(async move {
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        let listener = axum::serve::ListenerExt::tap_io(listener, |tcp| {
            // Small answers must not wait for the peer's acknowledgement.
            if let Err(error) = tcp.set_nodelay(true) {
                tracing::debug!("no nodelay: {error}");
            }
        });
        axum::serve(listener, service)
            .with_graceful_shutdown(stopped)
            .await
    });
    let jobs = jobs::start(&app);
    Ok(Running {
        app,
        addr,
        serving,
        jobs,
    })
}

impl Running {
    /// Stops in order: nothing new is accepted, streams end, requests in flight finish within
    /// the drain time, loops end, desks finish their batches, connections close.
    pub async fn stop(self) {
        let Self {
            app, serving, jobs, ..
        } = self;
        app.stop.cancel();
        let limit = Duration::from_millis(app.config.drain_timeout_ms);
        let drained = tokio::time::timeout(limit, async {
            match serving.await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::error!("serving ended: {error}"),
                Err(error) => tracing::error!("serving ended: {error}"),
            }
            jobs.wait().await;
            app.desks.close().await;
        });
        if drained.await.is_err() {
            tracing::warn!("some requests or loops did not end within the drain time");
        }
        app.db.close().await;
    }
}
