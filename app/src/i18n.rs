//! Languages. Every text for people stands in `locales/`, one file per language and part
//! (`en.json`, `console.en.json`); the build makes a constant of each key, so a misspelt key does
//! not compile. The server chooses the language, writes it into `<html lang>`, and the browser
//! reads it there: both render the same words.

use domain::money::{Currency, Minor, Money};
use domain::wire::view::VenueTime;
use leptos::prelude::*;

/// The messages by key: `discover-title` is `messages::DISCOVER_TITLE`.
pub mod messages {
    use super::Message;

    include!(concat!(env!("OUT_DIR"), "/messages.rs"));
}

use messages as m;

/// One text in every language, by [`Lang`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message([&'static str; 2]);

/// A language we speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lang {
    #[default]
    En,
    Zh,
}

impl Lang {
    pub const ALL: [Self; 2] = [Self::En, Self::Zh];

    /// The word in cookies, forms and mails.
    pub const fn word(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh",
        }
    }

    /// The BCP 47 tag for `<html lang>`.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh-CN",
        }
    }

    /// The language's name in itself.
    pub const fn name(self) -> &'static str {
        match self {
            Self::En => "English",
            Self::Zh => "中文",
        }
    }

    /// The language of a tag such as `zh-Hans-CN`; `None` when we do not speak it.
    pub fn of_tag(tag: &str) -> Option<Self> {
        let primary = tag.trim().split(['-', '_']).next().unwrap_or("");
        Self::ALL
            .into_iter()
            .find(|lang| primary.eq_ignore_ascii_case(lang.word()))
    }

    /// The best of an `Accept-Language` header: highest weight, first of equals.
    pub fn of_header(header: &str) -> Option<Self> {
        let mut best: Option<(Self, f32)> = None;
        for entry in header.split(',').take(LANGUAGES_READ_MAX) {
            let mut parts = entry.split(';');
            let Some(lang) = parts.next().and_then(Self::of_tag) else {
                continue;
            };
            let weight = parts
                .find_map(|part| part.trim().strip_prefix("q="))
                .map_or(Some(1.0), |weight| weight.parse::<f32>().ok())
                .unwrap_or(0.0);
            if weight > 0.0 && best.is_none_or(|(_, other)| weight > other) {
                best = Some((lang, weight));
            }
        }
        best.map(|(lang, _)| lang)
    }

    /// The text of a message.
    pub const fn say(self, message: Message) -> &'static str {
        message.0[self as usize]
    }

    /// The text of a message with its `{names}` filled in.
    pub fn fill(self, message: Message, values: &[(&str, &str)]) -> String {
        let mut text = String::new();
        let mut rest = self.say(message);
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            text.push_str(before);
            let value = values.iter().find(|(known, _)| *known == name);
            text.push_str(value.map_or(name, |(_, value)| value));
            rest = after;
        }
        text.push_str(rest);
        text
    }

    /// One message for one, another for any other number; both may use `{n}`.
    pub fn count(self, n: u64, one: Message, other: Message) -> String {
        let digits = grouped(n);
        self.fill(if n == 1 { one } else { other }, &[("n", &digits)])
    }

    /// `Sat 12 Dec 2026, 19:30 CET`, as clocks at the venue show it.
    pub fn date_time(self, time: &VenueTime) -> String {
        self.fill(
            m::FORMAT_DATE_TIME,
            &[
                ("date", &self.date(time)),
                ("time", &self.time(time)),
                ("zone", &time.zone),
            ],
        )
    }

    /// `Sat 12 Dec 2026`.
    pub fn date(self, time: &VenueTime) -> String {
        self.fill(
            m::FORMAT_DATE,
            &[
                ("weekday", self.weekday(time)),
                ("day", &time.day.to_string()),
                ("month", self.month(time)),
                ("year", &time.year.to_string()),
            ],
        )
    }

    /// `19:30`.
    pub fn time(self, time: &VenueTime) -> String {
        format!("{:02}:{:02}", time.hour, time.minute)
    }

    pub fn month(self, time: &VenueTime) -> &'static str {
        let names = self.say(m::FORMAT_MONTHS);
        names
            .split(' ')
            .nth(usize::from(time.month.clamp(1, 12)) - 1)
            .unwrap_or("")
    }

    pub fn weekday(self, time: &VenueTime) -> &'static str {
        let names = self.say(m::FORMAT_WEEKDAYS);
        names
            .split(' ')
            .nth(usize::from(time.weekday.clamp(1, 7)) - 1)
            .unwrap_or("")
    }

    /// `€1,234.50`; currencies without a sign of their own show their code.
    pub fn money(self, amount: Minor, currency: Currency) -> String {
        let unit = 10u64.pow(currency.exponent());
        let minor = amount.0.unsigned_abs();
        let mut text = String::new();
        if amount.0 < 0 {
            text.push('-');
        }
        match (currency.code(), self) {
            ("EUR", _) => text.push('€'),
            ("GBP", _) => text.push('£'),
            ("USD", Self::En) => text.push('$'),
            ("USD", Self::Zh) => text.push_str("US$"),
            ("CNY", Self::Zh) => text.push('¥'),
            ("CNY", Self::En) => text.push_str("CN¥"),
            ("JPY", Self::En) => text.push('¥'),
            ("JPY", Self::Zh) => text.push_str("JP¥"),
            (code, _) => {
                text.push_str(code);
                text.push('\u{a0}');
            }
        }
        text.push_str(&grouped(minor / unit));
        if unit > 1 {
            let digits = currency.exponent() as usize;
            text.push_str(&format!(".{:0digits$}", minor % unit));
        }
        text
    }

    pub fn price(self, price: &Money) -> String {
        self.money(price.amount, price.currency)
    }

    /// Hours, minutes and seconds for a countdown: `2 d 03:04:05`, `09:59`.
    pub fn countdown(self, seconds: i64) -> String {
        let seconds = seconds.max(0);
        let (days, hours) = (seconds / 86_400, seconds / 3600 % 24);
        let (minutes, seconds) = (seconds / 60 % 60, seconds % 60);
        if days > 0 {
            let clock = format!("{hours:02}:{minutes:02}:{seconds:02}");
            self.fill(
                m::FORMAT_DAYS_CLOCK,
                &[("days", &days.to_string()), ("clock", &clock)],
            )
        } else if hours > 0 {
            format!("{hours}:{minutes:02}:{seconds:02}")
        } else {
            format!("{minutes}:{seconds:02}")
        }
    }

    /// The text of a refusal, by its code; a code from elsewhere reads as a plain no.
    pub fn refusal(self, code: &str) -> &'static str {
        self.say(m::refusal(code).unwrap_or(m::ERROR_UNKNOWN_REFUSAL))
    }
}

/// Entries of an `Accept-Language` header that are looked at.
const LANGUAGES_READ_MAX: usize = 16;

/// `1,234,567`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The language of this page, from context; see [`provide`].
pub fn use_lang() -> Lang {
    use_context::<Lang>().unwrap_or_default()
}

/// Puts the language of this page into context, once, at the root, and answers it.
pub fn provide() -> Lang {
    let lang = here();
    provide_context(lang);
    lang
}

/// The visitor's choice (cookie `lang`), else what the browser prefers.
#[cfg(feature = "ssr")]
fn here() -> Lang {
    use axum::http::{HeaderMap, header, request::Parts};

    fn text(headers: &HeaderMap, name: axum::http::HeaderName) -> &str {
        headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or("")
    }
    let Some(parts) = use_context::<Parts>() else {
        return Lang::default();
    };
    let chosen = text(&parts.headers, header::COOKIE)
        .split(';')
        .find_map(|cookie| cookie.trim().strip_prefix("lang="))
        .and_then(Lang::of_tag);
    chosen
        .or_else(|| Lang::of_header(text(&parts.headers, header::ACCEPT_LANGUAGE)))
        .unwrap_or_default()
}

/// What the server chose.
#[cfg(all(feature = "hydrate", not(feature = "ssr")))]
fn here() -> Lang {
    document()
        .document_element()
        .and_then(|html| Lang::of_tag(&html.get_attribute("lang")?))
        .unwrap_or_default()
}

#[cfg(not(any(feature = "ssr", feature = "hydrate")))]
fn here() -> Lang {
    Lang::default()
}

#[cfg(test)]
mod tests;
