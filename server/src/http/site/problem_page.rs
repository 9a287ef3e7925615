//! A problem as people see it: whoever asked for a page gets one, in their language, and not the
//! document that programs read.

use app::api::ApiError;
use app::shell::{self, SharedManifest};
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER};
use axum::http::response::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::refusal::Refusal;
use leptos::prelude::{IntoView, provide_context};

use super::is_staff;
use crate::app::App;
use crate::http::limits::PROBLEM_BYTES_MAX;
use crate::http::problem;

/// Turns problem documents into pages for browsers that show what they get. Below `/api` they stay
/// what they are, whoever asks.
pub async fn for_people(
    app: App,
    manifest: SharedManifest,
    request: Request,
    next: Next,
) -> Response {
    let asked = asked_for_a_page(&request);
    let response = next.run(request).await;
    match asked {
        Some(asked) if is_problem(response.headers()) => {
            page(app, &manifest, asked, response).await
        }
        _ => response,
    }
}

/// The address and headers of a request that wants a page.
fn asked_for_a_page(request: &Request) -> Option<Request> {
    let accept = request.headers().get(ACCEPT)?.to_str().ok()?;
    if !accept.contains("text/html") || request.uri().path().starts_with("/api/") {
        return None;
    }
    let mut asked = Request::new(Body::empty());
    *asked.uri_mut() = request.uri().clone();
    *asked.headers_mut() = request.headers().clone();
    Some(asked)
}

fn is_problem(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE) == Some(&problem::PROBLEM_JSON)
}

/// It is no page of the client's, so none is sent along.
async fn page(app: App, manifest: &shell::Manifest, asked: Request, problem: Response) -> Response {
    let (mut parts, body) = problem.into_parts();
    let Ok(bytes) = axum::body::to_bytes(body, PROBLEM_BYTES_MAX).await else {
        return parts.into_response();
    };
    let error = told(&mut parts, &bytes);
    let bare = shell::Manifest {
        css: manifest.css.clone(),
        ..Default::default()
    };
    let mut page = if is_staff(asked.uri().path()) {
        render(app, bare, asked, error, shell::staff).await
    } else {
        render(app, bare, asked, error, shell::fan).await
    };
    *page.status_mut() = parts.status;
    if let Some(after) = parts.headers.remove(RETRY_AFTER) {
        page.headers_mut().insert(RETRY_AFTER, after);
    }
    page
}

async fn render<V: IntoView + 'static>(
    app: App,
    manifest: shell::Manifest,
    asked: Request,
    error: ApiError,
    shell: fn() -> V,
) -> Response {
    let context = move || provide_context(error.clone());
    super::render(
        app,
        SharedManifest::new(manifest),
        asked,
        context,
        shell,
        false,
    )
    .await
}

/// What stood in the way: a refusal travels beside its document, a fault is named in it.
fn told(parts: &mut Parts, problem: &[u8]) -> ApiError {
    match parts.extensions.remove::<Refusal>() {
        Some(refusal) => ApiError::Refusal(refusal),
        None if parts.status == StatusCode::METHOD_NOT_ALLOWED => {
            ApiError::Refusal(Refusal::NotFound)
        }
        None => ApiError::Fault {
            reference: reference(problem),
        },
    }
}

/// The name under which a fault was logged.
fn reference(problem: &[u8]) -> String {
    let problem: serde_json::Value = serde_json::from_slice(problem).unwrap_or_default();
    problem["reference"].as_str().unwrap_or("").to_owned()
}
