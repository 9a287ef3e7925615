//! Seats that come back.

use std::time::Duration;

use domain::time::Span;
use futures::future::join_all;

use crate::harness::{HouseSpec, TestApp};

/// A server that ends no hold by itself: neither by timer nor by sweep.
const AT_USE_ALONE: [(&str, &str); 1] = [("ROWLOCK_EXPIRE_ON_TIME", "false")];
/// Longest wait for the timer; shorter than the pause between two sweeps.
const TIMER_WAIT_MAX: Duration = Duration::from_secs(15);

async fn count(app: &TestApp, state: &str) -> i64 {
    sqlx::query_scalar("select count(*) from orders where state::text = $1")
        .bind(state)
        .fetch_one(app.db())
        .await
        .unwrap()
}

/// Waits until no order is held, though nobody asks for its seats.
async fn wait_until_none_is_held(app: &TestApp) {
    let waited = tokio::time::timeout(TIMER_WAIT_MAX, async {
        while count(app, "held").await > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    assert!(waited.await.is_ok(), "still held");
}

/// Lets the deadline of every order pass, for whoever opens its show from now on.
async fn let_time_pass(app: &TestApp) {
    sqlx::query("update orders set deadline = now() - interval '2 seconds'")
        .execute(app.db())
        .await
        .unwrap();
}

/// F12: abandoned holds come back at use, with timer and sweep stopped and the process that took
/// them gone. Whoever asks after the deadline gets the seats.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn f12_a_thousand_abandoned_holds_are_sellable_after_their_time() {
    let app = TestApp::start_with(|config| config.expire_on_time = false).await;
    let spec = HouseSpec {
        rows: 25,
        seats_per_row: 40,
        ..HouseSpec::default()
    };
    let house = spec.build(&app).await;

    let gone = app.process_with(&AT_USE_ALONE).await;
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

    let_time_pass(&app).await;
    let next = app.process_with(&AT_USE_ALONE).await;
    // The desk is open and has time enough for its timer, if it had one.
    let buyer = next.buyer().await;
    assert_eq!(buyer.hold(house.show, &[999]).await.status, 201);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(
        count(&app, "expired").await,
        1,
        "the one that was in the way"
    );
    assert_eq!(count(&app, "held").await, 1_000);
    let buyers = join_all((0..100).map(|_| next.buyer())).await;
    let holds = buyers.iter().enumerate().map(|(number, buyer)| {
        let first = number as u32 * 10;
        // The last seat is taken, and not for too long.
        let seats: Vec<u32> = (first..(first + 10).min(999)).collect();
        buyer.hold(house.show, &seats)
    });
    for held in join_all(holds).await {
        assert_eq!(held.status, 201, "{held:?}");
    }
    assert_eq!(count(&app, "expired").await, 1_000);
    let late = next.buyer().await;
    let taken = late.hold(house.show, &[999]).await;
    taken.refused(409, "seats_taken");
    app.check_invariants().await;
}

/// F12: by the timer alone. Nobody asks, and the sweep comes much later.
#[tokio::test]
async fn f12_holds_end_on_time_though_nobody_asks() {
    let app = TestApp::start().await;
    let spec = HouseSpec {
        hold_ttl: Span::seconds(1),
        ..HouseSpec::default()
    };
    let house = spec.build(&app).await;
    for seat in 0..3 {
        app.buyer().await.hold(house.show, &[seat]).await.booking();
    }
    wait_until_none_is_held(&app).await;
    assert_eq!(count(&app, "expired").await, 3);
    assert_eq!(house.claimed(&app).await, 0);
    app.check_invariants().await;
    app.stop().await;
}

/// F12: by the sweep. No process has the show open, nobody asks, and the next one finds it.
#[tokio::test]
async fn f12_the_sweep_finds_holds_whose_process_died() {
    let app = TestApp::start_with(|config| config.expire_on_time = false).await;
    let house = HouseSpec::default().build(&app).await;
    let gone = app.process().await;
    for seat in 0..3 {
        gone.buyer().await.hold(house.show, &[seat]).await.booking();
    }
    gone.kill_9().await;
    let_time_pass(&app).await;
    let next = app.process().await;
    wait_until_none_is_held(&app).await;
    assert_eq!(count(&app, "expired").await, 3);
    assert_eq!(house.claimed(&app).await, 0);
    assert!(next.terminate().await);
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
