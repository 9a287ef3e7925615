//! Many at once.

use std::collections::HashMap;
use std::time::Duration;

use futures::StreamExt;
use futures::future::join_all;
use serde_json::json;

use crate::harness::{Answer, Buyer, HouseSpec, TestApp};

/// Every answer's status, counted; any 5xx fails.
#[track_caller]
fn statuses(answers: &[Answer]) -> HashMap<u16, usize> {
    let mut counts = HashMap::new();
    for answer in answers {
        assert!(!answer.status.is_server_error(), "{answer:?}");
        *counts.entry(answer.status.as_u16()).or_default() += 1;
    }
    counts
}

/// F01: for every route that takes a seat, and for all of them together: 200 requests, 50 at
/// once, one seat -> exactly one winner.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn f01_every_route_that_takes_a_seat_has_one_winner() {
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Route {
        Hold,
        Best,
        Add,
        Mixed,
    }
    let app = TestApp::start().await;
    for route in [Route::Hold, Route::Best, Route::Add, Route::Mixed] {
        // One row of one seat to fight for; those who add hold a place of the floor already.
        let spec = HouseSpec {
            rows: 1,
            seats_per_row: 1,
            areas: vec![200],
            ..HouseSpec::default()
        };
        let house = spec.build(&app).await;
        let mut players: Vec<(Buyer, Option<String>)> = Vec::new();
        for (number, buyer) in app.buyers(200).await.into_iter().enumerate() {
            let adds = route == Route::Add || route == Route::Mixed && number % 3 == 2;
            let booking = if adds {
                let floor = json!({ "show_id": house.show, "areas": [{ "area": 0, "count": 1 }] });
                Some(buyer.post("/bookings", &floor).await.booking())
            } else {
                None
            };
            players.push((buyer, booking));
        }
        let best_too = route == Route::Mixed;
        let requests = players
            .iter()
            .enumerate()
            .map(|(number, (buyer, booking))| async move {
                match booking {
                    Some(booking) => buyer.add(booking, &[0]).await,
                    None if route == Route::Best || best_too && number % 3 == 1 => {
                        buyer.hold_best(house.show, 1).await
                    }
                    None => buyer.hold(house.show, &[0]).await,
                }
            });
        let answers: Vec<Answer> = futures::stream::iter(requests)
            .buffer_unordered(50)
            .collect()
            .await;
        let counts = statuses(&answers);
        let won = answers
            .iter()
            .filter(|answer| answer.status.is_success())
            .count();
        assert_eq!(won, 1, "{route:?}: {counts:?}");
        assert_eq!(counts.get(&409), Some(&199), "{route:?}: {counts:?}");
        assert_eq!(house.claimed(&app).await, 1);
    }
    app.check_invariants().await;
}

/// 500 buyers on one seat, round after round: one winner each.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn five_hundred_buyers_on_one_seat() {
    const ROUNDS: u32 = if cfg!(debug_assertions) { 10 } else { 50 };
    let app = TestApp::start().await;
    let spec = HouseSpec {
        per_buyer_max: 50,
        ..HouseSpec::default()
    };
    let house = spec.build(&app).await;
    let buyers = app.buyers(500).await;
    for seat in 0..ROUNDS {
        let answers = join_all(buyers.iter().map(|buyer| buyer.hold(house.show, &[seat]))).await;
        let counts = statuses(&answers);
        assert_eq!(counts, HashMap::from([(201, 1), (409, 499)]), "seat {seat}");
    }
    assert_eq!(house.claimed(&app).await, i64::from(ROUNDS));
    app.check_invariants().await;
}

/// Batching is real: while somebody locks the show's fence for a second, 500 holds of different
/// seats arrive; afterwards all are 201 and the log grew by ten commits at most.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn five_hundred_holds_behind_a_lock_take_ten_commits_at_most() {
    let app = TestApp::start().await;
    let spec = HouseSpec {
        rows: 25,
        ..HouseSpec::default()
    };
    let house = spec.build(&app).await;
    let buyers = app.buyers(500).await;
    let before = house.seq(&app).await;

    let mut lock = app.db().begin().await.unwrap();
    sqlx::query("select seq from show_seq where show_id = $1 for update")
        .bind(house.show.0)
        .execute(&mut *lock)
        .await
        .unwrap();
    let holds = (0_u32..)
        .zip(buyers)
        .map(|(seat, buyer)| tokio::spawn(async move { buyer.hold(house.show, &[seat]).await }));
    let holds: Vec<_> = holds.collect();
    // The lock is a second of somebody else's slowness: time itself is what is tested here. A slow
    // machine gets longer to send them all.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let all_sent = async {
        let (mut before, mut waiting) = (0, app.parts().desks.waiting());
        while waiting > before {
            tokio::time::sleep(Duration::from_millis(200)).await;
            (before, waiting) = (waiting, app.parts().desks.waiting());
        }
    };
    let all_sent = tokio::time::timeout(Duration::from_secs(6), all_sent);
    all_sent.await.expect("they wait behind the lock");
    assert!(
        holds.iter().all(|hold| !hold.is_finished()),
        "no answer before its commit"
    );
    lock.commit().await.unwrap();

    for hold in join_all(holds).await {
        let answer = hold.unwrap();
        assert_eq!(answer.status, 201, "{answer:?}");
    }
    let grown = house.seq(&app).await - before;
    assert!(grown <= 10, "{grown} commits for 500 holds");
    assert_eq!(house.claimed(&app).await, 500);
    app.check_invariants().await;
}

/// F08: overlapping sets in opposite orders never deadlock; the loser hears which seats.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn f08_opposite_orders_do_not_deadlock() {
    let app = TestApp::start().await;
    let house = HouseSpec {
        per_buyer_max: 50,
        ..HouseSpec::default()
    }
    .build(&app)
    .await;
    let deadlocks = async || -> i64 {
        let query = "select deadlocks from pg_stat_database where datname = current_database()";
        sqlx::query_scalar(query).fetch_one(app.db()).await.unwrap()
    };
    let before = deadlocks().await;

    let (one, two) = (app.buyer().await, app.buyer().await);
    for _ in 0..50 {
        let (a, b) = tokio::join!(one.hold(house.show, &[1, 2]), two.hold(house.show, &[2, 1]));
        let (won, lost) = if a.status == 201 { (&a, &b) } else { (&b, &a) };
        lost.refused(409, "seats_taken");
        let mut conflict = lost.json()["seats"].as_array().unwrap().clone();
        conflict.sort_by_key(serde_json::Value::as_u64);
        assert_eq!(conflict, [json!(1), json!(2)]);
        let winner = if a.status == 201 { &one } else { &two };
        assert_eq!(winner.cancel(&won.booking()).await.status, 200);
    }

    let buyers = app.buyers(64).await;
    let sets = buyers.iter().enumerate().map(|(number, buyer)| {
        // Six of twenty seats, in an order of one's own.
        let start = number as u32 * 7 % 20;
        let step = if number % 2 == 0 { 1 } else { 19 };
        let seats: Vec<u32> = (0..6).map(|n| (start + n * step) % 20).collect();
        async move { buyer.hold(house.show, &seats).await }
    });
    let answers = join_all(sets).await;
    statuses(&answers);
    let won = answers.iter().filter(|answer| answer.status == 201).count() as i64;
    assert!(won >= 1);
    assert_eq!(house.claimed(&app).await, won * 6, "all or nothing");
    for lost in answers.iter().filter(|answer| answer.status == 409) {
        assert!(
            !lost.json()["seats"].as_array().unwrap().is_empty(),
            "{lost:?}"
        );
    }
    assert_eq!(deadlocks().await, before);
    app.check_invariants().await;
}
