use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::ids::ShowId;
use domain::wire::snapshot::{Position, SeatState, Snapshot};
use serde::Serialize;

use super::channel::Served;

/// Media type of the binary snapshot.
pub const SEATS_MEDIA_TYPE: &str = "application/vnd.rowlock.seats";

/// Which of the two encodings a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Binary,
    Json,
}

impl Encoding {
    /// Binary unless JSON is named and binary is not.
    pub fn asked(headers: &HeaderMap) -> Self {
        let named = |media_type: &str| {
            headers
                .get_all(header::ACCEPT)
                .iter()
                .filter_map(|value| value.to_str().ok())
                .any(|value| value.contains(media_type))
        };
        if named("application/json") && !named(SEATS_MEDIA_TYPE) {
            Self::Json
        } else {
            Self::Binary
        }
    }

    const fn letter(self) -> char {
        match self {
            Self::Binary => 'b',
            Self::Json => 'j',
        }
    }
}

/// The snapshot, or 304 when the client has it. `fresh` is false when it is older than asked:
/// then nobody may keep it, and the client asks again.
pub(super) fn respond(served: &Served, headers: &HeaderMap, fresh: bool) -> Response {
    let encoding = Encoding::asked(headers);
    let tag = format!("\"{}-{}\"", served.position, encoding.letter());
    let mut answer = HeaderMap::new();
    let cache = if fresh {
        "public, max-age=1"
    } else {
        "no-store"
    };
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    answer.insert(header::VARY, HeaderValue::from_static("accept"));
    if !fresh {
        answer.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    let known = headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|value| matches!(value.trim(), "*") || value.trim().trim_start_matches("W/") == tag);
    answer.insert(
        header::ETAG,
        tag.parse()
            .expect("hex digits, hyphens and quotes make a header"),
    );
    if known {
        return (StatusCode::NOT_MODIFIED, answer).into_response();
    }
    let (media_type, body) = match encoding {
        Encoding::Binary => (SEATS_MEDIA_TYPE, served.binary.clone()),
        Encoding::Json => ("application/json", served.json()),
    };
    answer.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    (answer, body).into_response()
}

/// The snapshot for API clients.
#[derive(Serialize)]
struct Readable<'a> {
    show_id: ShowId,
    /// What `stream?after=` takes.
    position: String,
    seq: u64,
    seats: u32,
    /// One letter a seat, by seat index: `f`ree, `h`eld, `s`old, `b`locked.
    states: String,
    /// By area index.
    area_taken: &'a [u32],
    /// Seats and area places free, by tier.
    tier_free: &'a [u32],
}

pub(super) fn json(show: ShowId, position: Position, snapshot: &Snapshot) -> Bytes {
    let letter = |state| match state {
        SeatState::Free => 'f',
        SeatState::Held => 'h',
        SeatState::Sold => 's',
        SeatState::Blocked => 'b',
    };
    let readable = Readable {
        show_id: show,
        position: position.to_string(),
        seq: snapshot.seq.0,
        seats: snapshot.seats,
        states: snapshot.iter().map(|(_, state)| letter(state)).collect(),
        area_taken: &snapshot.area_taken,
        tier_free: &snapshot.tier_free,
    };
    serde_json::to_vec(&readable)
        .expect("text and numbers serialise")
        .into()
}
