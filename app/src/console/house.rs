//! The house of a show: what the house keeps, and a way to keep more and to give it back.

use domain::ids::{SectionIx, ShowId};
use domain::wire::snapshot::SeatState;
use domain::wire::staff::{
    BlockedRun, StaffArea, StaffOpened, StaffRow, StaffSeat, StaffSeats, StaffSection,
};
use leptos::prelude::*;

use crate::i18n::{grouped, messages as m, use_lang};

#[component]
pub(super) fn House(show: ShowId, seats: StaffSeats) -> impl IntoView {
    let t = use_lang();
    let open = seats.opened.as_ref().map(|opened| opened.section);
    let sections = seats
        .sections
        .into_iter()
        .map(|section| view! { <li><Section show section open/></li> });
    let areas = seats
        .areas
        .into_iter()
        .map(|area| view! { <li><Area area/></li> });
    let opened = seats.opened.map(|opened| view! { <Opened show opened/> });
    view! {
        <Kept show runs=seats.blocked more=seats.blocked_more section=open/>
        <section class="card" id="house" aria-labelledby="house-title">
            <h2 id="house-title">{t.say(m::STAFF_KEEP_TITLE)}</h2>
            <p class="muted">{t.say(m::STAFF_KEEP_TEXT)}</p>
            <ul class="sections">
                {sections.collect_view()}
                {areas.collect_view()}
            </ul>
        </section>
        {opened}
    }
    .into_any()
}

#[component]
fn Section(show: ShowId, section: StaffSection, open: Option<SectionIx>) -> impl IntoView {
    let t = use_lang();
    let current = (open == Some(section.section)).then_some("true");
    let parts = [
        (m::STAFF_SOLD, section.sold),
        (m::STAFF_HELD, section.held),
        (m::STAFF_KEPT, section.blocked),
    ];
    let parts = parts.into_iter().filter(|(_, places)| *places > 0);
    let parts: Vec<String> = parts
        .map(|(label, places)| format!("{} {}", grouped(u64::from(places)), t.say(label)))
        .collect();
    let free = format!(
        "{} {}",
        grouped(u64::from(section.free)),
        t.say(m::STAFF_FREE)
    );
    // The section opens below; the address says where.
    let to = format!("/staff/shows/{show}?section={}#section", section.section);
    view! {
        <a class="section-row" href=to aria-current=current>
            <span class="section-name">{section.name}</span>
            <span class="muted">{parts.join(" · ")}</span>
            <span class="number">{free}</span>
        </a>
    }
    .into_any()
}

#[component]
fn Area(area: StaffArea) -> impl IntoView {
    let t = use_lang();
    let taken = grouped(u64::from(area.taken));
    let all = grouped(u64::from(area.capacity));
    view! {
        <span class="section-row">
            <span class="section-name">{area.name}</span>
            <span class="muted">{t.say(m::STAFF_STANDING)}</span>
            <span class="number">{t.fill(m::STAFF_TAKEN_OF, &[("n", &taken), ("all", &all)])}</span>
        </span>
    }
    .into_any()
}

/// One section as boxes; whole rows by one box.
#[component]
fn Opened(show: ShowId, opened: StaffOpened) -> impl IntoView {
    let t = use_lang();
    let any_free = opened.rows.iter().any(has_free);
    let rows = opened.rows.into_iter().map(|row| view! { <Row row/> });
    view! {
        <section class="card" id="section" aria-labelledby="section-title">
            <h2 id="section-title">{opened.name}</h2>
            <form method="post" action=format!("/staff/shows/{show}/block") autocomplete="off">
                <input type="hidden" name="section" value=opened.section.0/>
                {rows.collect_view()}
                {any_free.then(|| view! {
                    <div class="tray">
                        <label class="field grow">
                            <span>{t.say(m::STAFF_REASON)}</span>
                            <input name="reason" maxlength="200" required placeholder=t.say(m::STAFF_REASON_HINT)/>
                        </label>
                        <button class="button">{t.say(m::STAFF_KEEP)}</button>
                    </div>
                })}
            </form>
        </section>
    }
    .into_any()
}

fn has_free(row: &StaffRow) -> bool {
    row.seats
        .iter()
        .any(|seat| seat.state == SeatState::Free as u8)
}

#[component]
fn Row(row: StaffRow) -> impl IntoView {
    let t = use_lang();
    let any_free = has_free(&row);
    let seats = row.seats.into_iter().map(|seat| view! { <Seat seat/> });
    view! {
        <fieldset class="seat-row staff-seats">
            <legend>{t.fill(m::LIST_ROW, &[("row", &row.label)])}</legend>
            {any_free.then(|| view! {
                <label class="seat-box whole-row">
                    <input type="checkbox" name="row" value=row.row.0/>
                    <span class="seat-label">{t.say(m::STAFF_WHOLE_ROW)}</span>
                </label>
            })}
            {seats.collect_view()}
        </fieldset>
    }
    .into_any()
}

#[component]
fn Seat(seat: StaffSeat) -> impl IntoView {
    let t = use_lang();
    let state = SeatState::from_bits(seat.state);
    let free = state == SeatState::Free;
    let word = match state {
        SeatState::Free => None,
        SeatState::Held => Some(m::STAFF_HELD),
        SeatState::Sold => Some(m::STAFF_SOLD),
        SeatState::Blocked => Some(m::STAFF_KEPT),
    };
    view! {
        <label class="seat-box" class:gone=!free>
            <input type="checkbox" name="seat" value=seat.seat.0 disabled=!free/>
            <span class="seat-label"><span class="away">{t.say(m::SEAT)}" "</span>{seat.label}</span>
            {word.map(|word| view! { <span class="seat-state">{t.say(word)}</span> })}
        </label>
    }
    .into_any()
}

/// House holds with their reasons.
#[component]
fn Kept(
    show: ShowId,
    runs: Vec<BlockedRun>,
    more: bool,
    section: Option<SectionIx>,
) -> impl IntoView {
    let t = use_lang();
    if runs.is_empty() {
        return ().into_any();
    }
    let rows = runs
        .into_iter()
        .map(|run| view! { <li><Run show run section/></li> });
    view! {
        <section class="card" aria-labelledby="kept-title">
            <h2 id="kept-title">{t.say(m::STAFF_KEPT_TITLE)}</h2>
            <ul class="kept">{rows.collect_view()}</ul>
            {more.then(|| view! { <p class="muted">{t.say(m::STAFF_KEPT_MORE)}</p> })}
        </section>
    }
    .into_any()
}

#[component]
fn Run(show: ShowId, run: BlockedRun, section: Option<SectionIx>) -> impl IntoView {
    let t = use_lang();
    let seats = if run.seats.len() == 1 {
        run.from.clone()
    } else {
        format!("{}–{}", run.from, run.to)
    };
    let words = t.fill(
        m::SEAT_WORDS,
        &[
            ("section", &run.section),
            ("row", &run.row),
            ("seat", &seats),
        ],
    );
    let number = t.count(run.seats.len() as u64, m::SEATS_ONE, m::SEATS_MANY);
    let fields = run
        .seats
        .iter()
        .map(|seat| view! { <input type="hidden" name="seat" value=seat.0/> });
    view! {
        <form class="line" method="post" action=format!("/staff/shows/{show}/unblock")>
            {section.map(|section| view! { <input type="hidden" name="section" value=section.0/> })}
            {fields.collect_view()}
            <span class="line-text">
                <span>{words.clone()}</span>
                <span class="muted small">{number}" · "{run.reason}</span>
            </span>
            <button class="plain" aria-label=t.fill(m::STAFF_RELEASE_THESE, &[("seats", &words)])>
                {t.say(m::STAFF_RELEASE)}
            </button>
        </form>
    }
    .into_any()
}
