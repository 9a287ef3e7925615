//! The edge: which slice answers where, and what is true of every request.

use std::time::Duration;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::CACHE_CONTROL;
use axum::http::{Extensions, HeaderMap, HeaderValue, StatusCode, Version};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use domain::refusal::Refusal;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, Predicate};
use tower_http::limit::RequestBodyLimitLayer;
use tracing::Instrument;

use crate::app::App;
use crate::clock::Stopwatch;
use crate::error::Error;
use crate::telemetry::names;

pub mod api;
pub mod forms;
pub mod limits;
pub mod network;
pub mod ops;
pub mod problem;
pub mod security;
pub mod site;

/// Everything that is served. Every slice with routes is named here.
pub fn assemble(app: App) -> Router {
    let manifest = site::manifest(&app.config.site_dir);
    let shown = manifest.clone();
    let for_people = move |State(app): State<App>, request: Request, next: Next| {
        site::problem_page::for_people(app, shown.clone(), request, next)
    };
    // Commands of plain forms: their addresses are pages' addresses too.
    let commands = Router::new()
        .merge(crate::people::routes())
        .merge(crate::console::forms::routes())
        .merge(crate::payments::sandbox::page::routes())
        .merge(forms::routes())
        .layer(from_fn(problem::uniform));
    let routes = Router::new()
        .merge(public_api())
        .merge(ops::routes())
        .merge(crate::orders::routes())
        .merge(site::routes(&app, manifest, commands));
    // The last layer added is the first to see a request.
    routes
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(RequestBodyLimitLayer::new(limits::BODY_BYTES_MAX))
        .layer(from_fn(problem::body_limit))
        .layer(from_fn_with_state(app.clone(), security::same_origin))
        .layer(from_fn_with_state(
            app.clone(),
            crate::console::forms::guard,
        ))
        .layer(from_fn_with_state(app.clone(), timed))
        .layer(from_fn_with_state(app.clone(), for_people))
        .layer(CompressionLayer::new().compress_when(DefaultPredicate::new().and(may_change)))
        .layer(from_fn(security::headers))
        .layer(from_fn(observed))
        .with_state(app)
}

/// Files that never change are compressed once, by the build; doing it anew for every visitor
/// takes longer than sending them whole.
fn may_change(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    let cache = headers.get(CACHE_CONTROL);
    !cache.is_some_and(|cache| cache.to_str().is_ok_and(|text| text.contains("immutable")))
}

/// The public API: whatever goes wrong below it is answered with a problem document.
fn public_api() -> Router<App> {
    let v1 = Router::new()
        .merge(crate::people::api())
        .merge(crate::venues::api())
        .merge(crate::catalog::api::api())
        .merge(crate::live::api())
        .merge(api::routes());
    Router::new()
        .nest("/api/v1", v1)
        .route("/api/{*rest}", axum::routing::any(unknown))
        .layer(from_fn(problem::uniform))
}

async fn unknown() -> Error {
    Refusal::NotFound.into()
}

/// Ends a request whose answer does not begin in time. Streams answer at once and are not
/// touched: the limit is on the head of the answer.
async fn timed(State(app): State<App>, request: Request, next: Next) -> Response {
    let limit = Duration::from_millis(app.config.request_timeout_ms);
    match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => problem::refused(&Refusal::Busy { retry_after_s: 1 }),
    }
}

/// Gives the request a name that is answered in `x-request-id` and stands in the log, and
/// counts and times it under its route.
async fn observed(request: Request, next: Next) -> Response {
    let id = format!("{:016x}", rand::random::<u64>());
    let method = request.method().clone();
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("(page)".to_owned(), |path| path.as_str().to_owned());
    let span = tracing::info_span!("request", id, %method, route);
    let begun = Stopwatch::start();
    let mut response = next.run(request).instrument(span).await;
    let class = format!("{}xx", response.status().as_u16() / 100);
    metrics::histogram!(names::REQUEST_SECONDS, "route" => route.clone())
        .record(begun.elapsed().as_secs_f64());
    metrics::counter!(
        names::REQUESTS, "route" => route, "method" => method.to_string(), "class" => class
    )
    .increment(1);
    let id = HeaderValue::from_str(&id).expect("hex digits");
    response.headers_mut().insert("x-request-id", id);
    response
}
