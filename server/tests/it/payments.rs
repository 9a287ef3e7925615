//! Paying: the provider's page, its webhook, the way back, and everything that may go wrong
//! between them.

use std::time::Duration;

use domain::board::settings::PAYING_EXTENSION;
use domain::ids::OrderId;
use domain::time::Span;
use futures::future::join_all;
use serde_json::{Value, json};
use server::payments::signature;
use server::tickets;

use crate::harness::{Answer, Buyer, House, HouseSpec, TestApp};

/// Longest wait for something that comes by itself.
const WAIT_MAX: Duration = Duration::from_secs(20);

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

#[tokio::test]
async fn a_payment_is_settled_by_the_webhook_alone() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let (buyer, booking) = held(&app, &house, &[1, 2]).await;
    let page = page_of(&app, &buyer, &booking).await;
    assert_eq!(
        page_of(&app, &buyer, &booking).await,
        page,
        "one session while paying"
    );
    let paying = buyer.get(&format!("/bookings/{booking}")).await.json();
    assert_eq!(paying["state"], "paying");
    assert_eq!(paying["tickets"], json!([]));
    press(&app, &page, "pay").await;
    wait_until_paid(&app, &booking).await;

    let paid = buyer.get(&format!("/bookings/{booking}")).await.json();
    assert_eq!(paid["hold_expires_at"], Value::Null);
    let tickets = paid["tickets"].as_array().expect("tickets");
    assert_eq!(tickets.len(), 2);
    let key = app.parts().signatory.public();
    for (ticket, line) in tickets.iter().zip([1, 2]) {
        let code = ticket["code"].as_str().unwrap();
        let name = tickets::verify(&key, code).expect("a code of ours");
        assert_eq!((name.show, name.line, name.issue), (house.show, line, 1));
        assert_eq!(name.order.to_string(), booking);
        assert!(ticket["qr_svg"].as_str().unwrap().starts_with("<svg"));
        let other = if code.ends_with('0') { "1" } else { "0" };
        let bent = format!("{}{other}", &code[..code.len() - 1]);
        assert_eq!(tickets::verify(&key, &bent), None);
    }
    // Void tickets show no code.
    sqlx::query("update ticket set void = true where line_no = 1")
        .execute(app.db())
        .await
        .unwrap();
    let voided = buyer.get(&format!("/bookings/{booking}")).await.json();
    assert_eq!(voided["tickets"][0]["code"], "");
    assert_eq!(voided["tickets"][0]["qr_svg"], "");
    assert_ne!(voided["tickets"][1]["code"], "");
    sqlx::query("update ticket set void = false")
        .execute(app.db())
        .await
        .unwrap();

    buyer.cancel(&booking).await.refused(409, "wrong_state");
    assert_eq!(
        confirm(&buyer, &booking, "again", &json!({ "method": "redirect" }))
            .await
            .status,
        200
    );
    let open = "select count(*) from provider_event where handled_at is null";
    tokio::time::timeout(WAIT_MAX, async {
        while count(&app, open).await > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await
    .expect("the event is handled");
    assert_eq!(count(&app, "select count(*) from payment").await, 1);
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test]
async fn f18_webhook_and_return_in_the_same_instant_confirm_once() {
    const ROUNDS: u32 = 50;
    let app = TestApp::start().await;
    let house = HouseSpec {
        rows: 10,
        seats_per_row: 20,
        ..HouseSpec::default()
    };
    let house = house.build(&app).await;
    for round in 0..ROUNDS {
        let (buyer, booking) = held(&app, &house, &[2 * round, 2 * round + 1]).await;
        let page = page_of(&app, &buyer, &booking).await;
        press(&app, &page, "pay").await;
        // The courier is on its way at this moment.
        let back = format!("/orders/{booking}/return");
        let returns = join_all((0..3).map(|_| app.get(&back))).await;
        assert!(
            returns.iter().all(|answer| answer.status == 303),
            "{returns:?}"
        );
        let state = &buyer.get(&format!("/bookings/{booking}")).await.json()["state"];
        assert_eq!(
            state, "paid",
            "who comes back need not wait for the webhook"
        );
    }
    let rounds = i64::from(ROUNDS);
    assert_eq!(
        count(&app, "select count(*) from ticket where not void").await,
        2 * rounds
    );
    assert_eq!(
        count(&app, "select count(*) from payment where parked is null").await,
        rounds
    );
    assert_eq!(count(&app, "select count(*) from payment").await, rounds);
    assert_eq!(count(&app, "select count(*) from outbox").await, rounds);
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test]
async fn f26_t10_after_a_decline_the_buyer_can_pay() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let (buyer, booking) = held(&app, &house, &[1]).await;
    let until = buyer.get(&format!("/bookings/{booking}")).await.json()["hold_expires_at"].clone();
    let (bad, good) = (
        json!({ "method": "token", "token": "tok_declined" }),
        json!({ "method": "token", "token": "tok_ok" }),
    );
    confirm(&buyer, &booking, "first", &bad)
        .await
        .refused(402, "declined");
    let declined = buyer.get(&format!("/bookings/{booking}")).await.json();
    assert_eq!(declined["state"], "held");
    assert_eq!(declined["declined"], true);
    assert_eq!(
        declined["hold_expires_at"], until,
        "a decline neither takes nor gives time"
    );
    confirm(&buyer, &booking, "first", &bad)
        .await
        .refused(402, "declined");
    confirm(&buyer, &booking, "first", &good)
        .await
        .refused(422, "idempotency_mismatch");
    let strange = json!({ "method": "token", "token": "tok_strange" });
    confirm(&buyer, &booking, "third", &strange)
        .await
        .refused(422, "bad_field");
    let unknown = json!({ "method": "barter" });
    confirm(&buyer, &booking, "third", &unknown)
        .await
        .refused(400, "malformed");

    // On the page: declined, back, then paid, each time within the same hold.
    for action in ["decline", "back"] {
        let page = page_of(&app, &buyer, &booking).await;
        let back = press(&app, &page, action).await;
        app.get(back.header("location")).await;
        wait_for(&app, &booking, "held").await;
    }
    let paid = confirm(&buyer, &booking, "second", &good).await;
    assert_eq!(paid.status, 200, "{paid:?}");
    assert_eq!(paid.json()["state"], "paid");
    assert_eq!(paid.json()["tickets"].as_array().unwrap().len(), 1);
    let again = confirm(&buyer, &booking, "second", &good).await;
    assert_eq!(
        (again.status.as_u16(), &again.json()["state"]),
        (200, &json!("paid"))
    );
    assert_eq!(count(&app, "select count(*) from payment").await, 1);
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test]
async fn f17_many_clicks_are_one_charge() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    behave(&app, "update sandbox_behaviour set answer_delay_ms = 300").await;
    let (buyer, booking) = held(&app, &house, &[1]).await;
    let good = json!({ "method": "token", "token": "tok_ok" });
    let keys: Vec<String> = (0..20)
        .map(|n| format!("key {}", if n < 10 { 0 } else { n }))
        .collect();
    let clicks = keys.iter().map(|key| confirm(&buyer, &booking, key, &good));
    for answer in join_all(clicks).await {
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    assert_eq!(count(&app, "select count(*) from payment").await, 1);
    let charged = "select count(*) from sandbox_session where state = 'complete'";
    assert_eq!(count(&app, charged).await, 1);
    assert_eq!(count(&app, "select count(*) from sandbox_session").await, 1);
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test]
async fn f25_a_webhook_is_believed_by_its_signature_alone_and_counts_once() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    behave(&app, "update sandbox_behaviour set webhook_copies = 0").await;
    let (buyer, booking) = held(&app, &house, &[1]).await;
    let page = page_of(&app, &buyer, &booking).await;
    press(&app, &page, "pay").await;
    let body: String = sqlx::query_scalar("select body from sandbox_event")
        .fetch_one(app.db())
        .await
        .unwrap();
    let secret = secret(&app).await;

    deliver_with(&app, &body, "")
        .await
        .refused(400, "malformed");
    deliver(&app, &body, "whsec_wrong", 0)
        .await
        .refused(400, "malformed");
    deliver(&app, &body, &secret, 301)
        .await
        .refused(400, "malformed");
    let now = app.parts().clock.now().0 / 1000;
    let header = signature::sign(secret.as_bytes(), now, body.as_bytes());
    deliver_with(&app, &body.replace("evt_", "evt-"), &header)
        .await
        .refused(400, "malformed");
    deliver_with(&app, &format!("{body} "), &header)
        .await
        .refused(400, "malformed");
    let huge = deliver_with(&app, &"x".repeat(2_000_000), &header).await;
    assert!(huge.status.is_client_error(), "{huge:?}");
    assert_eq!(count(&app, "select count(*) from provider_event").await, 0);
    assert_eq!(count(&app, "select count(*) from payment").await, 0);

    // Rotation: the old secret is good while it is not retired.
    behave(
        &app,
        "insert into provider_secret (provider, secret) values ('sandbox', 'whsec_next')",
    )
    .await;
    let many = join_all((0..50).map(|turn| {
        let secret = if turn % 2 == 0 { &secret } else { "whsec_next" };
        deliver(&app, &body, secret, 0)
    }));
    for answer in many.await {
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    wait_until_paid(&app, &booking).await;
    app.parts().clock.advance(Span::minutes(2 * 24 * 60));
    assert_eq!(
        deliver(&app, &body, &secret, 0).await.status,
        200,
        "two days later"
    );
    assert_eq!(count(&app, "select count(*) from provider_event").await, 1);
    assert_eq!(count(&app, "select count(*) from payment").await, 1);
    assert_eq!(count(&app, "select count(*) from ticket").await, 1);
    behave(
        &app,
        "update provider_secret set retired_at = now() where secret <> 'whsec_next'",
    )
    .await;
    deliver(&app, &body, &secret, 0)
        .await
        .refused(400, "malformed");

    // About nothing of ours: kept, answered 200, left open.
    for stray in [
        r#"{"id":"evt_a","type":"customer.created"}"#.to_owned(),
        body.replace("evt_sandbox_", "evt_b").replace(&booking, "1"),
    ] {
        assert_eq!(deliver(&app, &stray, "whsec_next", 0).await.status, 200);
    }
    let open = "select count(*) from provider_event where handled_at is null";
    assert_eq!(count(&app, open).await, 2);
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test]
async fn f21_the_reconciler_repairs_what_no_webhook_told() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    behave(&app, "update sandbox_behaviour set webhook_copies = 0").await;
    let mut bookings = Vec::new();
    for (seat, action) in ["pay", "decline", "back", "pay"].into_iter().enumerate() {
        let (buyer, booking) = held(&app, &house, &[seat as u32]).await;
        let page = page_of(&app, &buyer, &booking).await;
        press(&app, &page, action).await;
        let state = if action == "pay" { "paid" } else { "held" };
        bookings.push((buyer, booking, state));
    }
    let (slow, still_paying) = held(&app, &house, &[9]).await;
    let open_page = page_of(&app, &slow, &still_paying).await;
    app.parts().clock.advance(Span::seconds(40));
    for (buyer, booking, state) in &bookings {
        wait_for(&app, booking, state).await;
        if *state == "held" {
            let paid = buyer.confirm(booking, "tok_ok").await;
            assert_eq!(paid.status, 200, "within the hold: {paid:?}");
        }
    }
    wait_for(&app, &still_paying, "paying").await;
    assert_eq!(
        page_of(&app, &slow, &still_paying).await,
        open_page,
        "left alone in time"
    );
    assert_eq!(count(&app, "select count(*) from ticket").await, 4);
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test]
async fn a_payment_past_its_deadline_is_ended_at_the_provider_first() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    behave(&app, "update sandbox_behaviour set webhook_copies = 0").await;
    let (idle, idle_booking) = held(&app, &house, &[1]).await;
    let idle_page = page_of(&app, &idle, &idle_booking).await;
    let (paid, paid_booking) = held(&app, &house, &[2]).await;
    let paid_page = page_of(&app, &paid, &paid_booking).await;
    press(&app, &paid_page, "pay").await;
    app.parts().clock.advance(Span::minutes(10));
    app.parts().clock.advance(PAYING_EXTENSION);
    wait_for(&app, &idle_booking, "expired").await;
    wait_for(&app, &paid_booking, "paid").await;
    let page = app.get(&idle_page).await;
    assert!(
        !page.text.contains("<form"),
        "the provider's page is over: {page:?}"
    );
    idle.confirm(&idle_booking, "tok_ok")
        .await
        .refused(410, "hold_expired");
    // The seat is for others again.
    let (_, next) = held(&app, &house, &[1]).await;
    assert_ne!(next, idle_booking);
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test]
async fn f19_late_money_gets_its_seats_or_waits_for_a_person() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    behave(&app, "update sandbox_behaviour set webhook_copies = 0").await;
    let secret = secret(&app).await;
    let mut sessions = Vec::new();
    for seat in [1, 2] {
        let (buyer, booking) = held(&app, &house, &[seat]).await;
        let page = page_of(&app, &buyer, &booking).await;
        sessions.push((booking, page));
    }
    app.parts().clock.advance(Span::minutes(16));
    for (booking, _) in &sessions {
        wait_for(&app, booking, "expired").await;
    }
    // Somebody else has seat 1 now; seat 2 is free. The provider took the money all the same.
    let (_, winner) = held(&app, &house, &[1]).await;
    behave(
        &app,
        "update sandbox_session set state = 'complete', payment_id = replace(session_id, 'cs_', 'pay_')",
    )
    .await;
    for (booking, page) in &sessions {
        let session = page.trim_start_matches("/sandbox/pay/");
        let attempt: String =
            sqlx::query_scalar("select idempotency_key from sandbox_session where session_id = $1")
                .bind(session)
                .fetch_one(app.db())
                .await
                .unwrap();
        let body = json!({ "id": format!("evt_{booking}"), "type": "checkout.session.completed",
            "data": { "object": { "metadata": {
                "show": house.show, "order": booking, "attempt": attempt } } } });
        for _ in 0..3 {
            assert_eq!(
                deliver(&app, &body.to_string(), &secret, 0).await.status,
                200
            );
        }
    }
    wait_for(&app, &sessions[1].0, "paid").await;
    wait_for(&app, &sessions[0].0, "expired").await;
    wait_for(&app, &winner, "held").await;
    let parked = "select count(*) from payment where parked = 'order_ended'";
    assert_eq!(count(&app, parked).await, 1);
    assert_eq!(count(&app, "select count(*) from payment").await, 2);
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test]
async fn what_costs_nothing_is_paid_without_a_provider() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let mut settings = house.settings.clone();
    for tier in &mut settings.tiers {
        tier.price = domain::money::Minor(0);
    }
    settings.fees = domain::board::settings::Fees::default();
    house.configure(&app, settings).await;
    let (buyer, booking) = held(&app, &house, &[1, 2]).await;
    let body = json!({ "method": "redirect" });
    let paid = confirm(&buyer, &booking, "free", &body).await;
    assert_eq!(paid.status, 200, "{paid:?}");
    assert_eq!(paid.json()["state"], "paid");
    assert_eq!(paid.json()["tickets"].as_array().unwrap().len(), 2);
    assert_eq!(count(&app, "select count(*) from sandbox_session").await, 0);
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test]
async fn a_confirmation_is_mailed_once_and_its_link_opens_the_order() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let (buyer, booking) = held(&app, &house, &[1, 2]).await;
    let body = json!({ "method": "token", "token": "tok_ok", "locale": "zh",
        "name": "王小明", "email": "fan@example.org" });
    assert_eq!(confirm(&buyer, &booking, "pay", &body).await.status, 200);
    // Another order without an address: nothing to send, and nothing that fails.
    let (silent, silent_booking) = held(&app, &house, &[5]).await;
    assert_eq!(silent.confirm(&silent_booking, "tok_ok").await.status, 200);

    let open = "select count(*) from outbox where done_at is null";
    let folder = app.parts().config.data_dir.join("mail");
    let mails = || -> Vec<String> {
        let files = std::fs::read_dir(&folder).expect("a mail folder");
        files
            .map(|file| std::fs::read(file.unwrap().path()).unwrap())
            .map(|bytes| String::from_utf8(bytes).unwrap())
            .collect()
    };
    for _ in 0..2 {
        tokio::time::timeout(WAIT_MAX, async {
            while count(&app, open).await > 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        })
        .await
        .expect("the outbox empties");
        assert_eq!(mails().len(), 1, "{:?}", mails());
        // As after a crash between the mail and the note about it.
        behave(&app, "update outbox set done_at = null, next_at = now()").await;
    }
    let mail = &mails()[0];
    assert!(mail.contains("fan@example.org"), "{mail}");
    assert!(mail.contains("Message-ID: <outbox-"), "{mail}");
    let text =
        server::orders::link::token(&app.parts().keys.link, booking.parse::<OrderId>().unwrap());
    let decoded = decoded_body(mail);
    let link = format!("{}/orders/{booking}?t={text}", app.url(""));
    assert!(decoded.contains(&link), "{decoded}");
    assert!(
        decoded.contains("王小明，您好！") && decoded.contains("Stalls 1排 2座"),
        "{decoded}"
    );

    let reader = app
        .get(&format!("/api/v1/bookings/{booking}?t={text}"))
        .await;
    assert_eq!(reader.status, 200, "{reader:?}");
    assert_eq!(reader.json()["email"], Value::Null);
    assert_eq!(reader.json()["tickets"].as_array().unwrap().len(), 2);
    let owner = buyer.get(&format!("/bookings/{booking}")).await.json();
    assert_eq!(owner["email"], "fan@example.org");
    let elsewhere = app
        .get(&format!("/api/v1/bookings/{silent_booking}?t={text}"))
        .await;
    elsewhere.refused(404, "not_found");
    app.check_invariants().await;
    app.stop().await;
}

/// The text of a mail's base64 body.
fn decoded_body(mail: &str) -> String {
    use base64::Engine;
    let (head, body) = mail.split_once("\r\n\r\n").expect("head and body");
    assert!(head.contains("Content-Transfer-Encoding: base64"), "{head}");
    let packed: String = body.split_whitespace().collect();
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(packed)
        .expect("base64");
    String::from_utf8(bytes).expect("UTF-8")
}
