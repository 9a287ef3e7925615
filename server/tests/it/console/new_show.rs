//! `POST /staff/shows`: one form makes one show, and what is wrong with it is told.

use futures::future::join_all;

use crate::harness::staff::{Organiser, form, house};
use crate::harness::{Answer, TestApp};

/// A good form under a name, with these fields instead.
fn named<'a>(
    seat_map: &'a str,
    command_id: &'a str,
    other: &[(&'a str, &'a str)],
) -> Vec<(&'a str, &'a str)> {
    let mut form = form(seat_map);
    form.push(("command_id", command_id));
    form.retain(|(name, _)| other.iter().all(|(changed, _)| changed != name));
    form.extend(other);
    form
}

async fn shows(app: &TestApp) -> i64 {
    sqlx::query_scalar("select count(*) from show join event using (event_id)")
        .fetch_one(app.db())
        .await
        .unwrap()
}

/// The value of a page's first field `name`.
#[track_caller]
fn value_of<'a>(page: &'a Answer, name: &str) -> &'a str {
    let mark = format!("name=\"{name}\"");
    let input = page
        .text
        .split('<')
        .find(|tag| tag.contains(&mark))
        .unwrap_or_else(|| panic!("no field {name}: {page:?}"));
    let value = input.split_once("value=\"").expect("a value").1;
    value.split_once('"').expect("a whole value").0
}

#[tokio::test]
async fn a_form_that_is_sent_again_makes_one_show() {
    let app = TestApp::start().await;
    let ann = Organiser::sign_in(&app).await;
    let seat_map = house(&app, "Berlin", "Europe/Berlin").await.to_string();
    let page = ann
        .get(&format!("/staff/shows/new?seat_map={seat_map}"))
        .await;
    let id = value_of(&page, "command_id").to_owned();
    let sent = named(&seat_map, &id, &[]);
    let answers = join_all((0..3).map(|_| ann.post("/staff/shows", &sent))).await;
    let places: Vec<&str> = answers
        .iter()
        .map(|answer| answer.header("location"))
        .collect();
    assert!(places[0].starts_with("/staff/shows/"), "{:?}", answers[0]);
    assert_eq!(places, [places[0]; 3], "sent three times at once");
    ann.post_to("/staff/shows", &sent, places[0]).await;
    assert_eq!(shows(&app).await, 1);

    // Somebody who went back and changed a word is told, and may go on.
    let matinee = [("title", "Hamlet, matinée")];
    let told = ann
        .post("/staff/shows", &named(&seat_map, &id, &matinee))
        .await;
    assert_eq!(told.status, 422, "{told:?}");
    assert!(
        told.text.contains("has made a show already"),
        "{}",
        told.text
    );
    let fresh = value_of(&told, "command_id").to_owned();
    assert_ne!(fresh, id);
    assert_eq!(shows(&app).await, 1);
    let other = ann
        .post("/staff/shows", &named(&seat_map, &fresh, &matinee))
        .await;
    assert_eq!(other.status, 303, "{other:?}");
    assert_eq!(shows(&app).await, 2);
    app.check_invariants().await;
}

#[tokio::test]
async fn a_refused_form_keeps_its_name() {
    let app = TestApp::start().await;
    let ann = Organiser::sign_in(&app).await;
    let seat_map = house(&app, "Berlin", "Europe/Berlin").await.to_string();
    let id = uuid::Uuid::new_v4().simple().to_string();
    let bad = named(&seat_map, &id, &[("title", "")]);
    let told = ann.post("/staff/shows", &bad).await;
    assert_eq!(
        (told.status.as_u16(), value_of(&told, "command_id")),
        (422, id.as_str())
    );
    let nonsense = ann.post("/staff/shows", &named(&seat_map, "x", &[])).await;
    nonsense.refused(400, "malformed");
    assert_eq!(shows(&app).await, 0);
}

#[tokio::test]
async fn what_no_show_can_have_is_told_beside_its_field() {
    let app = TestApp::start().await;
    let ann = Organiser::sign_in(&app).await;
    let seat_map = house(&app, "Berlin", "Europe/Berlin").await.to_string();
    let check = async |other: &[(&str, &str)], field: &str, told: &str| {
        let answer = ann.post("/staff/shows", &named(&seat_map, "", other)).await;
        assert_eq!(answer.status, 422, "{other:?}: {answer:?}");
        let beside = format!("id=\"{field}-bad\" class=\"field-bad\">{told}");
        assert!(answer.text.contains(&beside), "{other:?}: {}", answer.text);
    };
    let currency = "The three capital letters of a currency";
    for code in ["ABC", "XXX", "XTS", "XAU"] {
        check(&[("currency", code)], "currency", currency).await;
    }
    let limits = [("per_order_max", "8"), ("per_buyer_max", "4")];
    check(&limits, "per_order_max", "One order cannot have more").await;
    let required = "Please fill this in.";
    for unseen in ["\u{200b}", "\u{202e}\u{2066} \u{2069}", "\u{feff}\u{ad}"] {
        check(&[("title", unseen)], "title", required).await;
        check(&[("tier-0-name", unseen)], "tier-0-name", required).await;
    }
    assert_eq!(shows(&app).await, 0);
    let yen = [
        ("currency", "JPY"),
        ("tier-0-price", "4500"),
        ("fee_per_ticket", "150"),
    ];
    let made = ann.post("/staff/shows", &named(&seat_map, "", &yen)).await;
    assert_eq!(made.status, 303, "{made:?}");
}

#[tokio::test]
async fn a_seat_map_that_is_not_there_loses_no_words() {
    let app = TestApp::start().await;
    let ann = Organiser::sign_in(&app).await;
    let seat_map = house(&app, "Berlin", "Europe/Berlin").await.to_string();
    let gone = "0".repeat(seat_map.len());
    for unknown in ["", "nonsense", &gone] {
        let answer = ann.post("/staff/shows", &named(unknown, "", &[])).await;
        assert_eq!(answer.status, 422, "{unknown:?}: {answer:?}");
        for kept in [
            "There is no such seat map.",
            "Hamlet",
            "Five acts.",
            "45.50",
        ] {
            assert!(answer.text.contains(kept), "{kept:?}: {}", answer.text);
        }
        let choice = format!("<option value=\"{seat_map}\"");
        assert!(answer.text.contains(&choice), "{}", answer.text);
    }
    assert_eq!(shows(&app).await, 0);
}

#[tokio::test]
async fn f39_a_description_stays_inside_its_field() {
    let app = TestApp::start().await;
    let ann = Organiser::sign_in(&app).await;
    let seat_map = house(&app, "Berlin", "Europe/Berlin").await.to_string();
    let evil = [
        ("description", "</textarea><script>alert(1)</script>"),
        ("title", ""),
    ];
    let answer = ann.post("/staff/shows", &named(&seat_map, "", &evil)).await;
    assert_eq!(answer.status, 422, "{answer:?}");
    let field = answer.text.split_once("<textarea").expect("a field").1;
    let typed = field.split_once("</textarea>").expect("its end").0;
    assert!(
        typed.contains("&lt;/textarea>&lt;script>alert(1)"),
        "{typed}"
    );
    assert!(!answer.text.contains("<script>alert(1)"), "{}", answer.text);
}
