//! Confirmations.

use base64::Engine;
use domain::ids::OrderId;
use serde_json::{Value, json};

use super::*;
use crate::harness::HouseSpec;

#[tokio::test]
async fn a_confirmation_is_mailed_once_and_its_link_opens_the_order() {
    let app = TestApp::start().await;
    let house = HouseSpec::default().build(&app).await;
    let (buyer, booking) = held(&app, &house, &[1, 2]).await;
    let body = json!({ "method": "token", "token": "tok_ok", "locale": "zh",
        "name": "王小明", "email": "fan@example.org" });
    assert_eq!(confirm(&buyer, &booking, "pay", &body).await.status, 200);
    // Another order without an address: nothing to send, and nothing that fails.
    let (silent, silent_booking) = held(&app, &house, &[5]).await;
    assert_eq!(silent.confirm(&silent_booking, "tok_ok").await.status, 200);

    let open = "select count(*) from outbox where done_at is null";
    let folder = app.parts().config.data_dir.join("mail");
    let mails = || -> Vec<String> {
        let files = std::fs::read_dir(&folder).expect("a mail folder");
        files
            .map(|file| std::fs::read(file.unwrap().path()).unwrap())
            .map(|bytes| String::from_utf8(bytes).unwrap())
            .collect()
    };
    for _ in 0..2 {
        wait_for_none(&app, open).await;
        assert_eq!(mails().len(), 1, "{:?}", mails());
        // As after a crash between the mail and the note about it.
        behave(&app, "update outbox set done_at = null, next_at = now()").await;
    }
    let mail = &mails()[0];
    assert!(mail.contains("fan@example.org"), "{mail}");
    assert!(mail.contains("Message-ID: <outbox-"), "{mail}");
    let text =
        server::orders::link::token(&app.parts().keys.link, booking.parse::<OrderId>().unwrap());
    let decoded = decoded_body(mail);
    let link = format!("{}/orders/{booking}?t={text}", app.url(""));
    assert!(decoded.contains(&link), "{decoded}");
    assert!(
        decoded.contains("王小明，您好！") && decoded.contains("Stalls 1排 2座"),
        "{decoded}"
    );

    let reader = app
        .get(&format!("/api/v1/bookings/{booking}?t={text}"))
        .await;
    assert_eq!(reader.status, 200, "{reader:?}");
    assert_eq!(reader.json()["email"], Value::Null);
    assert_eq!(reader.json()["tickets"].as_array().unwrap().len(), 2);
    let owner = buyer.get(&format!("/bookings/{booking}")).await.json();
    assert_eq!(owner["email"], "fan@example.org");
    let elsewhere = app
        .get(&format!("/api/v1/bookings/{silent_booking}?t={text}"))
        .await;
    elsewhere.refused(404, "not_found");
    app.check_invariants().await;
    app.stop().await;
}

/// The text of a mail's base64 body.
fn decoded_body(mail: &str) -> String {
    let (head, body) = mail.split_once("\r\n\r\n").expect("head and body");
    assert!(head.contains("Content-Transfer-Encoding: base64"), "{head}");
    let packed: String = body.split_whitespace().collect();
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(packed)
        .expect("base64");
    String::from_utf8(bytes).expect("UTF-8")
}
