//! Paying, declined, paying again, clicking too often.

use futures::future::join_all;
use serde_json::{Value, json};
use server::tickets;

use super::*;
use crate::harness::HouseSpec;

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
    wait_for_none(&app, open).await;
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

/// A change that was carried out before the buyer went to pay, and is sent again by a bad network,
/// must not end the payment.
#[tokio::test]
async fn f17_a_repeated_change_leaves_the_payment_alone() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let (buyer, booking) = held(&app, &house, &[1, 2, 3]).await;
    let drop = async |key: &str, seat: u32| {
        let path = format!("/bookings/{booking}/seats?seat={seat}");
        let request = buyer.request("DELETE", &path);
        Answer::of(request.header("idempotency-key", key.to_owned())).await
    };
    let dropped = drop("one", 3).await;
    assert_eq!(dropped.status, 200, "{dropped:?}");
    let page = page_of(&app, &buyer, &booking).await;
    let again = drop("one", 3).await;
    assert_eq!(again.status, 200, "{again:?}");
    wait_for(&app, &booking, "paying").await;
    assert!(app.get(&page).await.text.contains("<form"), "still open");
    // A new change takes the buyer back from the page.
    assert_eq!(drop("two", 2).await.status, 200);
    wait_for(&app, &booking, "held").await;
    assert!(!app.get(&page).await.text.contains("<form"), "over");
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test]
async fn odd_bytes_name_no_payment() {
    let app = TestApp::start().await;
    for name in ["%00", "cs_%00", "a%00b", "%27", "..%2F", "x"] {
        let page = format!("/sandbox/pay/{name}");
        app.get(&page).await.refused(404, "not_found");
        let request = app.client.post(app.url(&page));
        let answer = Answer::of(request.form(&[("action", "pay")])).await;
        answer.refused(404, "not_found");
    }
}
