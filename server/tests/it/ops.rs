//! `/healthz`, `/readyz`, `/metrics`, and what is true of every answer.

use crate::harness::{Answer, TestApp};

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
