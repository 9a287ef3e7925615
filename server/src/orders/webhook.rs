//! What providers call: the webhook, and the address to which they send the browser back. Neither
//! is believed: both only say which attempt to ask about.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Redirect;
use axum::routing::{get, post};
use domain::ids::OrderId;
use domain::order::OrderState;
use domain::refusal::Refusal;
use serde::Deserialize;

use super::settle::Settled;
use super::{read, settle};
use crate::app::App;
use crate::error::{Error, Result};
use crate::payments::events::{self, Event};
use crate::payments::{AttemptName, sandbox, signature};

/// Longest name of an event or its kind that is kept.
const WORD_BYTES_MAX: usize = 200;

pub fn routes() -> axum::Router<App> {
    axum::Router::new()
        .route("/webhooks/sandbox", post(from_sandbox))
        .route("/orders/{order}/return", get(come_back))
}

/// An event in Stripe's wording; what we do not need is not read.
#[derive(Deserialize)]
struct Told {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    data: Option<Data>,
}

#[derive(Deserialize)]
struct Data {
    object: Option<Object>,
}

#[derive(Deserialize)]
struct Object {
    metadata: Option<Metadata>,
}

/// The ids that we gave the provider with the session.
#[derive(Deserialize)]
struct Metadata {
    show: Option<String>,
    order: Option<String>,
    attempt: Option<String>,
}

impl Metadata {
    fn name(self) -> Option<AttemptName> {
        Some(AttemptName {
            show: self.show?.parse().ok()?,
            order: self.order?.parse().ok()?,
            attempt: self.attempt?.parse().ok()?,
        })
    }
}

/// `POST /webhooks/sandbox`: 400 for what the provider did not sign; otherwise the event is kept
/// and 200 is answered, whatever comes of it: an effect that fails now is tried again from our own
/// books.
async fn from_sandbox(
    State(app): State<App>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<StatusCode> {
    let now = app.clock.now();
    let header = headers
        .get("stripe-signature")
        .and_then(|h| h.to_str().ok());
    let secrets = events::secrets(&app.db, sandbox::NAME, now).await?;
    signature::verify(header.unwrap_or(""), &body, &secrets, now.0 / 1000).map_err(|_| {
        Refusal::Malformed {
            detail: "the signature does not prove the body".to_owned(),
        }
    })?;
    let Some(event) = event(&body) else {
        tracing::warn!("a signed webhook is not an event");
        return Ok(StatusCode::OK);
    };
    let fresh = events::keep(&app.db, sandbox::NAME, &event, &body, now).await?;
    if fresh && let Err(error) = handle(&app, sandbox::NAME, &event.id, event.about).await {
        tracing::warn!(event = event.id, ?error, "an event waits to be handled");
    }
    Ok(StatusCode::OK)
}

fn event(body: &[u8]) -> Option<Event> {
    let told: Told = serde_json::from_slice(body).ok()?;
    if told.id.len() > WORD_BYTES_MAX || told.kind.len() > WORD_BYTES_MAX {
        return None;
    }
    let object = told.data.and_then(|data| data.object);
    Some(Event {
        about: object.and_then(|o| o.metadata).and_then(Metadata::name),
        id: told.id,
        kind: told.kind,
    })
}

/// Asks about the attempt that an event names; an event about none of ours stays open.
pub async fn handle(
    app: &App,
    provider: &str,
    event_id: &str,
    about: Option<AttemptName>,
) -> Result<()> {
    let Some(name) = about else {
        tracing::warn!(event = event_id, "an event names no attempt of ours");
        return Ok(());
    };
    match settle::from_provider(app, name).await {
        // The provider is behind its own event: asked again, a little later each time.
        Ok(Settled::Unknown) => {
            tracing::warn!(
                event = event_id,
                "an event about what its provider does not know"
            );
            Ok(())
        }
        Ok(_) => events::handled(&app.db, provider, event_id, app.clock.now()).await,
        Err(Error::Refusal(Refusal::NotFound)) => {
            tracing::warn!(event = event_id, "an event names no order of ours");
            Ok(())
        }
        Err(other) => Err(other),
    }
}

/// `GET /orders/{id}/return`: the browser comes back. Asks at once, so that the buyer need not
/// wait for the webhook, and shows the order whatever the answer: its page waits where needed.
async fn come_back(State(app): State<App>, Path(order): Path<String>) -> Result<Redirect> {
    let order: OrderId = order.parse().map_err(|_| Refusal::NotFound)?;
    let stored = read::stored(&app.db, order).await?;
    if let Some(stored) = stored
        && stored.summary.state != OrderState::Paid
        && let Some(name) = stored.last_attempt()
        && let Err(error) = settle::from_provider(&app, name).await
    {
        tracing::warn!(%order, ?error, "a returning buyer's payment could not be asked about");
    }
    Ok(Redirect::to(&format!("/orders/{order}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::ids::{AttemptId, ShowId};

    #[test]
    fn events_name_their_attempt_or_none() {
        let body = br#"{"id":"evt_1","type":"checkout.session.completed","data":{"object":{
            "metadata":{"show":"3","order":"5","attempt":"000000000000000000000000000000aa"}}}}"#;
        let named = event(body).unwrap();
        let name = AttemptName {
            show: ShowId(3),
            order: OrderId(5),
            attempt: AttemptId(0xaa),
        };
        assert_eq!(named.about, Some(name));
        let strange = event(br#"{"id":"evt_2","type":"customer.created"}"#).unwrap();
        assert_eq!(strange.about, None);
        assert!(event(b"{}").is_none());
        assert!(event(b"not json").is_none());
        let long = format!(r#"{{"id":"{}","type":"x"}}"#, "e".repeat(201));
        assert!(event(long.as_bytes()).is_none());
    }
}
