//! Desks against a real Postgres, below HTTP: the fence, doubt, two desks on one database.

use std::sync::Arc;
use std::time::Duration;

use domain::board::command::{Actor, Captured, Command, Contact, Envelope, Outcome, Want};
use domain::ids::{AttemptId, BuyerId, CommandId, OrderId, SeatIx, ShowId};
use domain::order::OrderState;
use domain::wire::snapshot::SeatState;
use server::desk::{Desks, Habits};
use server::error::{Error, Result};

use crate::harness::{HouseSpec, TestApp};

/// A second process's desks on the same database.
fn other_desks(app: &TestApp) -> Desks {
    desks_with(app, Habits::default())
}

fn desks_with(app: &TestApp, habits: Habits) -> Desks {
    let parts = app.parts();
    Desks::new(
        parts.db.clone(),
        parts.clock.clone(),
        server::live::Hubs::new(domain::wire::snapshot::Epoch(7), parts.stop.clone()),
        server::venues::SeatMaps::new(parts.db.clone()),
        parts.redis.clone(),
        habits,
    )
}

fn envelope(command: Command, actor: Actor) -> Envelope {
    let id: u128 = rand::random();
    Envelope {
        id: CommandId(id),
        actor,
        fingerprint: 1,
        command,
    }
}

fn hold(order: i64, buyer: u128, seats: &[u32]) -> Envelope {
    let buyer = BuyerId(buyer);
    let want = Want::Chosen {
        seats: seats.iter().copied().map(SeatIx).collect(),
        areas: Vec::new(),
    };
    let command = Command::Hold {
        order: OrderId(order),
        buyer,
        want,
    };
    envelope(command, Actor::Buyer(buyer))
}

/// Buyers have wide random ids; small ones would read as staff.
const ANN: u128 = 1 << 100;
const BOB: u128 = 2 << 100;

fn code(answer: &Result<Outcome>) -> &'static str {
    match answer {
        Ok(_) => "ok",
        Err(Error::Refusal(refusal)) => refusal.code(),
        Err(Error::Fault(fault)) => panic!("a fault: {fault:#}"),
    }
}

async fn seat(desks: &Desks, show: ShowId, seat: u32) -> SeatState {
    let house = desks.house(show).await.expect("a house");
    house.snapshot().get(SeatIx(seat))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_goes_from_hold_to_ticket() {
    let app = TestApp::start().await;
    let show = HouseSpec::default().build(&app).await.show;
    let desks = &app.parts().desks;
    let buyer = BuyerId(ANN);
    assert_eq!(code(&desks.submit(show, hold(1, ANN, &[3, 4])).await), "ok");
    assert_eq!(
        code(&desks.submit(show, hold(2, BOB, &[4, 5])).await),
        "seats_taken"
    );
    let pay = Command::PayStart {
        order: OrderId(1),
        buyer,
        attempt: AttemptId(9),
        contact: Contact {
            name: "Ann".into(),
            email: "ann@example.org".into(),
            locale: "en".into(),
        },
    };
    let Ok(Outcome::Order(order)) = desks.submit(show, envelope(pay, Actor::Buyer(buyer))).await
    else {
        panic!("paying begins");
    };
    let settle = Command::Settle {
        order: OrderId(1),
        attempt: AttemptId(9),
        payment: Captured {
            // Not the pretend provider: its books know nothing of this.
            provider: "by hand".into(),
            payment_id: "p1".into(),
            amount: order.total,
            currency: desks.house(show).await.unwrap().settings().currency,
        },
        ended: None,
    };
    for _ in 0..2 {
        let answer = desks
            .submit(show, envelope(settle.clone(), Actor::System))
            .await;
        let Ok(Outcome::Order(order)) = answer else {
            panic!("paid: {answer:?}")
        };
        assert_eq!(order.state, OrderState::Paid);
    }
    assert_eq!(seat(desks, show, 3).await, SeatState::Sold);
    let rows: (i64, i64, i64) = sqlx::query_as(
        "select (select count(*) from ticket), (select count(*) from payment),
             (select count(*) from outbox)",
    )
    .fetch_one(app.db())
    .await
    .unwrap();
    assert_eq!(rows, (2, 1, 1));
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_desks_on_one_show_agree() {
    let app = TestApp::start().await;
    let show = HouseSpec::default().build(&app).await.show;
    let (ours, theirs) = (app.parts().desks.clone(), other_desks(&app));
    theirs.house(show).await.expect("both are open");
    assert_eq!(code(&ours.submit(show, hold(1, ANN, &[0])).await), "ok");
    // Their board has not heard of it; the fence has.
    assert_eq!(
        code(&theirs.submit(show, hold(2, BOB, &[0])).await),
        "seats_taken"
    );
    let mut rush = Vec::new();
    for order in 10..60 {
        let desks = if order % 2 == 0 { &ours } else { &theirs };
        let desks = desks.clone();
        rush.push(tokio::spawn(async move {
            let buyer = ANN + order as u128;
            code(&desks.submit(show, hold(order, buyer, &[7])).await)
        }));
    }
    let mut winners = 0;
    for attempt in rush {
        match attempt.await.unwrap() {
            "ok" => winners += 1,
            other => assert_eq!(other, "seats_taken"),
        }
    }
    assert_eq!(winners, 1);
    theirs.close().await;
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_id_is_answered_as_before_by_another_process_too() {
    let app = TestApp::start().await;
    let show = HouseSpec::default().build(&app).await.show;
    let first = hold(1, ANN, &[0, 1]);
    let answer = app.parts().desks.submit(show, first.clone()).await.unwrap();
    let theirs = other_desks(&app);
    let again = theirs.submit(show, first.clone()).await.unwrap();
    assert_eq!(answer, again);
    let mut other_body = first;
    other_body.fingerprint += 1;
    assert_eq!(
        code(&theirs.submit(show, other_body).await),
        "idempotency_mismatch"
    );
    theirs.close().await;
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_connection_in_the_middle_costs_nobody_a_seat() {
    let app = TestApp::start().await;
    let show = HouseSpec::default().build(&app).await.show;
    let desks = app.parts().desks.clone();
    let mut rush = Vec::new();
    for order in 1..=200 {
        let desks = desks.clone();
        rush.push(tokio::spawn(async move {
            let seat = order as u32 - 1;
            code(
                &desks
                    .submit(show, hold(order, ANN + order as u128, &[seat]))
                    .await,
            )
        }));
        if order % 50 == 0 {
            sqlx::query(
                "select pg_terminate_backend(pid) from pg_stat_activity
                 where datname = current_database() and pid <> pg_backend_pid()",
            )
            .execute(app.db())
            .await
            .expect("one connection survives");
        }
    }
    for attempt in rush {
        assert_eq!(attempt.await.unwrap(), "ok");
    }
    app.check_invariants().await;
    app.stop().await;
}

/// A desk that nobody asks for ends, and the next question finds one that knows what others did
/// meanwhile; while something is held it stays, since its end has to come in time.
#[tokio::test(flavor = "multi_thread")]
async fn an_idle_desk_ends_and_begins_anew() {
    let app = TestApp::start().await;
    let show = HouseSpec::default().build(&app).await.show;
    let habits = Habits {
        idle_after: Duration::from_millis(50),
        ..Habits::default()
    };
    let idle = desks_with(&app, habits);
    let first = idle.house(show).await.unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(20), async {
        loop {
            // Longer than a desk sleeps when nobody is there.
            tokio::time::sleep(Duration::from_millis(2_500)).await;
            if !Arc::ptr_eq(&first, &idle.house(show).await.unwrap()) {
                return;
            }
        }
    });
    ended.await.expect("the first desk has ended");
    let others = &app.parts().desks;
    assert_eq!(code(&others.submit(show, hold(1, ANN, &[3])).await), "ok");
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    assert_eq!(seat(&idle, show, 3).await, SeatState::Held);
    assert_eq!(
        code(&idle.submit(show, hold(2, BOB, &[3])).await),
        "seats_taken"
    );
    let holding = idle.house(show).await.unwrap();
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    let still = idle.house(show).await.unwrap();
    assert!(Arc::ptr_eq(&holding, &still), "something is held");
    app.check_invariants().await;
    app.stop().await;
}

/// The log is hash-chained: a row that was changed afterwards says so, and so does one whose hash
/// was changed with it.
#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_was_changed_afterwards_is_found_out() {
    let app = TestApp::start().await;
    let show = HouseSpec::default().build(&app).await.show;
    let desks = &app.parts().desks;
    for (order, seat) in [(1, 3), (2, 4), (3, 5)] {
        let held = desks.submit(show, hold(order, ANN, &[seat])).await;
        assert_eq!(code(&held), "ok");
    }
    let audit = async || server::check::all(app.db()).await.unwrap();
    let sound = audit().await;
    assert_eq!(sound.breaches().count(), 0);
    let [audited] = &sound.shows[..] else {
        panic!("one show")
    };
    assert_eq!(audited.commits.0, 4, "configured, and three holds");
    for forgery in [
        // The second hold never was.
        "update show_delta set changes = '\\x020000' where seq = 3",
        // And its hash is made to fit.
        "update show_delta d set chain = sha256(b.chain || int8send(d.show_id) || int8send(d.seq)
             || int8send((extract(epoch from d.at) * 1000)::bigint) || d.changes)
         from show_delta b where d.seq = 3 and b.show_id = d.show_id and b.seq = 2",
    ] {
        sqlx::query(forgery).execute(app.db()).await.unwrap();
        let found = audit().await;
        let told = found.breaches().any(|breach| {
            breach.rule == "I10" && breach.breach.contains("is not what was written")
        });
        assert!(
            told,
            "{forgery}: {:?}",
            found.breaches().collect::<Vec<_>>()
        );
        assert_ne!(found.shows[0].head, [0; 32]);
    }
}
