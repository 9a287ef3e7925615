//! `GET /api/v1/events/…`: finding events by word, city and day.

use domain::ids::{EventId, SeatMapId, ShowId, VenueId};
use serde_json::Value;
use server::catalog::{self, EventWords, ShowRow, venue_time};

use crate::harness::TestApp;
use crate::harness::staff::{FLOOR, SEATS, house};

async fn put_event(app: &TestApp, title: &str, summary: &str) -> EventId {
    let words = EventWords {
        title: title.to_owned(),
        summary: summary.to_owned(),
        description: String::new(),
    };
    let mut conn = app.db().acquire().await.unwrap();
    catalog::insert_event(&mut conn, &words).await.unwrap()
}

/// A published show of `event`, at `starts` on the clocks of the house.
async fn put_show(app: &TestApp, event: EventId, map: SeatMapId, starts: &str) -> ShowId {
    let mut conn = app.db().acquire().await.unwrap();
    let (venue, zone): (i64, String) = sqlx::query_as(
        "select venue_id, zone from seat_map join venue using (venue_id) where seat_map_id = $1",
    )
    .bind(map.0.as_slice())
    .fetch_one(&mut *conn)
    .await
    .unwrap();
    let zone = venue_time::zone(&zone).unwrap();
    let starts_at = venue_time::from_venue(starts, &zone).unwrap();
    let row = ShowRow {
        event,
        venue: VenueId(venue),
        seat_map: map,
        starts_at,
        starts_on: venue_time::day_at_venue(starts_at, &zone).unwrap(),
        seat_tiers: vec![0; SEATS as usize],
        area_tiers: vec![0],
    };
    let show = catalog::insert_show(&mut conn, &row).await.unwrap();
    catalog::publish(&mut conn, show).await.unwrap();
    show
}

/// Titles that are found, in order.
async fn titles(app: &TestApp, query: &[(&str, &str)]) -> Vec<String> {
    let page = search(app, query).await;
    let events = page["events"].as_array().unwrap();
    events
        .iter()
        .map(|event| event["title"].as_str().unwrap().to_owned())
        .collect()
}

async fn search(app: &TestApp, query: &[(&str, &str)]) -> Value {
    let request = app
        .client
        .get(app.url("/api/v1/events/search"))
        .query(query);
    let answer = crate::harness::Answer::of(request).await;
    assert_eq!(answer.status, 200, "{query:?}: {answer:?}");
    assert_eq!(answer.header("cache-control"), "public, max-age=2");
    assert_eq!(answer.header("set-cookie"), "");
    answer.json()
}

#[tokio::test]
async fn f68_words_are_found_in_parts_in_any_width_and_misspelt() {
    let app = TestApp::start().await;
    let map = house(&app, "上海", "Asia/Shanghai").await;
    for (title, summary) in [
        ("Hamlet", "The prince comes home."),
        ("上海交响乐团新年音乐会", "贝多芬第九交响曲"),
        ("ＢＥＡＴ Festival", "100% loud"),
        ("Philharmonic night", "Strings_and brass"),
    ] {
        let event = put_event(&app, title, summary).await;
        put_show(&app, event, map, "2099-06-01T19:30").await;
    }
    let check = async |q: &str, expect: &[&str]| {
        assert_eq!(titles(&app, &[("q", q)]).await, expect, "{q:?}")
    };
    let (hamlet, concert) = ("Hamlet", "上海交响乐团新年音乐会");
    let (beat, night) = ("ＢＥＡＴ Festival", "Philharmonic night");
    check("交响乐团", &[concert]).await;
    check("乐", &[concert]).await;
    check("新年", &[concert]).await;
    check("音乐会 贝多芬", &[concert]).await;
    check("HAMLET", &[hamlet]).await;
    check("ｈａｍｌｅｔ", &[hamlet]).await;
    check("hamlte", &[hamlet]).await;
    check("beat", &[beat]).await;
    check("philharmonc", &[night]).await;
    check("prince hamlet", &[hamlet]).await;
    check("prince strings", &[]).await;
    check("zzzzzz", &[]).await;
    // Signs that mean something to Postgres mean themselves.
    check("100%", &[beat]).await;
    check("%", &[beat]).await;
    check("_", &[night]).await;
    check("\\", &[]).await;
    check("'", &[]).await;
    // The venue and the city of a show find its event.
    check("playhouse", &[hamlet, concert, beat, night]).await;
    check("上海", &[hamlet, concert, beat, night]).await;
}

#[tokio::test]
async fn events_are_found_by_city_and_by_the_venues_own_day() {
    let app = TestApp::start().await;
    let berlin = house(&app, "Berlin", "Europe/Berlin").await;
    let york = house(&app, "New York", "America/New_York").await;
    let hamlet = put_event(&app, "Hamlet", "").await;
    put_show(&app, hamlet, berlin, "2099-06-01T19:30").await;
    let late = put_show(&app, hamlet, york, "2099-06-03T23:30").await;
    let faust = put_event(&app, "Faust", "").await;
    put_show(&app, faust, berlin, "2099-06-02T19:30").await;

    assert_eq!(titles(&app, &[]).await, ["Hamlet", "Faust"]);
    let page = search(&app, &[("city", "new york")]).await;
    assert_eq!(page["events"][0]["shows"][0]["id"], late.to_string());
    assert_eq!(page["events"].as_array().unwrap().len(), 1);
    assert_eq!(page["cities"], serde_json::json!(["Berlin", "New York"]));
    // 23:30 in New York is the next day in Berlin and in UTC.
    let day = |from, to| [("from", from), ("to", to)];
    assert_eq!(
        titles(&app, &day("2099-06-03", "2099-06-03")).await,
        ["Hamlet"]
    );
    assert_eq!(
        titles(&app, &day("2099-06-04", "2099-06-04")).await,
        [""; 0]
    );
    assert_eq!(
        titles(&app, &[("from", "2099-06-02")]).await,
        ["Faust", "Hamlet"]
    );
    assert_eq!(titles(&app, &[("to", "2099-06-01")]).await, ["Hamlet"]);
    assert_eq!(
        titles(&app, &[("city", "Berlin"), ("from", "2099-06-02")]).await,
        ["Faust"]
    );
    assert_eq!(
        titles(&app, &[("q", "faust"), ("city", "New York")]).await,
        [""; 0]
    );
}

#[tokio::test]
async fn past_shows_and_drafts_are_not_found_and_pages_turn() {
    let app = TestApp::start().await;
    let map = house(&app, "Berlin", "Europe/Berlin").await;
    let past = put_event(&app, "Yesterday", "").await;
    put_show(&app, past, map, "2001-06-01T19:30").await;
    for number in 0..25 {
        let event = put_event(&app, &format!("Evening {number:02}"), "").await;
        put_show(
            &app,
            event,
            map,
            &format!("2099-06-{:02}T19:30", number + 1),
        )
        .await;
        // More dates do not make it be found twice.
        put_show(&app, event, map, "2099-08-01T19:30").await;
    }
    let first = search(&app, &[("q", "evening")]).await;
    assert_eq!(
        (
            first["events"].as_array().unwrap().len(),
            &first["has_more"]
        ),
        (20, &true.into())
    );
    assert_eq!(first["events"][0]["title"], "Evening 00");
    assert_eq!(first["events"][0]["shows"].as_array().unwrap().len(), 2);
    let second = search(&app, &[("page", "1")]).await;
    assert_eq!(
        (
            second["events"].as_array().unwrap().len(),
            &second["has_more"]
        ),
        (5, &false.into())
    );
    assert_eq!(second["events"][4]["title"], "Evening 24");
    assert_eq!(titles(&app, &[("q", "yesterday")]).await, [""; 0]);
    // Its page stays: people keep links.
    let page = app.get(&format!("/api/v1/events/{past}")).await.json();
    assert_eq!(page["shows"][0]["capacity"], SEATS + FLOOR);
}

#[tokio::test]
async fn what_cannot_be_searched_for_is_refused() {
    let app = TestApp::start().await;
    let long = "a".repeat(201);
    for (query, status, code) in [
        (format!("q={long}"), 422, "bad_field"),
        ("from=2099-02-30".to_owned(), 422, "bad_field"),
        ("from=2099-06-02&to=2099-06-01".to_owned(), 422, "bad_field"),
        ("page=50".to_owned(), 422, "bad_field"),
        ("page=-1".to_owned(), 400, "malformed"),
        ("q=a&q=b".to_owned(), 400, "malformed"),
    ] {
        app.get(&format!("/api/v1/events/search?{query}"))
            .await
            .refused(status, code);
    }
    for query in ["q=%00", "q=%FF%FE", "city=%00", "q=%25%25%25", "q="] {
        let answer = app.get(&format!("/api/v1/events/search?{query}")).await;
        assert!(!answer.status.is_server_error(), "{query}: {answer:?}");
    }
    for id in ["0", "-1", "x", "99999999999999999999", "1%00"] {
        app.get(&format!("/api/v1/events/{id}"))
            .await
            .refused(404, "not_found");
        app.get(&format!("/api/v1/shows/{id}"))
            .await
            .refused(404, "not_found");
    }
}
