//! What a browser may and may not do with our pages, and who may send commands from one.

use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CONTENT_SECURITY_POLICY, HOST, HeaderName, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use domain::refusal::Refusal;

use crate::app::App;
use crate::http::problem;

/// The content security policy: our own files, WebAssembly, and inline scripts only where they
/// carry `nonce`. Style attributes are allowed (tier colours), style elements are not.
pub fn policy(nonce: Option<&str>) -> String {
    let nonce = nonce.map_or(String::new(), |nonce| format!(" 'nonce-{nonce}'"));
    format!(
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'{nonce}; style-src 'self'; \
         style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; \
         base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
    )
}

/// Adds the headers that every answer carries; a page that set its own policy keeps it.
pub async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if !headers.contains_key(CONTENT_SECURITY_POLICY) {
        let policy = HeaderValue::from_str(&policy(None)).expect("the policy is plain ASCII");
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // `same-origin` and not `no-referrer`: the latter makes the Origin of our own forms null.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    );
    response
}

/// Refuses commands that another site's page sends with our cookies. Cookies alone prove who
/// asks, so the page has to be ours; a Bearer token and a signed webhook prove it themselves.
pub async fn same_origin(State(app): State<App>, request: Request, next: Next) -> Response {
    if may_command(&app.config.public_url(), &request) {
        next.run(request).await
    } else {
        problem::refused(&Refusal::Forbidden)
    }
}

fn may_command(public_url: &str, request: &Request) -> bool {
    if matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    ) {
        return true;
    }
    let headers = request.headers();
    let path = request.uri().path();
    let proves_itself = path.starts_with("/api/") && headers.contains_key(AUTHORIZATION)
        || path.starts_with("/webhooks/");
    proves_itself || from_our_page(public_url, headers)
}

/// The token of an `Authorization` by `Bearer`; the scheme's name in any case (RFC 9110).
pub fn bearer(authorization: &HeaderValue) -> Option<&str> {
    let (scheme, token) = authorization.to_str().ok()?.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then(|| token.trim_start_matches(' '))
}

/// Browsers send `Origin` with every command. Where it is absent, so is the browser, unless
/// `Sec-Fetch-Site` says that another site asks.
fn from_our_page(public_url: &str, headers: &HeaderMap) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if !headers.contains_key(ORIGIN) {
        let site = headers.get("sec-fetch-site");
        return site.is_none_or(|site| site == "same-origin" || site == "none");
    }
    let Some(origin) = text(ORIGIN) else {
        return false;
    };
    if origin == public_url {
        return true;
    }
    let host = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"));
    host.is_some() && host == text(HOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schemes_name_is_taken_in_any_case() {
        let check = |text: &'static str, token: Option<&str>| {
            assert_eq!(bearer(&HeaderValue::from_static(text)), token, "{text}");
        };
        check("Bearer x", Some("x"));
        check("bearer x", Some("x"));
        check("BEARER  x", Some("x"));
        check("Bearerx", None);
        check("Basic x", None);
        check("Bearer", None);
    }

    #[test]
    fn another_sites_page_cannot_command() {
        let check = |method: &str, path: &str, pairs: &[(&str, &str)]| {
            let mut request = Request::builder().method(method).uri(path);
            for (name, value) in pairs {
                request = request.header(*name, *value);
            }
            let request = request.body(axum::body::Body::empty()).unwrap();
            may_command("https://tickets.example", &request)
        };
        type Headers = &'static [(&'static str, &'static str)];
        let cases: [(&str, &str, Headers, bool); 11] = [
            ("GET", "/", &[("origin", "https://evil.example")], true),
            (
                "POST",
                "/sf/hold",
                &[("origin", "https://evil.example")],
                false,
            ),
            (
                "POST",
                "/sf/hold",
                &[("origin", "https://tickets.example")],
                true,
            ),
            (
                "POST",
                "/sf/hold",
                &[("origin", "null"), ("host", "null")],
                false,
            ),
            (
                "POST",
                "/sf/hold",
                &[("origin", "http://h:1"), ("host", "h:1")],
                true,
            ),
            (
                "POST",
                "/sf/hold",
                &[("origin", "http://h:2"), ("host", "h:1")],
                false,
            ),
            ("POST", "/sf/hold", &[], true),
            (
                "POST",
                "/sf/hold",
                &[("sec-fetch-site", "cross-site")],
                false,
            ),
            (
                "DELETE",
                "/api/v1/x",
                &[("origin", "https://evil.example")],
                false,
            ),
            (
                "POST",
                "/api/v1/x",
                &[("origin", "https://e"), ("authorization", "Bearer x")],
                true,
            ),
            (
                "POST",
                "/webhooks/sandbox",
                &[("origin", "https://evil.example")],
                true,
            ),
        ];
        for (method, path, pairs, allowed) in cases {
            assert_eq!(
                check(method, path, pairs),
                allowed,
                "{method} {path} {pairs:?}"
            );
        }
    }
}
