//! Promises about what is absent, kept by reading the sources: sizes that may only shrink, and
//! doors that stay shut. Lives here because this crate builds fastest.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Longest file of Rust, lines.
const FILE_LINES_MAX: usize = 400;
/// Longest function, lines from its `fn` to its closing brace.
const FUNCTION_LINES_MAX: usize = 70;

/// Functions that are longer: by file and name.
const LONG_FUNCTIONS: [(&str, &str, usize); 8] = [
    ("app/src/i18n/tests.rs", "every_refusal_has_words", 80),
    ("domain/src/board/tests/script.rs", "command", 80),
    ("server/src/desk/ledger.rs", "commit", 80),
    (
        "server/src/http/security.rs",
        "another_sites_page_cannot_command",
        80,
    ),
    (
        "server/tests/it/bookings/bad_input.rs",
        "requests_that_name_no_sound_selection",
        95,
    ),
    (
        "server/tests/it/forms.rs",
        "a_purchase_needs_no_script",
        105,
    ),
    (
        "server/tests/it/orders.rs",
        "f31_quantities_are_whole_positive_and_bounded",
        75,
    ),
    (
        "server/tests/it/live/mod.rs",
        "a_snapshot_is_public_binary_or_json_and_304_when_known",
        80,
    ),
];

/// Folders with sources of ours, from the root.
const SOURCES: [&str; 9] = [
    "app",
    "docs",
    "domain",
    "end2end",
    "migrations",
    "public",
    "server",
    "style",
    "tools",
];

struct Source {
    /// From the root, with `/`.
    path: String,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace is above its crates")
        .to_owned()
}

/// Every source whose name ends in one of `extensions`.
fn sources(extensions: &[&str]) -> Vec<Source> {
    let root = root();
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = SOURCES.iter().map(|name| root.join(name)).collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            let made_by_tools = [
                "node_modules",
                "target",
                "test-results",
                "playwright-report",
            ];
            if path.is_dir() {
                if !made_by_tools.contains(&name.as_ref()) && !name.starts_with('.') {
                    folders.push(path);
                }
            } else if extensions.iter().any(|extension| name.ends_with(extension)) {
                let text = std::fs::read_to_string(&path).expect("sources are UTF-8");
                let path = path.strip_prefix(&root).expect("below the root");
                let path = path.to_string_lossy().replace('\\', "/");
                found.push(Source { path, text });
            }
        }
    }
    assert!(found.len() > 10, "the sources are where this test looks");
    found
}

/// Lines of code: without comments, so that a word may be explained where it is forbidden.
fn code(source: &Source) -> impl Iterator<Item = (usize, &str)> {
    let lines = source.text.lines().enumerate();
    lines
        .map(|(at, line)| (at + 1, line))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Where one of `words` stands in code, except in the files for which `allowed` holds.
fn places(words: &[&str], allowed: impl Fn(&str) -> bool) -> Vec<String> {
    let mut places = Vec::new();
    for source in sources(&[".rs"]) {
        if allowed(&source.path) {
            continue;
        }
        for (at, line) in code(&source) {
            if words.iter().any(|word| line.contains(word)) {
                places.push(format!("{}:{at}: {}", source.path, line.trim()));
            }
        }
    }
    places
}

#[track_caller]
fn none(places: Vec<String>, promise: &str) {
    assert!(places.is_empty(), "{promise}, but:\n{}", places.join("\n"));
}

#[test]
fn files_are_short() {
    let mut wrong = Vec::new();
    for source in sources(&[".rs"]) {
        let lines = source.text.lines().count();
        if lines > FILE_LINES_MAX {
            wrong.push(format!("{} has {lines} lines: split it", source.path));
        }
    }
    none(wrong, "files have 400 lines at most");
}

#[test]
fn functions_are_short_and_long_ones_only_shrink() {
    let mut wrong = Vec::new();
    let mut long_now = BTreeSet::new();
    for source in sources(&[".rs"]) {
        for (name, lines) in functions(&source.text) {
            let entry = LONG_FUNCTIONS
                .iter()
                .find(|(path, long, _)| *path == source.path && *long == name);
            let max = entry.map_or(FUNCTION_LINES_MAX, |(_, _, max)| *max);
            if lines > FUNCTION_LINES_MAX {
                long_now.insert((source.path.clone(), name.to_owned()));
            }
            if lines > max {
                let path = &source.path;
                wrong.push(format!("{path}: {name} has {lines} lines of at most {max}"));
            }
        }
    }
    for (path, name, _) in LONG_FUNCTIONS {
        if !long_now.contains(&(path.to_owned(), name.to_owned())) {
            wrong.push(format!("{path}: {name} is short now: take its entry out"));
        }
    }
    none(wrong, "functions have 70 lines at most");
}

/// Names and lengths of the functions of formatted Rust: from the line with `fn` to the brace
/// that closes at the same depth.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let body = line.trim_start();
        let indent = line.len() - body.len();
        let Some(name) = function_name(body) else {
            continue;
        };
        let close = format!("{}}}", &line[..indent]);
        for (end, later) in lines.iter().enumerate().skip(at) {
            // A declaration without a body ends at the semicolon of its own depth.
            let at_depth = later.len() > indent && !later[indent..].starts_with(' ');
            if *later == close {
                found.push((name, end - at + 1));
                break;
            }
            if at_depth && later.ends_with(';') {
                break;
            }
        }
    }
    found
}

fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let known = [
        "pub",
        "pub(crate)",
        "pub(super)",
        "const",
        "async",
        "extern",
    ];
    if !before.split_whitespace().all(|word| known.contains(&word)) {
        return None;
    }
    let end = after.find(|letter: char| letter != '_' && !letter.is_alphanumeric())?;
    Some(&after[..end])
}

#[test]
fn function_lengths_are_read_right() {
    let text =
        "fn one() {\n    fn two() {}\n}\npub async fn three(\n    a: u8,\n) {\n}\nfn four();\n";
    assert_eq!(functions(text), [("one", 3), ("three", 4)]);
}

/// What the domain must not pull in: nothing that waits, talks, draws, or rolls dice.
#[test]
fn the_domain_depends_on_nothing_that_does_io() {
    let forbidden = [
        "async-std",
        "axum",
        "getrandom",
        "hyper",
        "leptos",
        "mio",
        "rand",
        "rand_core",
        "redis",
        "reqwest",
        "rustix",
        "socket2",
        "sqlx",
        "sqlx-core",
        "tokio",
        "wasm-bindgen",
        "web-sys",
    ];
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).expect("a lock file");
    let mut needs: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in lock.split("[[package]]").skip(1) {
        let name = package
            .lines()
            .find_map(|line| line.strip_prefix("name = "));
        let name = name.expect("packages have names").trim_matches('"');
        // `"name"` or `"name version"`, one a line.
        let list = package.split("dependencies = [").nth(1).unwrap_or_default();
        let list = list.split(']').next().unwrap_or_default();
        let names = list.split('"').skip(1).step_by(2);
        let names = names.map(|entry| entry.split(' ').next().expect("never empty"));
        needs.entry(name).or_default().extend(names);
    }
    let mut reached = BTreeSet::new();
    let mut open = vec!["domain"];
    while let Some(name) = open.pop() {
        if reached.insert(name) {
            open.extend(needs.get(name).into_iter().flatten());
        }
    }
    assert!(reached.contains("serde"), "the lock file is read right");
    let found = forbidden.iter().filter(|name| reached.contains(*name));
    none(
        found.map(|name| (*name).to_owned()).collect(),
        "the domain is pure",
    );
}

#[test]
fn only_the_clock_asks_what_time_it_is() {
    let words = [
        "SystemTime::now",
        "Instant::now",
        "Timestamp::now",
        "Zoned::now",
        "Utc::now",
        "Local::now",
        "Date::now",
    ];
    // Tests may measure; this test names what it forbids.
    let allowed = |path: &str| {
        path == "server/src/clock.rs"
            || path.contains("/tests/")
            || path.ends_with("_tests.rs")
            || path.starts_with("tools/")
    };
    none(
        places(&words, allowed),
        "only server/src/clock.rs asks the time",
    );
}

#[test]
fn only_the_painter_touches_a_drawing_context() {
    let words = ["CanvasRenderingContext2d", "get_context", "ImageData"];
    let allowed =
        |path: &str| path == "app/src/seat_map/paint.rs" || path == "domain/tests/tidy.rs";
    none(places(&words, allowed), "only the painter draws");
}

#[test]
fn few_of_the_server_name_the_app() {
    let allowed = |path: &str| {
        !path.starts_with("server/src/")
            || ["server/src/backend", "server/src/http/site"]
                .iter()
                .any(|folder| path.starts_with(folder))
            || path == "server/src/main.rs"
    };
    // With a space before, so that `crate::app::` is another thing.
    let words = [" app::backend", "use app::", "(app::", "<app::"];
    none(
        places(&words, allowed),
        "the server serves the app through its edge alone",
    );
}

#[test]
fn sources_name_no_place_on_anybodys_machine() {
    let kinds = [
        ".rs", ".sql", ".toml", ".md", ".ts", ".mjs", ".js", ".css", ".sh", ".json", ".svg",
    ];
    let mut wrong = Vec::new();
    // Put together here, so that this file does not name them.
    let homes = ["home", "root", "Users", "work"].map(|name| format!("/{name}/"));
    for source in sources(&kinds) {
        for (at, line) in source.text.lines().enumerate() {
            if homes.iter().any(|home| stands_alone(line, home)) {
                wrong.push(format!("{}:{}: {}", source.path, at + 1, line.trim()));
            }
        }
    }
    none(wrong, "sources name no machine's paths");
}

/// `home` begins a path there, rather than going on from another one or from an address.
fn stands_alone(line: &str, home: &str) -> bool {
    line.match_indices(home).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        before.is_none_or(|letter| !letter.is_alphanumeric() && !"./_-}$".contains(letter))
    })
}
