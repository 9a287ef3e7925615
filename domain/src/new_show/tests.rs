use super::*;
use crate::money::Minor;

fn categories() -> Vec<CategoryView> {
    vec![CategoryView {
        name: "Stalls".into(),
        color: 0x3366cc,
        places: 100,
    }]
}

fn form() -> NewShow {
    NewShow {
        seat_map: "0".repeat(32),
        title: " Hamlet ".into(),
        starts: "2027-03-01T19:30".into(),
        opens: "2027-01-01T10:00".into(),
        closes: "2027-03-01T19:30".into(),
        currency: "EUR".into(),
        tiers: vec![NewTier {
            name: "Stalls".into(),
            price: "45.5".into(),
        }],
        per_order_max: "8".into(),
        per_buyer_max: "8".into(),
        hold_minutes: "10".into(),
        ..NewShow::default()
    }
}

#[test]
fn fields_are_set_by_name_and_strangers_are_told() {
    let mut form = NewShow::default();
    for name in ["tier-1-price", "title", "tier-0-name"] {
        assert!(set(&mut form, name, "x".into()), "{name}");
    }
    assert_eq!((form.tiers.len(), form.title.as_str()), (2, "x"));
    assert_eq!(form.tiers[1].price, "x");
    for name in ["price", "tier-256-name", "tier--name", "tier-0-color", ""] {
        assert!(!set(&mut form, name, "x".into()), "{name}");
    }
    assert_eq!(form.tiers.len(), 2);
}

#[test]
fn a_good_form_becomes_terms() {
    let terms = check(&form(), &categories()).unwrap();
    assert_eq!(terms.title, "Hamlet");
    assert_eq!(terms.tiers[0].price, Minor(4550));
    assert_eq!(terms.tiers[0].color, 0x3366cc);
    assert_eq!(terms.hold_ttl, Span::minutes(10));
}

#[test]
fn what_cannot_be_seen_is_blank() {
    for blank in ["", " \t", "\u{200d}", "\u{3164}\u{2800}", "\u{e0041}"] {
        assert!(is_blank(blank), "{blank:?}");
    }
    // Joiners stand inside of words of many scripts, and of emoji.
    for seen in ["x", "می\u{200c}خواهم", "👩\u{200d}🎤", "·"] {
        assert!(!is_blank(seen), "{seen:?}");
    }
}

#[test]
fn every_field_is_named_when_it_is_bad() {
    let check = |change: fn(&mut NewShow), expect: &str| {
        let mut form = form();
        change(&mut form);
        let bad = super::check(&form, &categories()).unwrap_err();
        let told: Vec<String> = bad
            .iter()
            .map(|bad| format!("{} {}", bad.field, bad.bad.word()))
            .collect();
        assert_eq!(told.join(", "), expect);
    };
    check(|form| form.title = "  ".into(), "title required");
    check(
        |form| form.title = "\u{200b} \u{202e}\u{2066}\u{feff}".into(),
        "title required",
    );
    check(|form| form.title = "x".repeat(201), "title too_long");
    check(
        |form| form.title = "a\0b".into(),
        "title strange_characters",
    );
    check(|form| form.summary = "字".repeat(501), "summary too_long");
    check(|form| form.starts = "tomorrow".into(), "starts not_time");
    check(|form| form.starts.clear(), "starts required");
    check(
        |form| {
            form.closes.clear();
            form.opens = "2027-03-02T10:00".into();
        },
        "opens closes_before_opens",
    );
    check(
        |form| form.closes = form.opens.clone(),
        "closes closes_before_opens",
    );
    check(
        |form| form.closes = "2027-03-01T19:31".into(),
        "closes closes_after_start",
    );
    check(|form| form.currency = "eur".into(), "currency not_currency");
    check(|form| form.tiers.clear(), "tiers wrong_tiers");
    check(
        |form| form.tiers[0].price = "45.505".into(),
        "tier-0-price not_money",
    );
    check(|form| form.tiers[0].name.clear(), "tier-0-name required");
    check(
        |form| form.fee_per_ticket = "-1".into(),
        "fee_per_ticket not_money",
    );
    check(
        |form| form.per_order_max = "51".into(),
        "per_order_max out_of_range",
    );
    check(
        |form| form.per_buyer_max = "many".into(),
        "per_buyer_max not_whole_number",
    );
    check(
        |form| form.per_buyer_max = "7".into(),
        "per_order_max over_buyer_limit",
    );
    check(
        |form| form.hold_minutes = "4".into(),
        "hold_minutes out_of_range",
    );
}
