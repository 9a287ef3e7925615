//! The seats are held: drop some, say who you are, pay. The deadline is the server's.

use domain::ids::{CommandId, OrderId};
use domain::wire::view::{LineView, OrderView};
use leptos::prelude::*;

use super::{CancelForm, Facts, place_words};
use crate::i18n::{messages as m, use_lang};
use crate::ui::countdown::seconds_left;

/// From here on the countdown asks for attention.
const WARNING_SECONDS: i64 = 120;

#[component]
pub(super) fn Checkout(
    order: OrderView,
    pay_id: CommandId,
    change_id: CommandId,
    again: Callback<()>,
) -> impl IntoView {
    let t = use_lang();
    let (id, currency) = (order.id, order.currency);
    let last = order.lines.len() == 1;
    let money = move |amount| t.money(amount, currency);
    let lines = order.lines.iter().map(|line| {
        view! { <Line order=id line=line.clone() price=money(line.price) change_id last/> }
    });
    let lines = lines.collect_view();
    view! {
        <h1>{t.say(m::CHECKOUT_TITLE)}</h1>
        <Deadline order=order.clone() again/>
        {order.declined.then(|| view! {
            <p class="notice bad" role="alert">{t.refusal("declined")}</p>
        }.into_any())}
        <div class="columns">
            <section class="card" aria-labelledby="seats">
                <h2 id="seats">{t.say(m::CHECKOUT_SEATS)}</h2>
                <Facts order=order.clone()/>
                <ul class="lines">{lines}</ul>
                <dl class="sums">
                    <div><dt>{t.say(m::CHECKOUT_FEES)}</dt><dd>{money(order.fees)}</dd></div>
                    <div class="total"><dt>{t.say(m::CHECKOUT_TOTAL)}</dt><dd>{money(order.total)}</dd></div>
                </dl>
            </section>
            <section class="card" aria-labelledby="contact">
                <h2 id="contact">{t.say(m::CHECKOUT_CONTACT)}</h2>
                <Contact order=order pay_id/>
                <CancelForm order=id command_id=change_id/>
            </section>
        </div>
    }
}

/// The end of the hold as a time of day, then what is left of it.
#[component]
fn Deadline(order: OrderView, again: Callback<()>) -> impl IntoView {
    let t = use_lang();
    let Some((at, until)) = order.hold_expires_at.zip(order.hold_until.as_ref()) else {
        return ().into_any();
    };
    let time = format!("{} {}", t.time(until), until.zone);
    let left = seconds_left(at, order.server_now, move || again.run(()));
    let soon = Memo::new(move |_| left.get() <= WARNING_SECONDS);
    view! {
        <div class="deadline" class:urgent=soon>
            <span>{t.fill(m::CHECKOUT_HELD_UNTIL, &[("time", &time)])}</span>
            <span class="count" role="timer">{move || t.countdown(left.get())}</span>
            <span class="deadline-note" role="status">
                {move || soon.get().then(|| t.say(m::CHECKOUT_HURRY))}
            </span>
        </div>
    }
    .into_any()
}

#[component]
fn Line(
    order: OrderId,
    line: LineView,
    price: String,
    change_id: CommandId,
    last: bool,
) -> impl IntoView {
    let t = use_lang();
    let words = place_words(t, &line);
    let label = t.fill(m::CHECKOUT_DROP_THIS, &[("seat", &words)]);
    view! {
        <li class="line">
            <span class="line-text">
                <span>{words}</span>
                <span class="muted small">{line.tier_name}</span>
            </span>
            <span class="number">{price}</span>
            // The last seat goes with the whole order, by the button that says so.
            {(!last).then(|| view! {
                <form method="post" action=format!("/orders/{order}/drop")>
                    <input type="hidden" name="command_id" value=change_id.to_string()/>
                    <input type="hidden" name="line" value=line.no/>
                    <button class="plain" aria-label=label>{t.say(m::CHECKOUT_DROP)}</button>
                </form>
            }.into_any())}
        </li>
    }
}

#[component]
fn Contact(order: OrderView, pay_id: CommandId) -> impl IntoView {
    let t = use_lang();
    let pay = if order.total.0 == 0 {
        t.say(m::CHECKOUT_FREE).to_owned()
    } else {
        t.fill(
            m::CHECKOUT_PAY,
            &[("total", &t.money(order.total, order.currency))],
        )
    };
    view! {
        <form class="stack" method="post" action=format!("/orders/{}/pay", order.id)>
            <input type="hidden" name="command_id" value=pay_id.to_string()/>
            <input type="hidden" name="locale" value=t.word()/>
            <label class="field">
                <span>{t.say(m::CHECKOUT_NAME)}</span>
                <input type="text" name="name" required maxlength="100" autocomplete="name"/>
            </label>
            <label class="field">
                <span>{t.say(m::CHECKOUT_EMAIL)}</span>
                <input
                    type="email" name="email" required maxlength="254" autocomplete="email"
                    value=order.email.unwrap_or_default()
                />
                <span class="muted small">{t.say(m::CHECKOUT_EMAIL_HINT)}</span>
            </label>
            <button class="button big">{pay}</button>
            <p class="muted small">{t.say(m::CHECKOUT_PAY_HINT)}</p>
        </form>
    }
}
