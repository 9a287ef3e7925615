//! The lifeboat: a purchase by plain forms alone, as a browser without script makes it.

use serde_json::json;

use crate::harness::{Answer, HouseSpec, TestApp};
use crate::payments::wait_until_paid;

struct Browser<'a> {
    app: &'a TestApp,
    cookie: String,
}

impl Browser<'_> {
    async fn post(&mut self, path: &str, form: &[(&str, &str)]) -> Answer {
        let answer = self.post_once(path, form).await;
        if answer.status == 307 {
            return self.post_once(answer.header("location"), form).await;
        }
        answer
    }

    async fn post_once(&mut self, path: &str, form: &[(&str, &str)]) -> Answer {
        let request = self.app.client.post(self.app.url(path)).form(form);
        let answer = Answer::of(request.header("cookie", &self.cookie)).await;
        if let Some((cookie, _)) = answer.header("set-cookie").split_once(';') {
            self.cookie = cookie.to_owned();
        }
        answer
    }

    async fn get(&self, path: &str) -> Answer {
        let request = self.app.client.get(self.app.url(path));
        Answer::of(request.header("cookie", &self.cookie)).await
    }
}

#[track_caller]
fn sent_to(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{answer:?}");
    answer.header("location").to_owned()
}

/// Were the first hold carried out before the browser has its cookie, and the answer lost, the
/// same form sent again would hold other seats for somebody else.
#[tokio::test]
async fn f26_a_first_hold_is_held_once_however_often_it_is_sent() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let hold = format!("/shows/{}/hold", house.show);
    let list = format!("/shows/{}/list", house.show);
    let id = uuid::Uuid::new_v4().to_string();
    let wanted = [("best_count", "2"), ("command_id", &id)];
    let mut browser = Browser {
        app: &app,
        cookie: String::new(),
    };
    for _ in 0..3 {
        browser.cookie.clear();
        let begun = browser.post_once(&hold, &wanted).await;
        assert_eq!(begun.status, 307, "{begun:?}");
        assert!(begun.header("set-cookie").starts_with("rowlock_buyer="));
    }
    assert_eq!(house.claimed(&app).await, 0, "nobody is there to hold for");
    for _ in 0..3 {
        sent_to(&browser.post(&hold, &wanted).await);
    }
    assert_eq!(house.claimed(&app).await, 2);
    // A browser that takes no cookies is told so, and does not go in circles.
    browser.cookie.clear();
    let refused = browser.post_once(&format!("{hold}?again=1"), &wanted).await;
    assert_eq!(sent_to(&refused), format!("{list}?refusal=no_session"));
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test]
async fn a_purchase_needs_no_script() {
    let app = TestApp::start().await;
    let house = HouseSpec {
        areas: vec![50],
        ..HouseSpec::default()
    };
    let house = house.build(&app).await;
    let mut browser = Browser {
        app: &app,
        cookie: String::new(),
    };
    let hold = format!("/shows/{}/hold", house.show);
    let list = format!("/shows/{}/list", house.show);
    let nothing = browser
        .post(&hold, &[("area-0", ""), ("best_count", "")])
        .await;
    assert_eq!(sent_to(&nothing), format!("{list}?refusal=empty_selection"));
    let bad = browser.post(&hold, &[("seat", "x")]).await;
    assert_eq!(sent_to(&bad), format!("{list}?refusal=malformed"));

    let id = uuid::Uuid::new_v4().to_string();
    let wanted = [
        ("seat", "1"),
        ("seat", "2"),
        ("area-0", "1"),
        ("command_id", &id),
    ];
    let order = sent_to(&browser.post(&hold, &wanted).await);
    assert!(order.starts_with("/orders/"), "{order}");
    assert_eq!(
        sent_to(&browser.post(&hold, &wanted).await),
        order,
        "sent twice by a reload"
    );
    assert_eq!(house.claimed(&app).await, 2);
    let taken = browser.post(&hold, &[("seat", "2"), ("seat", "3")]).await;
    assert_eq!(
        sent_to(&taken),
        format!("{list}?refusal=seats_taken&seats=2")
    );

    sent_to(
        &browser
            .post(&format!("{order}/drop"), &[("line", "2")])
            .await,
    );
    assert_eq!(house.claimed(&app).await, 1);

    let pay = format!("{order}/pay");
    let no_mail = browser
        .post(&pay, &[("name", "A"), ("email", "no-at")])
        .await;
    assert_eq!(
        sent_to(&no_mail),
        format!("{order}?refusal=bad_field&field=email")
    );
    let contact = [
        ("name", "王 小明"),
        ("email", "fan@example.org"),
        ("locale", "zh"),
    ];
    let page = sent_to(&browser.post(&pay, &contact).await);
    assert!(page.starts_with("/sandbox/pay/"), "{page}");
    assert_eq!(
        sent_to(&browser.post(&pay, &contact).await),
        page,
        "one session"
    );
    let hosted = browser.get(&page).await;
    assert!(
        hosted.text.contains("模拟支付") && hosted.text.contains("<form"),
        "{hosted:?}"
    );

    let back = sent_to(&browser.post(&page, &[("action", "pay")]).await);
    assert_eq!(back, format!("{order}/return"));
    assert_eq!(sent_to(&browser.get(&back).await), order);
    let number = order.trim_start_matches("/orders/");
    wait_until_paid(&app, number).await;
    let over = browser.post(&format!("{order}/cancel"), &[]).await;
    assert_eq!(
        sent_to(&over),
        format!("{order}?refusal=wrong_state&state=paid")
    );
    assert!(
        !browser.get(&page).await.text.contains("<form"),
        "a page for one payment"
    );

    // Forms of another site's page are refused before anybody looks at them.
    let foreign = app
        .client
        .post(app.url(&hold))
        .header("origin", "https://evil.example");
    let foreign = Answer::of(foreign.form(&[("seat", "9")])).await;
    assert_eq!(foreign.status, 403);
    let orders: i64 = sqlx::query_scalar("select count(*) from orders")
        .fetch_one(app.db())
        .await
        .unwrap();
    assert_eq!(orders, 1);
    assert_eq!(json!(house.claimed(&app).await), 1);
    app.check_invariants().await;
    app.stop().await;
}

#[tokio::test]
async fn the_language_is_chosen_by_a_form_that_leads_back_here() {
    let app = TestApp::start().await;
    let mut browser = Browser {
        app: &app,
        cookie: String::new(),
    };
    let chosen = browser
        .post("/language", &[("locale", "zh"), ("back", "/shows/1")])
        .await;
    assert_eq!(sent_to(&chosen), "/shows/1");
    assert_eq!(browser.cookie, "lang=zh");
    let away = browser
        .post("/language", &[("locale", "en"), ("back", "//evil.example")])
        .await;
    assert_eq!(sent_to(&away), "/");
    app.stop().await;
}
