//! Texts for people that the server itself writes: mails and the pretend provider's page. All
//! words are in `messages/<locale>.json`; the pages of the site have their own files.

use std::collections::HashMap;
use std::sync::LazyLock;

use domain::money::{Money, decimal};
use domain::wire::view::VenueTime;

type Texts = HashMap<String, String>;

static ENGLISH: LazyLock<Texts> = LazyLock::new(|| read(include_str!("../messages/en.json")));
static CHINESE: LazyLock<Texts> = LazyLock::new(|| read(include_str!("../messages/zh.json")));

fn read(file: &str) -> Texts {
    serde_json::from_str(file).expect("message files are flat JSON objects")
}

/// A language that the server can write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Locale {
    English,
    Chinese,
}

impl Locale {
    /// The locale for a language tag; English for what we do not speak.
    pub fn of(tag: &str) -> Self {
        if tag.starts_with("zh") {
            Self::Chinese
        } else {
            Self::English
        }
    }

    /// As it stands in the message files' names and in HTML.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh",
        }
    }

    /// The text under `key`.
    pub fn text(self, key: &str) -> &'static str {
        let texts: &'static Texts = match self {
            Self::English => &ENGLISH,
            Self::Chinese => &CHINESE,
        };
        texts
            .get(key)
            .unwrap_or_else(|| panic!("no message {key:?}"))
    }

    /// The text under `key` with `{name}` replaced by its value. Values are put in as they are
    /// and never looked at again.
    pub fn fill(self, key: &str, values: &[(&str, &str)]) -> String {
        let mut rest = self.text(key);
        let mut filled = String::new();
        while let Some(begin) = rest.find('{') {
            let (before, name) = rest.split_at(begin);
            let end = name.find('}').expect("braces of messages are closed");
            let value = values.iter().find(|(known, _)| *known == &name[1..end]);
            filled.push_str(before);
            filled.push_str(value.map_or("", |(_, value)| value));
            rest = &name[end + 1..];
        }
        filled.push_str(rest);
        filled
    }

    /// A time at the venue, in words.
    pub fn date(self, time: &VenueTime) -> String {
        self.fill(
            "mail-date",
            &[
                ("weekday", self.text(&format!("weekday-{}", time.weekday))),
                ("day", &time.day.to_string()),
                ("month", self.text(&format!("month-{}", time.month))),
                ("year", &time.year.to_string()),
                ("hour", &format!("{:02}", time.hour)),
                ("minute", &format!("{:02}", time.minute)),
                ("zone", &time.zone),
            ],
        )
    }

    /// An amount in words: code first, the same in both languages and never ambiguous.
    pub fn money(self, money: Money) -> String {
        format!(
            "{} {}",
            money.currency,
            decimal(money.amount, money.currency)
        )
    }
}

/// `text` for HTML content and double-quoted attributes.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            plain => safe.push(plain),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_say_the_same_things() {
        let mut english: Vec<_> = ENGLISH.keys().collect();
        let mut chinese: Vec<_> = CHINESE.keys().collect();
        english.sort();
        chinese.sort();
        assert_eq!(english, chinese);
        let names = |text: &str| {
            let mut names: Vec<String> = text
                .split('{')
                .skip(1)
                .map(|part| part.split('}').next().unwrap().to_owned())
                .collect();
            names.sort();
            names
        };
        for key in english {
            assert_eq!(names(&ENGLISH[key]), names(&CHINESE[key]), "{key}");
        }
    }

    #[test]
    fn values_are_not_looked_into() {
        let text = Locale::English.fill("mail-greeting", &[("name", "{title} <b>")]);
        assert_eq!(text, "Hello {title} <b>,");
        assert_eq!(
            escape("<a href=\"'&\">"),
            "&lt;a href=&quot;&#39;&amp;&quot;&gt;"
        );
    }
}
