use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use domain::ids::{Seq, ShowId};
use domain::refusal::Refusal;
use domain::wire::snapshot::Position;
use serde::Deserialize;

use super::channel::{Channel, Served};
use super::stream::After;
use super::{MIN_WAIT, snapshot, stream};
use crate::app::App;
use crate::error::Result;

/// Below `/api/v1`. The routes stand above the desk, which feeds the channels they read.
pub fn api() -> Router<App> {
    Router::new()
        .route("/shows/{show}/seats", get(seats))
        .route("/shows/{show}/stream", get(events))
}

#[derive(Deserialize)]
struct SeatsQuery {
    min: Option<u64>,
}

#[derive(Deserialize)]
struct StreamQuery {
    after: Option<String>,
}

/// The state of every seat, from memory. With `min`, waits a little for that commit to arrive
/// in this process; what comes after the wait may be older and says so by `Retry-After`.
async fn seats(
    State(app): State<App>,
    Path(show): Path<String>,
    Query(query): Query<SeatsQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let channel = channel(&app, &show).await?;
    let min = Seq(query.min.unwrap_or_default());
    let served = match tokio::time::timeout(MIN_WAIT, reach(&channel, min)).await {
        Ok(served) => served,
        Err(_) => channel.served(),
    };
    let served = served.ok_or(Refusal::Busy { retry_after_s: 1 })?;
    let fresh = served.position.seq >= min;
    Ok(snapshot::respond(&served, &headers, fresh))
}

/// The snapshot once it has reached `min`; `None` when the process ends before.
async fn reach(channel: &Channel, min: Seq) -> Option<Arc<Served>> {
    let mut ear = channel.listen();
    loop {
        if let Some(served) = channel.served().filter(|served| served.position.seq >= min) {
            return Some(served);
        }
        if !ear.news().await {
            return channel.served();
        }
    }
}

/// Every change from a place on, as server-sent events. `Last-Event-ID` wins over `after`;
/// what is no place in this channel's history is answered by a `resync` event.
async fn events(
    State(app): State<App>,
    Path(show): Path<String>,
    Query(query): Query<StreamQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let channel = channel(&app, &show).await?;
    let said = match headers.get("last-event-id") {
        Some(id) => Some(id.to_str().unwrap_or_default()),
        None => query.after.as_deref(),
    };
    let after = said.map_or(After::Now, |text| After::At(place(&channel, text)));
    Ok(stream::respond(channel, after)?)
}

/// A position, or a bare seq of the current epoch.
fn place(channel: &Channel, text: &str) -> Option<Position> {
    text.parse().ok().or_else(|| {
        let seq = text
            .parse::<u64>()
            .ok()
            .filter(|_| !text.starts_with('+'))?;
        Some(Position {
            seq: Seq(seq),
            ..channel.position()?
        })
    })
}

/// The channel of the show, fed.
async fn channel(app: &App, show: &str) -> Result<Arc<Channel>> {
    let show: ShowId = show.parse().map_err(|_| Refusal::NotFound)?;
    app.published.check(&app.db, show).await?;
    Ok(Arc::clone(&app.desks.house(show).await?.channel))
}
