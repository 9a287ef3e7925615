//! For those who run it: liveness, readiness, metrics.

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;

use crate::app::App;
use crate::telemetry::{self, names};

pub fn routes() -> axum::Router<App> {
    axum::Router::new()
        .route("/healthz", get(alive))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
}

/// The process answers.
async fn alive() -> &'static str {
    "ok\n"
}

/// Postgres answers and we are not shutting down. Redis is not asked: it may be gone.
async fn ready(State(app): State<App>) -> impl IntoResponse {
    if app.stop.is_cancelled() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n");
    }
    match sqlx::query("select 1").execute(&app.db).await {
        Ok(_) => (StatusCode::OK, "ok\n"),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "no database\n"),
    }
}

async fn metrics(State(app): State<App>) -> impl IntoResponse {
    let in_use = app.db.size() as usize - app.db.num_idle().min(app.db.size() as usize);
    metrics::gauge!(names::DATABASE_CONNECTIONS).set(in_use as f64);
    let text = telemetry::metrics().render();
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], text)
}
