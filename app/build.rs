//! Turns the message files into `messages.rs`: one constant per message, holding its text in every
//! language. A key that is missing in a file, or whose placeholders differ between languages,
//! fails the build; a key that no page uses costs the browser nothing.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

const LANGUAGES: [&str; 2] = ["en", "zh"];

type Messages = BTreeMap<String, String>;

fn main() {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("locales");
    println!("cargo::rerun-if-changed={}", folder.display());
    let [en, zh] = LANGUAGES.map(|language| read(&folder, language));
    compare(&en, &zh);
    let mut code = String::new();
    for (key, text) in &en {
        let (name, other) = (constant(key), &zh[key]);
        writeln!(
            code,
            "/// {text:?}\npub const {name}: Message = Message([{text:?}, {other:?}]);"
        )
        .expect("a string takes all");
    }
    code.push_str(&refusals(&en));
    let out = PathBuf::from(env::var("OUT_DIR").expect("set by cargo")).join("messages.rs");
    fs::write(out, code).expect("the build folder can be written");
}

/// `LANGUAGE.json` and every `PART.LANGUAGE.json` beside it, as one table.
fn read(folder: &Path, language: &str) -> Messages {
    let mut all = Messages::new();
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("app/locales is there")
        .map(|entry| entry.expect("app/locales can be read").path())
        .collect();
    files.sort();
    for path in files {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or("");
        if name != format!("{language}.json") && !name.ends_with(&format!(".{language}.json")) {
            continue;
        }
        println!("cargo::rerun-if-changed={}", path.display());
        let text = fs::read_to_string(&path).expect("a message file can be read");
        let part: Messages = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{name} is not an object of strings: {error}"));
        for (key, text) in part {
            assert!(
                all.insert(key.clone(), text).is_none(),
                "{key} stands twice, again in {name}"
            );
        }
    }
    all
}

fn compare(en: &Messages, zh: &Messages) {
    for (key, text) in en {
        let other = zh
            .get(key)
            .unwrap_or_else(|| panic!("{key} is missing in Chinese"));
        assert_eq!(
            placeholders(text),
            placeholders(other),
            "placeholders of {key} differ"
        );
    }
    if let Some(key) = zh.keys().find(|key| !en.contains_key(*key)) {
        panic!("{key} is missing in English");
    }
}

/// The names in braces, sorted: languages may order them differently.
fn placeholders(text: &str) -> Vec<&str> {
    let mut names: Vec<&str> = text
        .split('{')
        .skip(1)
        .map(|rest| {
            rest.split_once('}')
                .unwrap_or_else(|| panic!("open brace in {text:?}"))
                .0
        })
        .collect();
    names.sort_unstable();
    names
}

/// `refusal-seats_taken` -> `REFUSAL_SEATS_TAKEN`.
fn constant(key: &str) -> String {
    let plain = key
        .bytes()
        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_".contains(&b));
    assert!(plain && !key.is_empty(), "{key:?} is not a message key");
    key.to_ascii_uppercase().replace('-', "_")
}

/// The lookup by refusal code, the one place where a key is not known when the page is written.
fn refusals(en: &Messages) -> String {
    let mut code = String::from(
        "/// The text for people of the refusal with this code.\n\
         pub fn refusal(code: &str) -> Option<Message> {\n    Some(match code {\n",
    );
    for key in en.keys() {
        if let Some(refusal) = key.strip_prefix("refusal-") {
            writeln!(code, "        {refusal:?} => {},", constant(key))
                .expect("a string takes all");
        }
    }
    code.push_str("        _ => return None,\n    })\n}\n");
    code
}
