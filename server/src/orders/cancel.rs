//! Ending an order before it is paid: the seats are free again at once.

use domain::board::command::Command;
use domain::ids::OrderId;
use domain::order::OrderState;
use domain::refusal::Refusal;

use super::{Ask, ended, own, submit_to_hold};
use crate::app::App;
use crate::error::{Error, Result};

/// Cancels. An order that is cancelled already stays so; one that was paid meanwhile is not
/// cancelled but refused as paid.
pub async fn cancel(app: &App, ask: Ask, order: OrderId) -> Result<()> {
    let command = Command::Cancel {
        order,
        buyer: ask.buyer,
    };
    match submit_to_hold(app, ask, order, &("cancel", order), command).await {
        Ok(_) => Ok(()),
        Err(Error::Refusal(Refusal::NotFound)) => {
            match own(app, ask.buyer, order).await?.summary.state {
                OrderState::Cancelled => Ok(()),
                state => Err(ended(state)),
            }
        }
        Err(other) => Err(other),
    }
}
