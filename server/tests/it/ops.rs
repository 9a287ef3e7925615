//! `/healthz`, `/readyz`, `/metrics`, and what is true of every answer.

use serde_json::json;
use server::config::Secret;

use crate::harness::{Answer, HouseSpec, TestApp};

#[tokio::test]
async fn it_says_that_it_lives_and_what_it_does() {
    let app = TestApp::start().await;
    assert_eq!(app.get("/healthz").await.status, 200);
    assert_eq!(app.get("/readyz").await.status, 200);
    let metrics = app.get("/metrics").await.text;
    assert!(
        metrics.contains("rowlock_http_requests_total{route=\"/healthz\""),
        "{metrics}"
    );
    assert!(
        metrics.contains("rowlock_database_connections_in_use"),
        "{metrics}"
    );
}

#[tokio::test]
async fn every_answer_carries_the_security_headers_and_a_name() {
    let app = TestApp::start().await;
    for path in ["/healthz", "/api/v1/nothing", "/api/nothing"] {
        let answer = app.get(path).await;
        assert!(
            answer
                .header("content-security-policy")
                .contains("default-src 'self'")
        );
        let policy = answer.header("content-security-policy");
        let scripts = policy.split(';').find(|rule| rule.contains("script-src"));
        assert_eq!(
            scripts.map(str::trim),
            Some("script-src 'self' 'wasm-unsafe-eval'")
        );
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("x-request-id").len(), 16);
    }
}

#[tokio::test]
async fn whatever_is_wrong_below_api_is_a_problem_document() {
    let app = TestApp::start().await;
    app.get("/api/v1/nothing").await.refused(404, "not_found");
    app.get("/api/nothing/at/all")
        .await
        .refused(404, "not_found");
    let wrong_method = Answer::of(app.client.put(app.url("/api/v1/sessions"))).await;
    wrong_method.refused(405, "method_not_allowed");
    assert_eq!(wrong_method.header("allow"), "POST");
}

#[tokio::test]
async fn a_body_of_3_mb_is_refused_with_the_limit() {
    let app = TestApp::start().await;
    let body = vec![b'x'; 3_000_000];
    for path in ["/api/v1/sessions", "/staff/login"] {
        let request = app.client.post(app.url(path)).body(body.clone());
        let answer = Answer::of(request).await;
        answer.refused(413, "body_too_large");
        assert_eq!(answer.json()["bytes_max"], 65_536);
    }
}

#[tokio::test]
async fn another_sites_page_cannot_send_commands() {
    let app = TestApp::start().await;
    let post = |origin: &str| {
        let request = app
            .client
            .post(app.url("/staff/login"))
            .header("origin", origin);
        Answer::of(request.form(&[("email", "a@b"), ("password", "x")]))
    };
    post("https://evil.example").await.refused(403, "forbidden");
    post("null").await.refused(403, "forbidden");
    assert_eq!(post(&app.url("")).await.status, 303);
}

#[tokio::test]
async fn metrics_are_not_for_strangers() {
    let app = TestApp::start().await;
    for (name, value) in [
        ("x-forwarded-for", "192.0.2.1"),
        ("forwarded", "for=192.0.2.1"),
        ("via", "1.1 proxy"),
    ] {
        let request = app.client.get(app.url("/metrics")).header(name, value);
        Answer::of(request).await.refused(404, "not_found");
    }

    let app = TestApp::start_with(|config| {
        config.metrics_token = Some(Secret("hush".into()));
    })
    .await;
    app.get("/metrics").await.refused(404, "not_found");
    let ask = |token| Answer::of(app.client.get(app.url("/metrics")).bearer_auth(token));
    ask("x").await.refused(404, "not_found");
    let metrics = ask("hush").await;
    assert_eq!(metrics.status, 200, "{metrics:?}");
    assert!(metrics.text.contains("rowlock_http_requests_total"));

    let app = TestApp::start_with(|config| {
        config.public_url = Some("https://tickets.example".into());
    })
    .await;
    app.get("/metrics").await.refused(404, "not_found");
}

/// Every way out of the server counts a refusal, and none counts it twice. In a process of its
/// own: other tests are refused things too.
#[tokio::test]
async fn a_refusal_is_counted_once() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let show = house.show;
    app.buyer().await.hold(show, &[0]).await.booking();
    let process = app.process().await;
    let buyer = process.buyer().await;
    let url = |path: &str| format!("{}{path}", process.base);
    let counted = async |code: &str| {
        let metrics = Answer::of(app.client.get(url("/metrics"))).await.text;
        let line = format!("rowlock_refusals_total{{code=\"{code}\"}} ");
        let count = metrics.lines().find_map(|text| text.strip_prefix(&line));
        count.map_or(0, |count| count.parse::<u32>().expect("a number"))
    };
    let post = |path: &str| {
        let request = app.client.post(url(path));
        request.header("cookie", format!("rowlock_buyer={}", buyer.token))
    };
    let hold = format!("/shows/{show}/hold");
    let best = json!({ "show_id": show, "best": { "count": 2 }, "seats": [0] });
    let taken = json!({ "show_id": show, "seats": [0] });
    let asks = |request| json!({ "id": uuid::Uuid::new_v4().to_string(), "request": request });
    let page = |request: reqwest::RequestBuilder| request.header("accept", "text/html");
    let ways = [
        ("seats_taken", post("/api/v1/bookings").json(&taken)),
        ("seats_taken", post(&hold).form(&[("seat", "0")])),
        ("seats_taken", post("/sf/hold").json(&asks(&taken))),
        ("malformed", post("/sf/hold").json(&asks(&best))),
        ("malformed", post("/sf/hold").json(&json!({}))),
        ("malformed", post("/api/v1/bookings").json(&json!([]))),
        ("malformed", post(&hold).form(&[("seat", "x")])),
        ("malformed", post(&hold).body("seat=0")),
        ("malformed", page(post(&hold).body("seat=0"))),
        ("not_found", app.client.get(url("/api/v1/shows/999"))),
        (
            "not_found",
            page(post("/orders/x/cancel").form(&[("a", "")])),
        ),
        ("no_session", page(app.client.post(url("/orders/1/cancel")))),
        (
            "wrong_login",
            post("/staff/login").form(&[("email", "a"), ("password", "b")]),
        ),
        (
            "body_too_large",
            page(post(&hold).body(vec![b'x'; 100_000])),
        ),
    ];
    for (code, request) in ways {
        let before = counted(code).await;
        let answer = Answer::of(request).await;
        assert_eq!(counted(code).await - before, 1, "{code}: {answer:?}");
    }
    assert!(process.terminate().await);
}
