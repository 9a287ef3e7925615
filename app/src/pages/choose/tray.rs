//! Beside and below the map: prices as a filter, seats together, what is chosen, and the button
//! that holds.

use domain::money::Minor;
use domain::wire::view::{ShowPage, TierView};
use leptos::prelude::*;

use super::state::{AreaInWords, Ask, Phase, SeatInWords, State, TOGETHER_MAX};
use crate::i18n::{messages as m, use_lang};
use crate::ui::status::{Swatch, left};

/// Tiers with price and what is left; one of them alone by a tap.
#[component]
pub fn Legend(page: ShowPage, state: State) -> impl IntoView {
    let t = use_lang();
    let currency = page.currency;
    let tier = move |(ix, tier): (usize, TierView)| {
        let is_only = move || state.only.get() == Some(tier.tier);
        let choose = move |_| {
            state
                .only
                .update(|only| *only = (*only != Some(tier.tier)).then_some(tier.tier));
        };
        let free = move || {
            state
                .live
                .tier_free()
                .read()
                .get(ix)
                .copied()
                .unwrap_or(tier.free)
        };
        view! {
            <button type="button" class="map-tier" class:sold-out=move || free() == 0
                aria-pressed=move || if is_only() { "true" } else { "false" } on:click=choose>
                <Swatch color=tier.color/>
                <span class="map-tier-name">{tier.name}</span>
                <strong>{t.money(tier.price, currency)}</strong>
                <span class="muted map-tier-left">{move || left(t, free())}</span>
            </button>
        }
    };
    view! {
        <div class="map-tiers" role="group" aria-label=t.say(m::MAP_PRICES)>
            {page.tiers.into_iter().enumerate().map(tier).collect_view()}
        </div>
    }
}

/// The buyer's choice and the way to hold it.
#[component]
pub fn Tray(page: ShowPage, state: State, open: bool) -> impl IntoView {
    let choosing = page.choose_seats;
    let money = move |amount: Minor| use_lang().money(amount, page.currency);
    let price_of_areas = move || -> i64 {
        let cart = state.cart.read();
        let areas = state.areas.read();
        areas
            .iter()
            .map(|area| area.price.0 * i64::from(cart.in_area(area.area)))
            .sum()
    };
    let total = move || {
        let seats: i64 = state.chosen.read().iter().map(|seat| seat.price.0).sum();
        Minor(seats + price_of_areas())
    };
    let max = page.per_order_max;
    let tiers = StoredValue::new(page.tiers.clone());
    view! {
        <aside class="map-tray">
            <NoticeBox state/>
            <Together state max choosing/>
            <Standing state max money=Callback::new(money)/>
            <ul class="map-chosen">
                <For each=move || state.chosen.get() key=|seat| seat.seat let:seat>
                    <ChosenRow seat state tiers money=Callback::new(money)/>
                </For>
            </ul>
            <Hold state open choosing total=Signal::derive(total) money=Callback::new(money)/>
        </aside>
    }
}

#[component]
fn NoticeBox(state: State) -> impl IntoView {
    let t = use_lang();
    move || {
        state.notice.get().map(|notice| {
            let instead = notice.instead.map(|(seats, words)| {
                let text = t.fill(m::MAP_ALTERNATIVE, &[("seats", &words)]);
                view! {
                    <button type="button" class="button quiet" on:click=move |_| state.ask(Ask::Take(seats.clone()))>
                        {text}
                    </button>
                }
            });
            view! {
                <div class="notice warn" role="alert">
                    <p>{notice.text}</p>
                    {instead}
                </div>
            }
        })
    }
}

/// "N together" with its stepper and what it proposes.
#[component]
fn Together(state: State, max: u32, choosing: bool) -> impl IntoView {
    let t = use_lang();
    let most = TOGETHER_MAX.min(max.min(u32::from(u16::MAX)) as u16).max(1);
    let step = move |by: i16| {
        state
            .wanted
            .update(|wanted| *wanted = wanted.saturating_add_signed(by).clamp(1, most));
    };
    let words = move || t.fill(m::MAP_TOGETHER, &[("n", &state.wanted.get().to_string())]);
    let can_take =
        move || choosing && state.suggestion.read().is_some() && state.cart.read().is_empty();
    let seats = move || {
        state
            .suggestion
            .get()
            .map(|suggestion| suggestion.seats)
            .unwrap_or_default()
    };
    let proposal = move || {
        if state.phase.get() != Phase::Ready || !state.cart.read().is_empty() {
            return None;
        }
        let text = if !choosing {
            t.say(m::MAP_BEST_HINT).to_owned()
        } else if let Some(suggestion) = state.suggestion.get() {
            suggestion.words
        } else {
            t.fill(
                m::MAP_NONE_TOGETHER,
                &[("n", &state.wanted.get().to_string())],
            )
        };
        let take = can_take().then(|| {
            view! {
                <button type="button" class="plain" on:click=move |_| state.ask(Ask::Take(seats()))>
                    {t.say(m::MAP_TAKE)}
                </button>
            }
        });
        Some(view! { <p class="map-proposal"><span>{text}</span>{take}</p> })
    };
    view! {
        <div class="map-together">
            <div class="stepper" role="group" aria-label=t.say(m::MAP_TOGETHER_LABEL)>
                <button type="button" aria-label=t.say(m::MAP_FEWER)
                    disabled=move || { state.wanted.get() <= 1 } on:click=move |_| step(-1)>"−"</button>
                <output aria-live="polite">{words}</output>
                <button type="button" aria-label=t.say(m::MAP_MORE)
                    disabled=move || { state.wanted.get() >= most } on:click=move |_| step(1)>"+"</button>
            </div>
            <Show when=can_take>
                <button type="button" class="plain" on:click=move |_| state.ask(Ask::Next)>{t.say(m::MAP_NEXT)}</button>
            </Show>
        </div>
        {proposal}
    }
}

/// Counters for standing areas; nothing in houses without.
#[component]
fn Standing(state: State, max: u32, money: Callback<Minor, String>) -> impl IntoView {
    let t = use_lang();
    let row = move |area: AreaInWords| {
        let ix = area.area;
        let count = move || state.cart.read().in_area(ix);
        let change = move |by: i16| {
            state.cart.update(|cart| {
                let wanted = cart.in_area(ix).saturating_add_signed(by);
                cart.set_area(ix, wanted, max);
            });
        };
        let left_now = move || {
            let areas = state.areas.read();
            areas
                .iter()
                .find(|area| area.area == ix)
                .map_or(0, |area| area.left)
        };
        let label = area.name.clone();
        view! {
            <li>
                <span><strong>{area.name}</strong>" "{money.run(area.price)}</span>
                <span class="muted">{move || left(t, left_now())}</span>
                <span class="stepper" role="group" aria-label=label>
                    <button type="button" aria-label=t.say(m::MAP_LESS)
                        disabled=move || { count() == 0 } on:click=move |_| change(-1)>"−"</button>
                    <output aria-live="polite">{count}</output>
                    <button type="button" aria-label=t.say(m::MAP_ADD)
                        disabled=move || { u32::from(count()) >= left_now() || state.cart.read().places() >= max }
                        on:click=move |_| change(1)>"+"</button>
                </span>
            </li>
        }
    };
    view! {
        <Show when=move || !state.areas.read().is_empty()>
            <ul class="map-areas">
                <For each=move || state.areas.get() key=|area| area.area let:area>{row(area)}</For>
            </ul>
        </Show>
    }
}

#[component]
fn ChosenRow(
    seat: SeatInWords,
    state: State,
    tiers: StoredValue<Vec<TierView>>,
    money: Callback<Minor, String>,
) -> impl IntoView {
    let t = use_lang();
    let ix = seat.seat;
    let (color, tier) = tiers.with_value(|tiers| {
        let tier = tiers.get(seat.tier.at());
        (
            tier.map_or(0, |tier| tier.color),
            tier.map_or_else(String::new, |tier| tier.name.clone()),
        )
    });
    let drop = t.fill(m::MAP_DROP, &[("seat", &seat.words)]);
    let remove = move |_| {
        state.cart.update(|cart| {
            cart.drop_seats(&[ix]);
        });
    };
    view! {
        <li>
            <button type="button" class="map-chosen-seat" on:click=move |_| state.ask(Ask::Show(vec![ix]))>
                <Swatch color/>
                <span>{seat.words}<small class="muted">{tier}</small></span>
            </button>
            <span class="number">{money.run(seat.price)}</span>
            <button type="button" class="map-drop" aria-label=drop on:click=remove>"×"</button>
        </li>
    }
}

/// One button: holds what is chosen, or else what is suggested.
#[component]
fn Hold(
    state: State,
    open: bool,
    choosing: bool,
    total: Signal<Minor>,
    money: Callback<Minor, String>,
) -> impl IntoView {
    let t = use_lang();
    let text = move || {
        if state.holding.get() {
            return t.say(m::MAP_HOLDING).to_owned();
        }
        let places = state.cart.read().places();
        if places > 0 {
            let count = t.count(u64::from(places), m::MAP_PLACE_ONE, m::MAP_PLACE_MANY);
            return t.fill(
                m::MAP_HOLD,
                &[("count", &count), ("total", &money.run(total.get()))],
            );
        }
        let wanted = state.wanted.get().to_string();
        match state.suggestion.get() {
            Some(suggestion) => t.fill(
                m::MAP_HOLD_THESE,
                &[
                    ("n", &suggestion.seats.len().to_string()),
                    ("total", &money.run(suggestion.total)),
                ],
            ),
            None if choosing => t.say(m::MAP_EMPTY).to_owned(),
            None => t.fill(m::MAP_TOGETHER, &[("n", &wanted)]),
        }
    };
    let disabled = move || {
        let something =
            !state.cart.read().is_empty() || state.suggestion.read().is_some() || !choosing;
        !open || state.phase.get() != Phase::Ready || !something
    };
    view! {
        <button type="button" class="button big map-hold" class:busy=move || state.holding.get()
            disabled=disabled aria-busy=move || if state.holding.get() { "true" } else { "false" }
            on:click=move |_| state.ask(Ask::Hold)>
            {text}
        </button>
    }
}
