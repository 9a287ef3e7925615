//! The rows of one section as a form with a box for every seat.

use domain::ids::CommandId;
use domain::seat_map::SeatFlags;
use domain::wire::view::ShowPage as Show;
use leptos::prelude::*;

use crate::api::shows::{Availability, OpenedSection, RowEntry, SeatEntry};
use crate::i18n::{messages as m, use_lang};

#[component]
pub(super) fn Opened(show: Show, opened: OpenedSection, command_id: CommandId) -> impl IntoView {
    let t = use_lang();
    let form = NodeRef::<leptos::html::Form>::new();
    let (chosen, set_chosen) = signal((0u32, 0i64));
    let count = move || set_chosen.set(count_chosen(form));
    // Boxes ticked before the page was taken over count too.
    Effect::new(count);
    let currency = show.currency;
    let most = show.per_order_max;
    let rows = opened
        .rows
        .into_iter()
        .map(|row| view! { <Row show=show.clone() row/> }.into_any())
        .collect_view();
    let tally = move || {
        let (seats, price) = chosen.get();
        (seats > 0).then(|| {
            let number = t.count(u64::from(seats), m::SEATS_ONE, m::SEATS_MANY);
            format!(
                "{number} · {}",
                t.money(domain::money::Minor(price), currency)
            )
        })
    };
    view! {
        <section class="card" aria-labelledby="section">
            <h2 id="section">{opened.name}</h2>
            <p class="muted">{t.count(u64::from(most), m::LIST_CHOOSE_ONE, m::LIST_CHOOSE_MANY)}</p>
            <form
                method="post" action=format!("/shows/{}/hold", show.card.id) autocomplete="off"
                node_ref=form on:change=move |_| count()
            >
                <input type="hidden" name="command_id" value=command_id.to_string()/>
                {rows}
                <div class="tray">
                    <span role="status">{tally}</span>
                    <button class="button">{t.say(m::LIST_HOLD_CHOSEN)}</button>
                </div>
            </form>
        </section>
    }
}

/// Number of ticked seats and their prices together, in minor units.
#[cfg(feature = "hydrate")]
fn count_chosen(form: NodeRef<leptos::html::Form>) -> (u32, i64) {
    use wasm_bindgen::JsCast;

    let Some(form) = form.get_untracked() else {
        return (0, 0);
    };
    let Ok(boxes) = form.query_selector_all("input[name=seat]:checked") else {
        return (0, 0);
    };
    let prices = (0..boxes.length()).filter_map(|at| {
        let element = boxes.get(at)?.dyn_into::<web_sys::Element>().ok()?;
        element.get_attribute("data-price")?.parse::<i64>().ok()
    });
    (boxes.length(), prices.sum())
}

#[cfg(not(feature = "hydrate"))]
fn count_chosen(_form: NodeRef<leptos::html::Form>) -> (u32, i64) {
    (0, 0)
}

/// The seats of a row; a row with nothing free is one line of words.
#[component]
fn Row(show: Show, row: RowEntry) -> impl IntoView {
    let t = use_lang();
    let name = t.fill(m::LIST_ROW, &[("row", &row.label)]);
    if row
        .seats
        .iter()
        .all(|seat| seat.state != Availability::Free)
    {
        return view! {
            <p class="seat-row full"><strong>{name}</strong>" "{t.say(m::LIST_ROW_FULL)}</p>
        }
        .into_any();
    }
    let seats = row
        .seats
        .into_iter()
        .map(|seat| view! { <Seat show=show.clone() seat/> }.into_any())
        .collect_view();
    view! {
        <fieldset class="seat-row">
            <legend>{name}</legend>
            {seats}
        </fieldset>
    }
    .into_any()
}

/// A box with the seat's number; price, state and kind stand beside it in words.
#[component]
fn Seat(show: Show, seat: SeatEntry) -> impl IntoView {
    let t = use_lang();
    let free = seat.state == Availability::Free;
    let tier = show.tiers.get(seat.tier.at());
    let price = tier.map_or(0, |tier| tier.price.0);
    let state = match seat.state {
        Availability::Free => {
            tier.map_or_else(String::new, |tier| t.money(tier.price, show.currency))
        }
        Availability::Held => t.say(m::SEAT_HELD).to_owned(),
        Availability::Gone => t.say(m::SEAT_GONE).to_owned(),
    };
    let flags = SeatFlags(seat.flags);
    let kinds = [
        (SeatFlags::ACCESSIBLE, m::SEAT_ACCESSIBLE),
        (SeatFlags::COMPANION, m::SEAT_COMPANION),
        (SeatFlags::RESTRICTED_VIEW, m::SEAT_RESTRICTED_VIEW),
    ];
    let kinds = kinds.into_iter().filter(move |(flag, _)| flags.has(*flag));
    let kinds =
        kinds.map(|(_, text)| view! { <span class="seat-kind">{t.say(text)}</span> }.into_any());
    view! {
        <label class="seat-box" class:gone=!free>
            <input type="checkbox" name="seat" value=seat.seat.0 data-price=price disabled=!free/>
            <span class="seat-label"><span class="away">{t.say(m::SEAT)}" "</span>{seat.label}</span>
            <span class="seat-state">{state}</span>
            {kinds.collect_view()}
        </label>
    }
}
