//! Who asks: anonymous buyers by a signed token, staff by a session.
//!
//! Tables owned: `app_key`, `staff`, `staff_session`. Facts sent out: none.
//! Invariants: a page never sets a cookie on GET; a token that exists is never sent again; a
//! buyer's token is no staff session and the other way round; only hashes of secrets are stored.

use axum::Router;
use axum::routing::post;

use crate::app::App;

/// Signed buyer tokens and the extractors `Buyer` and `MaybeBuyer`.
pub mod buyers;
/// The demonstration's member of staff.
pub mod demo;
/// How often passwords were guessed lately.
mod guesses;
/// Keys that all processes on one database share.
pub mod keys;
/// Signed-in browsers of staff and the extractor `Staff`.
pub mod sessions;
/// Members of staff and their passwords.
pub mod staff;

pub use buyers::{Buyer, MaybeBuyer};
pub use keys::Keys;
pub use sessions::Staff;

/// Below `/api/v1`.
pub fn api() -> Router<App> {
    Router::new().route("/sessions", post(buyers::create_session))
}

/// Forms of the staff pages.
pub fn routes() -> Router<App> {
    Router::new()
        .route("/staff/login", post(sessions::log_in))
        .route("/staff/logout", post(sessions::log_out))
}
