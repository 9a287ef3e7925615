//! What a form of the console was answered with, in the words of people who run shows.

use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use crate::i18n::{Lang, Message, messages as m, use_lang};

/// The refusal in the address (`?refusal=seats_taken`), if there is one.
#[component]
pub(super) fn StaffNotice() -> impl IntoView {
    let t = use_lang();
    let query = use_query_map();
    move || {
        let query = query.read();
        let code = query.get("refusal")?;
        let field = query.get("field").unwrap_or_default();
        let detail = query.get("detail").unwrap_or_default();
        let text = match (code.as_str(), field.as_str()) {
            ("bad_field", "reason") if detail == "required" => t.say(m::STAFF_REASON_MISSING),
            ("bad_field", "reason") => t.say(m::STAFF_REASON_BAD),
            ("bad_field", "seats") => t.say(m::STAFF_SEATS_TOO_MANY),
            ("seats_taken", _) => t.say(m::STAFF_SEATS_TAKEN),
            ("seat_not_here", _) => t.say(m::STAFF_SEATS_NOT_KEPT),
            ("empty_selection", _) => t.say(m::STAFF_SEATS_NONE),
            (code, _) => t.refusal(code),
        };
        Some(view! { <p class="notice bad" role="alert">{text}</p> })
    }
}

/// What is wrong with a field of the form that makes a show.
pub(super) fn bad_text(t: Lang, bad: domain::new_show::Bad) -> &'static str {
    use domain::new_show::Bad;

    let message: Message = match bad {
        Bad::Required => m::STAFF_BAD_REQUIRED,
        Bad::TooLong => m::STAFF_BAD_TOO_LONG,
        Bad::StrangeCharacters => m::STAFF_BAD_STRANGE_CHARACTERS,
        Bad::NotMoney => m::STAFF_BAD_NOT_MONEY,
        Bad::NotWholeNumber => m::STAFF_BAD_NOT_WHOLE_NUMBER,
        Bad::OutOfRange => m::STAFF_BAD_OUT_OF_RANGE,
        Bad::NotCurrency => m::STAFF_BAD_NOT_CURRENCY,
        Bad::NotTime => m::STAFF_BAD_NOT_TIME,
        Bad::SkippedTime => m::STAFF_BAD_SKIPPED_TIME,
        Bad::DoubledTime => m::STAFF_BAD_DOUBLED_TIME,
        Bad::InPast => m::STAFF_BAD_IN_PAST,
        Bad::ClosesBeforeOpens => m::STAFF_BAD_CLOSES_BEFORE_OPENS,
        Bad::ClosesAfterStart => m::STAFF_BAD_CLOSES_AFTER_START,
        Bad::UnknownSeatMap => m::STAFF_BAD_UNKNOWN_SEAT_MAP,
        Bad::TooManyTiers => m::STAFF_BAD_TOO_MANY_TIERS,
        Bad::WrongTiers => m::STAFF_BAD_WRONG_TIERS,
        Bad::OverBuyerLimit => m::STAFF_BAD_OVER_BUYER_LIMIT,
        Bad::SentBefore => m::STAFF_BAD_SENT_BEFORE,
    };
    t.say(message)
}
