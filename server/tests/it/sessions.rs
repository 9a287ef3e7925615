//! `POST /api/v1/sessions`, and staff who sign in.

use std::net::IpAddr;

use server::http::limits::GUESSES_PER_ADDRESS_MAX;

use crate::harness::{Answer, TestApp};

#[tokio::test]
async fn a_session_is_new_each_time_and_comes_as_token_and_cookie() {
    let app = TestApp::start().await;
    let first = Answer::of(app.client.post(app.url("/api/v1/sessions"))).await;
    assert_eq!(first.status, 201);
    let cookie = first.header("set-cookie").to_owned();
    assert!(
        cookie.starts_with("rowlock_buyer=") && cookie.contains("HttpOnly"),
        "{cookie}"
    );
    assert!(
        cookie.contains("SameSite=Lax") && !cookie.contains("Secure"),
        "{cookie}"
    );
    assert_eq!(first.header("cache-control"), "no-store");

    let token = first.json()["token"].as_str().unwrap().to_owned();
    assert!(cookie.contains(&token));
    let request = app.client.post(app.url("/api/v1/sessions"));
    let second = Answer::of(request.bearer_auth(&token).header("cookie", cookie)).await;
    assert_eq!(second.status, 201);
    assert!(
        !second.text.contains(&token),
        "an existing token is never sent again"
    );
}

#[tokio::test]
async fn cookies_are_secure_where_the_address_is() {
    let app = TestApp::start_with(|config| {
        config.public_url = Some("https://tickets.example".to_owned());
    })
    .await;
    let answer = Answer::of(app.client.post(app.url("/api/v1/sessions"))).await;
    assert!(
        answer.header("set-cookie").contains("; Secure"),
        "{answer:?}"
    );
}

#[tokio::test]
async fn all_processes_on_one_database_believe_each_others_tokens() {
    let app = TestApp::start().await;
    let other = app.process().await;
    let buyer = other.buyer().await;
    let mut headers = axum::http::HeaderMap::new();
    let value = format!("Bearer {}", buyer.token);
    headers.insert("authorization", value.parse().unwrap());
    let seen = server::people::buyers::of(app.parts(), &headers);
    assert_eq!(seen.map(|id| id.to_string()), Some(buyer.id));
    assert!(other.terminate().await);
}

async fn log_in(app: &TestApp, email: &str, password: &str) -> Answer {
    let form = [("email", email), ("password", password)];
    Answer::of(app.client.post(app.url("/staff/login")).form(&form)).await
}

/// What the session cookie of `answer` proves.
async fn signed_in(app: &TestApp, answer: &Answer) -> Option<String> {
    let cookie = answer
        .header("set-cookie")
        .split(';')
        .next()
        .unwrap()
        .to_owned();
    let mut headers = axum::http::HeaderMap::new();
    headers.insert("cookie", cookie.parse().unwrap());
    let staff = server::people::sessions::of(app.parts(), &headers)
        .await
        .unwrap();
    staff.map(|staff| staff.email)
}

#[tokio::test]
async fn staff_sign_in_and_out() {
    let app = TestApp::start().await;
    server::people::staff::put(app.db(), "ann@x.example", "Ann", "correct horse")
        .await
        .unwrap();

    let wrong = log_in(&app, "ann@x.example", "wrong horse").await;
    assert_eq!(wrong.header("location"), "/staff/login?refusal=wrong_login");
    assert_eq!(wrong.header("set-cookie"), "");
    let nobody = log_in(&app, "bob@x.example", "correct horse").await;
    assert_eq!(
        nobody.header("location"),
        "/staff/login?refusal=wrong_login"
    );

    let right = log_in(&app, " Ann@X.example ", "correct horse").await;
    assert_eq!(
        (right.status.as_u16(), right.header("location")),
        (303, "/staff")
    );
    let cookie = right.header("set-cookie");
    assert!(cookie.contains("HttpOnly; SameSite=Lax"), "{cookie}");
    assert_eq!(
        signed_in(&app, &right).await.as_deref(),
        Some("ann@x.example")
    );

    let token = cookie.split(';').next().unwrap();
    let request = app
        .client
        .post(app.url("/staff/logout"))
        .header("cookie", token);
    let out = Answer::of(request).await;
    assert_eq!(out.header("location"), "/staff/login");
    assert_eq!(signed_in(&app, &right).await, None, "ended on our side too");
}

#[tokio::test]
async fn guessing_passwords_is_stopped_and_keeps_nobody_out() {
    let app = TestApp::start().await;
    let (email, password) = ("ann@x.example", "correct horse");
    server::people::staff::put(app.db(), email, "Ann", password)
        .await
        .unwrap();
    for _ in 0..GUESSES_PER_ADDRESS_MAX {
        let wrong = log_in(&app, email, "guess").await;
        assert_eq!(wrong.header("location"), "/staff/login?refusal=wrong_login");
    }
    // From here not even the right one is looked at.
    for tried in ["guess", password] {
        let stopped = log_in(&app, "ANN@x.example", tried).await;
        let to = "/staff/login?refusal=too_many_requests";
        assert_eq!(stopped.header("location"), to);
    }
    let other = log_in(&app, "bob@x.example", "guess").await;
    assert_eq!(other.header("location"), "/staff/login?refusal=wrong_login");

    let elsewhere = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .local_address(IpAddr::from([127, 0, 0, 2]))
        .build()
        .unwrap();
    let form = [("email", email), ("password", password)];
    let post = elsewhere.post(app.url("/staff/login"));
    // What a client says about itself is not believed.
    let post = post.header("x-forwarded-for", "127.0.0.1");
    let right = Answer::of(post.form(&form)).await;
    assert_eq!(right.header("location"), "/staff", "{right:?}");
}

#[tokio::test]
async fn clients_behind_a_proxy_are_told_apart() {
    let app = TestApp::start_with(|config| config.proxies = "127.0.0.0/8".parse().unwrap()).await;
    let guess = async |from: &str| {
        let post = app.client.post(app.url("/staff/login"));
        let form = [("email", "ann@x.example"), ("password", "guess")];
        let answer = Answer::of(post.header("x-forwarded-for", from).form(&form)).await;
        answer.header("location").to_owned()
    };
    for _ in 0..GUESSES_PER_ADDRESS_MAX {
        guess("192.0.2.1").await;
    }
    // The end of the list is the proxy's own; what stands before it was sent by the client.
    let stopped = guess("198.51.100.9, 192.0.2.1").await;
    assert_eq!(stopped, "/staff/login?refusal=too_many_requests");
    let other = guess("192.0.2.1, 198.51.100.9").await;
    assert_eq!(other, "/staff/login?refusal=wrong_login");
}

#[tokio::test]
async fn a_nul_in_a_login_is_a_wrong_login() {
    let app = TestApp::start().await;
    server::people::staff::put(app.db(), "ann@x.example", "Ann", "correct horse")
        .await
        .unwrap();
    for (email, password) in [
        ("ann@x.example\0", "correct horse"),
        ("\0", "correct horse"),
        ("ann@x.example", "correct horse\0"),
        ("ann@x.example", "\0"),
        ("a\0nn@x.example", "\0"),
    ] {
        let answer = log_in(&app, email, password).await;
        let to = "/staff/login?refusal=wrong_login";
        assert_eq!(answer.header("location"), to, "{email:?} {password:?}");
        assert_eq!(answer.header("set-cookie"), "");
    }
}

#[tokio::test]
async fn the_word_bearer_is_taken_in_any_case() {
    let app = TestApp::start().await;
    let buyer = app.buyer().await;
    let ask = async |authorization: String| {
        let request = app.client.get(app.url("/api/v1/bookings"));
        Answer::of(request.header("authorization", authorization)).await
    };
    for scheme in ["Bearer", "bearer", "BEARER", "bEARER"] {
        let answer = ask(format!("{scheme} {}", buyer.token)).await;
        assert_eq!(answer.status, 200, "{scheme}: {answer:?}");
    }
    let basic = ask(format!("Basic {}", buyer.token)).await;
    basic.refused(401, "no_session");
    ask(buyer.token.clone()).await.refused(401, "no_session");
}

#[tokio::test]
async fn garbage_in_a_cookie_is_no_session() {
    let app = TestApp::start().await;
    for value in ["", "x", "%00", "=;=", "' or 1=1", &"A".repeat(4000)] {
        for name in ["rowlock_buyer", "rowlock_staff"] {
            let request = app.client.get(app.url("/healthz"));
            let answer = Answer::of(request.header("cookie", format!("{name}={value}"))).await;
            assert_eq!(answer.status, 200, "{name}={value}");
        }
        let mut headers = axum::http::HeaderMap::new();
        headers.insert("cookie", format!("rowlock_staff={value}").parse().unwrap());
        assert_eq!(
            server::people::sessions::of(app.parts(), &headers)
                .await
                .unwrap(),
            None
        );
    }
}
