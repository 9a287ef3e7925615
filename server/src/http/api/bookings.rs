//! Bookings: orders, as clients of the API see them.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, RawQuery, State};
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use domain::board::settings::SEATS_PER_ORDER_MAX;
use domain::ids::{CommandId, OrderId};
use domain::refusal::Refusal;
use domain::wire::view::{AreaWanted, ContactForm, HoldRequest, OrderView};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::body::{Body, body};
use super::booking::Booking;
use crate::app::App;
use crate::error::{Error, Result};
use crate::orders::pay::{self, Begun};
use crate::orders::read::{self, Viewer};
use crate::orders::{Ask, cancel, change, link, place};
use crate::people::{Buyer, MaybeBuyer};

/// Longest `Idempotency-Key`, bytes.
const KEY_BYTES_MAX: usize = 255;
/// Longest payment token, bytes.
const TOKEN_BYTES_MAX: usize = 255;

pub fn routes() -> axum::Router<App> {
    axum::Router::new()
        .route("/bookings", post(create).get(mine))
        .route("/bookings/{booking}", get(one))
        .route("/bookings/{booking}/seats", post(add).delete(drop_seats))
        .route("/bookings/{booking}/confirm", post(confirm))
        .route("/bookings/{booking}/cancel", post(end))
}

fn malformed(detail: impl Into<String>) -> Error {
    Error::Refusal(Refusal::Malformed {
        detail: detail.into(),
    })
}

/// Ids that do not parse name nothing.
fn booking_id(text: &str) -> Result<OrderId> {
    text.parse().map_err(|_| Error::Refusal(Refusal::NotFound))
}

/// The command's name from `Idempotency-Key`: a UUID is taken as it is, other keys by their hash.
/// Without the header the command has a name of its own and cannot be repeated.
fn ask(buyer: Buyer, headers: &HeaderMap) -> Result<Ask> {
    let id = match headers.get("idempotency-key") {
        None => CommandId(uuid::Uuid::new_v4().as_u128()),
        Some(key) if key.is_empty() || key.len() > KEY_BYTES_MAX => {
            return Err(malformed("an Idempotency-Key has 1 to 255 bytes"));
        }
        Some(key) => {
            let uuid = key.to_str().ok().and_then(|text| text.parse().ok());
            uuid.unwrap_or_else(|| {
                let hash = Sha256::digest(key.as_bytes());
                CommandId(u128::from_be_bytes(
                    hash[..16].try_into().expect("16 of 32 bytes"),
                ))
            })
        }
    };
    Ok(Ask { buyer: buyer.0, id })
}

async fn view(app: &App, order: OrderId, viewer: Viewer) -> Result<OrderView> {
    let stored = read::stored(&app.db, order).await?;
    let stored = stored.ok_or(Error::Refusal(Refusal::NotFound))?;
    read::view(app, &stored, viewer).await
}

async fn answer(app: &App, status: StatusCode, order: OrderId) -> Result<Response> {
    Ok(personal(
        status,
        Booking::from(view(app, order, Viewer::Owner).await?),
    ))
}

/// Nobody between us and the client may keep it.
fn personal(status: StatusCode, body: impl Serialize) -> Response {
    (status, [(CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

async fn create(
    State(app): State<App>,
    buyer: Buyer,
    headers: HeaderMap,
    request: Body<HoldRequest>,
) -> Result<Response> {
    let request = body(request)?;
    let order = place::hold(&app, ask(buyer, &headers)?, &request).await?;
    answer(&app, StatusCode::CREATED, order).await
}

async fn mine(State(app): State<App>, Buyer(buyer): Buyer) -> Result<Response> {
    let orders = read::of_buyer(&app, buyer).await?;
    let bookings: Vec<Booking> = orders.into_iter().map(Booking::from).collect();
    Ok(personal(
        StatusCode::OK,
        serde_json::json!({ "bookings": bookings }),
    ))
}

#[derive(Deserialize)]
struct Link {
    t: Option<String>,
}

async fn one(
    State(app): State<App>,
    MaybeBuyer(buyer): MaybeBuyer,
    Path(booking): Path<String>,
    query: std::result::Result<Query<Link>, QueryRejection>,
) -> Result<Response> {
    let order = booking_id(&booking)?;
    let token = query.ok().and_then(|Query(link)| link.t);
    let stored = read::stored(&app.db, order).await?;
    let stored = stored.ok_or(Error::Refusal(Refusal::NotFound))?;
    let viewer = if buyer == Some(stored.summary.buyer) {
        Viewer::Owner
    } else if token.is_some_and(|token| link::opens(&app.keys.link, order, &token)) {
        Viewer::Link
    } else {
        return Err(Error::Refusal(Refusal::NotFound));
    };
    let view = read::view(&app, &stored, viewer).await?;
    Ok(personal(StatusCode::OK, Booking::from(view)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct More {
    #[serde(default)]
    seats: Vec<u32>,
    #[serde(default)]
    areas: Vec<AreaWanted>,
}

async fn add(
    State(app): State<App>,
    buyer: Buyer,
    headers: HeaderMap,
    Path(booking): Path<String>,
    more: Body<More>,
) -> Result<Response> {
    let order = booking_id(&booking)?;
    let more = body(more)?;
    let areas: Vec<_> = more.areas.iter().map(|a| (a.area, a.count)).collect();
    change::add(&app, ask(buyer, &headers)?, order, &more.seats, &areas).await?;
    answer(&app, StatusCode::OK, order).await
}

/// What a query asks to drop: `seat=<index>` and `line=<number>`, repeated.
#[derive(Debug, Default, PartialEq, Eq)]
struct Dropped {
    seats: Vec<u32>,
    lines: Vec<u16>,
}

fn dropped(query: &str) -> Result<Dropped, Refusal> {
    let mut dropped = Dropped::default();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let number = match pair.split_once('=') {
            Some(("seat", seat)) => seat.parse().map(|seat| dropped.seats.push(seat)),
            Some(("line", line)) => line.parse().map(|line| dropped.lines.push(line)),
            _ => {
                return Err(Refusal::Malformed {
                    detail: "only `seat` and `line` can be dropped".to_owned(),
                });
            }
        };
        number.map_err(|_| Refusal::Malformed {
            detail: "seats and lines are numbers".to_owned(),
        })?;
    }
    if dropped.seats.len() + dropped.lines.len() > SEATS_PER_ORDER_MAX as usize {
        return Err(Refusal::LimitPerOrder {
            max: SEATS_PER_ORDER_MAX,
        });
    }
    Ok(dropped)
}

async fn drop_seats(
    State(app): State<App>,
    buyer: Buyer,
    headers: HeaderMap,
    Path(booking): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response> {
    let order = booking_id(&booking)?;
    let ask = ask(buyer, &headers)?;
    let dropped = dropped(query.as_deref().unwrap_or(""))?;
    match (dropped.seats.as_slice(), dropped.lines.as_slice()) {
        (seats, []) => change::drop_seats(&app, ask, order, seats).await?,
        ([], lines) => change::drop_lines(&app, ask, order, lines).await?,
        _ => return Err(malformed("seats or lines, not both in one request")),
    }
    answer(&app, StatusCode::OK, order).await
}

/// How to pay. Name and mail address are for the confirmation; without one there is no mail.
#[derive(Deserialize)]
#[serde(tag = "method", rename_all = "snake_case", deny_unknown_fields)]
enum Confirm {
    /// On the provider's page.
    Redirect {
        #[serde(default)]
        name: String,
        #[serde(default)]
        email: String,
        #[serde(default)]
        locale: String,
    },
    /// At once, with what the client tokenised with the provider.
    Token {
        token: String,
        #[serde(default)]
        name: String,
        #[serde(default)]
        email: String,
        #[serde(default)]
        locale: String,
    },
}

#[derive(Serialize)]
struct RedirectTo {
    redirect_url: String,
}

async fn confirm(
    State(app): State<App>,
    buyer: Buyer,
    headers: HeaderMap,
    Path(booking): Path<String>,
    request: Body<Confirm>,
) -> Result<Response> {
    let order = booking_id(&booking)?;
    let ask = ask(buyer, &headers)?;
    let (form, token) = match body(request)? {
        Confirm::Redirect {
            name,
            email,
            locale,
        } => (contact_form(name, email, locale), None),
        Confirm::Token {
            token,
            name,
            email,
            locale,
        } => (contact_form(name, email, locale), Some(token)),
    };
    let contact = pay::contact(&form, false)?;
    if let Some(token) = token {
        if token.len() > TOKEN_BYTES_MAX {
            return Err(malformed("a token has at most 255 bytes"));
        }
        pay::token(&app, ask, order, &contact, &token).await?;
        return answer(&app, StatusCode::OK, order).await;
    }
    match pay::redirect(&app, ask, order, &contact).await? {
        Begun::Done => answer(&app, StatusCode::OK, order).await,
        Begun::Redirect(url) => {
            let redirect_url = match url.starts_with('/') {
                true => format!("{}{url}", app.config.public_url()),
                false => url,
            };
            Ok(personal(StatusCode::ACCEPTED, RedirectTo { redirect_url }))
        }
    }
}

fn contact_form(name: String, email: String, locale: String) -> ContactForm {
    ContactForm {
        name,
        email,
        locale,
    }
}

async fn end(
    State(app): State<App>,
    buyer: Buyer,
    headers: HeaderMap,
    Path(booking): Path<String>,
) -> Result<Response> {
    let order = booking_id(&booking)?;
    cancel::cancel(&app, ask(buyer, &headers)?, order).await?;
    answer(&app, StatusCode::OK, order).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_name_what_to_drop() {
        let seats = |seats: &[u32]| Dropped {
            seats: seats.to_vec(),
            lines: Vec::new(),
        };
        assert_eq!(dropped("seat=1&seat=22"), Ok(seats(&[1, 22])));
        assert_eq!(dropped(""), Ok(seats(&[])));
        assert_eq!(dropped("line=3").unwrap().lines, [3]);
        for bad in [
            "seat=-1",
            "seat=1.5",
            "seat=",
            "seat",
            "price=0",
            "line=70000",
        ] {
            assert!(dropped(bad).is_err(), "{bad}");
        }
        assert!(dropped(&"seat=1&".repeat(51)).is_err());
    }
}
