//! Looking for events.

use domain::ids::EventId;
use domain::wire::view::{EventPage, SearchPage, SearchQuery};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;

use super::{Answer, ApiResult};

/// Events with upcoming shows that match, best first; 20 a page.
#[server(prefix = "/sf", endpoint = "search", input = Json, output = Answer)]
pub async fn search(query: SearchQuery) -> ApiResult<SearchPage> {
    let backend = super::backend()?;
    Ok(backend.search(query).await?)
}

/// One event with its shows.
#[server(prefix = "/sf", endpoint = "event", input = Json, output = Answer)]
pub async fn event(event: EventId) -> ApiResult<EventPage> {
    let backend = super::backend()?;
    Ok(backend.event(event).await?)
}
