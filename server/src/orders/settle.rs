//! Money finds its order. Redirect, webhook, token and reconciler all end here: the provider is
//! asked how the attempt stands, and the desk is told.

use domain::board::command::{Captured, Command, Outcome, ParkReason};
use domain::order::OrderState;
use domain::refusal::Refusal;

use super::read::{self, Stored};
use super::submit_own;
use crate::app::App;
use crate::error::{Error, Result};
use crate::payments::{self, AttemptName, Progress};
use crate::telemetry::names;

/// Readings of an order that may end between being read and being settled.
const READINGS_MAX: usize = 3;

/// What became of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    Paid,
    /// Money came that the order could not take; people decide.
    Parked(ParkReason),
    /// Over without money; a hold goes on until its own deadline.
    Ended,
    /// The buyer is still at the provider's page.
    Open,
    /// The provider knows nothing of it yet.
    Unknown,
}

/// Asks the provider about an attempt and does what follows. Any number of callers may do so at
/// once: one effect.
pub async fn from_provider(app: &App, name: AttemptName) -> Result<Settled> {
    let progress = payments::ask(app.payments.provider.fetch(name)).await?;
    follow(app, name, progress).await
}

/// Does what follows from how an attempt stands.
pub async fn follow(app: &App, name: AttemptName, progress: Progress) -> Result<Settled> {
    let settled = capture_if_complete(app, name, progress).await?;
    if settled == Settled::Ended {
        decline(app, name).await?;
    }
    Ok(settled)
}

/// Takes money that is there and leaves everything else to the caller.
pub async fn capture_if_complete(
    app: &App,
    name: AttemptName,
    progress: Progress,
) -> Result<Settled> {
    match progress {
        Progress::Complete(payment) => capture(app, name, payment).await,
        Progress::Ended => Ok(Settled::Ended),
        Progress::Open => Ok(Settled::Open),
        Progress::Unknown => Ok(Settled::Unknown),
    }
}

/// Ends the attempt of an order that is paying, so that it may be changed or cancelled; refused
/// when the buyer paid meanwhile.
pub async fn take_back(app: &App, stored: &Stored) -> Result<()> {
    let Some(name) = stored.attempt() else {
        return Ok(());
    };
    let progress = payments::ask(app.payments.provider.expire(name)).await?;
    match follow(app, name, progress).await? {
        Settled::Paid => Err(Error::Refusal(Refusal::WrongState {
            state: OrderState::Paid,
        })),
        // Never reached the provider, or is over: the hold goes on.
        Settled::Unknown => decline(app, name).await,
        _ => Ok(()),
    }
}

/// Tells the desk that an attempt ended without money.
async fn decline(app: &App, name: AttemptName) -> Result<()> {
    let attempt = name.attempt.to_string();
    let command = Command::Decline {
        order: name.order,
        attempt: name.attempt,
    };
    submit_own(app, name.show, &["decline", &attempt], command).await?;
    Ok(())
}

/// Tells the desk that money was taken. Desks keep live orders only: one that has ended is handed
/// in as it was, and may end between reading and telling.
pub async fn capture(app: &App, name: AttemptName, payment: Captured) -> Result<Settled> {
    // Known by its name for ever: an answer of the desk is kept for a while only, and money that
    // waits for a person must not buy the seats after all when they are free again.
    if let Some(settled) = read::payment(&app.db, name, &payment).await? {
        return Ok(settled);
    }
    let words = ["settle", &payment.provider, &payment.payment_id];
    for _ in 0..READINGS_MAX {
        let stored = read::stored(&app.db, name.order).await?;
        let stored = stored.ok_or(Error::Refusal(Refusal::NotFound))?;
        let ended = (!stored.summary.state.has_seats()).then(|| stored.summary.clone());
        let command = Command::Settle {
            order: name.order,
            attempt: name.attempt,
            payment: payment.clone(),
            ended,
        };
        match submit_own(app, name.show, &words, command).await {
            Ok(Outcome::Parked { order, reason }) => {
                tracing::warn!(%order, reason = reason.word(), "a payment waits for a person");
                metrics::counter!(names::PAYMENTS_PARKED, "reason" => reason.word()).increment(1);
                return Ok(Settled::Parked(reason));
            }
            Ok(_) => return Ok(Settled::Paid),
            Err(Error::Refusal(Refusal::NotFound)) => continue,
            Err(other) => return Err(other),
        }
    }
    Err(anyhow::anyhow!("order {} would not stand still to be settled", name.order).into())
}
