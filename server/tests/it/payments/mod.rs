//! Paying: the provider's page, its webhook, the way back, and everything that may go wrong
//! between them.

mod books;
mod late;
mod mail;
mod paying;
mod webhook;

use std::time::Duration;

use serde_json::{Value, json};
use server::payments::signature;

use crate::harness::{Answer, Buyer, House, TestApp};

/// Longest wait for something that comes by itself.
const WAIT_MAX: Duration = Duration::from_secs(60);

/// Waits until the books say so.
async fn wait_for(app: &TestApp, booking: &str, state: &str) {
    let order: i64 = booking.parse().expect("a booking's id");
    let waited = tokio::time::timeout(WAIT_MAX, async {
        loop {
            let now: String =
                sqlx::query_scalar("select state::text from orders where order_id = $1")
                    .bind(order)
                    .fetch_one(app.db())
                    .await
                    .expect("the order is in the books");
            if now == state {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    waited
        .await
        .unwrap_or_else(|_| panic!("{booking} is not {state} in time"));
}

pub async fn wait_until_paid(app: &TestApp, booking: &str) {
    wait_for(app, booking, "paid").await;
}

async fn count(app: &TestApp, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql)
        .fetch_one(app.db())
        .await
        .expect("a count")
}

async fn behave(app: &TestApp, sql: &'static str) {
    sqlx::query(sql)
        .execute(app.db())
        .await
        .expect("the pretend provider listens");
}

/// Waits until `sql` counts nothing.
async fn wait_for_none(app: &TestApp, sql: &'static str) {
    let waited = tokio::time::timeout(WAIT_MAX, async {
        while count(app, sql).await > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    assert!(waited.await.is_ok(), "still some in time: {sql}");
}

async fn confirm(buyer: &Buyer, booking: &str, key: &str, body: &Value) -> Answer {
    let request = buyer.request("POST", &format!("/bookings/{booking}/confirm"));
    Answer::of(request.header("idempotency-key", key.to_owned()).json(body)).await
}

/// Goes to the provider's page; answers its path.
async fn page_of(app: &TestApp, buyer: &Buyer, booking: &str) -> String {
    let body = json!({ "method": "redirect" });
    let answer = buyer
        .post(&format!("/bookings/{booking}/confirm"), &body)
        .await;
    assert_eq!(answer.status, 202, "{answer:?}");
    let answer = answer.json();
    let url = answer["redirect_url"].as_str().expect("a URL");
    let path = url
        .strip_prefix(&app.url(""))
        .expect("a page of this server");
    assert!(path.starts_with("/sandbox/pay/"), "{path}");
    path.to_owned()
}

async fn press(app: &TestApp, page: &str, action: &str) -> Answer {
    let request = app.client.post(app.url(page)).form(&[("action", action)]);
    let answer = Answer::of(request).await;
    assert_eq!(answer.status, 303, "{answer:?}");
    answer
}

async fn held(app: &TestApp, house: &House, seats: &[u32]) -> (Buyer, String) {
    let buyer = app.buyer().await;
    let booking = buyer.hold(house.show, seats).await.booking();
    (buyer, booking)
}

/// Signs and delivers as the provider would.
async fn deliver(app: &TestApp, body: &str, secret: &str, age_s: i64) -> Answer {
    let stamp = app.parts().clock.now().0 / 1000 - age_s;
    let header = signature::sign(secret.as_bytes(), stamp, body.as_bytes());
    deliver_with(app, body, &header).await
}

async fn deliver_with(app: &TestApp, body: &str, header: &str) -> Answer {
    let request = app.client.post(app.url("/webhooks/sandbox"));
    let request = request.header("stripe-signature", header.to_owned());
    Answer::of(request.body(body.to_owned())).await
}

async fn secret(app: &TestApp) -> String {
    sqlx::query_scalar("select secret from provider_secret where provider = 'sandbox'")
        .fetch_one(app.db())
        .await
        .expect("the pretend provider's secret")
}
