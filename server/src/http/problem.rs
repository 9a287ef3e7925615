//! The one place that turns refusals, faults and bugs into HTTP: problem documents of RFC 9457,
//! `{type, title, status, code, detail, …}` with the refusal's own fields beside.

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::refusal::Refusal;
use serde_json::{Map, Value, json};

use crate::error::Error;
use crate::http::limits::{BODY_BYTES_MAX, PROBLEM_DETAIL_BYTES_MAX};
use crate::telemetry::names;

/// The content type of problem documents.
pub const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Refusal(refusal) => refused(&refusal),
            Self::Fault(fault) => faulted(&report(&fault)),
        }
    }
}

/// Logs a fault once, at the edge, and answers the reference that people may quote.
pub fn report(fault: &anyhow::Error) -> String {
    let reference = reference();
    metrics::counter!(names::FAULTS).increment(1);
    tracing::error!(reference, "{fault:#}");
    reference
}

/// Counts a refusal that reaches a client by another way than a problem document.
pub fn count(refusal: &Refusal) {
    metrics::counter!(names::REFUSALS, "code" => refusal.code()).increment(1);
}

/// The problem document of a refusal, which stands among the answer's extensions too: pages show
/// it in their own way.
pub fn refused(refusal: &Refusal) -> Response {
    count(refusal);
    let mut fields = fields(refusal);
    fields.insert("code".to_owned(), json!(refusal.code()));
    let status = StatusCode::from_u16(refusal.status()).expect("refusals have real statuses");
    let mut response = document(status, &title(refusal), fields);
    if let Refusal::Busy { retry_after_s } | Refusal::TooManyRequests { retry_after_s } = refusal {
        let headers = response.headers_mut();
        headers.insert(RETRY_AFTER, HeaderValue::from(*retry_after_s));
    }
    response.extensions_mut().insert(refusal.clone());
    response
}

/// What a refusal says beside its code.
pub fn fields(refusal: &Refusal) -> Map<String, Value> {
    match serde_json::to_value(refusal) {
        // `{"seats_taken": {"seats": […]}}`; a refusal that says no more is a plain word.
        Ok(Value::Object(tagged)) => match tagged.into_iter().next() {
            Some((_, Value::Object(fields))) => fields,
            _ => Map::new(),
        },
        _ => Map::new(),
    }
}

/// The problem document of a fault that was reported under `reference`.
pub fn faulted(reference: &str) -> Response {
    let mut fields = Map::new();
    fields.insert("code".to_owned(), json!("fault"));
    fields.insert("reference".to_owned(), json!(reference));
    document(
        StatusCode::INTERNAL_SERVER_ERROR,
        "Something went wrong on our side",
        fields,
    )
}

/// What a panic in a handler becomes: a bug, logged with its text, and the connection lives on.
pub fn panicked(panic: Box<dyn std::any::Any + Send>) -> Response {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    faulted(&report(&anyhow::anyhow!("a handler panicked: {text}")))
}

/// Gives the plain-text errors of the framework (unknown path, malformed body, wrong method)
/// the same shape as ours, so that clients meet one kind of error and people a page.
pub async fn uniform(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let status = response.status();
    let ours = !status.is_client_error() && !status.is_server_error()
        || response
            .headers()
            .get(CONTENT_TYPE)
            .is_some_and(|kind| kind != "text/plain; charset=utf-8");
    if ours {
        return response;
    }
    let allow = response.headers().get(axum::http::header::ALLOW).cloned();
    let detail = text_of(response).await;
    match status {
        StatusCode::NOT_FOUND => refused(&Refusal::NotFound),
        StatusCode::PAYLOAD_TOO_LARGE => refused(&body_too_large()),
        StatusCode::METHOD_NOT_ALLOWED => {
            let mut fields = Map::new();
            fields.insert("code".to_owned(), json!("method_not_allowed"));
            let mut response = document(status, "This method is not for this address", fields);
            if let Some(allow) = allow {
                response
                    .headers_mut()
                    .insert(axum::http::header::ALLOW, allow);
            }
            response
        }
        // Wrong media type, JSON that does not parse or does not fit, a bad path or query.
        _ if status.is_client_error() => refused(&Refusal::Malformed { detail }),
        _ => faulted(&report(&anyhow::anyhow!("{status}: {detail}"))),
    }
}

/// Says in our own words that a body was too long, on pages and forms too.
pub async fn body_limit(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let plain = response
        .headers()
        .get(CONTENT_TYPE)
        .is_none_or(|kind| kind != PROBLEM_JSON);
    if response.status() == StatusCode::PAYLOAD_TOO_LARGE && plain {
        return refused(&body_too_large());
    }
    response
}

fn body_too_large() -> Refusal {
    Refusal::BodyTooLarge {
        bytes_max: BODY_BYTES_MAX as u64,
    }
}

fn document(status: StatusCode, title: &str, mut fields: Map<String, Value>) -> Response {
    let kind = match fields.get("code").and_then(Value::as_str) {
        Some(code) => format!("urn:rowlock:problem:{code}"),
        None => "about:blank".to_owned(),
    };
    fields.insert("type".to_owned(), json!(kind));
    fields.insert("title".to_owned(), json!(title));
    fields.insert("status".to_owned(), json!(status.as_u16()));
    let mut response = (status, Value::Object(fields).to_string()).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, PROBLEM_JSON);
    headers.insert(
        axum::http::header::CACHE_CONTROL,
        HeaderValue::from_static("no-store"),
    );
    response
}

async fn text_of(response: Response<Body>) -> String {
    match axum::body::to_bytes(response.into_body(), PROBLEM_DETAIL_BYTES_MAX).await {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => String::new(),
    }
}

/// A short random name under which a fault is found in the log.
fn reference() -> String {
    format!("{:08x}", rand::random::<u32>())
}

/// A few English words for developers, from the code; people read the message files.
fn title(refusal: &Refusal) -> String {
    let words = refusal.code().replace('_', " ");
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
