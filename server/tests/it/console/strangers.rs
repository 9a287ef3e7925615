//! What strangers and their words can do to the console: nothing.

use serde_json::json;

use crate::harness::staff::{Organiser, form, house};
use crate::harness::{Answer, TestApp};

#[tokio::test]
async fn f39_what_organisers_type_is_text() {
    let app = TestApp::start().await;
    let ann = Organiser::sign_in(&app).await;
    let seat_map = house(&app, "Berlin", "Europe/Berlin").await.to_string();
    let evil = "</script><img src=x onerror=alert(1)>";
    let mut form = form(&seat_map);
    form.retain(|(name, _)| !matches!(*name, "title" | "summary" | "description" | "tier-0-name"));
    let fields = ["title", "summary", "description", "tier-0-name"];
    form.extend(fields.map(|name| (name, evil)));
    let made = ann.post("/staff/shows", &form).await;
    let page = made.header("location").to_owned();
    ann.post_to(&format!("{page}/publish"), &[], &page).await;
    let show = page.strip_prefix("/staff/shows/").unwrap();
    let kept = [("seat", "1"), ("reason", evil)];
    ann.post_to(&format!("{page}/block"), &kept, &page).await;
    let event: i64 = sqlx::query_scalar("select event_id from event")
        .fetch_one(app.db())
        .await
        .unwrap();
    for path in [
        "/".to_owned(),
        format!("/events/{event}"),
        format!("/shows/{show}"),
        format!("/shows/{show}/list"),
        "/staff".to_owned(),
        page.clone(),
    ] {
        let answer = ann.get(&path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(
            !answer.text.contains("<img src=x"),
            "{path} has markup of organisers"
        );
        assert!(
            !answer.text.contains("</script><img"),
            "{path} ends a script early"
        );
    }
}

#[tokio::test]
async fn f62_nobody_but_staff_gets_past_the_login() {
    let app = TestApp::start().await;
    let ann = Organiser::sign_in(&app).await;
    let show = ann
        .on_sale(house(&app, "Berlin", "Europe/Berlin").await)
        .await;
    for cookie in strangers(&app).await {
        let pages =
            ["", "/shows", "/shows/new", "/orders", "/x"].map(|path| format!("/staff{path}"));
        for path in pages {
            let request = app.client.get(app.url(&path)).header("cookie", &cookie);
            sent_to_login(&path, &Answer::of(request).await);
        }
        let forms = ["publish", "pause", "block", "unblock"]
            .map(|form| format!("/staff/shows/{show}/{form}"));
        for path in forms.into_iter().chain(["/staff/shows".to_owned()]) {
            let request = app.client.post(app.url(&path)).header("cookie", &cookie);
            let form = [("paused", "true")];
            sent_to_login(&path, &Answer::of(request.form(&form)).await);
        }
    }
    let page = app.get(&format!("/api/v1/shows/{show}")).await.json();
    assert_eq!(page["card"]["status"], "on_sale", "strangers did nothing");
    assert_eq!(app.get("/staff/login").await.status, 200);
    assert_eq!(ann.get("/staff/x").await.status, 404);
    assert_eq!(ann.get("/staff/shows/999").await.status, 404);
}

#[tokio::test]
async fn f62_what_the_consoles_pages_ask_is_answered_to_staff_alone() {
    let app = TestApp::start().await;
    let ann = Organiser::sign_in(&app).await;
    let show = ann
        .on_sale(house(&app, "Berlin", "Europe/Berlin").await)
        .await;
    let questions = [
        ("staff-me", json!({})),
        ("staff-shows", json!({})),
        ("staff-show", json!({ "show": show, "section": null })),
        ("staff-new-show", json!({ "seat_map": null })),
        ("staff-orders", json!({ "show": null, "text": "" })),
    ];
    for cookie in strangers(&app).await {
        for (name, arguments) in &questions {
            let request = app.client.post(app.url(&format!("/sf/{name}")));
            let request = request.header("cookie", &cookie).json(arguments);
            let answer = Answer::of(request).await;
            assert_eq!(answer.status, 401, "{name}: {answer:?}");
        }
    }
    for (name, arguments) in &questions {
        let answer = ann.ask(name, arguments).await;
        assert_eq!(answer.status, 200, "{name}: {answer:?}");
    }
}

#[tokio::test]
async fn another_sites_page_cannot_command_in_the_name_of_staff() {
    let app = TestApp::start().await;
    let ann = Organiser::sign_in(&app).await;
    let show = ann
        .on_sale(house(&app, "Berlin", "Europe/Berlin").await)
        .await;
    let answer = ann
        .post_from(
            "https://evil.example",
            &format!("/staff/shows/{show}/pause"),
            &[("paused", "true")],
        )
        .await;
    answer.refused(403, "forbidden");
    let page = app.get(&format!("/api/v1/shows/{show}")).await.json();
    assert_eq!(page["card"]["status"], "on_sale");
}

/// Nobody, a guess, and a buyer who takes the token for a staff session.
async fn strangers(app: &TestApp) -> [String; 3] {
    let buyer = app.buyer().await;
    [
        String::new(),
        "rowlock_staff=x".to_owned(),
        format!("rowlock_staff={}", buyer.token),
    ]
}

#[track_caller]
fn sent_to_login(path: &str, answer: &Answer) {
    let went = (answer.status.as_u16(), answer.header("location"));
    assert_eq!(went, (303, "/staff/login"), "{path}: {answer:?}");
}
