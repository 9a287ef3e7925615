//! Every route of the API stands in the document, and every route in the document is there.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::harness::TestApp;

const DOCUMENT: &str = include_str!("../../../docs/openapi.json");

/// First parts of addresses that are not the API's.
const ELSEWHERE: [&str; 12] = [
    "/healthz",
    "/readyz",
    "/metrics",
    "/webhooks",
    "/orders",
    "/sandbox",
    "/staff",
    "/language",
    "/sf",
    "/api",
    "/pkg",
    "/favicon.ico",
];
/// Commands of plain forms below addresses that the API has too.
const FORMS: [&str; 1] = ["/shows/{}/hold"];

/// `/shows/{show}/seats` and `/shows/{id}/seats` are one.
fn shape(path: &str) -> String {
    let parts = path.split('/');
    let parts = parts.map(|part| if part.starts_with('{') { "{}" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

fn documented() -> Value {
    serde_json::from_str(DOCUMENT).expect("the document is JSON")
}

fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("our own sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(std::fs::read_to_string(path).expect("a source file"));
        }
    }
}

/// The first argument of every `.route(`.
fn routed() -> BTreeSet<String> {
    let mut files = Vec::new();
    sources(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut files,
    );
    let mut routes = BTreeSet::new();
    for file in files {
        for rest in file.split(".route(").skip(1) {
            let rest = rest.trim_start();
            let path = rest
                .strip_prefix('"')
                .expect("routes are literals, so that they are found");
            let (path, _) = path.split_once('"').expect("a closed literal");
            routes.insert(shape(path));
        }
    }
    routes
}

#[test]
fn every_route_of_the_api_is_documented() {
    let document = documented();
    let paths = document["paths"].as_object().expect("paths");
    let documented: BTreeSet<String> = paths.keys().map(|path| shape(path)).collect();
    let elsewhere = |path: &str| {
        FORMS.contains(&path)
            || ELSEWHERE.iter().any(|first| {
                let rest = path.strip_prefix(first);
                rest.is_some_and(|rest| {
                    rest.is_empty() || rest.starts_with('/') || rest.starts_with('.')
                })
            })
    };
    let routed: BTreeSet<String> = routed()
        .into_iter()
        .filter(|path| !elsewhere(path))
        .collect();
    assert_eq!(routed, documented);
}

#[tokio::test]
async fn every_documented_method_answers() {
    let app = TestApp::start().await;
    let served = app.get("/api/v1/openapi.json").await;
    assert_eq!(served.json(), documented());
    assert_eq!(served.json()["openapi"], "3.1.0");
    let document = documented();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for method in item.as_object().expect("methods").keys() {
            let url = app.url(&format!("/api/v1{}", path.replace("{id}", "1")));
            let method = method.to_uppercase().parse().expect("a method");
            let request = app.client.request(method, url).body("{");
            let status = request.send().await.expect("an answer").status();
            assert!(
                status != 405 && !status.is_server_error(),
                "{path}: {status}"
            );
        }
    }
    app.stop().await;
}
