//! The public API, version 1, below `/api/v1`; described by `docs/openapi.json`, which is served
//! beside it.

use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;

use crate::app::App;

/// What clients send.
mod body;
/// A booking in JSON.
pub mod booking;
/// Orders.
pub mod bookings;

/// The OpenAPI 3.1 document.
pub const OPENAPI: &str = include_str!("../../../../docs/openapi.json");

/// What this slice of the API adds below `/api/v1`.
pub fn routes() -> axum::Router<App> {
    axum::Router::new()
        .merge(bookings::routes())
        .route("/openapi.json", get(openapi))
}

async fn openapi() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], OPENAPI)
}
