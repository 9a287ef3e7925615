//! Signed-in browsers of staff. The token is random, new at every login, and only its hash is
//! stored.

use axum::Form;
use axum::extract::{FromRequestParts, State};
use axum::http::HeaderMap;
use axum::http::header::SET_COOKIE;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::ids::StaffId;
use domain::refusal::Refusal;
use domain::wire::view::StaffView;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::buyers::{cookie, set_cookie_value};
use crate::app::App;
use crate::error::{Error, Result};
use crate::http::limits::TOKEN_BYTES_MAX;
use crate::http::network::Network;
use crate::http::problem;

/// The cookie that holds a staff session's token.
pub const COOKIE_NAME: &str = "rowlock_staff";

/// The member of staff who asks; 401 `no_session` without a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staff(pub StaffView);

impl FromRequestParts<App> for Staff {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        of(app, &parts.headers)
            .await?
            .map(Self)
            .ok_or_else(|| Refusal::NoSession.into())
    }
}

/// The member of staff whom the session cookie proves.
///
/// # Errors
/// Postgres does not answer.
pub async fn of(app: &App, headers: &HeaderMap) -> Result<Option<StaffView>> {
    let Some(token) = cookie(headers, COOKIE_NAME).filter(|token| token.len() <= TOKEN_BYTES_MAX)
    else {
        return Ok(None);
    };
    let row: Option<(i64, String, String)> = sqlx::query_as(
        "select staff_id, email, name from staff_session join staff using (staff_id)
         where token_hash = $1 and expires_at > now()",
    )
    .bind(token_hash(token))
    .fetch_optional(&app.db)
    .await?;
    Ok(row.map(|(id, email, name)| StaffView {
        id: StaffId(id),
        email,
        name,
    }))
}

#[derive(Deserialize)]
pub struct Login {
    email: String,
    password: String,
}

/// `POST /staff/login`: 303 to the console, or back to the form with the refusal's code.
pub async fn log_in(
    State(app): State<App>,
    network: Network,
    Form(Login { email, password }): Form<Login>,
) -> Result<Response> {
    let now = app.clock.now();
    let logged_in = app.logins.log_in(&app.db, now, network, &email, &password);
    let staff = match logged_in.await {
        Ok(staff) => staff,
        Err(Error::Refusal(refusal)) => {
            problem::count(&refusal);
            let back = format!("/staff/login?refusal={}", refusal.code());
            return Ok(Redirect::to(&back).into_response());
        }
        Err(fault) => return Err(fault),
    };
    let token = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 16]>());
    let minutes = app.config.staff_session_minutes;
    sqlx::query(
        "insert into staff_session (token_hash, staff_id, expires_at)
         values ($1, $2, now() + make_interval(mins => $3))",
    )
    .bind(token_hash(&token))
    .bind(staff.id.0)
    .bind(minutes as i32)
    .execute(&app.db)
    .await?;
    let cookie = set_cookie_value(&app, COOKIE_NAME, &token, minutes * 60);
    Ok(([(SET_COOKIE, cookie)], Redirect::to("/staff")).into_response())
}

/// `POST /staff/logout`: the session ends on our side too.
pub async fn log_out(State(app): State<App>, headers: HeaderMap) -> Result<Response> {
    if let Some(token) = cookie(&headers, COOKIE_NAME) {
        sqlx::query("delete from staff_session where token_hash = $1")
            .bind(token_hash(token))
            .execute(&app.db)
            .await?;
    }
    let gone = set_cookie_value(&app, COOKIE_NAME, "", 0);
    Ok(([(SET_COOKIE, gone)], Redirect::to("/staff/login")).into_response())
}

/// Removes sessions that have ended.
///
/// # Errors
/// Postgres does not answer.
pub async fn purge(app: &App) -> Result<()> {
    sqlx::query("delete from staff_session where expires_at < now()")
        .execute(&app.db)
        .await?;
    Ok(())
}

fn token_hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}
