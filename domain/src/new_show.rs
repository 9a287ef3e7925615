//! The form that makes a show, checked field by field: by the page while somebody types, by the
//! server before it believes anything. Instants are left to the server, which knows the zones.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::board::settings::{
    Fees, HOLD_TTL_MAX, HOLD_TTL_MIN, SEATS_PER_ORDER_MAX, TIERS_MAX, Tier,
};
use crate::money::{self, Currency};
use crate::refusal::Refusal;
use crate::time::Span;
use crate::wire::view::{CategoryView, NewShow, NewTier};

/// Characters, as the tables hold them.
pub const TITLE_CHARS_MAX: usize = 200;
pub const SUMMARY_CHARS_MAX: usize = 500;
pub const DESCRIPTION_CHARS_MAX: usize = 20_000;
pub const TIER_NAME_CHARS_MAX: usize = 60;
/// The most that an organiser may let one buyer have.
pub const PER_BUYER_MAX: u32 = 1_000;

/// What is wrong with a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bad {
    Required,
    TooLong,
    /// Control characters.
    StrangeCharacters,
    /// Not an amount with the currency's digits, or more than a line may cost.
    NotMoney,
    NotWholeNumber,
    OutOfRange,
    /// Not the three capital letters of a currency that tickets can be sold in.
    NotCurrency,
    /// Not `YYYY-MM-DDTHH:MM`.
    NotTime,
    /// The clocks at the venue jump over this time.
    SkippedTime,
    /// The clocks at the venue show this time twice.
    DoubledTime,
    InPast,
    /// The sale would end before it opens.
    ClosesBeforeOpens,
    /// The sale would go on after the show has begun.
    ClosesAfterStart,
    UnknownSeatMap,
    /// The seat map has more categories than a show may have tiers.
    TooManyTiers,
    /// Not one tier per category.
    WrongTiers,
    /// One order might have more places than one buyer.
    OverBuyerLimit,
    /// This very form has made a show already, from other words.
    SentBefore,
}

impl Bad {
    /// Stable word, the `detail` of the refusal and the end of the message key.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::TooLong => "too_long",
            Self::StrangeCharacters => "strange_characters",
            Self::NotMoney => "not_money",
            Self::NotWholeNumber => "not_whole_number",
            Self::OutOfRange => "out_of_range",
            Self::NotCurrency => "not_currency",
            Self::NotTime => "not_time",
            Self::SkippedTime => "skipped_time",
            Self::DoubledTime => "doubled_time",
            Self::InPast => "in_past",
            Self::ClosesBeforeOpens => "closes_before_opens",
            Self::ClosesAfterStart => "closes_after_start",
            Self::UnknownSeatMap => "unknown_seat_map",
            Self::TooManyTiers => "too_many_tiers",
            Self::WrongTiers => "wrong_tiers",
            Self::OverBuyerLimit => "over_buyer_limit",
            Self::SentBefore => "sent_before",
        }
    }
}

/// One field that cannot be taken. Tiers are `tier-<n>-name` and `tier-<n>-price`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BadField {
    pub field: String,
    pub bad: Bad,
}

impl BadField {
    pub fn new(field: impl Into<String>, bad: Bad) -> Self {
        Self {
            field: field.into(),
            bad,
        }
    }
}

impl From<BadField> for Refusal {
    fn from(bad: BadField) -> Self {
        Self::BadField {
            field: bad.field,
            detail: bad.bad.word().to_owned(),
        }
    }
}

/// A form as it was sent back, with what is wrong with it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Returned {
    pub form: NewShow,
    pub bad: Vec<BadField>,
}

impl Returned {
    /// There is no such seat map as it names.
    pub fn is_astray(&self) -> bool {
        self.bad.iter().any(|bad| bad.bad == Bad::UnknownSeatMap)
    }
}

/// A checked form, but for its times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    pub title: String,
    pub summary: String,
    pub description: String,
    pub currency: Currency,
    pub tiers: Vec<Tier>,
    pub fees: Fees,
    pub per_order_max: u32,
    pub per_buyer_max: u32,
    pub hold_ttl: Span,
}

/// Categories that a seat map can have: tiers that a form may name.
const TIERS_READ_MAX: usize = 256;

/// Takes one field of a form by its name: `title`, `starts`, `tier-0-price`. False when the form
/// has no such field.
pub fn set(form: &mut NewShow, name: &str, value: String) -> bool {
    let place = match name {
        "command_id" => &mut form.command_id,
        "seat_map" => &mut form.seat_map,
        "title" => &mut form.title,
        "summary" => &mut form.summary,
        "description" => &mut form.description,
        "starts" => &mut form.starts,
        "opens" => &mut form.opens,
        "closes" => &mut form.closes,
        "currency" => &mut form.currency,
        "fee_per_ticket" => &mut form.fee_per_ticket,
        "per_order_max" => &mut form.per_order_max,
        "per_buyer_max" => &mut form.per_buyer_max,
        "hold_minutes" => &mut form.hold_minutes,
        tier => match tier_field(&mut form.tiers, tier) {
            Some(place) => place,
            None => return false,
        },
    };
    *place = value;
    true
}

/// `tier-<n>-name` or `tier-<n>-price`.
fn tier_field<'a>(tiers: &'a mut Vec<NewTier>, name: &str) -> Option<&'a mut String> {
    let (at, field) = name.strip_prefix("tier-")?.split_once('-')?;
    let at = at.parse::<usize>().ok().filter(|at| *at < TIERS_READ_MAX)?;
    if !matches!(field, "name" | "price") {
        return None;
    }
    if tiers.len() <= at {
        tiers.resize(at + 1, NewTier::default());
    }
    let tier = &mut tiers[at];
    Some(match field {
        "name" => &mut tier.name,
        _ => &mut tier.price,
    })
}

/// Checks a form against the categories of its seat map. All that is wrong is told at once, in
/// the order of the form.
pub fn check(form: &NewShow, categories: &[CategoryView]) -> Result<Terms, Vec<BadField>> {
    let mut bad = Vec::new();
    let title = words(&mut bad, "title", &form.title, 1, TITLE_CHARS_MAX, false);
    let summary = words(
        &mut bad,
        "summary",
        &form.summary,
        0,
        SUMMARY_CHARS_MAX,
        false,
    );
    let description = words(
        &mut bad,
        "description",
        &form.description,
        0,
        DESCRIPTION_CHARS_MAX,
        true,
    );
    check_times(&mut bad, form);
    let currency = Currency::new(form.currency.trim()).unwrap_or_else(|| {
        bad.push(BadField::new("currency", Bad::NotCurrency));
        Currency::EUR
    });
    let tiers = check_tiers(&mut bad, form, categories, currency);
    let per_ticket = match form.fee_per_ticket.trim() {
        "" => Some(money::Minor(0)),
        text => money::parse(text, currency),
    };
    if per_ticket.is_none() {
        bad.push(BadField::new("fee_per_ticket", Bad::NotMoney));
    }
    let mut whole = |field: &str, text: &str, min: u32, max: u32| match text.trim().parse::<u32>() {
        Ok(n) if (min..=max).contains(&n) => n,
        other => {
            let why = other.map_or(Bad::NotWholeNumber, |_| Bad::OutOfRange);
            bad.push(BadField::new(field, why));
            min
        }
    };
    let per_order_max = whole("per_order_max", &form.per_order_max, 1, SEATS_PER_ORDER_MAX);
    let per_buyer_max = whole("per_buyer_max", &form.per_buyer_max, 1, PER_BUYER_MAX);
    let minutes = |span: Span| u32::try_from(span.0 / 60_000).expect("a few minutes");
    let (shortest, longest) = (minutes(HOLD_TTL_MIN), minutes(HOLD_TTL_MAX));
    let hold_minutes = whole("hold_minutes", &form.hold_minutes, shortest, longest);
    let limits_stand = !bad.iter().any(|bad| bad.field.starts_with("per_"));
    if limits_stand && per_order_max > per_buyer_max {
        bad.push(BadField::new("per_order_max", Bad::OverBuyerLimit));
    }
    if !bad.is_empty() {
        return Err(bad);
    }
    Ok(Terms {
        title,
        summary,
        description,
        currency,
        tiers,
        fees: Fees {
            per_ticket: per_ticket.unwrap_or_default(),
            ..Fees::default()
        },
        per_order_max,
        per_buyer_max,
        hold_ttl: Span::minutes(i64::from(hold_minutes)),
    })
}

/// The text without white space around it.
fn words(
    bad: &mut Vec<BadField>,
    field: &str,
    text: &str,
    chars_min: usize,
    chars_max: usize,
    lines: bool,
) -> String {
    // Browsers send line breaks of text areas as CR LF.
    let text = text.trim().replace("\r\n", "\n");
    let strange = |c: char| c.is_control() && !(lines && matches!(c, '\n' | '\t'));
    let chars = text.chars().count();
    if text.chars().any(strange) {
        bad.push(BadField::new(field, Bad::StrangeCharacters));
    } else if chars < chars_min || chars_min > 0 && is_blank(&text) {
        bad.push(BadField::new(field, Bad::Required));
    } else if chars > chars_max {
        bad.push(BadField::new(field, Bad::TooLong));
    }
    text
}

/// Characters that only join, part, fill, turn or name others: Unicode's default ignorable ones, and
/// the empty pattern of Braille.
const UNSEEN: [RangeInclusive<char>; 17] = [
    '\u{ad}'..='\u{ad}',
    '\u{34f}'..='\u{34f}',
    '\u{61c}'..='\u{61c}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{200b}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{2800}'..='\u{2800}',
    '\u{3164}'..='\u{3164}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{feff}'..='\u{feff}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{fffb}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{e0000}'..='\u{e0fff}',
];

/// Whether nothing of `text` would be seen.
pub fn is_blank(text: &str) -> bool {
    let unseen = |c: char| c.is_whitespace() || UNSEEN.iter().any(|range| range.contains(&c));
    text.chars().all(unseen)
}

/// Shape and order of the times as clocks at the venue show them. A sale without a time to open
/// opens at once, one without an end goes on until the show starts.
fn check_times(bad: &mut Vec<BadField>, form: &NewShow) {
    let before = bad.len();
    let times = [
        ("starts", &form.starts),
        ("opens", &form.opens),
        ("closes", &form.closes),
    ];
    for (field, text) in times {
        match text.trim() {
            "" if field == "starts" => bad.push(BadField::new(field, Bad::Required)),
            "" => {}
            text if has_time_shape(text) => {}
            _ => bad.push(BadField::new(field, Bad::NotTime)),
        }
    }
    if bad.len() > before {
        return;
    }
    let (starts, opens, closes) = (form.starts.trim(), form.opens.trim(), form.closes.trim());
    let ends = if closes.is_empty() { starts } else { closes };
    // Of one shape, so that order of text is order of time.
    if ends > starts {
        bad.push(BadField::new("closes", Bad::ClosesAfterStart));
    } else if ends <= opens {
        let field = if closes.is_empty() { "opens" } else { "closes" };
        bad.push(BadField::new(field, Bad::ClosesBeforeOpens));
    }
}

/// `YYYY-MM-DDTHH:MM`; whether there is such a day is the calendar's question.
fn has_time_shape(text: &str) -> bool {
    let shape = b"0000-00-00T00:00";
    text.len() == shape.len()
        && text.bytes().zip(shape).all(|(byte, want)| match want {
            b'0' => byte.is_ascii_digit(),
            mark => byte == *mark,
        })
}

fn check_tiers(
    bad: &mut Vec<BadField>,
    form: &NewShow,
    categories: &[CategoryView],
    currency: Currency,
) -> Vec<Tier> {
    if categories.len() > TIERS_MAX {
        bad.push(BadField::new("seat_map", Bad::TooManyTiers));
        return Vec::new();
    }
    if form.tiers.len() != categories.len() {
        bad.push(BadField::new("tiers", Bad::WrongTiers));
        return Vec::new();
    }
    let mut tiers = Vec::with_capacity(categories.len());
    for (at, (tier, category)) in form.tiers.iter().zip(categories).enumerate() {
        let field = format!("tier-{at}-name");
        let name = words(bad, &field, &tier.name, 1, TIER_NAME_CHARS_MAX, false);
        let price = money::parse(tier.price.trim(), currency).unwrap_or_else(|| {
            let why = match tier.price.trim() {
                "" => Bad::Required,
                _ => Bad::NotMoney,
            };
            bad.push(BadField::new(format!("tier-{at}-price"), why));
            money::Minor(0)
        });
        tiers.push(Tier {
            name,
            color: category.color,
            price,
        });
    }
    tiers
}

#[cfg(test)]
mod tests;
