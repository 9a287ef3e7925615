//! Seats that come back.

use std::time::Duration;

use domain::time::Span;
use futures::future::join_all;

use crate::harness::{HouseSpec, TestApp};

/// F12: abandoned holds come back by themselves, with the sweep of no help and the process that
/// took them gone. Whoever asks after the deadline gets the seats.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn f12_a_thousand_abandoned_holds_are_sellable_after_their_time() {
    let app = TestApp::start().await;
    let spec = HouseSpec {
        rows: 25,
        seats_per_row: 40,
        ..HouseSpec::default()
    };
    let house = spec.build(&app).await;

    let gone = app.process().await;
    let buyers = join_all((0..1_000).map(|_| gone.buyer())).await;
    let holds = (0_u32..)
        .zip(&buyers)
        .map(|(seat, buyer)| buyer.hold(house.show, &[seat]));
    for held in join_all(holds).await {
        assert_eq!(held.status, 201, "{held:?}");
    }
    gone.kill_9().await;
    assert_eq!(house.claimed(&app).await, 1_000);

    // Mine are mine after a reload, with the time left.
    let mine = buyers[0].at(&app.url("")).get("/bookings").await.json();
    assert_eq!(mine["bookings"][0]["state"], "held", "{mine}");
    assert_eq!(mine["bookings"][0]["lines"][0]["seat"], 0, "{mine}");
    assert!(mine["bookings"][0]["hold_expires_at"].is_string());

    // Their time passes: a second ago, for whoever opens the show from now on.
    sqlx::query("update orders set deadline = now() - interval '1 second'")
        .execute(app.db())
        .await
        .unwrap();
    let next = app.process().await;
    let buyers = join_all((0..100).map(|_| next.buyer())).await;
    let holds = buyers.iter().enumerate().map(|(number, buyer)| {
        let first = number as u32 * 10;
        let seats: Vec<u32> = (first..first + 10).collect();
        buyer.hold(house.show, &seats)
    });
    for held in join_all(holds).await {
        assert_eq!(held.status, 201, "{held:?}");
    }
    app.check_invariants().await;
}

/// Returns when the deadline of `booking` is past, on Postgres' clock.
async fn wait_for_deadline(app: &TestApp, booking: &str) {
    let left: f64 = sqlx::query_scalar(
        "select extract(epoch from deadline - clock_timestamp())::float8 from orders
         where order_id = $1::bigint",
    )
    .bind(booking)
    .fetch_one(app.db())
    .await
    .unwrap();
    tokio::time::sleep(Duration::from_secs_f64(left.max(0.0) + 0.05)).await;
}

/// T2 and F14: for every way in which an order ends, the seat can be sold again, twice in a row.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn t2_a_seat_can_be_sold_again_after_every_end() {
    let app = TestApp::start().await;
    let short = HouseSpec {
        hold_ttl: Span::seconds(1),
        ..HouseSpec::default()
    };
    let (house, short) = (
        HouseSpec::default().build(&app).await,
        short.build(&app).await,
    );
    for end in ["cancel", "drop", "expire"] {
        for _ in 0..2 {
            let buyer = app.buyer().await;
            let show = if end == "expire" {
                short.show
            } else {
                house.show
            };
            let booking = buyer.hold(show, &[7]).await.booking();
            match end {
                "cancel" => assert_eq!(buyer.cancel(&booking).await.status, 200),
                "drop" => {
                    let path = format!("/bookings/{booking}/seats?seat=7");
                    let dropped = crate::harness::Answer::of(buyer.request("DELETE", &path)).await;
                    assert!(dropped.status.is_success(), "{dropped:?}");
                }
                _ => wait_for_deadline(&app, &booking).await,
            }
            let state = buyer.get(&format!("/bookings/{booking}")).await.json()["state"].clone();
            assert_ne!(state, "held", "after {end}");
        }
    }
    let buyer = app.buyer().await;
    let booking = buyer.hold(house.show, &[7]).await.booking();
    assert_eq!(buyer.confirm(&booking, "tok_ok").await.status, 200);
    let late = app.buyer().await;
    late.hold(house.show, &[7])
        .await
        .refused(409, "seats_taken");
    app.check_invariants().await;
}
