//! `/api/v1`: events and shows for everybody. The same answers for all, so that they may be kept
//! by any cache for a moment.

use axum::extract::{Path, Query, State};
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use domain::refusal::Refusal;
use domain::wire::view::SearchQuery;
use serde::Serialize;

use super::{pages, search};
use crate::app::App;
use crate::error::Result;

/// How long a cache may answer in our place; what is left may be this old in lists.
const PUBLIC: &str = "public, max-age=2";

/// Below `/api/v1`.
pub fn api() -> Router<App> {
    Router::new()
        .route("/events/search", get(find))
        .route("/events/{id}", get(event))
        .route("/shows/{id}", get(show))
}

async fn find(State(app): State<App>, Query(query): Query<SearchQuery>) -> Result<Response> {
    Ok(public(search::search(&app, &query).await?))
}

async fn event(State(app): State<App>, Path(id): Path<String>) -> Result<Response> {
    let event = id.parse().map_err(|_| Refusal::NotFound)?;
    Ok(public(pages::event_page(&app, event).await?))
}

async fn show(State(app): State<App>, Path(id): Path<String>) -> Result<Response> {
    let show = id.parse().map_err(|_| Refusal::NotFound)?;
    Ok(public(pages::show_page(&app, show).await?))
}

fn public(answer: impl Serialize) -> Response {
    ([(CACHE_CONTROL, PUBLIC)], Json(answer)).into_response()
}
