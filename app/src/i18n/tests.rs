use super::*;

fn venue_time() -> VenueTime {
    VenueTime {
        at: domain::time::Millis(0),
        year: 2026,
        month: 12,
        day: 5,
        weekday: 6,
        hour: 9,
        minute: 5,
        zone: "CET".into(),
    }
}

#[test]
fn dates_read_as_people_write_them() {
    assert_eq!(
        Lang::En.date_time(&venue_time()),
        "Sat 5 Dec 2026, 09:05 CET"
    );
    assert_eq!(
        Lang::Zh.date_time(&venue_time()),
        "2026年12月5日 周六 09:05（CET）"
    );
}

#[test]
fn every_month_and_weekday_has_a_name() {
    for lang in Lang::ALL {
        assert_eq!(lang.say(m::FORMAT_MONTHS).split(' ').count(), 12);
        assert_eq!(lang.say(m::FORMAT_WEEKDAYS).split(' ').count(), 7);
    }
}

#[test]
fn money_has_the_digits_of_its_currency() {
    let check = |minor, code, lang: Lang, text: &str| {
        let currency = Currency::new(code).expect("a code");
        assert_eq!(lang.money(Minor(minor), currency), text);
    };
    check(123_450, "EUR", Lang::En, "€1,234.50");
    check(5, "EUR", Lang::Zh, "€0.05");
    check(-250, "GBP", Lang::En, "-£2.50");
    check(1_000_000, "JPY", Lang::En, "¥1,000,000");
    check(8_800, "CNY", Lang::Zh, "¥88.00");
    check(8_800, "CNY", Lang::En, "CN¥88.00");
    check(1_500, "KWD", Lang::En, "KWD\u{a0}1.500");
}

#[test]
fn the_browsers_wish_is_read_by_weight() {
    let check = |header, lang| assert_eq!(Lang::of_header(header), lang, "{header:?}");
    check("zh-CN,zh;q=0.9,en;q=0.8", Some(Lang::Zh));
    check("fr, en;q=0.3, zh;q=0.7", Some(Lang::Zh));
    check("de-DE, en", Some(Lang::En));
    check("fr", None);
    check("en;q=0", None);
    check(";;;q=x,,", None);
}

#[test]
fn placeholders_are_filled_and_strange_values_stay_text() {
    let text = Lang::En.fill(
        m::FORMAT_DAYS_CLOCK,
        &[("days", "{clock}"), ("clock", "1:00:00")],
    );
    assert_eq!(text, "{clock} d 1:00:00");
}

#[test]
fn countdowns_have_the_units_that_matter() {
    assert_eq!(Lang::En.countdown(599), "9:59");
    assert_eq!(Lang::En.countdown(-3), "0:00");
    assert_eq!(Lang::En.countdown(3_600), "1:00:00");
    assert_eq!(Lang::En.countdown(90_061), "1 d 01:01:01");
}

#[test]
fn every_refusal_has_words() {
    use domain::ids::{AreaIx, SeatIx};
    use domain::order::OrderState;
    use domain::refusal::Refusal as R;

    let text = String::new;
    let all = [
        R::Malformed { detail: text() },
        R::BodyTooLarge { bytes_max: 1 },
        R::NotFound,
        R::EmptySelection,
        R::DoubledSeat { seat: SeatIx(0) },
        R::UnknownSeat { seat: 0 },
        R::UnknownArea { area: AreaIx(0) },
        R::ChoosingNotAllowed,
        R::IdempotencyMismatch,
        R::BrokenPlan {
            line: 0,
            detail: text(),
        },
        R::BadField {
            field: text(),
            detail: text(),
        },
        R::NoSession,
        R::WrongLogin,
        R::Forbidden,
        R::TooManyRequests { retry_after_s: 1 },
        R::SalePaused,
        R::SaleNotOpen {
            opens_at: domain::time::Millis(0),
        },
        R::SaleClosed,
        R::LimitPerOrder { max: 1 },
        R::LimitPerTier { max: 1 },
        R::LimitPerBuyer { max: 1 },
        R::SeatsTaken { seats: Vec::new() },
        R::AreaFull {
            area: AreaIx(0),
            left: 0,
        },
        R::NoneLeft { wanted: 1 },
        R::SeatNotHere { seat: SeatIx(0) },
        R::LineNotHere { line: 1 },
        R::WrongState {
            state: OrderState::Paid,
        },
        R::HoldExpired,
        R::Declined,
        R::Busy { retry_after_s: 1 },
    ];
    for refusal in &all {
        assert!(
            m::refusal(refusal.code()).is_some(),
            "{refusal} has no text"
        );
    }
    // A code that is new in the domain is missing above too: its own file is the whole list.
    let source = include_str!("../../../domain/src/refusal.rs");
    let codes = source
        .split("fn code")
        .nth(1)
        .and_then(|rest| rest.split("fn status").next());
    let codes: Vec<&str> = codes
        .expect("the file still has both functions")
        .split('"')
        .skip(1)
        .step_by(2)
        .collect();
    assert_eq!(codes.len(), all.len(), "a code is missing in this test");
    for code in codes {
        assert!(m::refusal(code).is_some(), "{code} has no text");
    }
}
