//! Anonymous buyers. A token is `version | buyer id | HMAC`, in base64url: no row until the
//! first hold, and every process on one database believes it.

use std::convert::Infallible;

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, COOKIE, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::IntoResponse;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::ids::BuyerId;
use domain::refusal::Refusal;
use domain::wire::view::NewSession;
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::app::App;
use crate::error::Error;
use crate::http::limits::TOKEN_BYTES_MAX;
use crate::http::security;

/// The cookie that holds a buyer's token.
pub const COOKIE_NAME: &str = "rowlock_buyer";
/// As long as browsers keep a cookie at most.
const COOKIE_MAX_AGE_S: u32 = 400 * 24 * 3600;
const TOKEN_VERSION: u8 = 1;
/// Binds the signature to this use of the key.
const PURPOSE: &[u8] = b"rowlock buyer token";

/// The buyer who asks, when there is one with a token that verifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaybeBuyer(pub Option<BuyerId>);

/// The buyer who asks; 401 `no_session` without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Buyer(pub BuyerId);

impl FromRequestParts<App> for MaybeBuyer {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        Ok(Self(of(app, &parts.headers)))
    }
}

impl FromRequestParts<App> for Buyer {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        of(app, &parts.headers)
            .map(Self)
            .ok_or_else(|| Refusal::NoSession.into())
    }
}

/// The buyer whom these headers prove: by `Authorization: Bearer`, otherwise by cookie. An
/// Authorization that does not verify is not made good by a cookie.
pub fn of(app: &App, headers: &HeaderMap) -> Option<BuyerId> {
    if let Some(value) = headers.get(AUTHORIZATION) {
        return verify(&app.keys.buyer, security::bearer(value)?);
    }
    verify(&app.keys.buyer, cookie(headers, COOKIE_NAME)?)
}

/// A new buyer with the token that proves it.
pub fn begin(app: &App) -> NewSession {
    let buyer_id = BuyerId(rand::random());
    NewSession {
        token: sign(&app.keys.buyer, buyer_id),
        buyer_id,
    }
}

/// The `Set-Cookie` value that keeps `session` in a browser.
pub fn set_cookie(app: &App, session: &NewSession) -> HeaderValue {
    set_cookie_value(app, COOKIE_NAME, &session.token, COOKIE_MAX_AGE_S)
}

/// `POST /api/v1/sessions`: a new anonymous buyer, whoever asks.
pub async fn create_session(State(app): State<App>) -> impl IntoResponse {
    let session = begin(&app);
    let headers = [
        (SET_COOKIE, set_cookie(&app, &session)),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (StatusCode::CREATED, headers, Json(session))
}

/// The first cookie of that name.
pub(super) fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let lines = headers.get_all(COOKIE).into_iter();
    lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(key, value)| (key == name).then_some(value))
}

/// `HttpOnly`, `SameSite=Lax`, and `Secure` where we are reached by https.
pub(super) fn set_cookie_value(app: &App, name: &str, value: &str, max_age_s: u32) -> HeaderValue {
    let secure = if app.config.secure_cookies() {
        "; Secure"
    } else {
        ""
    };
    let text =
        format!("{name}={value}; Path=/; Max-Age={max_age_s}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::from_str(&text).expect("cookie values are base64url or hex")
}

fn mac(key: &[u8; 32], payload: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(PURPOSE);
    mac.update(payload);
    mac
}

fn sign(key: &[u8; 32], buyer: BuyerId) -> String {
    let mut bytes = vec![TOKEN_VERSION];
    bytes.extend(buyer.0.to_be_bytes());
    let tag = mac(key, &bytes).finalize().into_bytes();
    bytes.extend(tag);
    URL_SAFE_NO_PAD.encode(bytes)
}

fn verify(key: &[u8; 32], token: &str) -> Option<BuyerId> {
    if token.len() > TOKEN_BYTES_MAX {
        return None;
    }
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    let (payload, tag) = bytes.split_at_checked(17)?;
    // Compares in constant time.
    mac(key, payload).verify_slice(tag).ok()?;
    let (version, id) = payload.split_first()?;
    (*version == TOKEN_VERSION)
        .then(|| BuyerId(u128::from_be_bytes(id.try_into().expect("16 of 17 bytes"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_proves_its_buyer_and_nothing_else_does() {
        let key = [7; 32];
        let token = sign(&key, BuyerId(5));
        assert_eq!(verify(&key, &token), Some(BuyerId(5)));
        assert_eq!(verify(&[8; 32], &token), None, "another key");
        for at in 0..token.len() {
            for other in ["A", "z", "_", "="] {
                let mut changed = token.clone();
                changed.replace_range(at..=at, other);
                assert!(
                    changed == token || verify(&key, &changed).is_none(),
                    "{changed}"
                );
            }
        }
        for garbage in [
            "",
            "x",
            "Bearer",
            &token[1..],
            &token[..20],
            &"A".repeat(10_000),
        ] {
            assert_eq!(verify(&key, garbage), None, "{garbage:?}");
        }
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(
            COOKIE,
            HeaderValue::from_static("a=1; rowlock_buyer=tok; b=2"),
        );
        assert_eq!(cookie(&headers, COOKIE_NAME), Some("tok"));
        assert_eq!(cookie(&headers, "rowlock"), None);
    }
}
