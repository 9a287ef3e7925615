//! Paid: tickets to show at the door. Codes stand dark on white whatever the theme, for scanners.

use domain::wire::view::{LineView, OrderView, TicketView};
use leptos::prelude::*;

use super::{Facts, place_words};
use crate::i18n::{messages as m, use_lang};
use crate::pages::orders::number_line;

#[component]
pub(super) fn Tickets(order: OrderView) -> impl IntoView {
    let t = use_lang();
    let sent = order
        .email
        .as_ref()
        .map(|email| t.fill(m::TICKETS_SENT, &[("email", email)]));
    let money = |amount| t.money(amount, order.currency);
    let tickets = order.tickets.iter().map(|ticket| {
        let line = order
            .lines
            .iter()
            .find(|line| line.no == ticket.line)
            .cloned();
        view! { <Ticket order=order.clone() ticket=ticket.clone() line/> }
    });
    let tickets = tickets.collect_view();
    let (fees, total) = (money(order.fees), money(order.total));
    view! {
        <header class="paid-head">
            <h1>{t.say(m::TICKETS_TITLE)}</h1>
            <p class="lead">{t.say(m::TICKETS_TEXT)}</p>
            {sent.map(|sent| view! { <p class="muted">{sent}</p> }.into_any())}
            <p class="actions"><PrintButton/></p>
        </header>
        <ol class="tickets">{tickets}</ol>
        <section class="card receipt">
            <h2>{number_line(t, &order.number)}</h2>
            <dl class="sums">
                <div><dt>{t.say(m::CHECKOUT_FEES)}</dt><dd>{fees}</dd></div>
                <div class="total"><dt>{t.say(m::TICKETS_PAID)}</dt><dd>{total}</dd></div>
            </dl>
        </section>
    }
}

#[component]
fn Ticket(order: OrderView, ticket: TicketView, line: Option<LineView>) -> impl IntoView {
    let t = use_lang();
    let words = line
        .as_ref()
        .map(|line| place_words(t, line))
        .unwrap_or_default();
    let tier = line.map(|line| line.tier_name);
    let label = t.fill(m::TICKETS_CODE, &[("seat", &words)]);
    let code = if ticket.void {
        view! { <p class="notice bad">{t.say(m::TICKETS_VOID)}</p> }.into_any()
    } else {
        view! { <div class="qr" role="img" aria-label=label inner_html=ticket.qr_svg></div> }
            .into_any()
    };
    view! {
        <li class="ticket">
            <div class="ticket-text">
                <p class="ticket-seat">{words}</p>
                <p class="muted">{tier}</p>
                <Facts order=order/>
            </div>
            {code}
        </li>
    }
}

/// There only where a script can open the print window.
#[component]
fn PrintButton() -> impl IntoView {
    let t = use_lang();
    let (can, set_can) = signal(false);
    #[cfg(feature = "hydrate")]
    Effect::new(move || set_can.set(true));
    #[cfg(not(feature = "hydrate"))]
    let _ = set_can;
    let print = move |_| {
        #[cfg(feature = "hydrate")]
        let _ = window().print();
    };
    view! {
        <button type="button" class="button quiet" hidden=move || !can.get() on:click=print>
            {t.say(m::TICKETS_PRINT)}
        </button>
    }
}
