//! Holding seats: where every order begins.

use domain::board::command::{Command, Outcome, Want};
use domain::ids::{OrderId, SeatIx};
use domain::refusal::Refusal;
use domain::wire::view::HoldRequest;

use super::{Ask, submit};
use crate::app::App;
use crate::error::Result;

/// Holds what is wanted, all or nothing; the same ask again answers the same order.
pub async fn hold(app: &App, ask: Ask, request: &HoldRequest) -> Result<OrderId> {
    let want = want(request)?;
    app.published.check(&app.db, request.show_id).await?;
    let command = Command::Hold {
        order: app.orders.numbers.next(app.clock.now()),
        buyer: ask.buyer,
        want,
    };
    match submit(app, ask, request.show_id, &("hold", request), command).await? {
        Outcome::Order(order) => Ok(order.order),
        other => Err(anyhow::anyhow!("a hold answered {other:?}").into()),
    }
}

fn want(request: &HoldRequest) -> Result<Want, Refusal> {
    let chosen = !request.seats.is_empty() || !request.areas.is_empty();
    match request.best {
        Some(_) if chosen => Err(Refusal::Malformed {
            detail: "`best` and chosen places exclude each other".to_owned(),
        }),
        Some(best) => Ok(Want::Best {
            count: best.count,
            tier: best.tier,
        }),
        None => Ok(Want::Chosen {
            seats: request.seats.iter().copied().map(SeatIx).collect(),
            areas: request.areas.iter().map(|a| (a.area, a.count)).collect(),
        }),
    }
}
