//! A clear refusal with its code, no 5xx, nothing changed, nothing lost.

use domain::time::Span;
use serde_json::{Value, json};

use crate::harness::{Answer, House, HouseSpec, TestApp};

/// Everything here must leave the house as it is.
async fn check_refused(app: &TestApp, house: &House, body: &Value, status: u16, code: &str) {
    let before = house.seq(app).await;
    let buyer = app.buyer().await;
    let answer = buyer.post("/bookings", body).await;
    assert_eq!(
        (answer.status.as_u16(), answer.problem().as_str()),
        (status, code),
        "{body} -> {answer:?}"
    );
    assert_eq!(house.seq(app).await, before, "{body} wrote something");
}

#[tokio::test]
async fn requests_that_name_no_sound_selection() {
    let app = TestApp::start().await;
    let spec = HouseSpec {
        per_order_max: 4,
        per_buyer_max: 6,
        areas: vec![3],
        ..HouseSpec::default()
    };
    let house = spec.build(&app).await;
    let other = HouseSpec {
        rows: 30,
        ..HouseSpec::default()
    }
    .build(&app)
    .await;
    let show = house.show;
    // A seat of the bigger house is none of this one.
    let foreign = house.seats + 5;
    assert!(foreign < other.seats);
    let cases = [
        (
            json!({ "show_id": show, "seats": [house.seats] }),
            422,
            "unknown_seat",
        ),
        (
            json!({ "show_id": show, "seats": [foreign] }),
            422,
            "unknown_seat",
        ),
        (
            json!({ "show_id": show, "seats": [u32::MAX] }),
            422,
            "unknown_seat",
        ),
        (
            json!({ "show_id": show, "seats": [] }),
            422,
            "empty_selection",
        ),
        (json!({ "show_id": show }), 422, "empty_selection"),
        (
            json!({ "show_id": show, "best": { "count": 0 } }),
            422,
            "empty_selection",
        ),
        (
            json!({ "show_id": show, "areas": [{ "area": 0, "count": 0 }] }),
            422,
            "empty_selection",
        ),
        (
            json!({ "show_id": show, "areas": [{ "area": 1, "count": 1 }] }),
            422,
            "unknown_area",
        ),
        (
            json!({ "show_id": show, "areas": [{ "area": 0, "count": 4 }] }),
            409,
            "area_full",
        ),
        (
            json!({ "show_id": show, "seats": [3, 4, 3] }),
            422,
            "doubled_seat",
        ),
        (
            json!({ "show_id": show, "seats": [0, 1, 2, 3, 4] }),
            422,
            "limit_per_order",
        ),
        (
            json!({ "show_id": show, "best": { "count": 5 } }),
            422,
            "limit_per_order",
        ),
        (
            json!({ "show_id": show, "areas": [{ "area": 0, "count": 65535 }] }),
            422,
            "limit_per_order",
        ),
        (
            json!({ "show_id": "999999", "seats": [0] }),
            404,
            "not_found",
        ),
    ];
    for (body, status, code) in cases {
        check_refused(&app, &house, &body, status, code).await;
    }
    app.check_invariants().await;
}

#[tokio::test]
async fn the_field_that_cannot_be_is_named() {
    let app = TestApp::start().await;
    let spec = HouseSpec {
        areas: vec![10, 10],
        ..HouseSpec::default()
    };
    let house = spec.build(&app).await;
    let twice =
        json!([{ "area": 0, "count": 1 }, { "area": 1, "count": 1 }, { "area": 0, "count": 1 }]);
    let cases = [
        ("tier", json!({ "best": { "count": 2, "tier": 2 } })),
        ("tier", json!({ "best": { "count": 2, "tier": 255 } })),
        ("areas", json!({ "areas": twice })),
        ("areas", json!({ "areas": twice, "seats": [0] })),
    ];
    let buyer = app.buyer().await;
    for (field, mut body) in cases {
        body["show_id"] = json!(house.show);
        check_refused(&app, &house, &body, 422, "bad_field").await;
        let answer = buyer.post("/bookings", &body).await;
        assert_eq!(answer.json()["field"], field, "{body} -> {answer:?}");
    }
    assert_eq!(house.claimed(&app).await, 0);
    app.check_invariants().await;
}

#[tokio::test]
async fn a_body_is_one_object() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let show = house.show;
    // The fields in their order, as some decoders would take them.
    for body in [json!([show, [0], [], null]), json!([show, [0]]), json!(0)] {
        check_refused(&app, &house, &body, 400, "malformed").await;
    }
    let buyer = app.buyer().await;
    let booking = buyer.hold(show, &[0]).await.booking();
    for (path, body) in [
        ("seats", json!([[1], []])),
        ("confirm", json!(["token", "tok_ok", "", "", ""])),
    ] {
        let path = format!("/bookings/{booking}/{path}");
        let answer = buyer.post(&path, &body).await;
        answer.refused(400, "malformed");
        let detail = answer.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains("expected a JSON object"), "{detail}");
    }
    let twice = format!(r#"{{"show_id": "{show}", "seats": [1], "seats": [2]}}"#);
    let request = buyer
        .request("POST", "/bookings")
        .header("content-type", "application/json");
    Answer::of(request.body(twice))
        .await
        .refused(400, "malformed");
    assert_eq!(house.claimed(&app).await, 1);
}

#[tokio::test]
async fn requests_of_another_shape() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let show = house.show;
    let cases = [
        json!(null),
        json!([]),
        json!("seats"),
        json!({ "seats": [0] }),
        json!({ "show_id": 1, "seats": [0] }),
        json!({ "show_id": "-1", "seats": [0] }),
        json!({ "show_id": "01", "seats": [0] }),
        json!({ "show_id": show, "seats": [-1] }),
        json!({ "show_id": show, "seats": [1.5] }),
        json!({ "show_id": show, "seats": [1e20] }),
        json!({ "show_id": show, "seats": ["1"] }),
        json!({ "show_id": show, "seats": null }),
        json!({ "show_id": show, "seats": [0], "price": 1 }),
        json!({ "show_id": show, "seats": [0], "buyer_id": "0" }),
        json!({ "show_id": show, "seats": [0], "expires_at": "2100-01-01T00:00:00Z" }),
        json!({ "show_id": show, "areas": [{ "area": 0, "count": -1 }] }),
        json!({ "show_id": show, "best": { "count": "2" } }),
    ];
    for body in cases {
        check_refused(&app, &house, &body, 400, "malformed").await;
    }
}

#[tokio::test]
async fn bodies_that_are_no_json() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let buyer = app.buyer().await;
    let before = house.seq(&app).await;
    for body in [
        "",
        "{",
        "{\"seats\":[0",
        "\u{feff}{}",
        "seats=0",
        "NaN",
        "[[[[[[",
    ] {
        let request = buyer
            .request("POST", "/bookings")
            .header("content-type", "application/json");
        Answer::of(request.body(body))
            .await
            .refused(400, "malformed");
    }
    let plain = buyer
        .request("POST", "/bookings")
        .header("content-type", "text/plain");
    let body = json!({ "show_id": house.show, "seats": [0] }).to_string();
    Answer::of(plain.body(body)).await.refused(400, "malformed");
    let huge = buyer
        .request("POST", "/bookings")
        .header("content-type", "application/json");
    Answer::of(huge.body(vec![b' '; 3_000_000]))
        .await
        .refused(413, "body_too_large");
    assert_eq!(house.seq(&app).await, before);
}

#[tokio::test]
async fn who_asks_without_a_session() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let before = house.seq(&app).await;
    let body = json!({ "show_id": house.show, "seats": [0] });
    let post = || app.client.post(app.url("/api/v1/bookings")).json(&body);
    Answer::of(post()).await.refused(401, "no_session");
    for garbage in ["", "x", "=;=", "AAAA", &"A".repeat(4000)] {
        let cookie = post().header("cookie", format!("rowlock_buyer={garbage}"));
        Answer::of(cookie).await.refused(401, "no_session");
        let bearer = post().header("authorization", format!("Bearer {garbage}"));
        Answer::of(bearer).await.refused(401, "no_session");
    }
    // A good cookie beside a bad Authorization proves nothing.
    let buyer = app.buyer().await;
    let both = post()
        .bearer_auth("x")
        .header("cookie", format!("rowlock_buyer={}", buyer.token));
    Answer::of(both).await.refused(401, "no_session");
    assert_eq!(house.seq(&app).await, before);

    let cookie = post().header("cookie", format!("rowlock_buyer={}", buyer.token));
    assert_eq!(Answer::of(cookie).await.status, 201);
}

#[tokio::test]
async fn sales_that_are_not_open() {
    let app = TestApp::start().await;
    let build = async |spec: HouseSpec| spec.build(&app).await;
    let ahead = build(HouseSpec {
        opens_in: Span::minutes(5),
        ..HouseSpec::default()
    })
    .await;
    let over = build(HouseSpec {
        closes_in: Span::seconds(0),
        ..HouseSpec::default()
    })
    .await;
    let paused = build(HouseSpec {
        paused: true,
        ..HouseSpec::default()
    })
    .await;
    let draft = build(HouseSpec {
        published: false,
        ..HouseSpec::default()
    })
    .await;
    let blind = build(HouseSpec {
        choose_seats: false,
        ..HouseSpec::default()
    })
    .await;
    let cases = [
        (&ahead, 409, "sale_not_open"),
        (&over, 409, "sale_closed"),
        (&paused, 409, "sale_paused"),
        (&draft, 404, "not_found"),
        (&blind, 422, "choosing_not_allowed"),
    ];
    for (house, status, code) in cases {
        let chosen = json!({ "show_id": house.show, "seats": [0] });
        check_refused(&app, house, &chosen, status, code).await;
        if house.show != blind.show {
            let best = json!({ "show_id": house.show, "best": { "count": 2 } });
            check_refused(&app, house, &best, status, code).await;
        }
    }
    assert_eq!(app.buyer().await.hold_best(blind.show, 2).await.status, 201);
    app.check_invariants().await;
}

#[tokio::test]
async fn bookings_of_somebody_else() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let (owner, other) = (app.buyer().await, app.buyer().await);
    let booking = owner.hold(house.show, &[0, 1]).await.booking();
    other
        .get(&format!("/bookings/{booking}"))
        .await
        .refused(404, "not_found");
    other.add(&booking, &[2]).await.refused(404, "not_found");
    other.cancel(&booking).await.refused(404, "not_found");
    other
        .confirm(&booking, "tok_ok")
        .await
        .refused(404, "not_found");
    let drop = other.request("DELETE", &format!("/bookings/{booking}/seats?seat=0"));
    Answer::of(drop).await.refused(404, "not_found");
    for id in ["0", "x", "-1", "99999999999999999999"] {
        other
            .get(&format!("/bookings/{id}"))
            .await
            .refused(404, "not_found");
    }
    assert_eq!(house.claimed(&app).await, 2);
    app.check_invariants().await;
}

/// F05: 500 holds that are refused or repeated eat no stock, and a hold of three with one taken
/// leaves the other two free at once.
#[tokio::test]
async fn f05_refused_holds_eat_nothing() {
    let app = TestApp::start().await;
    let house = HouseSpec {
        per_order_max: 3,
        ..HouseSpec::default()
    }
    .build(&app)
    .await;
    let winner = app.buyer().await;
    let first = winner
        .request("POST", "/bookings")
        .header("idempotency-key", "the first");
    let body = json!({ "show_id": house.show, "seats": [10] });
    let booking = Answer::of(first.json(&body)).await.booking();

    let loser = app.buyer().await;
    for round in 0..100 {
        let taken = loser.hold(house.show, &[9, 10, 11]).await;
        taken.refused(409, "seats_taken");
        assert_eq!(taken.json()["seats"], json!([10]));
        loser
            .hold(house.show, &[20, 20])
            .await
            .refused(422, "doubled_seat");
        loser
            .hold(house.show, &[30, house.seats + round])
            .await
            .refused(422, "unknown_seat");
        loser
            .hold(house.show, &[40, 41, 42, 43])
            .await
            .refused(422, "limit_per_order");
        let repeat = winner
            .request("POST", "/bookings")
            .header("idempotency-key", "the first");
        assert_eq!(Answer::of(repeat.json(&body)).await.booking(), booking);
    }
    assert_eq!(house.claimed(&app).await, 1);
    assert_eq!(loser.hold(house.show, &[9, 11]).await.status, 201);
    let other_body = json!({ "show_id": house.show, "seats": [12] });
    let reused = winner
        .request("POST", "/bookings")
        .header("idempotency-key", "the first");
    Answer::of(reused.json(&other_body))
        .await
        .refused(422, "idempotency_mismatch");
    app.check_invariants().await;
}
