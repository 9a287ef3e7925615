//! `/staff`: shows are made, published, paused, and seats kept for the house.

mod new_show;
mod strangers;

use domain::board::command::{Actor, Command, Envelope};
use domain::board::settings::Settings;
use domain::ids::{CommandId, ShowId, StaffId};
use domain::time::Span;
use serde_json::json;

use crate::harness::TestApp;
use crate::harness::staff::{FLOOR, Organiser, SEATS, form, house};

#[tokio::test]
async fn a_show_is_made_published_sold_and_found_among_the_orders() {
    let app = TestApp::start().await;
    let ann = Organiser::sign_in(&app).await;
    let show = ann
        .on_sale(house(&app, "Berlin", "Europe/Berlin").await)
        .await;

    let page = app.get(&format!("/api/v1/shows/{show}")).await;
    assert_eq!(page.status, 200, "{page:?}");
    let page = page.json();
    assert_eq!(page["title"], "Hamlet");
    assert_eq!(page["card"]["status"], "on_sale");
    assert_eq!(page["card"]["free"], SEATS + FLOOR);
    let starts = &page["card"]["starts"];
    assert_eq!(
        (&starts["hour"], &starts["zone"]),
        (&json!(19), &json!("CEST"))
    );
    let tiers = page["tiers"].as_array().unwrap();
    let tiers: Vec<_> = tiers
        .iter()
        .map(|tier| (tier["price"].clone(), tier["free"].clone()))
        .collect();
    assert_eq!(
        tiers,
        [(json!(4550), json!(20)), (json!(2000), json!(10 + FLOOR))]
    );

    let buyer = app.buyer().await;
    let booking = buyer.hold(show, &[0, 1]).await;
    assert_eq!(booking.status, 201, "{booking:?}");
    // Two seats and two fees.
    assert_eq!(booking.json()["total"], 2 * 4550 + 2 * 150);
    let orders = ann.get(&format!("/staff/orders?show={show}")).await;
    let number = booking.json()["number"].as_str().unwrap().to_owned();
    assert!(
        orders.text.contains(&number),
        "{number} is not among the orders"
    );
    let found = ann.get(&format!("/staff/orders?q={number}")).await;
    assert!(found.text.contains(&number));
    let none = ann.get("/staff/orders?q=nobody%40nowhere.example").await;
    assert_eq!(none.status, 200);
    assert!(!none.text.contains(&number));
    app.check_invariants().await;
}

#[tokio::test]
async fn f34_a_draft_does_not_exist_for_fans() {
    let app = TestApp::start().await;
    let ann = Organiser::sign_in(&app).await;
    let show = ann
        .draft(house(&app, "Berlin", "Europe/Berlin").await)
        .await;
    let staff_page = ann.get(&format!("/staff/shows/{show}")).await;
    assert!(staff_page.text.contains("Hamlet"), "{staff_page:?}");

    let event: i64 = sqlx::query_scalar("select event_id from show where show_id = $1")
        .bind(show.0)
        .fetch_one(app.db())
        .await
        .unwrap();
    for path in [
        format!("/api/v1/shows/{show}"),
        format!("/api/v1/shows/{show}/seats"),
        format!("/api/v1/shows/{show}/stream"),
        format!("/api/v1/events/{event}"),
    ] {
        app.get(&path).await.refused(404, "not_found");
    }
    for path in [
        format!("/shows/{show}"),
        format!("/shows/{show}/seats"),
        format!("/shows/{show}/list"),
        format!("/events/{event}"),
    ] {
        assert_eq!(app.get(&path).await.status, 404, "{path}");
    }
    let found = app.get("/api/v1/events/search?q=hamlet").await.json();
    assert_eq!(found["events"], json!([]));
    let buyer = app.buyer().await;
    buyer.hold(show, &[0]).await.refused(404, "not_found");
}

#[tokio::test]
async fn f34_the_window_is_kept_by_the_desk() {
    let app = TestApp::start().await;
    let ann = Organiser::sign_in(&app).await;
    let show = ann
        .on_sale(house(&app, "Berlin", "Europe/Berlin").await)
        .await;
    let buyer = app.buyer().await;
    let now = app.parts().clock.now();

    configure(&app, show, |settings| {
        settings.opens_at = now + Span::minutes(1)
    })
    .await;
    let early = buyer.hold(show, &[0]).await;
    early.refused(409, "sale_not_open");
    assert_eq!(early.json()["opens_at"], (now + Span::minutes(1)).0);
    let page = app.get(&format!("/api/v1/shows/{show}")).await.json();
    assert_eq!(page["card"]["status"], "upcoming");

    configure(&app, show, |settings| settings.opens_at = now).await;
    assert_eq!(buyer.hold(show, &[0]).await.status, 201);

    configure(&app, show, |settings| settings.closes_at = now + Span(1)).await;
    buyer.hold(show, &[1]).await.refused(409, "sale_closed");
    let page = app.get(&format!("/api/v1/shows/{show}")).await.json();
    assert_eq!(page["card"]["status"], "closed");
    app.check_invariants().await;
}

async fn configure(app: &TestApp, show: ShowId, change: impl FnOnce(&mut Settings)) {
    let desks = &app.parts().desks;
    let mut settings = (*desks.house(show).await.unwrap().settings()).clone();
    change(&mut settings);
    let envelope = Envelope {
        id: CommandId(rand::random()),
        actor: Actor::Staff(StaffId(1)),
        fingerprint: 0,
        command: Command::Configure(settings),
    };
    desks.submit(show, envelope).await.unwrap();
}

#[tokio::test]
async fn a_paused_sale_refuses_holds_until_it_goes_on() {
    let app = TestApp::start().await;
    let ann = Organiser::sign_in(&app).await;
    let show = ann
        .on_sale(house(&app, "Berlin", "Europe/Berlin").await)
        .await;
    let page = format!("/staff/shows/{show}");
    let buyer = app.buyer().await;
    let held = buyer.hold(show, &[0]).await.booking();

    ann.post_to(&format!("{page}/pause"), &[("paused", "true")], &page)
        .await;
    buyer.hold(show, &[1]).await.refused(409, "sale_paused");
    // What is held may still be paid.
    let paid = buyer.confirm(&held, "tok_ok").await;
    assert_eq!(paid.status, 200, "{paid:?}");
    ann.post_to(&format!("{page}/pause"), &[("paused", "false")], &page)
        .await;
    assert_eq!(buyer.hold(show, &[1]).await.status, 201);
    app.check_invariants().await;
}

#[tokio::test]
async fn kept_seats_are_not_for_sale_until_released() {
    let app = TestApp::start().await;
    let ann = Organiser::sign_in(&app).await;
    let show = ann
        .on_sale(house(&app, "Berlin", "Europe/Berlin").await)
        .await;
    let page = format!("/staff/shows/{show}");
    let open = format!("{page}?section=0");
    let buyer = app.buyer().await;
    assert_eq!(buyer.hold(show, &[12]).await.status, 201);

    // Two seats of row A, and what is free of row B: nine.
    let kept = [
        ("section", "0"),
        ("seat", "3"),
        ("seat", "4"),
        ("row", "1"),
        ("reason", "Sound desk"),
    ];
    ann.post_to(&format!("{page}/block"), &kept, &open).await;
    buyer.hold(show, &[3]).await.refused(409, "seats_taken");
    buyer.hold(show, &[19]).await.refused(409, "seats_taken");
    let public = app.get(&format!("/api/v1/shows/{show}")).await;
    assert_eq!(public.json()["card"]["free"], SEATS + FLOOR - 12);
    assert!(!public.text.contains("Sound desk"), "reasons are for staff");
    let staff_page = ann.get(&open).await;
    assert!(staff_page.text.contains("Sound desk"), "{staff_page:?}");

    // Twice is refused as a whole: seat 5 stays free.
    let again = [("seat", "5"), ("seat", "4"), ("reason", "Press")];
    let refused = format!("{page}?refusal=seats_taken");
    ann.post_to(&format!("{page}/block"), &again, &refused)
        .await;
    assert_eq!(buyer.hold(show, &[5]).await.status, 201);

    let back = [("seat", "3"), ("seat", "4")];
    ann.post_to(&format!("{page}/unblock"), &back, &page).await;
    assert_eq!(buyer.hold(show, &[3, 4]).await.status, 201);
    let not_kept = format!("{page}?refusal=seat_not_here");
    ann.post_to(&format!("{page}/unblock"), &[("seat", "3")], &not_kept)
        .await;
    app.check_invariants().await;
}

#[tokio::test]
async fn a_house_hold_that_cannot_be_is_refused_by_its_code() {
    let app = TestApp::start().await;
    let ann = Organiser::sign_in(&app).await;
    let show = ann
        .on_sale(house(&app, "Berlin", "Europe/Berlin").await)
        .await;
    let page = format!("/staff/shows/{show}");
    let block = format!("{page}/block");
    let long = "x".repeat(201);
    let bad_reason =
        |detail: &str| format!("{page}?refusal=bad_field&field=reason&detail={detail}");
    ann.post_to(
        &block,
        &[("seat", "1"), ("reason", " ")],
        &bad_reason("required"),
    )
    .await;
    ann.post_to(
        &block,
        &[("seat", "1"), ("reason", &long)],
        &bad_reason("too_long"),
    )
    .await;
    ann.post_to(
        &block,
        &[("reason", "Press")],
        &format!("{page}?refusal=empty_selection"),
    )
    .await;
    let unknown = format!("{page}?refusal=unknown_seat");
    ann.post_to(&block, &[("seat", "30"), ("reason", "Press")], &unknown)
        .await;
    for form in [
        vec![("seat", "x"), ("reason", "Press")],
        vec![("seat", "1")],
        vec![("seat", "1"), ("reason", "Press"), ("owner", "me")],
    ] {
        let answer = ann.post(&block, &form).await;
        assert!(answer.status.is_client_error(), "{form:?}: {answer:?}");
    }
    let nowhere = ann
        .post(
            "/staff/shows/999/block",
            &[("seat", "1"), ("reason", "Press")],
        )
        .await;
    assert_eq!(nowhere.status, 404);
    let kept: i64 = sqlx::query_scalar("select count(*) from seat_claim")
        .fetch_one(app.db())
        .await
        .unwrap();
    assert_eq!(kept, 0);
}

#[tokio::test]
async fn a_bad_form_comes_back_as_typed_and_leaves_nothing() {
    let app = TestApp::start().await;
    let ann = Organiser::sign_in(&app).await;
    let seat_map = house(&app, "Berlin", "Europe/Berlin").await.to_string();
    let check = async |field: &str, value: &str, told: &str| {
        let mut form = form(&seat_map);
        form.retain(|(name, _)| *name != field);
        form.push((field, value));
        let answer = ann.post("/staff/shows", &form).await;
        assert_eq!(answer.status, 422, "{field}={value:?}: {answer:?}");
        assert!(
            answer.text.contains(told),
            "{field}={value:?} is not told: {}",
            answer.text
        );
        // What was right is still there.
        assert!(
            answer.text.contains("The prince comes home."),
            "{field}={value:?}"
        );
    };
    check("title", "", "Please fill this in.").await;
    check("title", &"x".repeat(201), "That is too long.").await;
    check("starts", "2001-01-01T19:30", "This is in the past.").await;
    check("starts", "2099-03-29T02:30", "jump over this time").await;
    check("opens", "2099-06-02T10:00", "would end before it opens").await;
    check("closes", "2099-06-01T19:31", "after the show has started").await;
    check("currency", "euro", "The three capital letters").await;
    check("tier-1-price", "45,50", "An amount such as").await;
    check("tier-1-price", "45.505", "An amount such as").await;
    check("tier-0-name", "", "Please fill this in.").await;
    check("tier-2-name", "Third", "Every category").await;
    check("per_order_max", "0", "outside of what is allowed").await;
    check("hold_minutes", "ten", "A whole number").await;

    let mut wrong = form(&seat_map);
    wrong.push(("owner", "me"));
    let strange = ann.post("/staff/shows", &wrong).await;
    assert_eq!(strange.status, 400, "{strange:?}");
    let shows: i64 =
        sqlx::query_scalar("select (select count(*) from show) + (select count(*) from event)")
            .fetch_one(app.db())
            .await
            .unwrap();
    assert_eq!(shows, 0, "nothing is left behind");
}
