//! Payments: what Rowlock asks of a payment provider, and the providers there are.
//!
//! Owns the tables `provider_secret`, `provider_event` (written by the webhook through
//! [`events`]) and, for the pretend provider, `sandbox_*`. Sends out no facts: what a payment does
//! to an order is a command to the desk. Invariants:
//! - No transaction is open while a provider is asked.
//! - A provider is asked in an attempt's name only after the attempt is in our books, and an
//!   attempt is its idempotency key: asked twice, it is one session and one charge.
//! - Card data never comes here: the buyer pays on the provider's page.

/// What providers told us, as it came.
pub mod events;
/// The pretend provider of demonstrations and tests.
pub mod sandbox;
/// Signatures on webhooks.
pub mod signature;

use std::sync::Arc;
use std::time::Duration;

use anyhow::ensure;
use async_trait::async_trait;
use domain::board::command::Captured;
use domain::ids::{AttemptId, OrderId, ShowId};
use domain::money::Money;
use domain::refusal::Refusal;
use sqlx::PgPool;

use self::sandbox::Sandbox;
use crate::clock::Clock;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::people::Keys;

/// Longest wait for a provider's answer; the attempt stays open and is asked about later.
const ANSWER_WAIT_MAX: Duration = Duration::from_secs(20);
/// When to try again after a provider that did not answer.
const RETRY_AFTER_S: u32 = 5;

/// One attempt to pay, as providers hear of it: ids only, nothing about people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttemptName {
    pub show: ShowId,
    pub order: OrderId,
    pub attempt: AttemptId,
}

/// What a provider is asked to collect.
#[derive(Debug, Clone)]
pub struct CheckoutRequest {
    pub name: AttemptName,
    pub amount: Money,
    /// `en` or `zh`: the language of the provider's page.
    pub locale: String,
}

/// A provider's page for one attempt.
#[derive(Debug, Clone)]
pub struct Checkout {
    pub url: String,
    pub progress: Progress,
}

/// How far an attempt has come, in the provider's books.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// The provider has never heard of it.
    Unknown,
    Open,
    Complete(Captured),
    /// Over without money, for good.
    Ended,
}

/// The provider did not do its part; the reason is for the log.
pub type Answer<T> = std::result::Result<T, anyhow::Error>;

/// A payment provider. Every call may be repeated: the attempt is the idempotency key.
#[async_trait]
pub trait PaymentProvider: Send + Sync {
    /// Makes the page on which the buyer pays, or finds the one made before.
    async fn create_checkout(&self, request: &CheckoutRequest) -> Answer<Checkout>;

    /// `token` looks like a payment method that a client tokenised with this provider.
    fn takes_token(&self, token: &str) -> bool;

    /// Charges such a method, within the session of the attempt.
    async fn charge_token(&self, request: &CheckoutRequest, token: &str) -> Answer<Progress>;

    /// Where an attempt stands.
    async fn fetch(&self, name: AttemptName) -> Answer<Progress>;

    /// Ends an attempt that is still open; answers where it stands afterwards, which is
    /// `Complete` when the buyer was faster.
    async fn expire(&self, name: AttemptName) -> Answer<Progress>;
}

/// The provider of this server.
pub struct Payments {
    pub provider: Arc<dyn PaymentProvider>,
    /// The same, when it is the pretend one: it has a page and a courier here.
    pub sandbox: Option<Sandbox>,
}

impl Payments {
    /// Opens the configured provider's books.
    pub async fn open(db: &PgPool, clock: &Clock, keys: &Keys) -> Answer<Self> {
        let sandbox = Sandbox::open(db.clone(), clock.clone(), &keys.sandbox).await?;
        Ok(Self {
            provider: Arc::new(sandbox.clone()),
            sandbox: Some(sandbox),
        })
    }
}

/// The pretend provider takes no money, so nothing is sold with it unless the server was started
/// for a demonstration or told so.
pub fn check(config: &Config) -> Answer<()> {
    ensure!(
        config.demo || config.sandbox_payments,
        "there is no payment provider: the pretend one is only for `serve --demo` or \
         ROWLOCK_SANDBOX_PAYMENTS=true"
    );
    Ok(())
}

/// Waits for a provider, within bounds. A provider that fails or is slow is its own trouble:
/// logged, and answered with "try again", never with a fault of ours.
pub async fn ask<T>(call: impl Future<Output = Answer<T>>) -> Result<T> {
    let trouble = match tokio::time::timeout(ANSWER_WAIT_MAX, call).await {
        Ok(Ok(answer)) => return Ok(answer),
        Ok(Err(trouble)) => trouble,
        Err(_) => anyhow::anyhow!("no answer within {ANSWER_WAIT_MAX:?}"),
    };
    tracing::warn!(
        error = format!("{trouble:#}"),
        "the payment provider failed"
    );
    metrics::counter!(crate::telemetry::names::PROVIDER_FAILURES).increment(1);
    Err(Error::Refusal(Refusal::Busy {
        retry_after_s: RETRY_AFTER_S,
    }))
}
