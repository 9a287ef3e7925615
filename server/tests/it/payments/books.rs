//! Our books against the provider's.

use super::*;
use crate::harness::HouseSpec;

/// What the check says about I3.
async fn differences(app: &TestApp) -> Vec<String> {
    let breaches = server::check::invariants(app.db()).await.unwrap();
    let ours = breaches.into_iter().filter(|breach| breach.rule == "I3");
    ours.map(|breach| breach.breach).collect()
}

async fn run(app: &TestApp, sql: &'static str) {
    let done = sqlx::raw_sql(sql).execute(app.db()).await.unwrap();
    assert!(done.rows_affected() > 0, "{sql}");
}

const ONE: &str = "in the provider's books";
const ABSENT: &str = "we know nothing of it";

/// What is done to either side's books, and what the check says of it, a word for each payment.
const WAYS: [(&str, &[&str]); 12] = [
    // Ours is wrong.
    (
        "update payment set amount = amount + 1 where order_id = (select min(order_id) from kept)",
        &[ONE],
    ),
    (
        "update payment set order_id = (select max(order_id) from kept)",
        &[ONE],
    ),
    (
        "update payment set payment_id = 'pay_never' where order_id = (select min(order_id) from kept)",
        &[ONE],
    ),
    // Theirs is another.
    (
        "update sandbox_session set amount = amount - 1",
        &[ONE, ONE],
    ),
    (
        "update sandbox_session set currency = 'XTS' where order_id = (select min(order_id) from kept)",
        &[ONE],
    ),
    (
        "update sandbox_session set show_id = show_id + 1 where order_id = (select min(order_id) from kept)",
        &[ONE],
    ),
    // They took back what we count on.
    (
        "update sandbox_session set state = 'expired', payment_id = null",
        &[ONE, ONE],
    ),
    // Money just taken may be on its way to us; after a while it must have come.
    ("delete from payment", &[]),
    (
        "update sandbox_session set ended_at = now() - interval '4 minutes'; delete from payment",
        &[],
    ),
    (AGED_AND_ALL_GONE, &[ABSENT, ABSENT]),
    (AGED_AND_RENAMED, &[ONE, ABSENT]),
    // Age alone is no breach.
    (AGED, &[]),
];

/// I3: every way in which the two ledgers can differ is reported, once for each payment, and what
/// is still on its way is not.
#[tokio::test]
async fn i3_books_that_differ_from_the_providers_are_reported() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    for seat in [1, 2] {
        let (buyer, booking) = held(&app, &house, &[seat]).await;
        let paid = buyer.confirm(&booking, "tok_ok").await;
        assert_eq!(paid.status, 200, "{paid:?}");
    }
    app.check_invariants().await;
    run(
        &app,
        "create table kept as select * from payment;
         create table theirs as select * from sandbox_session",
    )
    .await;

    for (sql, told) in WAYS {
        run(&app, sql).await;
        let said = differences(&app).await;
        assert_eq!(said.len(), told.len(), "after {sql}: {said:#?}");
        for words in told {
            assert!(
                said.iter().any(|line| line.contains(words)),
                "after {sql}: {said:#?}"
            );
        }
        run(
            &app,
            "delete from payment; insert into payment select * from kept;
             update sandbox_session s set show_id = t.show_id, amount = t.amount,
                currency = t.currency, state = t.state, payment_id = t.payment_id,
                ended_at = t.ended_at
             from theirs t where t.session_id = s.session_id",
        )
        .await;
        let left = differences(&app).await;
        assert!(left.is_empty(), "mended after {sql}: {left:#?}");
    }
    app.check_invariants().await;

    // As whoever keeps the server hears of it.
    run(&app, AGED_AND_ALL_GONE).await;
    let checked = app.command(&["check-invariants"]).output().await.unwrap();
    let said = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert_eq!(checked.status.code(), Some(1), "{said}");
    let lines = said.lines().filter(|line| line.starts_with("I3  "));
    assert_eq!(lines.count(), 2, "{said}");
    app.stop().await;
}

const AGED: &str = "update sandbox_session set ended_at = now() - interval '6 minutes'";
const AGED_AND_ALL_GONE: &str =
    "update sandbox_session set ended_at = now() - interval '6 minutes';
     delete from payment";
const AGED_AND_RENAMED: &str = "update sandbox_session set ended_at = now() - interval '6 minutes';
     update payment set payment_id = 'pay_never' where order_id = (select min(order_id) from kept)";
