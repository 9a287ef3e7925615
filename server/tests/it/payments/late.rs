//! What no webhook tells, and money that comes too late.

use domain::board::settings::PAYING_EXTENSION;
use domain::time::Span;
use serde_json::json;

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
