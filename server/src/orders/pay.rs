//! Beginning to pay. The attempt is in the books before the provider hears of it, and is the
//! provider's idempotency key: however often and from however many tabs the button is pressed, an
//! order has one open session and at most one charge.

use domain::board::command::{Captured, Command, Contact};
use domain::ids::{AttemptId, OrderId};
use domain::money::{Minor, Money};
use domain::order::OrderState;
use domain::refusal::Refusal;
use domain::wire::view::ContactForm;

use super::read::Stored;
use super::settle::{self, Settled};
use super::{Ask, derived_id, ended, own, submit};
use crate::app::App;
use crate::error::{Error, Result};
use crate::payments::{self, AttemptName, CheckoutRequest, Progress};

/// Attempts that one command name may stand for: a name used again after a decline is a new
/// attempt, or the buyer could never pay.
const ATTEMPTS_PER_NAME_MAX: u32 = 20;
/// Longest name and mail address on an order, characters.
const NAME_CHARACTERS_MAX: usize = 120;
const EMAIL_BYTES_MAX: usize = 254;
/// Provider of orders that cost nothing.
const FREE: &str = "free";

/// Where a payment stands after it was begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// Nothing more to do here: paid, costs nothing, or the money waits for a person.
    Done,
    /// The browser goes there.
    Redirect(String),
}

/// Begins to pay on the provider's page.
pub async fn redirect(app: &App, ask: Ask, order: OrderId, contact: &Contact) -> Result<Begun> {
    let request = ("pay", order, "redirect", contact);
    let Some(stored) = start(app, ask, order, contact, &request).await? else {
        return Ok(Begun::Done);
    };
    let (name, checkout) = checkout_request(&stored, contact)?;
    if checkout.amount.amount == Minor(0) {
        return without_provider(app, name, checkout.amount).await;
    }
    let page = payments::ask(app.payments.provider.create_checkout(&checkout)).await?;
    if page.progress != Progress::Open {
        return finished(settle::follow(app, name, page.progress).await?);
    }
    // The attempt may have ended in another tab while the provider made its page: nobody may pay
    // on a page of which the order knows nothing.
    if own(app, ask.buyer, order).await?.attempt() == Some(name) {
        return Ok(Begun::Redirect(page.url));
    }
    let progress = payments::ask(app.payments.provider.expire(name)).await?;
    finished(settle::follow(app, name, progress).await?)
}

/// Pays at once with a method that the client tokenised with the provider.
pub async fn token(
    app: &App,
    ask: Ask,
    order: OrderId,
    contact: &Contact,
    token: &str,
) -> Result<()> {
    if !app.payments.provider.takes_token(token) {
        return Err(Error::Refusal(Refusal::BadField {
            field: "token".to_owned(),
            detail: "not a token of this payment provider".to_owned(),
        }));
    }
    let request = ("pay", order, "token", token, contact);
    let Some(stored) = start(app, ask, order, contact, &request).await? else {
        return Ok(());
    };
    let (name, checkout) = checkout_request(&stored, contact)?;
    if checkout.amount.amount == Minor(0) {
        return without_provider(app, name, checkout.amount).await.map(drop);
    }
    let progress = payments::ask(app.payments.provider.charge_token(&checkout, token)).await?;
    finished(settle::follow(app, name, progress).await?).map(drop)
}

/// Makes the order `paying` and answers it with its attempt; `None`: it is paid.
async fn start(
    app: &App,
    ask: Ask,
    order: OrderId,
    contact: &Contact,
    request: &impl serde::Serialize,
) -> Result<Option<Stored>> {
    let show = own(app, ask.buyer, order).await?.show;
    for turn in 0..ATTEMPTS_PER_NAME_MAX {
        let id = match turn {
            0 => ask.id,
            _ => derived_id(&["pay again", &ask.id.to_string(), &turn.to_string()]),
        };
        let command = Command::PayStart {
            order,
            buyer: ask.buyer,
            attempt: AttemptId(rand::random()),
            contact: contact.clone(),
        };
        let refusal = match submit(app, Ask { id, ..ask }, show, request, command).await {
            Ok(_) => None,
            Err(Error::Refusal(refusal)) => Some(refusal),
            Err(fault) => return Err(fault),
        };
        // Read anew: the answer may be the stored one of an attempt that is long over.
        let stored = own(app, ask.buyer, order).await?;
        match (refusal, stored.summary.state) {
            (None | Some(Refusal::WrongState { .. }), OrderState::Paid) => return Ok(None),
            (None | Some(Refusal::WrongState { .. }), OrderState::Paying) => {
                return Ok(Some(stored));
            }
            (None | Some(Refusal::WrongState { .. }), OrderState::Held) => continue,
            (Some(Refusal::NotFound) | None, state) => return Err(ended(state)),
            (Some(refusal), _) => return Err(Error::Refusal(refusal)),
        }
    }
    Err(Error::Refusal(Refusal::Declined))
}

fn checkout_request(stored: &Stored, contact: &Contact) -> Result<(AttemptName, CheckoutRequest)> {
    let name = stored
        .attempt()
        .ok_or_else(|| anyhow::anyhow!("a paying order without an attempt"))?;
    let request = CheckoutRequest {
        name,
        amount: Money {
            amount: stored.summary.total,
            currency: stored.currency,
        },
        locale: contact.locale.clone(),
    };
    Ok((name, request))
}

/// What costs nothing is paid without asking anybody.
async fn without_provider(app: &App, name: AttemptName, amount: Money) -> Result<Begun> {
    let payment = Captured {
        provider: FREE.to_owned(),
        payment_id: name.attempt.to_string(),
        amount: amount.amount,
        currency: amount.currency,
    };
    finished(settle::capture(app, name, payment).await?)
}

fn finished(settled: Settled) -> Result<Begun> {
    match settled {
        // Money that waits for a person is told on the order's page; trying again would not help.
        Settled::Paid | Settled::Parked(_) => Ok(Begun::Done),
        Settled::Ended | Settled::Open | Settled::Unknown => Err(Error::Refusal(Refusal::Declined)),
    }
}

/// The contact as it will stand on the order. Pages ask for a mail address; clients of the API may
/// do without, and then no mail is sent.
pub fn contact(form: &ContactForm, email_required: bool) -> Result<Contact, Refusal> {
    let bad = |field: &str, detail: &str| {
        Err(Refusal::BadField {
            field: field.to_owned(),
            detail: detail.to_owned(),
        })
    };
    let (name, email) = (form.name.trim(), form.email.trim());
    if name.chars().count() > NAME_CHARACTERS_MAX || name.chars().any(char::is_control) {
        return bad("name", "at most 120 characters, on one line");
    }
    if email.is_empty() && email_required {
        return bad("email", "a mail address is needed");
    }
    let good = email.is_empty()
        || email.len() <= EMAIL_BYTES_MAX && email.parse::<lettre::Address>().is_ok();
    if !good {
        return bad("email", "not a mail address");
    }
    Ok(Contact {
        name: name.to_owned(),
        email: email.to_owned(),
        locale: crate::messages::Locale::of(&form.locale).tag().to_owned(),
    })
}
