use anyhow::Context;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
    VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use domain::ids::SeatMapId;
use domain::refusal::Refusal;
use domain::seat_map::codec::MEDIA_TYPE;

use super::maps::Served;
use crate::app::App;
use crate::error::Result;

/// Nothing about a seat map changes: whoever has it may keep it.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// Routes below `/api/v1`.
pub fn api() -> Router<App> {
    Router::new().route("/seat-maps/{id}", get(geometry))
}

/// Binary unless the client accepts JSON and does not name the binary form.
async fn geometry(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let id: SeatMapId = id.parse().map_err(|_| Refusal::NotFound)?;
    let json =
        accepts(&headers, &ACCEPT, "application/json") && !accepts(&headers, &ACCEPT, MEDIA_TYPE);
    let encoding = Encoding::asked(&headers);
    let tag = format!(
        "\"{id}-{}-{}\"",
        if json { "json" } else { "bin" },
        encoding.name()
    );
    let kept = app.seat_maps.kept(id).await?;
    let mut answer = HeaderMap::new();
    answer.insert(CACHE_CONTROL, FOR_EVER);
    answer.insert(VARY, HeaderValue::from_static("accept, accept-encoding"));
    if accepts(&headers, &IF_NONE_MATCH, &tag) || accepts(&headers, &IF_NONE_MATCH, "*") {
        answer.insert(ETAG, etag(&tag));
        return Ok((StatusCode::NOT_MODIFIED, answer).into_response());
    }
    answer.insert(ETAG, etag(&tag));
    // The first one to ask waits for the compression, away from the tasks that answer others.
    let body = tokio::task::spawn_blocking(move || {
        encoding.of(if json { kept.json() } else { kept.binary() })
    });
    let body = body.await.context("compressing a seat map")?;
    let media_type = if json { "application/json" } else { MEDIA_TYPE };
    answer.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    if encoding != Encoding::Plain {
        let name = HeaderValue::from_static(encoding.name());
        answer.insert(CONTENT_ENCODING, name);
    }
    Ok((answer, body).into_response())
}

fn etag(tag: &str) -> HeaderValue {
    tag.parse()
        .expect("hex digits, hyphens and quotes make a header")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Brotli,
    Gzip,
    Plain,
}

impl Encoding {
    fn asked(headers: &HeaderMap) -> Self {
        let both = [Self::Brotli, Self::Gzip];
        let accepted = both
            .into_iter()
            .find(|encoding| accepts(headers, &ACCEPT_ENCODING, encoding.name()));
        accepted.unwrap_or(Self::Plain)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
            Self::Plain => "identity",
        }
    }

    fn of(self, served: &Served) -> Bytes {
        match self {
            Self::Brotli => served.brotli.clone(),
            Self::Gzip => served.gzip.clone(),
            Self::Plain => served.plain.clone(),
        }
    }
}

/// Whether the list in header `name` has `word`, and not with the weight 0.
fn accepts(headers: &HeaderMap, name: &HeaderName, word: &str) -> bool {
    let values = headers.get_all(name).iter();
    let items = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    items.map(str::trim).any(|item| {
        let (token, parameters) = item.split_once(';').unwrap_or((item, ""));
        let refused = parameters
            .split(';')
            .filter_map(|parameter| parameter.trim().strip_prefix("q="))
            .any(|weight| weight.parse() == Ok(0.0f32));
        token.trim().trim_start_matches("W/") == word && !refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_accepted_is_read_with_its_weight() {
        let mut headers = HeaderMap::new();
        let mut asked = |value: &'static str| {
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(value));
            Encoding::asked(&headers)
        };
        assert_eq!(asked("gzip, deflate, br, zstd"), Encoding::Brotli);
        assert_eq!(asked("br;q=0, gzip;q=0.5"), Encoding::Gzip);
        assert_eq!(asked("br;q=0.0,gzip;q=0"), Encoding::Plain);
        assert_eq!(asked("identity"), Encoding::Plain);
        assert_eq!(asked("brotli"), Encoding::Plain);
    }
}
