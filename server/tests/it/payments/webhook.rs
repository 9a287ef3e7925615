//! Webhooks: who is believed, and how often.

use domain::time::Span;
use futures::future::join_all;
use server::payments::signature;

use super::*;
use crate::harness::HouseSpec;

#[tokio::test]
async fn f25_a_webhook_is_believed_by_its_signature_alone() {
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
    app.stop().await;
}

#[tokio::test]
async fn f25_an_event_counts_once_however_often_it_comes() {
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
