//! Adding seats to a hold and dropping lines. The deadline never moves, and what stays keeps its
//! price.

use domain::board::command::Command;
use domain::ids::{AreaIx, OrderId, SeatIx};
use domain::order::Place;
use domain::refusal::Refusal;

use super::{Ask, ended, own, submit_to_hold};
use crate::app::App;
use crate::error::{Error, Result};

/// Adds seats and places, all or nothing.
pub async fn add(
    app: &App,
    ask: Ask,
    order: OrderId,
    seats: &[u32],
    areas: &[(AreaIx, u16)],
) -> Result<()> {
    let command = Command::Add {
        order,
        buyer: ask.buyer,
        seats: seats.iter().copied().map(SeatIx).collect(),
        areas: areas.to_vec(),
    };
    change(app, ask, order, &("add", order, seats, areas), command).await
}

/// Drops lines by their numbers; without its last line the order is cancelled.
pub async fn drop_lines(app: &App, ask: Ask, order: OrderId, lines: &[u16]) -> Result<()> {
    drop_by_request(app, ask, order, &("drop", order, lines), lines).await
}

/// Drops lines by their seats.
pub async fn drop_seats(app: &App, ask: Ask, order: OrderId, seats: &[u32]) -> Result<()> {
    let stored = own(app, ask.buyer, order).await?;
    let mut lines = Vec::with_capacity(seats.len());
    for seat in seats.iter().copied().map(SeatIx) {
        let mut of_order = stored.summary.lines.iter();
        match of_order.find(|line| line.place == Place::Seat(seat)) {
            Some(line) => lines.push(line.no),
            // A repeat of a drop that was carried out finds nothing any more and is answered by
            // its name; asked for the first time it is refused by the desk's own rule.
            None => lines.push(0),
        }
    }
    drop_by_request(app, ask, order, &("drop_seats", order, seats), &lines)
        .await
        .map_err(|error| match error {
            Error::Refusal(Refusal::LineNotHere { .. }) => {
                let here = |seat: &&u32| {
                    let place = Place::Seat(SeatIx(**seat));
                    stored.summary.lines.iter().any(|line| line.place == place)
                };
                let seat = seats.iter().find(|seat| !here(seat)).copied().unwrap_or(0);
                Error::Refusal(Refusal::SeatNotHere { seat: SeatIx(seat) })
            }
            other => other,
        })
}

async fn drop_by_request(
    app: &App,
    ask: Ask,
    order: OrderId,
    request: &impl serde::Serialize,
    lines: &[u16],
) -> Result<()> {
    let command = Command::Drop {
        order,
        buyer: ask.buyer,
        lines: lines.to_vec(),
    };
    change(app, ask, order, request, command).await
}

async fn change(
    app: &App,
    ask: Ask,
    order: OrderId,
    request: &impl serde::Serialize,
    command: Command,
) -> Result<()> {
    match submit_to_hold(app, ask, order, request, command).await {
        Ok(_) => Ok(()),
        Err(Error::Refusal(Refusal::NotFound)) => {
            let now = own(app, ask.buyer, order).await?;
            Err(ended(now.summary.state))
        }
        Err(other) => Err(other),
    }
}
