//! Holding seats: where every order begins.

use std::collections::HashSet;
use std::sync::RwLock;

use domain::board::command::{Command, Outcome, Want};
use domain::ids::{OrderId, SeatIx, ShowId};
use domain::refusal::Refusal;
use domain::wire::view::HoldRequest;

use super::{Ask, submit};
use crate::app::App;
use crate::catalog;
use crate::error::{Error, Result};

/// Shows known to be published. Publishing is for ever, so what was seen once holds, and a hold
/// costs no query for it.
#[derive(Default)]
pub struct Published(RwLock<HashSet<ShowId>>);

/// Holds what is wanted, all or nothing; the same ask again answers the same order.
pub async fn hold(app: &App, ask: Ask, request: &HoldRequest) -> Result<OrderId> {
    let want = want(request)?;
    check_published(app, request.show_id).await?;
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

/// Drafts are for staff: to buyers they do not exist.
async fn check_published(app: &App, show: ShowId) -> Result<()> {
    let known = |set: &HashSet<ShowId>| set.contains(&show);
    if known(
        &app.orders
            .published
            .0
            .read()
            .expect("no panic while reading"),
    ) {
        return Ok(());
    }
    if !catalog::plan(&app.db, show).await?.published {
        return Err(Error::Refusal(Refusal::NotFound));
    }
    let mut set = app
        .orders
        .published
        .0
        .write()
        .expect("no panic while writing");
    set.insert(show);
    Ok(())
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
