//! What no webhook tells, and money that comes too late.

use domain::board::settings::PAYING_EXTENSION;
use domain::time::Span;
use serde_json::json;
use server::desk;
use server::orders::reconcile;

use super::*;
use crate::harness::HouseSpec;

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

/// The provider is silent while two orders end. Their attempts are asked about until there is an
/// answer: money that it took meanwhile finds its order, and what brought none is closed.
#[tokio::test]
async fn f21_an_attempt_is_asked_about_until_the_provider_has_said_its_last_word() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    behave(&app, "update sandbox_behaviour set webhook_copies = 0").await;
    let (payer, paid) = held(&app, &house, &[1]).await;
    let page = page_of(&app, &payer, &paid).await;
    let (idler, idle) = held(&app, &house, &[2]).await;
    let idle_page = page_of(&app, &idler, &idle).await;
    behave(&app, "update sandbox_behaviour set answer_delay_ms = 60000").await;
    press(&app, &page, "pay").await;
    app.parts().clock.advance(Span::minutes(10));
    app.parts().clock.advance(PAYING_EXTENSION);
    app.parts().clock.advance(PAYING_EXTENSION);
    for booking in [&paid, &idle] {
        wait_for(&app, booking, "expired").await;
    }
    let open = "select count(*) from payment_attempt where state = 'started'";
    assert_eq!(count(&app, open).await, 2, "nobody has answered yet");
    behave(&app, "update sandbox_behaviour set answer_delay_ms = 0").await;
    reconcile::left(app.parts()).await.unwrap();
    wait_for(&app, &paid, "paid").await;
    wait_for(&app, &idle, "expired").await;
    assert_eq!(count(&app, open).await, 0);
    let captured = "select count(*) from payment_attempt where state = 'captured'";
    assert_eq!(count(&app, captured).await, 1);
    let gone = app.get(&idle_page).await;
    assert!(!gone.text.contains("<form"), "the page is over: {gone:?}");
    app.check_invariants().await;
    app.stop().await;
}

/// Answers of the desk are kept for two days; a payment is known for ever. Money that waits for a
/// person must not buy the seats after all when its event comes again.
#[tokio::test]
async fn f25_money_that_waits_for_a_person_goes_on_waiting() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    behave(&app, "update sandbox_behaviour set webhook_copies = 0").await;
    let (late, parked) = held(&app, &house, &[1]).await;
    let page = page_of(&app, &late, &parked).await;
    behave(&app, "update sandbox_behaviour set answer_delay_ms = 60000").await;
    press(&app, &page, "pay").await;
    app.parts().clock.advance(Span::minutes(10));
    app.parts().clock.advance(PAYING_EXTENSION);
    app.parts().clock.advance(PAYING_EXTENSION);
    wait_for(&app, &parked, "expired").await;
    behave(&app, "update sandbox_behaviour set answer_delay_ms = 0").await;
    let (other, taker) = held(&app, &house, &[1]).await;
    reconcile::left(app.parts()).await.unwrap();
    let waiting = "select count(*) from payment where parked = 'order_ended'";
    assert_eq!(count(&app, waiting).await, 1);
    assert_eq!(other.cancel(&taker).await.status, 200);
    behave(
        &app,
        "update command_outcome set at = at - interval '49 hours'",
    )
    .await;
    desk::purge(app.db()).await.unwrap();
    assert_eq!(count(&app, "select count(*) from command_outcome").await, 0);
    app.get(&format!("/orders/{parked}/return")).await;
    wait_for(&app, &parked, "expired").await;
    assert_eq!(count(&app, "select count(*) from ticket").await, 0);
    assert_eq!(count(&app, waiting).await, 1);
    app.check_invariants().await;
    app.stop().await;
}
