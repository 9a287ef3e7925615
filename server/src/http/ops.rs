//! For those who run it: liveness, readiness, metrics.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::routing::get;
use domain::refusal::Refusal;
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::config::Config;
use crate::error::Result;
use crate::http::security;
use crate::telemetry::{self, names};

/// What proxies write into the requests that they pass on.
const PROXIES_WRITE: [&str; 3] = ["forwarded", "x-forwarded-for", "via"];

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

/// `GET /metrics`, for those who may read them: for others nothing is here.
async fn metrics(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Result<impl IntoResponse> {
    if !may_read(&app.config, peer.ip().to_canonical(), &headers) {
        return Err(Refusal::NotFound.into());
    }
    let in_use = app.db.size() as usize - app.db.num_idle().min(app.db.size() as usize);
    metrics::gauge!(names::DATABASE_CONNECTIONS).set(in_use as f64);
    let text = telemetry::metrics().render();
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4")], text))
}

/// Whoever has the token, where one is set; else this machine, unless a proxy may ask from it.
fn may_read(config: &Config, peer: IpAddr, headers: &HeaderMap) -> bool {
    let Some(token) = &config.metrics_token else {
        let proxied = PROXIES_WRITE.iter().any(|name| headers.contains_key(*name));
        return peer.is_loopback() && !proxied && config.public_url.is_none();
    };
    let given = headers.get(AUTHORIZATION).and_then(security::bearer);
    // Hashes, so that the time it takes says nothing about the token.
    given.is_some_and(|given| Sha256::digest(given) == Sha256::digest(&token.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Secret;

    #[test]
    fn metrics_are_for_this_machine_or_for_the_token() {
        let check = |config: &Config, peer: &str, header: (&'static str, &str)| {
            let mut headers = HeaderMap::new();
            headers.insert(header.0, header.1.parse().unwrap());
            may_read(config, peer.parse().unwrap(), &headers)
        };
        let plain = ("accept", "*/*");
        let open = Config::default();
        assert!(check(&open, "127.0.0.1", plain));
        assert!(check(&open, "::1", plain));
        assert!(!check(&open, "192.0.2.1", plain));
        assert!(!check(&open, "127.0.0.1", ("x-forwarded-for", "192.0.2.1")));
        assert!(!check(&open, "127.0.0.1", ("via", "1.1 proxy")));
        let behind_a_proxy = Config {
            public_url: Some("https://tickets.example".into()),
            ..Config::default()
        };
        assert!(!check(&behind_a_proxy, "127.0.0.1", plain));
        let with_token = Config {
            metrics_token: Some(Secret("hush".into())),
            ..behind_a_proxy
        };
        assert!(check(
            &with_token,
            "192.0.2.1",
            ("authorization", "Bearer hush")
        ));
        assert!(!check(
            &with_token,
            "127.0.0.1",
            ("authorization", "Bearer x")
        ));
        assert!(!check(&with_token, "127.0.0.1", plain));
    }
}
