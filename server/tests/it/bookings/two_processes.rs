//! F02: two processes on one database, and each guard alone.
//!
//! The fence is weakened where it lives, in the test's own database: the batch function without
//! its condition on the number, numbering the delta from the number it gets.

use std::collections::HashMap;

use futures::future::join_all;
use sqlx::AssertSqlSafe;

use crate::harness::{Answer, Buyer, HouseSpec, ServerProcess, TestApp};

const FENCE: &str = "show_id = p_show and seq = p_expected";

/// Takes the fence out of the batch function.
async fn fence_off(app: &TestApp) {
    let source: String = sqlx::query_scalar("select pg_get_functiondef('desk_commit'::regproc)")
        .fetch_one(app.db())
        .await
        .unwrap();
    assert_eq!(
        source.matches(FENCE).count(),
        1,
        "the fence is where this test knows it"
    );
    let without = source.replace(FENCE, "show_id = p_show");
    sqlx::raw_sql(AssertSqlSafe(without))
        .execute(app.db())
        .await
        .unwrap();
}

/// Takes the last guard off the seats.
async fn primary_key_off(app: &TestApp) {
    sqlx::raw_sql("alter table seat_claim drop constraint seat_claim_pkey")
        .execute(app.db())
        .await
        .unwrap();
}

/// For each seat, one buyer at each of two processes at the same instant.
async fn duel(
    app: &TestApp,
    other: &ServerProcess,
    show: domain::ids::ShowId,
    seats: u32,
) -> Vec<[Answer; 2]> {
    let here = app.buyers(seats as usize).await;
    let there = join_all((0..seats).map(|_| other.buyer())).await;
    let pairs = here
        .iter()
        .zip(&there)
        .zip(0..)
        .map(|((here, there), seat)| async move {
            let (a, b) = tokio::join!(here.hold(show, &[seat]), there.hold(show, &[seat]));
            [a, b]
        });
    join_all(pairs).await
}

fn winners(answers: &[[Answer; 2]]) -> HashMap<usize, usize> {
    let mut counts = HashMap::new();
    for pair in answers {
        let won = pair.iter().filter(|answer| answer.status == 201).count();
        *counts.entry(won).or_default() += 1;
    }
    counts
}

#[track_caller]
fn all_clear(answers: &[[Answer; 2]]) {
    for answer in answers.iter().flatten() {
        assert!(matches!(answer.status.as_u16(), 201 | 409), "{answer:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn f02_two_processes_never_sell_one_seat_twice() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let other = app.process().await;
    let answers = duel(&app, &other, house.show, 100).await;
    all_clear(&answers);
    assert_eq!(winners(&answers), HashMap::from([(1, 100)]));
    assert_eq!(house.claimed(&app).await, 100);
    app.check_invariants().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn f02_without_the_fence_the_primary_key_keeps_one_winner() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    fence_off(&app).await;
    let other = app.process().await;
    let answers = duel(&app, &other, house.show, 100).await;
    all_clear(&answers);
    assert_eq!(winners(&answers), HashMap::from([(1, 100)]));
    assert_eq!(house.claimed(&app).await, 100);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn f02_without_the_primary_key_the_fence_keeps_one_winner() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    primary_key_off(&app).await;
    let other = app.process().await;
    let answers = duel(&app, &other, house.show, 100).await;
    all_clear(&answers);
    assert_eq!(winners(&answers), HashMap::from([(1, 100)]));
    assert_eq!(house.claimed(&app).await, 100);
    app.check_invariants().await;
}

/// The check itself is checked: with both guards off a seat is sold twice, and it says so.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn f02_without_both_guards_the_invariants_go_red() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    fence_off(&app).await;
    primary_key_off(&app).await;
    let other = app.process().await;
    // Both desks open the show, then both decide while a lock keeps both from committing.
    assert_eq!(app.buyer().await.hold(house.show, &[150]).await.status, 201);
    assert_eq!(
        other.buyer().await.hold(house.show, &[151]).await.status,
        201
    );
    let mut lock = app.db().begin().await.unwrap();
    sqlx::query("select seq from show_seq where show_id = $1 for update")
        .bind(house.show.0)
        .execute(&mut *lock)
        .await
        .unwrap();
    tokio::join!(duel(&app, &other, house.show, 100), async {
        wait_until_blocked(&app).await;
        lock.commit().await.unwrap();
    });
    let claimed = house.claimed(&app).await;
    assert!(
        claimed > 102,
        "nothing was sold twice: {claimed} claims on 102 seats"
    );
    let breaches = server::check::invariants(app.db()).await.unwrap();
    assert!(
        breaches.iter().any(|breach| breach.rule == "I5"),
        "{breaches:?}"
    );
}

/// F06 and F02: one of two processes is killed in mid-batch, while both sell; whatever a client
/// was promised is in Postgres, no seat is sold twice, and the other process goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn f02_one_of_two_processes_killed_in_mid_batch() {
    let app = TestApp::start().await;
    let house = HouseSpec {
        rows: 31,
        ..HouseSpec::default()
    }
    .build(&app)
    .await;
    for round in 0..4_u32 {
        let other = app.process().await;
        let here = app.buyers(100).await;
        let there = join_all((0..100).map(|_| other.buyer())).await;
        // A lock on the fence holds a batch of the other process in the middle of its commit.
        let mut lock = app.db().begin().await.unwrap();
        sqlx::query("select seq from show_seq where show_id = $1 for update")
            .bind(house.show.0)
            .execute(&mut *lock)
            .await
            .unwrap();
        let first = round * 150;
        let show = house.show;
        let theirs: Vec<_> = (first..)
            .zip(there)
            .map(|(seat, buyer)| tokio::spawn(async move { try_hold(&buyer, show, seat).await }))
            .collect();
        let ours: Vec<_> = (first + 50..)
            .zip(here)
            .map(|(seat, buyer)| tokio::spawn(async move { buyer.hold(show, &[seat]).await }))
            .collect();
        wait_until_blocked(&app).await;
        // Killed while its commit waits, and killed in the middle of what comes after.
        if round % 2 == 0 {
            other.kill_9().await;
            lock.commit().await.unwrap();
        } else {
            lock.commit().await.unwrap();
            other.kill_9().await;
        }

        let mut promised = Vec::new();
        for (answer, seat) in join_all(theirs).await.into_iter().zip(first..) {
            if answer.unwrap() == Some(201) {
                promised.push(seat);
            }
        }
        for (answer, seat) in join_all(ours).await.into_iter().zip(first + 50..) {
            let answer = answer.unwrap();
            assert!(matches!(answer.status.as_u16(), 201 | 409), "{answer:?}");
            if answer.status == 201 {
                assert!(!promised.contains(&seat), "seat {seat} was promised to two");
                promised.push(seat);
            }
        }
        for seat in promised {
            let claimed: bool = sqlx::query_scalar(
                "select exists (select from seat_claim where show_id = $1 and seat_ix = $2)",
            )
            .bind(show.0)
            .bind(seat as i32)
            .fetch_one(app.db())
            .await
            .unwrap();
            assert!(claimed, "seat {seat} was promised and is not in Postgres");
        }
        app.check_invariants().await;
    }
    assert_eq!(app.buyer().await.hold(house.show, &[619]).await.status, 201);
}

/// The status, or nothing when the server died before it answered.
async fn try_hold(buyer: &Buyer, show: domain::ids::ShowId, seat: u32) -> Option<u16> {
    let body = serde_json::json!({ "show_id": show, "seats": [seat] });
    let sent = buyer.request("POST", "/bookings").json(&body).send().await;
    sent.ok().map(|response| response.status().as_u16())
}

/// Returns when two desks wait for the fence.
async fn wait_until_blocked(app: &TestApp) {
    for _ in 0..500 {
        let waiting: i64 = sqlx::query_scalar(
            "select count(*) from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'",
        )
        .fetch_one(app.db())
        .await
        .unwrap();
        if waiting >= 2 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("two desks never waited for the fence");
}
