//! The pretend provider: takes no money, keeps its own books, and may be told to be slow, to lose,
//! repeat or mis-sign its webhooks (`sandbox_behaviour`). For demonstrations and tests; the server
//! uses it only when started so.

use std::sync::Arc;

use anyhow::{Context, ensure};
use async_trait::async_trait;
use domain::board::command::Captured;
use domain::money::{Currency, Minor};
use sqlx::PgPool;
use tokio::sync::Notify;
use uuid::Uuid;

use super::{Answer, AttemptName, Checkout, CheckoutRequest, PaymentProvider, Progress};
use crate::clock::Clock;

/// The courier of webhooks.
pub mod courier;
/// The hosted page.
pub mod page;

/// Name of this provider in our books.
pub const NAME: &str = "sandbox";
/// Charges at once.
pub const TOKEN_OK: &str = "tok_ok";
/// Is declined at once.
pub const TOKEN_DECLINED: &str = "tok_declined";

/// The pretend provider, as the rest of the server sees it.
#[derive(Clone)]
pub struct Sandbox {
    db: PgPool,
    clock: Clock,
    /// Wakes the courier when an event is written by this process.
    news: Arc<Notify>,
}

/// How a session ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Paid,
    Declined,
    /// The buyer went back, or we ended it.
    Expired,
}

impl Ending {
    const fn state(self) -> &'static str {
        match self {
            Self::Paid => "complete",
            Self::Declined => "declined",
            Self::Expired => "expired",
        }
    }

    const fn event_kind(self) -> &'static str {
        match self {
            Self::Paid => "checkout.session.completed",
            Self::Declined => "checkout.session.async_payment_failed",
            Self::Expired => "checkout.session.expired",
        }
    }
}

/// A row of the pretend provider's books.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Session {
    pub session_id: String,
    pub show_id: i64,
    pub order_id: i64,
    pub idempotency_key: String,
    pub amount: i64,
    pub currency: String,
    pub locale: String,
    pub return_url: String,
    pub state: String,
    pub payment_id: Option<String>,
}

const COLUMNS: &str = "session_id, show_id, order_id, idempotency_key, amount, currency, locale, \
                       return_url, state, payment_id";

impl Session {
    fn progress(&self) -> Answer<Progress> {
        Ok(match (self.state.as_str(), &self.payment_id) {
            ("open", _) => Progress::Open,
            ("complete", Some(payment)) => Progress::Complete(Captured {
                provider: NAME.to_owned(),
                payment_id: payment.clone(),
                amount: Minor(self.amount),
                currency: Currency::new(&self.currency).context("a currency in the books")?,
            }),
            _ => Progress::Ended,
        })
    }
}

impl Sandbox {
    /// Opens the pretend provider's books; `key` makes the secret of its webhooks when there is
    /// none, the same in every process.
    pub async fn open(db: PgPool, clock: Clock, key: &[u8; 32]) -> Answer<Self> {
        let hex: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        let secret = format!("whsec_{hex}");
        sqlx::query(
            "insert into provider_secret (provider, secret)
             select $1, $2 where not exists (
                select from provider_secret where provider = $1 and retired_at is null)
             on conflict on constraint provider_secret_pk do nothing",
        )
        .bind(NAME)
        .bind(secret)
        .execute(&db)
        .await?;
        Ok(Self {
            db,
            clock,
            news: Arc::new(Notify::new()),
        })
    }

    /// The session at an address of the hosted page.
    pub async fn session(&self, session_id: &str) -> Answer<Option<Session>> {
        let sql = format!("select {COLUMNS} from sandbox_session where session_id = $1");
        let session = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(session_id)
            .fetch_optional(&self.db)
            .await?;
        Ok(session)
    }

    /// Ends a session that is open and writes the event about it; one that has ended stays as it
    /// is. The answer is how it stands then; `None`: no such session.
    pub async fn finish(&self, session_id: &str, ending: Ending) -> Answer<Option<Session>> {
        let now = self.clock.now();
        let payment = (ending == Ending::Paid).then(|| session_id.replacen("cs_", "pay_", 1));
        let mut tx = self.db.begin().await?;
        let sql = format!(
            "update sandbox_session
             set state = $2, payment_id = $3, ended_at = to_timestamp($4::bigint / 1000.0)
             where session_id = $1 and state = 'open' returning {COLUMNS}"
        );
        let ended: Option<Session> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(session_id)
            .bind(ending.state())
            .bind(payment)
            .bind(now.0)
            .fetch_optional(&mut *tx)
            .await?;
        let Some(session) = ended else {
            tx.rollback().await?;
            return self.session(session_id).await;
        };
        let event = format!("evt_sandbox_{}", Uuid::new_v4().simple());
        sqlx::query(
            "insert into sandbox_event (event_id, session_id, kind, body, created_at, next_at)
             select $1, $2, $3, $4, at, at + make_interval(secs => webhook_delay_ms / 1000.0)
             from sandbox_behaviour, to_timestamp($5::bigint / 1000.0) as at",
        )
        .bind(&event)
        .bind(&session.session_id)
        .bind(ending.event_kind())
        .bind(event_body(&event, ending.event_kind(), &session, now.0))
        .bind(now.0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        self.news.notify_one();
        Ok(Some(session))
    }

    async fn by_attempt(&self, name: AttemptName) -> Answer<Option<Session>> {
        let sql = format!("select {COLUMNS} from sandbox_session where idempotency_key = $1");
        let session = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(name.attempt.to_string())
            .fetch_optional(&self.db)
            .await?;
        Ok(session)
    }

    /// As slow as it was told to be.
    async fn dawdle(&self) -> Answer<()> {
        let delay_ms: i32 = sqlx::query_scalar("select answer_delay_ms from sandbox_behaviour")
            .fetch_one(&self.db)
            .await?;
        if let Ok(delay_ms @ 1..) = u64::try_from(delay_ms) {
            tokio::time::sleep(std::time::Duration::from_millis(delay_ms)).await;
        }
        Ok(())
    }

    async fn create(&self, request: &CheckoutRequest) -> Answer<Session> {
        self.dawdle().await?;
        let name = request.name;
        sqlx::query(
            "insert into sandbox_session (session_id, idempotency_key, show_id, order_id, amount,
                                          currency, locale, return_url, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, to_timestamp($9::bigint / 1000.0))
             on conflict on constraint sandbox_session_key do nothing",
        )
        .bind(format!("cs_sandbox_{}", Uuid::new_v4().simple()))
        .bind(name.attempt.to_string())
        .bind(name.show.0)
        .bind(name.order.0)
        .bind(request.amount.amount.0)
        .bind(request.amount.currency.code())
        .bind(&request.locale)
        .bind(format!("/orders/{}/return", name.order))
        .bind(self.clock.now().0)
        .execute(&self.db)
        .await?;
        let session = self
            .by_attempt(name)
            .await?
            .context("the session just made")?;
        ensure!(
            session.amount == request.amount.amount.0
                && session.currency == request.amount.currency.code(),
            "the same key was used for another amount"
        );
        Ok(session)
    }
}

#[async_trait]
impl PaymentProvider for Sandbox {
    async fn create_checkout(&self, request: &CheckoutRequest) -> Answer<Checkout> {
        let session = self.create(request).await?;
        Ok(Checkout {
            progress: session.progress()?,
            url: format!("/sandbox/pay/{}", session.session_id),
        })
    }

    fn takes_token(&self, token: &str) -> bool {
        token == TOKEN_OK || token == TOKEN_DECLINED
    }

    async fn charge_token(&self, request: &CheckoutRequest, token: &str) -> Answer<Progress> {
        let ending = match token {
            TOKEN_OK => Ending::Paid,
            TOKEN_DECLINED => Ending::Declined,
            _ => anyhow::bail!("not a token of this provider"),
        };
        let session = self.create(request).await?;
        let session = self.finish(&session.session_id, ending).await?;
        session.context("the session just made")?.progress()
    }

    async fn fetch(&self, name: AttemptName) -> Answer<Progress> {
        self.dawdle().await?;
        match self.by_attempt(name).await? {
            None => Ok(Progress::Unknown),
            Some(session) => session.progress(),
        }
    }

    async fn expire(&self, name: AttemptName) -> Answer<Progress> {
        self.dawdle().await?;
        let Some(session) = self.by_attempt(name).await? else {
            return Ok(Progress::Unknown);
        };
        let session = self
            .finish(&session.session_id, Ending::Expired)
            .await?
            .context("the session just found")?;
        session.progress()
    }
}

/// An event as Stripe would word it, ids only.
fn event_body(event: &str, kind: &str, session: &Session, now_ms: i64) -> String {
    serde_json::json!({
        "id": event,
        "object": "event",
        "type": kind,
        "created": now_ms / 1000,
        "data": { "object": {
            "id": session.session_id,
            "object": "checkout.session",
            "client_reference_id": session.order_id.to_string(),
            "payment_intent": session.payment_id,
            "amount_total": session.amount,
            "currency": session.currency.to_lowercase(),
            "metadata": {
                "show": session.show_id.to_string(),
                "order": session.order_id.to_string(),
                "attempt": session.idempotency_key,
            },
        } },
    })
    .to_string()
}
