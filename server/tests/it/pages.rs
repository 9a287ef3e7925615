//! Pages and server functions: `/`, `/events/{id}`, `/shows/{id}`, its list, `/orders`, `/sf/*`.

use std::time::Duration;

use futures::{StreamExt, stream};
use serde_json::json;

use crate::harness::staff::Organiser;
use crate::harness::{Answer, HouseSpec, TestApp, client};

/// Longest that one page may take on a busy machine; a hang takes for ever.
const PAGE_PATIENCE: Duration = Duration::from_secs(30);

async fn event_of(app: &TestApp, show: domain::ids::ShowId) -> i64 {
    sqlx::query_scalar("select event_id from show where show_id = $1")
        .bind(show.0)
        .fetch_one(app.db())
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_pages_twenty_at_once_do_not_hang() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let (show, event) = (house.show, event_of(&app, house.show).await);
    let pages = [
        ("/".to_owned(), 200),
        ("/?q=nothing&city=x".to_owned(), 200),
        (format!("/events/{event}"), 200),
        (format!("/shows/{show}"), 200),
        (format!("/shows/{show}/seats"), 200),
        (format!("/shows/{show}/list"), 200),
        (format!("/shows/{show}/list?section=0"), 200),
        ("/orders".to_owned(), 200),
        ("/orders/1".to_owned(), 404),
        ("/nowhere".to_owned(), 404),
    ];
    let client = client();
    let asked = stream::iter(0..1_000).map(|number: usize| {
        let (path, status) = &pages[number % pages.len()];
        let request = client.get(app.url(path)).timeout(PAGE_PATIENCE);
        async move { (path, *status, Answer::of(request).await) }
    });
    let answers: Vec<_> = asked.buffer_unordered(20).collect().await;
    assert_eq!(answers.len(), 1_000);
    for (path, status, answer) in answers {
        assert_eq!(answer.status, status, "{path}");
        assert!(
            answer.text.trim_end().ends_with("</script>"),
            "{path} is whole"
        );
        assert!(answer.text.contains("<h1>"), "{path} has its heading");
    }
}

#[tokio::test]
async fn f39_an_organisers_text_never_becomes_markup() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let event = event_of(&app, house.show).await;
    let evil = r#"</script><img src=x onerror=alert(1)>"javascript:'"#;
    sqlx::query("update event set title = $2, summary = $2, description = $2 where event_id = $1")
        .bind(event)
        .bind(evil)
        .execute(app.db())
        .await
        .unwrap();
    let show = house.show;
    let paths = [
        "/".to_owned(),
        format!("/events/{event}"),
        format!("/shows/{show}"),
        format!("/shows/{show}/list"),
    ];
    for path in paths {
        let answer = app.get(&path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(
            answer.text.contains("onerror=alert(1)"),
            "{path} shows the text"
        );
        assert!(!answer.text.contains("<img"), "{path}: {}", answer.text);
        let policy = answer.header("content-security-policy");
        let scripts = policy
            .split(';')
            .find(|rule| rule.contains("script-src "))
            .unwrap();
        assert!(
            !scripts.contains("unsafe-inline") && scripts.contains("'nonce-"),
            "{policy}"
        );
        // Every inline script is one of ours.
        for script in answer.text.split("<script").skip(1) {
            assert!(script.trim_start().contains("nonce="), "{path}: {script}");
        }
    }
}

#[tokio::test]
async fn f64_public_pages_may_be_shared_and_personal_ones_not() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let show = house.show;
    let event = event_of(&app, show).await;
    for path in [
        "/".to_owned(),
        format!("/events/{event}"),
        format!("/shows/{show}"),
    ] {
        let answer = app.get(&path).await;
        assert!(
            answer.header("cache-control").starts_with("public"),
            "{path}"
        );
        assert!(answer.header("vary").contains("accept-language"), "{path}");
        assert_eq!(answer.header("set-cookie"), "", "{path}");
    }
    for path in [
        "/orders".to_owned(),
        "/orders/1".to_owned(),
        "/nowhere".to_owned(),
        format!("/shows/{show}/list"),
    ] {
        let answer = app.get(&path).await;
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
        assert_eq!(answer.header("set-cookie"), "", "{path}");
    }
}

#[tokio::test]
async fn the_page_speaks_the_language_that_was_chosen() {
    let app = TestApp::start().await;
    let ask = |headers: &[(&str, &str)]| {
        let request = client().get(app.url("/"));
        let request = headers.iter().fold(request, |request, (name, value)| {
            request.header(*name, *value)
        });
        Answer::of(request)
    };
    assert!(ask(&[]).await.text.contains(r#"<html lang="en">"#));
    assert!(
        ask(&[("accept-language", "zh-TW,en;q=0.5")])
            .await
            .text
            .contains(r#"<html lang="zh-CN">"#)
    );
    let chosen = [("accept-language", "zh"), ("cookie", "a=b; lang=en")];
    assert!(ask(&chosen).await.text.contains(r#"<html lang="en">"#));
}

#[tokio::test]
async fn server_functions_refuse_with_the_status_of_the_refusal() {
    let app = TestApp::start().await;
    let call = |name: &'static str, body: String| {
        let request = client().post(app.url(&format!("/sf/{name}")));
        Answer::of(
            request
                .header("content-type", "application/json")
                .body(body),
        )
    };
    let whole = json!({"show": "999999"}).to_string();
    let cases = [
        ("show", whole.clone(), 404, "not_found"),
        ("show", "{".to_owned(), 400, "malformed"),
        ("show", json!({"show": "x"}).to_string(), 400, "malformed"),
        ("show", "{}".to_owned(), 400, "malformed"),
        ("order", json!({"order": "1"}).to_string(), 404, "not_found"),
    ];
    for (name, body, status, code) in cases {
        let answer = call(name, body.clone()).await;
        assert_eq!(answer.status, status, "{name} {body}: {answer:?}");
        assert_eq!(answer.refusal(), code, "{name} {body}");
    }
    let nothing = call("nothing", whole).await;
    assert_eq!(
        (nothing.status.as_u16(), nothing.problem().as_str()),
        (404, "not_found")
    );
    let long = format!("{{\"show\": \"{}\"}}", "1".repeat(3_000_000));
    assert_eq!(call("show", long).await.status, 413);
}

#[tokio::test]
async fn a_person_whose_form_is_refused_sees_a_page() {
    let app = TestApp::start().await;
    let request = client()
        .post(app.url("/orders/1/cancel"))
        .header("accept", "text/html");
    let answer = Answer::of(request.form(&[("command_id", "")])).await;
    assert_eq!(answer.status, 401);
    assert!(answer.header("content-type").starts_with("text/html"));
    assert!(answer.text.contains("allow cookies"), "{}", answer.text);
}

#[tokio::test]
async fn a_form_that_cannot_be_read_is_refused_to_people_by_a_page() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let ann = Organiser::sign_in(&app).await;
    let hold = format!("/shows/{}/hold", house.show);
    let pause = format!("/staff/shows/{}/pause", house.show);
    let forms = [
        &hold,
        "/language",
        "/staff/login",
        "/staff/shows",
        &pause,
        "/sandbox/pay/x",
    ];
    let urlencoded = "application/x-www-form-urlencoded";
    let long = "x".repeat(100_000);
    let bodies = [
        ("text/plain", "seat=0", 400, "could not be read"),
        ("application/json", "{}", 400, "could not be read"),
        (
            urlencoded,
            "email=%ff&paused=%ff&action=%ff",
            400,
            "could not be read",
        ),
        (urlencoded, &long, 413, "too much data"),
    ];
    for path in forms {
        for (kind, body, status, told) in bodies {
            // Odd bytes are odd characters to forms that take any field.
            if body.contains("%ff") && ["/language", "/staff/shows", &hold].contains(&path) {
                continue;
            }
            let ask = |accept: &str| {
                let request = client().post(app.url(path)).header("cookie", ann.cookie());
                let request = request
                    .header("content-type", kind)
                    .header("accept", accept);
                Answer::of(request.body(body.to_owned()))
            };
            let page = ask("text/html,application/xhtml+xml,*/*;q=0.8").await;
            assert_eq!(page.status, status, "{path} {kind}: {page:?}");
            let is_page = page.header("content-type").starts_with("text/html");
            assert!(is_page && page.text.contains("<h1>"), "{path}: {page:?}");
            assert!(page.text.contains(told), "{path} {kind}: {}", page.text);
            let document = ask("*/*").await;
            assert_eq!(document.status, status, "{path} {kind}: {document:?}");
            document.problem();
        }
    }
    // Programs keep their documents, whatever they say they accept.
    let api = client()
        .post(app.url("/api/v1/bookings"))
        .header("accept", "text/html");
    Answer::of(api).await.refused(401, "no_session");
}

#[tokio::test]
async fn a_browser_finds_an_icon() {
    let app = TestApp::start().await;
    let answer = app.get("/favicon.ico").await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("location")),
        (308, "/icon.svg")
    );
    let page = app.get("/").await.text;
    assert!(page.contains(r#"rel="icon" href="/icon.svg""#), "{page}");
}
