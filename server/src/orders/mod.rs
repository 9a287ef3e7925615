//! Orders: what buyers may do with theirs, and how money finds its order. Each use-case asks the
//! show's desk and reads the answer; deciding is the domain's.
//!
//! Owns no table: orders are written by the desk. Sends out no facts of its own: mails leave by
//! the desk's outbox. Invariants:
//! - An order is shown and changed for its own buyer alone; for others it does not exist.
//! - Redirect, webhook and reconciler call one function, [`settle::from_provider`], and none of
//!   them believes the messenger: the provider is asked.
//! - A provider is asked outside any transaction, after the attempt is in the books.

/// Ending an order before it is paid.
pub mod cancel;
/// Adding seats to a hold and dropping lines.
pub mod change;
/// Links in mails that open an order for whoever has them.
pub mod link;
/// Order numbers of this process.
pub mod numbers;
/// Beginning to pay.
pub mod pay;
/// Holding seats.
pub mod place;
/// Orders as pages and clients see them.
pub mod read;
/// Asking about every payment that is not final.
pub mod reconcile;
/// Money finds its order.
pub mod settle;
/// What providers call, and where they send the browser back.
pub mod webhook;

use domain::board::command::{Actor, Command, Envelope, Outcome};
use domain::ids::{BuyerId, CommandId, OrderId, ShowId};
use domain::order::OrderState;
use domain::refusal::Refusal;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::error::{Error, Result};

/// What this slice keeps in memory.
pub struct Orders {
    pub numbers: numbers::Numbers,
    pub cursor: reconcile::Cursor,
}

impl Orders {
    /// Takes a node number for this process; everything else begins empty.
    pub async fn open(db: &sqlx::PgPool) -> Result<Self> {
        Ok(Self {
            numbers: numbers::Numbers::open(db).await?,
            cursor: reconcile::Cursor::default(),
        })
    }
}

/// A buyer's command: who, and under which name; the name is repeated on retry.
#[derive(Debug, Clone, Copy)]
pub struct Ask {
    pub buyer: BuyerId,
    pub id: CommandId,
}

/// Routes of the payment providers' side.
pub fn routes() -> axum::Router<App> {
    webhook::routes()
}

/// Puts a buyer's command before the show's desk.
async fn submit(
    app: &App,
    ask: Ask,
    show: ShowId,
    request: &impl Serialize,
    command: Command,
) -> Result<Outcome> {
    let envelope = Envelope {
        id: ask.id,
        actor: Actor::Buyer(ask.buyer),
        fingerprint: fingerprint(request),
        command,
    };
    app.desks.submit(show, envelope).await
}

/// Puts a command that only a hold can take: who is at the provider's page is taken back first.
/// Only after the desk was asked, since a repeat of what was carried out must end no payment.
async fn submit_to_hold(
    app: &App,
    ask: Ask,
    order: OrderId,
    request: &impl Serialize,
    command: Command,
) -> Result<Outcome> {
    let show = own(app, ask.buyer, order).await?.show;
    let paying = Refusal::WrongState {
        state: OrderState::Paying,
    };
    match submit(app, ask, show, request, command.clone()).await {
        Err(Error::Refusal(refusal)) if refusal == paying => {}
        answer => return answer,
    }
    settle::take_back(app, &own(app, ask.buyer, order).await?).await?;
    submit(app, ask, show, request, command).await
}

/// Puts a command of Rowlock's own before the desk; `about` names it, the same for the same thing.
async fn submit_own(app: &App, show: ShowId, about: &[&str], command: Command) -> Result<Outcome> {
    let envelope = Envelope {
        id: derived_id(about),
        actor: Actor::System,
        fingerprint: 0,
        command,
    };
    app.desks.submit(show, envelope).await
}

/// Hash of a request as it arrived, without the ids that the server minted.
fn fingerprint(request: &impl Serialize) -> u64 {
    let text = serde_json::to_vec(request).expect("requests are plain data");
    let hash = Sha256::digest(&text);
    u64::from_be_bytes(hash[..8].try_into().expect("eight of 32 bytes"))
}

/// A command id that is the same for the same words.
fn derived_id(words: &[&str]) -> CommandId {
    let mut hash = Sha256::new();
    for word in words {
        hash.update((word.len() as u64).to_be_bytes());
        hash.update(word.as_bytes());
    }
    let hash = hash.finalize();
    CommandId(u128::from_be_bytes(
        hash[..16].try_into().expect("16 of 32 bytes"),
    ))
}

/// What a desk's "not found" means for an order that is in the books: desks know live orders only.
fn ended(state: OrderState) -> Error {
    Error::Refusal(match state {
        OrderState::Held | OrderState::Expired => Refusal::HoldExpired,
        state => Refusal::WrongState { state },
    })
}

/// The stored order, when it is this buyer's.
async fn own(app: &App, buyer: BuyerId, order: OrderId) -> Result<read::Stored> {
    let stored = read::stored(&app.db, order).await?;
    let own = stored.filter(|stored| stored.summary.buyer == buyer);
    own.ok_or(Error::Refusal(Refusal::NotFound))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_ids_keep_their_words_apart() {
        assert_eq!(derived_id(&["a", "bc"]), derived_id(&["a", "bc"]));
        assert_ne!(derived_id(&["a", "bc"]), derived_id(&["ab", "c"]));
    }
}
