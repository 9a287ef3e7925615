//! Holding, changing, cancelling: the buyer's commands over HTTP.

use serde_json::json;

use crate::harness::{Answer, FEE_PER_TICKET, HouseSpec, PRICES, TestApp};

#[tokio::test]
async fn a_hold_is_a_booking_with_its_words_and_frozen_prices() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let buyer = app.buyer().await;
    let held = buyer.hold(house.show, &[3, 4]).await;
    assert_eq!(held.status, 201, "{held:?}");
    assert_eq!(held.header("cache-control"), "no-store");
    let booking = held.json();
    assert_eq!(booking["state"], "held");
    assert_eq!(booking["lines"].as_array().unwrap().len(), 2);
    assert_eq!(booking["lines"][1]["seat"], 4);
    assert_eq!(booking["lines"][1]["section"], "Stalls");
    assert_eq!(booking["lines"][1]["row"], "1");
    assert_eq!(booking["lines"][1]["label"], "5");
    assert_eq!(booking["lines"][1]["tier_name"], "Front");
    assert_eq!(booking["fees"], 2 * FEE_PER_TICKET);
    assert_eq!(booking["total"], 2 * PRICES[0] + 2 * FEE_PER_TICKET);
    assert_eq!(booking["currency"], "EUR");
    let until: jiff::Timestamp = booking["hold_expires_at"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let now: jiff::Timestamp = booking["server_now"].as_str().unwrap().parse().unwrap();
    let left_ms = until.as_millisecond() - now.as_millisecond();
    assert!((595_000..=600_000).contains(&left_ms), "{left_ms}");

    let id = held.booking();
    assert_eq!(
        buyer.get(&format!("/bookings/{id}")).await.json()["id"],
        json!(id)
    );
    let mine = buyer.get("/bookings").await.json();
    assert_eq!(mine["bookings"][0]["id"], json!(id));

    let other = app.buyer().await;
    other
        .get(&format!("/bookings/{id}"))
        .await
        .refused(404, "not_found");
    app.get(&format!("/api/v1/bookings/{id}"))
        .await
        .refused(404, "not_found");
    other.cancel(&id).await.refused(404, "not_found");
    other.add(&id, &[9]).await.refused(404, "not_found");
    other.confirm(&id, "tok_ok").await.refused(404, "not_found");
    let drop = Answer::of(other.request("DELETE", &format!("/bookings/{id}/seats?seat=3"))).await;
    drop.refused(404, "not_found");
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test]
async fn seats_join_and_leave_a_hold_whole_or_not_at_all() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let (buyer, other) = (app.buyer().await, app.buyer().await);
    let held = buyer.hold(house.show, &[1, 2]).await;
    let (id, until) = (held.booking(), held.json()["hold_expires_at"].clone());
    other.hold(house.show, &[5]).await.booking();

    let taken = buyer.add(&id, &[4, 5]).await;
    taken.refused(409, "seats_taken");
    assert_eq!(taken.json()["seats"], json!([5]));
    assert_eq!(house.claimed(&app).await, 3, "seat 4 was not taken alone");

    let more = buyer.add(&id, &[3]).await;
    assert_eq!(more.json()["lines"].as_array().unwrap().len(), 3);
    assert_eq!(
        more.json()["hold_expires_at"],
        until,
        "the deadline never moves"
    );

    let path = format!("/bookings/{id}/seats?seat=1&seat=2");
    let fewer = Answer::of(buyer.request("DELETE", &path)).await;
    assert_eq!(fewer.json()["lines"][0]["seat"], 3);
    assert_eq!(fewer.json()["total"], PRICES[0] + FEE_PER_TICKET);
    let not_mine =
        Answer::of(buyer.request("DELETE", &format!("/bookings/{id}/seats?seat=5"))).await;
    not_mine.refused(409, "seat_not_here");

    // F14: the dropped and the cancelled can be sold again, twice in a row.
    for _ in 0..2 {
        let again = other.hold(house.show, &[1, 2]).await.booking();
        assert_eq!(other.cancel(&again).await.json()["state"], "cancelled");
        assert_eq!(
            other.cancel(&again).await.json()["state"],
            "cancelled",
            "idempotent"
        );
    }
    let last = Answer::of(buyer.request("DELETE", &format!("/bookings/{id}/seats?seat=3"))).await;
    assert_eq!(last.json()["state"], "cancelled", "without its last line");
    assert_eq!(house.claimed(&app).await, 1);
    buyer.add(&id, &[3]).await.refused(409, "wrong_state");
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test]
async fn the_same_key_is_one_command_also_in_another_process() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let buyer = app.buyer().await;
    let key = uuid::Uuid::new_v4().to_string();
    let hold = |buyer: &crate::harness::Buyer, key: &str, seats: &[u32]| {
        let body = json!({ "show_id": house.show, "seats": seats });
        let request = buyer.request("POST", "/bookings").json(&body);
        Answer::of(request.header("idempotency-key", key.to_owned()))
    };
    let first = hold(&buyer, &key, &[7]).await.booking();
    assert_eq!(hold(&buyer, &key, &[7]).await.booking(), first);
    hold(&buyer, &key, &[8])
        .await
        .refused(422, "idempotency_mismatch");
    assert_eq!(house.claimed(&app).await, 1);
    // The key belongs to its buyer.
    let other = app.buyer().await;
    hold(&other, &key, &[7]).await.refused(409, "seats_taken");

    // Keys need not be UUIDs.
    let named = hold(&buyer, "order of the year", &[9]).await.booking();
    assert_eq!(
        hold(&buyer, "order of the year", &[9]).await.booking(),
        named
    );
    hold(&buyer, "", &[10]).await.refused(400, "malformed");

    // As after a restart: a process that has seen none of it.
    let elsewhere = app.process().await;
    let there = buyer.at(&elsewhere.base);
    assert_eq!(hold(&there, &key, &[7]).await.booking(), first);
    hold(&there, &key, &[8])
        .await
        .refused(422, "idempotency_mismatch");
    assert!(elsewhere.terminate().await);
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test]
async fn f31_nobody_believes_a_client_about_price_buyer_or_state() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let (buyer, other) = (app.buyer().await, app.buyer().await);
    let lies = json!({
        "price": 1, "total": 0, "user_id": other.id, "buyer_id": other.id, "status": "paid",
        "state": "paid", "expires_at": "2099-01-01T00:00:00Z"
    });
    for (name, lie) in lies.as_object().unwrap() {
        let body = json!({ "show_id": house.show, "seats": [1], name: lie });
        buyer
            .post("/bookings", &body)
            .await
            .refused(400, "malformed");
    }
    assert_eq!(house.claimed(&app).await, 0);
    let id = buyer.hold(house.show, &[1]).await.booking();
    for (name, lie) in lies.as_object().unwrap() {
        let confirm = json!({ "method": "token", "token": "tok_ok", name: lie });
        let path = format!("/bookings/{id}/confirm");
        buyer.post(&path, &confirm).await.refused(400, "malformed");
        let more = json!({ "seats": [2], name: lie });
        buyer
            .post(&format!("/bookings/{id}/seats"), &more)
            .await
            .refused(400, "malformed");
    }
    let booking = buyer.get(&format!("/bookings/{id}")).await.json();
    assert_eq!(booking["state"], "held");
    assert_eq!(booking["total"], PRICES[0] + FEE_PER_TICKET);
    // A cancel takes no body at all: what it is sent changes nothing.
    let ended = buyer.post(&format!("/bookings/{id}/cancel"), &lies).await;
    assert_eq!(ended.json()["state"], "cancelled");
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test]
async fn f31_quantities_are_whole_positive_and_bounded() {
    let app = TestApp::start().await;
    let house = HouseSpec {
        areas: vec![100],
        ..HouseSpec::default()
    };
    let house = house.build(&app).await;
    let buyer = app.buyer().await;
    for count in [
        "-1",
        "0",
        "1.5",
        "1000000000",
        "\"1\"",
        "null",
        "65535",
        "[]",
    ] {
        for body in [
            format!(
                r#"{{"show_id":"{}","best":{{"count":{count}}}}}"#,
                house.show
            ),
            format!(
                r#"{{"show_id":"{}","areas":[{{"area":0,"count":{count}}}]}}"#,
                house.show
            ),
        ] {
            let request = buyer.request("POST", "/bookings").body(body.clone());
            let answer = Answer::of(request.header("content-type", "application/json")).await;
            assert!(answer.status.is_client_error(), "{body}: {answer:?}");
            answer.problem();
        }
    }
    for seats in [
        "[-1]",
        "[1.5]",
        "[\"1\"]",
        "null",
        "[1,1]",
        "[]",
        "[999999]",
        "[4294967296]",
        "7",
    ] {
        let body = format!(r#"{{"show_id":"{}","seats":{seats}}}"#, house.show);
        let request = buyer.request("POST", "/bookings").body(body);
        let answer = Answer::of(request.header("content-type", "application/json")).await;
        assert!(answer.status.is_client_error(), "{seats}: {answer:?}");
        answer.problem();
    }
    let both = json!({ "show_id": house.show, "seats": [1], "best": { "count": 1 } });
    buyer
        .post("/bookings", &both)
        .await
        .refused(400, "malformed");
    buyer
        .post("/bookings", &json!({ "show_id": 1, "seats": [1] }))
        .await
        .refused(400, "malformed");
    let nowhere = json!({ "show_id": "999", "seats": [1] });
    buyer
        .post("/bookings", &nowhere)
        .await
        .refused(404, "not_found");
    let many: Vec<u32> = (0..20).collect();
    buyer
        .hold(house.show, &many)
        .await
        .refused(422, "limit_per_order");
    assert_eq!(house.claimed(&app).await, 0);
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test]
async fn drafts_do_not_exist_for_buyers() {
    let app = TestApp::start().await;
    let house = HouseSpec {
        published: false,
        ..HouseSpec::default()
    };
    let house = house.build(&app).await;
    let buyer = app.buyer().await;
    buyer.hold(house.show, &[1]).await.refused(404, "not_found");
    let body = json!({ "show_id": house.show, "seats": [1] });
    let nobody = app.client.post(app.url("/api/v1/bookings")).json(&body);
    Answer::of(nobody).await.refused(401, "no_session");
    app.stop().await;
}
