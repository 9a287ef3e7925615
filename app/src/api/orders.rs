//! Orders of the buyer who asks.

use domain::ids::{CommandId, OrderId};
use domain::wire::view::{HoldRequest, OrderView};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use serde::{Deserialize, Serialize};

use super::{Answer, ApiResult};

/// An order with the names of the commands that its page's forms may send.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderPage {
    pub order: OrderView,
    /// For the form that pays.
    pub pay_id: CommandId,
    /// For the forms that drop or cancel.
    pub change_id: CommandId,
}

/// One order; `NotFound` unless it is the asking buyer's.
#[server(prefix = "/sf", endpoint = "order", input = Json, output = Answer)]
pub async fn order(order: OrderId) -> ApiResult<OrderPage> {
    let backend = super::backend()?;
    let order = backend.order(order).await?;
    let fresh = || CommandId(uuid::Uuid::new_v4().as_u128());
    Ok(OrderPage {
        order,
        pay_id: fresh(),
        change_id: fresh(),
    })
}

/// Orders, newest first.
#[server(prefix = "/sf", endpoint = "my-orders", input = Json, output = Answer)]
pub async fn my_orders() -> ApiResult<Vec<OrderView>> {
    let backend = super::backend()?;
    Ok(backend.my_orders().await?)
}

/// Holds seats, places or the best available: all of them or none.
#[server(prefix = "/sf", endpoint = "hold", input = Json, output = Answer)]
pub async fn hold(id: CommandId, request: HoldRequest) -> ApiResult<OrderView> {
    let backend = super::backend()?;
    Ok(backend.hold(id, request).await?)
}

/// Adds seats to a live hold; the deadline stays.
#[server(prefix = "/sf", endpoint = "add-seats", input = Json, output = Answer)]
pub async fn add_seats(id: CommandId, order: OrderId, seats: Vec<u32>) -> ApiResult<OrderView> {
    let backend = super::backend()?;
    Ok(backend.add_seats(id, order, seats).await?)
}

/// Drops lines of a live hold by their numbers.
#[server(prefix = "/sf", endpoint = "drop-lines", input = Json, output = Answer)]
pub async fn drop_lines(id: CommandId, order: OrderId, lines: Vec<u16>) -> ApiResult<OrderView> {
    let backend = super::backend()?;
    Ok(backend.drop_lines(id, order, lines).await?)
}

/// Gives a live hold back.
#[server(prefix = "/sf", endpoint = "cancel", input = Json, output = Answer)]
pub async fn cancel(id: CommandId, order: OrderId) -> ApiResult<OrderView> {
    let backend = super::backend()?;
    Ok(backend.cancel(id, order).await?)
}
