//! `rowlock import-map FILE`: what cannot be a plan is refused, and nothing is left of it.

use std::path::Path;

use domain::seat_map::import::PLAN_BYTES_MAX;
use serde_json::{Value, json};

use crate::harness::{TestApp, scratch};

/// Our own form: one row of two seats and no more.
fn small() -> Value {
    json!({
        "format": "rowlock-seat-map/1", "name": "Small hall", "width": 400, "height": 300,
        "focal": [200, 0], "categories": [{ "name": "One", "color": "#aabbcc" }],
        "sections": [{ "name": "Stalls", "category": "One", "rows": [
            { "label": "A", "seats": [{ "label": "1", "at": [190, 150] },
                                      { "label": "2", "at": [215, 150] }] }] }],
    })
}

/// The same house as a pretix plan.
fn pretix() -> Value {
    let seat = |number: &str, x: u32| {
        json!({ "seat_guid": number, "seat_number": number, "category": "One",
                "position": { "x": x, "y": 0 } })
    };
    json!({
        "name": "Small hall", "size": { "width": 400, "height": 300 },
        "categories": [{ "name": "One", "color": "#aabbcc" }],
        "zones": [{ "name": "Stalls", "position": { "x": 10, "y": 100 }, "rows": [
            { "row_number": "A", "position": { "x": 0, "y": 0 },
              "seats": [seat("1", 100), seat("2", 125)] }] }],
    })
}

fn with(mut plan: Value, pointer: &str, value: Value) -> String {
    *plan.pointer_mut(pointer).expect("a member of the plan") = value;
    plan.to_string()
}

/// Venues and seat maps.
async fn stored(app: &TestApp) -> (i64, i64) {
    sqlx::query_as("select (select count(*) from venue), (select count(*) from seat_map)")
        .fetch_one(app.db())
        .await
        .unwrap()
}

/// Runs the command to its end; the exit code (none after a signal) and what it complained of.
async fn import(app: &TestApp, file: &Path, more: &[&str]) -> (Option<i32>, String) {
    let file = file.to_str().expect("a plain name");
    let args = [&["import-map", file], more].concat();
    let ended = app.command(&args).output().await.unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    (ended.status.code(), said)
}

type Texts = Vec<(&'static str, String)>;

/// Files whose code is `broken_plan`.
fn broken() -> Vec<(&'static str, Vec<u8>)> {
    let texts = unreadable().into_iter().chain(senseless());
    let texts = texts.map(|(what, text)| (what, text.into_bytes()));
    let own = small().to_string();
    let bytes = [
        ("not text", vec![0xff; 64]),
        ("half a letter", [&own.as_bytes()[..40], &[0xe4]].concat()),
        ("zero bytes", vec![0; 1_000]),
    ];
    texts.chain(bytes).collect()
}

/// What is no JSON, or none of the shape that is documented.
fn unreadable() -> Texts {
    let deep = "[".repeat(100_000);
    let objects = "{\"zones\":".repeat(100_000);
    let far = pretix().to_string().replace("\"x\":125", "\"x\":1e999");
    assert!(far.contains("1e999"));
    let own_far = small().to_string().replace("215", "-1e999");
    assert!(own_far.contains("1e999"));
    let own = small().to_string();
    vec![
        ("empty", String::new()),
        ("blank", " \n\n".to_owned()),
        ("truncated", own[..own.len() / 2].to_owned()),
        ("truncated pretix", pretix().to_string()[..200].to_owned()),
        ("followed by more", format!("{own}{own}")),
        ("nested arrays", deep.clone()),
        ("nested objects", objects),
        ("nested in zones", format!("{{\"zones\":{deep}")),
        (
            "nested in seats",
            with(small(), "/sections", json!("@")).replace("\"@\"", &deep),
        ),
        ("nested where nothing is read", format!("{{\"more\":{deep}")),
        ("beyond all numbers", far),
        ("beyond all numbers, our own", own_far),
        ("far away", with(small(), "/width", json!(1e9))),
        ("no size", with(small(), "/height", json!(0))),
        ("negative size", with(small(), "/width", json!(-400))),
        ("a text for a number", with(small(), "/width", json!("400"))),
        ("a number for a text", with(small(), "/name", json!(7))),
        (
            "an object for a list",
            with(small(), "/sections", json!({})),
        ),
        (
            "a list for an object",
            with(pretix(), "/zones/0", json!([])),
        ),
        (
            "rows that are null",
            with(pretix(), "/zones/0/rows", Value::Null),
        ),
        ("a list", "[]".to_owned()),
        ("null", "null".to_owned()),
        ("no plan of any kind", "{}".to_owned()),
        (
            "another format",
            with(small(), "/format", json!("rowlock-seat-map/9")),
        ),
    ]
}

/// Plans that can be read and are not for any house.
fn senseless() -> Texts {
    vec![
        ("no sections", with(small(), "/sections", json!([]))),
        ("no rows", with(small(), "/sections/0/rows", json!([]))),
        (
            "no seats",
            with(small(), "/sections/0/rows/0/seats", json!([])),
        ),
        ("no zones", with(pretix(), "/zones", json!([]))),
        (
            "no seats, pretix",
            with(pretix(), "/zones/0/rows/0/seats", json!([])),
        ),
        ("nowhere to stand", {
            let mut plan = small();
            plan["sections"] = json!([]);
            plan["areas"] = json!([{ "name": "Floor", "category": "One", "capacity": 0,
                                     "outline": [[10, 10], [90, 10], [90, 90]] }]);
            plan.to_string()
        }),
        ("no name", with(small(), "/name", json!(""))),
        ("negative radius", {
            let mut plan = small();
            plan["sections"][0]["rows"][0]["seats"][0]["radius"] = json!(-500);
            plan.to_string()
        }),
        ("negative radius, pretix", {
            let mut plan = pretix();
            plan["zones"][0]["rows"][0]["seats"][0]["radius"] = json!(-5);
            plan.to_string()
        }),
    ]
}

#[tokio::test]
async fn broken_plan_files_are_refused_and_nothing_is_stored() {
    let app = TestApp::start().await;
    let folder = scratch("broken-plans");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("plan.json");
    for (what, bytes) in broken() {
        std::fs::write(&file, bytes).unwrap();
        let (code, said) = import(&app, &file, &[]).await;
        assert_eq!(code, Some(1), "{what}: {said}");
        assert!(said.contains("refused (broken_plan): "), "{what}: {said}");
        assert!(said.len() < 1_000, "{what}: a short word: {said}");
        assert_eq!(stored(&app).await, (0, 0), "{what}");
    }

    // As long as a plan may be, and longer; a device that never ends states no length.
    let long = std::fs::File::create(&file).unwrap();
    for (bytes, refusal) in [
        (PLAN_BYTES_MAX, "refused (broken_plan): "),
        (PLAN_BYTES_MAX + 1, "refused (body_too_large): "),
        (PLAN_BYTES_MAX * 64, "refused (body_too_large): "),
    ] {
        long.set_len(bytes as u64).unwrap();
        let (code, said) = import(&app, &file, &[]).await;
        assert_eq!(code, Some(1), "{bytes} bytes: {said}");
        assert!(said.contains(refusal), "{bytes} bytes: {said}");
    }
    let (code, said) = import(&app, Path::new("/dev/zero"), &[]).await;
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("refused (body_too_large): "), "{said}");

    for file in [&folder, &folder.join("none.json")] {
        let (code, said) = import(&app, file, &[]).await;
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("cannot be read"), "{said}");
    }
    assert_eq!(stored(&app).await, (0, 0));
    app.stop().await;
}

#[tokio::test]
async fn a_sound_plan_under_a_bad_venue_leaves_nothing_either() {
    let app = TestApp::start().await;
    let folder = scratch("sound-plans");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("plan.json");
    std::fs::write(&file, small().to_string()).unwrap();
    let long = "x".repeat(201);
    for (option, value) in [
        ("--venue", long.as_str()),
        ("--city", long.as_str()),
        ("--country", "xyz"),
        ("--zone", "Mars/Olympus"),
    ] {
        let (code, said) = import(&app, &file, &[option, value]).await;
        assert_eq!(code, Some(1), "{option}: {said}");
        let told = format!("refused (bad_field): {option}: ");
        assert!(said.contains(&told), "{option}: {said}");
        assert_eq!(stored(&app).await, (0, 0), "{option}");
    }

    let (code, said) = import(&app, &file, &["--venue", "One"]).await;
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(stored(&app).await, (1, 1));
    // The venue is new, the seat map is somebody else's: neither is stored.
    let (code, said) = import(&app, &file, &["--venue", "Two"]).await;
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("refused (bad_field): "), "{said}");
    assert_eq!(stored(&app).await, (1, 1));

    std::fs::write(&file, pretix().to_string()).unwrap();
    let (code, said) = import(&app, &file, &["--venue", "Two"]).await;
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(stored(&app).await, (2, 2));
    app.stop().await;
}
