//! The form that makes a show from a seat map. Without the client it is checked when it is sent
//! and comes back as typed; with it, every field is checked by the same code as it is left.

mod fields;

use domain::new_show::{Bad, BadField, Returned, check};
use domain::wire::view::{CategoryView, NewShow, NewTier, SeatMapCard};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use self::fields::{Field, Kind, Problem};
use super::notice::bad_text;
use super::page_title;
use crate::api::ask;
use crate::api::staff::{NewShowPage as Begin, new_show};
use crate::i18n::{grouped, messages as m, use_lang};
use crate::ui::load::load;
use crate::ui::missing::set_status;
use crate::ui::status::Swatch;
use crate::ui::title::title_text;

/// Currencies offered; any other ISO 4217 code can be sent.
const CURRENCIES: [&str; 16] = [
    "EUR", "USD", "GBP", "CHF", "CNY", "HKD", "JPY", "KRW", "SGD", "AUD", "CAD", "SEK", "NOK",
    "DKK", "PLN", "CZK",
];

#[component]
pub(super) fn NewShowPage() -> impl IntoView {
    let t = use_lang();
    let query = use_query_map();
    let chosen = move || query.read().get("seat_map").and_then(|id| id.parse().ok());
    let found = ask(chosen, new_show);
    view! {
        <Title text=page_title(t, t.say(m::STAFF_NEW_SHOW))/>
        <h1>{t.say(m::STAFF_NEW_SHOW)}</h1>
        {load(found, |begin| match begin {
            Begin::Choose(seat_maps) => view! { <SeatMaps seat_maps/> }.into_any(),
            Begin::Form { command_id, seat_map, returned } => {
                let refused = returned.is_some();
                let mut returned = returned.map_or_else(|| blank(&seat_map), |typed| *typed);
                returned.form.command_id = command_id.to_string();
                view! { <Form place=Place::Chosen(*seat_map) returned refused/> }.into_any()
            }
            Begin::Astray { returned, seat_maps } => {
                view! { <Form place=Place::Open(seat_maps) returned=*returned refused=true/> }.into_any()
            }
        })}
    }
    .into_any()
}

#[component]
fn SeatMaps(seat_maps: Vec<SeatMapCard>) -> impl IntoView {
    let t = use_lang();
    if seat_maps.is_empty() {
        return view! {
            <div class="empty">
                <h2>{t.say(m::STAFF_NO_MAPS_TITLE)}</h2>
                <p>{t.say(m::STAFF_NO_MAPS_TEXT)}</p>
                <p><code>"rowlock import-map FILE"</code></p>
            </div>
        }
        .into_any();
    }
    let rows = seat_maps.into_iter().map(|card| {
        let to = format!("/staff/shows/new?seat_map={}", card.id);
        view! { <li><a class="section-row" href=to><MapWords card/></a></li> }
    });
    view! {
        <section class="card">
            <h2>{t.say(m::STAFF_CHOOSE_MAP)}</h2>
            <ul class="rows">{rows.collect_view()}</ul>
        </section>
    }
    .into_any()
}

#[component]
fn MapWords(card: SeatMapCard) -> impl IntoView {
    let t = use_lang();
    let seats = t.count(u64::from(card.seats), m::SEATS_ONE, m::SEATS_MANY);
    let places = (card.area_places > 0).then(|| {
        let n = grouped(u64::from(card.area_places));
        format!(" · {}", t.fill(m::STAFF_STANDING_PLACES, &[("n", &n)]))
    });
    let place = t.fill(
        m::PLACE,
        &[("venue", &card.venue_name), ("city", &card.city)],
    );
    view! {
        <span class="section-name">{card.name}</span>
        <span class="muted">{place}</span>
        <span class="number">{seats}{places}</span>
    }
    .into_any()
}

/// The seat map that the form is about, or those that it may be about.
enum Place {
    Chosen(SeatMapCard),
    Open(Vec<SeatMapCard>),
}

impl Place {
    /// Price levels to ask for; without a seat map, those that were typed.
    fn categories(&self, typed: &[NewTier]) -> Vec<CategoryView> {
        let of_tier = |tier: &NewTier| CategoryView {
            name: tier.name.clone(),
            color: 0,
            places: 0,
        };
        match self {
            Self::Chosen(card) => card.categories.clone(),
            Self::Open(_) => typed.iter().map(of_tier).collect(),
        }
    }

    fn zone(&self) -> Option<String> {
        match self {
            Self::Chosen(card) => Some(card.zone.clone()),
            Self::Open(_) => None,
        }
    }
}

/// What a form begins with where nothing was typed yet.
fn blank(seat_map: &SeatMapCard) -> Returned {
    let currency = match seat_map.zone.as_str() {
        "Asia/Shanghai" | "Asia/Chongqing" | "Asia/Urumqi" => "CNY",
        "Asia/Hong_Kong" => "HKD",
        "Asia/Tokyo" => "JPY",
        "Europe/London" => "GBP",
        "Europe/Zurich" => "CHF",
        zone if zone.starts_with("America/") => "USD",
        _ => "EUR",
    };
    let tier = |category: &CategoryView| NewTier {
        name: category.name.clone(),
        price: String::new(),
    };
    let form = NewShow {
        seat_map: seat_map.id.to_string(),
        currency: currency.into(),
        tiers: seat_map.categories.iter().map(tier).collect(),
        per_order_max: "8".into(),
        per_buyer_max: "8".into(),
        hold_minutes: "10".into(),
        ..NewShow::default()
    };
    Returned {
        form,
        bad: Vec::new(),
    }
}

/// Fields that are judged together: touching one says something about all.
const TOGETHER: [&[&str]; 2] = [
    &["starts", "opens", "closes"],
    &["per_order_max", "per_buyer_max"],
];

/// What is wrong now: what the server told about fields that were not touched since, and what
/// the form's own check says about those that were.
fn watch(
    form: NewShow,
    told: Vec<BadField>,
    categories: Vec<CategoryView>,
) -> (Memo<Vec<BadField>>, impl Fn(&leptos::ev::Event) + Clone) {
    let typed = RwSignal::new(form);
    let touched = RwSignal::new(Vec::<String>::new());
    let bad = Memo::new(move |_| {
        let touched = touched.read();
        let beside_touched = |name: &str| {
            let groups = TOGETHER.iter().filter(|group| group.contains(&name));
            let mut beside = groups.flat_map(|group| group.iter());
            beside.any(|other| touched.iter().any(|field| field == other))
        };
        let fresh = |bad: &BadField| {
            touched.contains(&bad.field) || (bad.bad != Bad::Required && beside_touched(&bad.field))
        };
        let mut bad: Vec<BadField> = told.iter().filter(|bad| !fresh(bad)).cloned().collect();
        if !touched.is_empty() {
            let now = check(&typed.read(), &categories).err().unwrap_or_default();
            bad.extend(now.into_iter().filter(fresh));
        }
        bad
    });
    let note = move |event: &leptos::ev::Event| {
        let Some(name) = fields::name_of(event) else {
            return;
        };
        let value = event_target_value(event);
        typed.update(|form| {
            domain::new_show::set(form, &name, value);
        });
        touched.update(|touched| {
            if !touched.contains(&name) {
                touched.push(name);
            }
        });
    };
    (bad, note)
}

#[component]
fn Form(place: Place, returned: Returned, refused: bool) -> impl IntoView {
    let t = use_lang();
    if refused {
        set_status(422);
    }
    let Returned { form, bad: told } = returned;
    let categories = place.categories(&form.tiers);
    let zone = place.zone();
    let (bad, note) = watch(form.clone(), told, categories.clone());
    let whole_form = move || {
        let bad = bad.read();
        let about = |bad: &&BadField| matches!(bad.field.as_str(), "command_id" | "tiers");
        bad.iter().find(about).map(|bad| bad_text(t, bad.bad))
    };
    view! {
        {refused.then(|| view! {
            <div class="notice bad" role="alert">
                <p>{t.say(m::STAFF_NOT_SAVED)}</p>
                <p>{whole_form}</p>
            </div>
        })}
        <form class="new-show" method="post" action="/staff/shows" on:change=move |event| note(&event)>
            <input type="hidden" name="command_id" value=form.command_id.clone()/>
            <section class="card">
                <h2>{t.say(m::STAFF_MAP)}</h2>
                <Map place bad/>
            </section>
            <Words form=form.clone() bad/>
            <Times form=form.clone() bad zone/>
            <Tiers form=form.clone() bad categories/>
            <Limits form bad/>
            <div class="actions">
                <button class="button big">{t.say(m::STAFF_SAVE_DRAFT)}</button>
                <p class="muted">{t.say(m::STAFF_SAVE_DRAFT_TEXT)}</p>
            </div>
        </form>
    }
    .into_any()
}

#[component]
fn Map(place: Place, bad: Memo<Vec<BadField>>) -> impl IntoView {
    let t = use_lang();
    let seat_maps = match place {
        Place::Chosen(card) => {
            return view! {
                <input type="hidden" name="seat_map" value=card.id.to_string()/>
                <p class="section-row"><MapWords card/></p>
                <Problem bad name="seat_map"/>
                <a href="/staff/shows/new">{t.say(m::STAFF_OTHER_MAP)}</a>
            }
            .into_any();
        }
        Place::Open(seat_maps) => seat_maps,
    };
    let options = seat_maps.into_iter().map(|card| {
        let name = format!("{} · {}", card.venue_name, card.name);
        view! { <option value=card.id.to_string()>{name}</option> }
    });
    view! {
        <div class="field">
            <select name="seat_map" required aria-label=t.say(m::STAFF_MAP) aria-describedby="seat_map-bad">
                <option value="">{t.say(m::STAFF_MAP_NONE)}</option>
                {options.collect_view()}
            </select>
            <Problem bad name="seat_map"/>
        </div>
    }
    .into_any()
}

#[component]
fn Words(form: NewShow, bad: Memo<Vec<BadField>>) -> impl IntoView {
    let t = use_lang();
    view! {
        <section class="card stack">
            <h2>{t.say(m::STAFF_WORDS)}</h2>
            <Field bad name="title" label=t.say(m::STAFF_TITLE) value=form.title kind=Kind::Text { chars_max: 200 } required=true/>
            <Field bad name="summary" label=t.say(m::STAFF_SUMMARY) value=form.summary hint=t.say(m::STAFF_SUMMARY_HINT) kind=Kind::Text { chars_max: 500 }/>
            <div class="field">
                <label for="description">{t.say(m::STAFF_DESCRIPTION)}</label>
                <textarea id="description" name="description" rows="5" maxlength="20000" aria-describedby="description-bad">{title_text(&form.description).into_owned()}</textarea>
                <Problem bad name="description"/>
            </div>
        </section>
    }
    .into_any()
}

#[component]
fn Times(form: NewShow, bad: Memo<Vec<BadField>>, zone: Option<String>) -> impl IntoView {
    let t = use_lang();
    let zone = zone.map(|zone| t.fill(m::STAFF_TIMES_TEXT, &[("zone", &zone)]));
    view! {
        <section class="card stack">
            <h2>{t.say(m::STAFF_TIMES)}</h2>
            {zone.map(|zone| view! { <p class="muted">{zone}</p> })}
            <div class="three">
                <Field bad name="starts" label=t.say(m::STAFF_STARTS) value=form.starts kind=Kind::Time required=true/>
                <Field bad name="opens" label=t.say(m::STAFF_OPENS) value=form.opens hint=t.say(m::STAFF_OPENS_HINT) kind=Kind::Time/>
                <Field bad name="closes" label=t.say(m::STAFF_CLOSES) value=form.closes hint=t.say(m::STAFF_CLOSES_HINT) kind=Kind::Time/>
            </div>
        </section>
    }
    .into_any()
}

#[component]
fn Tiers(form: NewShow, bad: Memo<Vec<BadField>>, categories: Vec<CategoryView>) -> impl IntoView {
    let t = use_lang();
    let offered = CURRENCIES.contains(&form.currency.as_str());
    let other = (!offered && !form.currency.is_empty()).then(|| form.currency.clone());
    let options = CURRENCIES
        .iter()
        .map(|code| (*code).to_owned())
        .chain(other);
    let options = options.map(|code| {
        let selected = code == form.currency;
        view! { <option value=code.clone() selected=selected>{code.clone()}</option> }
    });
    let rows = categories.into_iter().enumerate().map(|(at, category)| {
        let typed = form.tiers.get(at).cloned().unwrap_or_default();
        let places = grouped(u64::from(category.places));
        view! {
            <fieldset class="tier-fields">
                <legend>
                    <Swatch color=category.color/>{category.name}" "
                    <span class="muted small">{t.fill(m::STAFF_TIER_PLACES, &[("n", &places)])}</span>
                </legend>
                <Field bad name=format!("tier-{at}-name") label=t.say(m::STAFF_TIER_NAME) value=typed.name kind=Kind::Text { chars_max: 60 } required=true/>
                <Field bad name=format!("tier-{at}-price") label=t.say(m::STAFF_TIER_PRICE) value=typed.price kind=Kind::Money required=true/>
            </fieldset>
        }
    });
    view! {
        <section class="card stack">
            <h2>{t.say(m::STAFF_PRICES)}</h2>
            <div class="three">
                <div class="field">
                    <label for="currency">{t.say(m::STAFF_CURRENCY)}</label>
                    <select id="currency" name="currency" aria-describedby="currency-bad">{options.collect_view()}</select>
                    <Problem bad name="currency"/>
                </div>
                <Field bad name="fee_per_ticket" label=t.say(m::STAFF_FEE) value=form.fee_per_ticket hint=t.say(m::STAFF_FEE_HINT) kind=Kind::Money/>
            </div>
            {rows.collect_view()}
        </section>
    }
    .into_any()
}

#[component]
fn Limits(form: NewShow, bad: Memo<Vec<BadField>>) -> impl IntoView {
    let t = use_lang();
    view! {
        <section class="card stack">
            <h2>{t.say(m::STAFF_LIMITS)}</h2>
            <div class="three">
                <Field bad name="per_order_max" label=t.say(m::STAFF_PER_ORDER) value=form.per_order_max kind=Kind::Whole { min: 1, max: 50 } required=true/>
                <Field bad name="per_buyer_max" label=t.say(m::STAFF_PER_BUYER) value=form.per_buyer_max kind=Kind::Whole { min: 1, max: 1000 } required=true/>
                <Field bad name="hold_minutes" label=t.say(m::STAFF_HOLD_MINUTES) value=form.hold_minutes kind=Kind::Whole { min: 5, max: 30 } required=true/>
            </div>
        </section>
    }
    .into_any()
}
