//! `/shows/{id}/seats` and `/shows/{id}/stream`: what everybody may know, in every browser,
//! within a second and whatever happens on the way.

mod follower;

use std::time::Duration;

use app::live::LiveStatus;
use domain::ids::{SeatIx, Seq, ShowId};
use domain::wire::frame::{Frame, Resync};
use domain::wire::snapshot::{Epoch, Position, SeatState, Snapshot};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use reqwest::Response;

use crate::harness::{HouseSpec, TestApp};
use follower::{Follower, Words};

const SECOND: Duration = Duration::from_secs(1);

/// The house of a show as the server says.
async fn seats(app: &TestApp, show: ShowId) -> (Epoch, Snapshot) {
    let url = app.url(&format!("/api/v1/shows/{show}/seats"));
    let answer = app.client.get(url).send().await.expect("an answer");
    assert_eq!(answer.status(), 200);
    Snapshot::decode(&answer.bytes().await.expect("a body")).expect("a snapshot")
}

async fn position(app: &TestApp, show: ShowId) -> Position {
    let (epoch, house) = seats(app, show).await;
    Position {
        epoch,
        seq: house.seq,
    }
}

async fn stream(app: &TestApp, show: ShowId, after: &str, last_event_id: Option<&str>) -> Response {
    let url = app.url(&format!("/api/v1/shows/{show}/stream{after}"));
    let mut request = app.client.get(url);
    if let Some(id) = last_event_id {
        request = request.header("last-event-id", id);
    }
    let answer = request.send().await.expect("an answer");
    assert_eq!(answer.status(), 200);
    answer
}

#[tokio::test]
async fn a_snapshot_is_public_binary_or_json_and_304_when_known() {
    let app = TestApp::start().await;
    let house = HouseSpec {
        areas: vec![30],
        ..HouseSpec::default()
    }
    .build(&app)
    .await;
    let buyer = app.buyer().await;
    buyer.hold(house.show, &[3, 4]).await.booking();
    let path = format!("/api/v1/shows/{}/seats", house.show);
    let get = |accept: &'static str, tag: String, token: &str| {
        app.client
            .get(app.url(&path))
            .header("accept", accept)
            .header("if-none-match", tag)
            .bearer_auth(token)
            .send()
    };
    let binary = get("*/*", String::new(), &buyer.token)
        .await
        .expect("an answer");
    assert_eq!(
        binary.headers()["content-type"],
        "application/vnd.rowlock.seats"
    );
    assert_eq!(binary.headers()["cache-control"], "public, max-age=1");
    assert!(
        binary.headers()["vary"]
            .to_str()
            .expect("plain")
            .contains("accept")
    );
    assert!(!binary.headers().contains_key("set-cookie"));
    let tag = binary.headers()["etag"].to_str().expect("plain").to_owned();
    let bytes = binary.bytes().await.expect("a body");
    let (epoch, snapshot) = Snapshot::decode(&bytes).expect("a snapshot");
    let here = Position {
        epoch,
        seq: snapshot.seq,
    };
    assert!(tag.contains(&here.to_string()), "{tag} at {here}");
    assert_eq!(snapshot.seats, house.seats);
    let held: Vec<_> = snapshot
        .iter()
        .filter(|(_, state)| *state == SeatState::Held)
        .collect();
    assert_eq!(
        held,
        [(SeatIx(3), SeatState::Held), (SeatIx(4), SeatState::Held)]
    );

    let json = get("application/json", String::new(), "")
        .await
        .expect("an answer");
    let other_tag = json.headers()["etag"].to_str().expect("plain").to_owned();
    assert_ne!(tag, other_tag, "one tag, one encoding");
    let json: serde_json::Value = json.json().await.expect("JSON");
    assert_eq!(json["show_id"], house.show.to_string());
    assert_eq!(json["seq"], snapshot.seq.0);
    assert_eq!(json["position"], here.to_string());
    assert_eq!(
        json["states"].as_str().map(|states| &states[..6]),
        Some("fffhhf")
    );
    assert_eq!(json["area_taken"], serde_json::json!([0]));

    for known in [tag.clone(), format!("\"x\", W/{tag}")] {
        let answer = get("*/*", known, "").await.expect("an answer");
        assert_eq!(answer.status(), 304);
        assert_eq!(answer.headers()["etag"], tag.as_str());
    }
    buyer.hold(house.show, &[9]).await.booking();
    let answer = get("*/*", tag, "").await.expect("an answer");
    assert_eq!(answer.status(), 200, "another seq, another tag");
}

#[tokio::test]
async fn min_waits_for_the_commit_and_says_when_it_did_not_come() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let before = position(&app, house.show).await.seq;
    let path = format!("/api/v1/shows/{}/seats?min={}", house.show, before.next());
    let waiting = app.client.get(app.url(&path)).send();
    let buyer = app.buyer().await;
    let (answer, booking) = tokio::join!(waiting, buyer.hold(house.show, &[1]));
    booking.booking();
    let bytes = answer.expect("an answer").bytes().await.expect("a body");
    let (_, snapshot) = Snapshot::decode(&bytes).expect("a snapshot");
    assert_eq!(snapshot.seq, before.next());

    let path = format!("/api/v1/shows/{}/seats?min={}", house.show, u64::MAX);
    let answer = app
        .client
        .get(app.url(&path))
        .send()
        .await
        .expect("an answer");
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["cache-control"], "no-store");
    assert_eq!(answer.headers()["retry-after"], "1");
}

#[tokio::test]
async fn bad_requests_are_refused() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    for path in [
        "/api/v1/shows/99/seats",
        "/api/v1/shows/x/seats",
        "/api/v1/shows/-1/stream",
    ] {
        app.get(path).await.refused(404, "not_found");
    }
    for min in ["-1", "x", "18446744073709551616"] {
        let path = format!("/api/v1/shows/{}/seats?min={min}", house.show);
        app.get(&path).await.refused(400, "malformed");
    }
}

#[tokio::test]
async fn a_stream_passes_proxies_and_is_never_kept() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let answer = stream(&app, house.show, "", None).await;
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    assert_eq!(answer.headers()["cache-control"], "no-store");
    assert_eq!(answer.headers()["x-accel-buffering"], "no");
    assert!(!answer.headers().contains_key("content-encoding"));
    assert!(!answer.headers().contains_key("set-cookie"));
}

#[tokio::test]
async fn a_second_client_sees_a_hold_within_a_second() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let mut words = Words::new(stream(&app, house.show, "", None).await);
    assert_eq!(
        words.next().await.map(|word| word.kind).as_deref(),
        Some("at")
    );
    let buyer = app.buyer().await;
    for seat in [5, 6, 7] {
        let wanted = [seat];
        let heard = async {
            let word = words.next().await.expect("an open stream");
            Frame::from_text(&word.data).expect("a frame")
        };
        let (booking, frame) = tokio::join!(
            buyer.hold(house.show, &wanted),
            tokio::time::timeout(SECOND, heard)
        );
        booking.booking();
        let frame = frame.expect("within a second");
        assert_eq!(frame.seats, [(SeatIx(seat), SeatState::Held)]);
    }
    let metrics = app.get("/metrics").await.text;
    for name in [
        "rowlock_stream_clients",
        "rowlock_stream_frames_total",
        "rowlock_stream_bytes_total",
    ] {
        assert!(metrics.contains(name), "{name} is missing");
    }
}

/// F51: the place that a stream goes on from.
#[tokio::test]
async fn f51_last_event_id_wins_and_strange_places_are_answered_by_resync() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let buyer = app.buyer().await;
    let begun = position(&app, house.show).await;
    for seat in [1, 2] {
        buyer.hold(house.show, &[seat]).await.booking();
    }
    let here = position(&app, house.show).await;
    let future = Position {
        seq: Seq(here.seq.0 + 1_000),
        ..here
    };
    let other = Position {
        epoch: Epoch(!here.epoch.0),
        ..here
    };
    let first = async |after: String, id: Option<String>| {
        let answer = stream(&app, house.show, &after, id.as_deref()).await;
        let mut words = Words::new(answer);
        let word = tokio::time::timeout(SECOND, words.next()).await;
        word.expect("at once").expect("an open stream")
    };
    for (after, id) in [
        (format!("?after={begun}"), None),
        (format!("?after={}", begun.seq), None),
        (format!("?after={future}"), Some(begun.to_string())),
    ] {
        let word = first(after, id).await;
        assert_eq!((word.kind.as_str(), word.data), ("at", begun.to_string()));
    }
    for (after, id) in [
        ("?after=garbage".to_owned(), None),
        (format!("?after={future}"), None),
        (format!("?after={other}"), None),
        (format!("?after={here}"), Some("garbage".to_owned())),
        (format!("?after={here}"), Some(future.to_string())),
        (
            format!("?after={here}"),
            Some("18446744073709551616".to_owned()),
        ),
        (String::new(), Some(String::new())),
    ] {
        let word = first(after.clone(), id.clone()).await;
        assert_eq!(word.kind, "resync", "{after} {id:?}");
        let resync = Resync::from_text(&word.data).expect("documented");
        assert_eq!(resync.min, here.seq);
    }
}

/// F51: connections are cut, the machine sleeps, the client hears garbage; in the end it has
/// what the server has.
#[tokio::test]
async fn f51_a_follower_in_trouble_ends_equal() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let mut follower = Follower::start(app.client.clone(), &app.url(""), house.show);
    follower
        .reach(position(&app, house.show).await, SECOND)
        .await;
    let mut dice = StdRng::seed_from_u64(51);
    let mut bookings = Vec::new();
    for _ in 0..40 {
        let seat = dice.random_range(0..house.seats);
        let buyer = app.buyer().await;
        let answer = buyer.hold(house.show, &[seat]).await;
        if answer.status == 201 {
            bookings.push((buyer, answer.booking()));
        }
        if bookings.len() > 3 {
            let (buyer, booking) = bookings.swap_remove(dice.random_range(0..bookings.len()));
            assert!(buyer.cancel(&booking).await.status.is_success());
        }
        match dice.random_range(0..6) {
            0 => follower.cut(),
            1 => follower.sleep(),
            2 => follower.step(app::live::feed::Event::Garbage),
            3 => {
                follower
                    .reach(position(&app, house.show).await, SECOND * 5)
                    .await
            }
            _ => {}
        }
    }
    let (epoch, snapshot) = seats(&app, house.show).await;
    follower
        .reach(
            Position {
                epoch,
                seq: snapshot.seq,
            },
            SECOND * 5,
        )
        .await;
    assert_eq!(follower.feed.snapshot(), Some(&snapshot));
    assert!(follower.frames > 0, "some of it came by the stream");
    app.check_invariants().await;
}

/// F51: a server is killed and another one on the same database takes its place.
#[tokio::test]
async fn f51_a_restart_ends_equal_in_the_same_epoch() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let buyer = app.buyer().await;
    let server = app.process().await;
    let mut follower = Follower::start(app.client.clone(), &server.base, house.show);
    buyer.hold(house.show, &[1]).await.booking();
    let here = position(&app, house.show).await;
    // Another process wrote: the log brings it over.
    follower.reach(here, SECOND * 3).await;
    server.kill_9().await;
    buyer.hold(house.show, &[2, 3]).await.booking();
    let server = app.process().await;
    follower.base = server.base.clone();
    buyer.hold(house.show, &[4]).await.booking();
    let (epoch, snapshot) = seats(&app, house.show).await;
    assert_eq!(
        epoch, here.epoch,
        "processes of one database share the epoch"
    );
    follower
        .reach(
            Position {
                epoch,
                seq: snapshot.seq,
            },
            SECOND * 5,
        )
        .await;
    assert_eq!(follower.feed.snapshot(), Some(&snapshot));
    assert_eq!(follower.feed.status(), LiveStatus::Live);
    assert!(
        server.terminate().await,
        "open streams do not keep a server from stopping"
    );
}
