//! The seat map page. The server renders everything that is text, with a box of fixed size for
//! the map, so that nothing jumps; the browser loads the house, draws and listens.

use domain::ids::{SeatMapId, ShowId};
use domain::refusal::Refusal;
use domain::wire::view::ShowPage as Show;
use leptos::html;
use leptos::prelude::*;
use leptos_meta::{Link, Title};
use leptos_router::hooks::use_params_map;

use super::discover::page_title;
use crate::api::ask;
use crate::api::shows::show;
use crate::i18n::{messages as m, use_lang};
use crate::live::LiveStatus;
use crate::ui::load::load;
use crate::ui::status::is_open;

#[cfg(feature = "hydrate")]
mod session;
mod state;
#[cfg(feature = "hydrate")]
mod words;
mod tray;

use state::{Ask, Phase, State};

#[component]
pub fn ChoosePage() -> impl IntoView {
    let parameters = use_params_map();
    let id = move || {
        parameters
            .read()
            .get("id")
            .and_then(|id| id.parse::<ShowId>().ok())
    };
    let found = ask(id, |id| async move {
        match id {
            Some(id) => show(id).await,
            None => Err(Refusal::NotFound.into()),
        }
    });
    load(found, |page| view! { <Page page/> }.into_any())
}

#[component]
fn Page(page: Show) -> impl IntoView {
    let t = use_lang();
    let id = page.card.id;
    let place = t.fill(
        m::PLACE,
        &[("venue", &page.card.venue), ("city", &page.card.city)],
    );
    let free = page.tiers.iter().map(|tier| tier.free).collect();
    let state = State::new(free, page.per_order_max);
    let open = is_open(&page.card);
    view! {
        <Title text=page_title(t, &page.title)/>
        // On its way while the script still loads.
        <Link rel="preload" as_="fetch" crossorigin="anonymous" href=geometry(page.seat_map)/>
        <div class="choose">
            <header class="choose-head">
                <div>
                    <h1><a href=format!("/shows/{id}")>{page.title.clone()}</a></h1>
                    <p class="muted">{t.date_time(&page.card.starts)}" · "{place}</p>
                </div>
                <a class="button quiet" href=format!("/shows/{id}/list")>{t.say(m::MAP_LIST)}</a>
            </header>
            {(!open).then(|| view! { <p class="notice">{t.say(m::LIST_NOT_OPEN)}</p> }.into_any())}
            <tray::Legend page=page.clone() state/>
            <Map page=page.clone() state/>
            <tray::Tray page=page state open/>
        </div>
    }
}

/// The address of the geometry.
fn geometry(id: SeatMapId) -> String {
    format!("/api/v1/seat-maps/{id}")
}

/// The box with the canvases and what floats above them.
#[component]
fn Map(page: Show, state: State) -> impl IntoView {
    let t = use_lang();
    let stage = NodeRef::<html::Div>::new();
    let seats = NodeRef::<html::Canvas>::new();
    let over = NodeRef::<html::Canvas>::new();
    let label = t.fill(m::MAP_LABEL, &[("title", &page.title)]);
    let list = format!("/shows/{}/list", page.card.id);
    #[cfg(feature = "hydrate")]
    session::begin(page, state, session::Nodes { stage, seats, over });
    view! {
        <section class="map">
            <div class="map-stage" node_ref=stage>
                <canvas class="map-seats" node_ref=seats aria-hidden="true"></canvas>
                <canvas class="map-over" node_ref=over role="application" tabindex="0"
                    aria-label=label aria-describedby="map-help"></canvas>
            </div>
            <p id="map-help" class="visually-hidden">{t.say(m::MAP_ACCESSIBILITY)}</p>
            <p class="visually-hidden" role="status" aria-live="polite">{move || state.spoken.get()}</p>
            <ZoomButtons state/>
            <Key/>
            <Card state/>
            {move || match state.phase.get() {
                Phase::Loading => Some(view! {
                    <p class="map-veil" role="status">{t.say(m::MAP_LOADING)}</p>
                }.into_any()),
                Phase::Failed => Some(view! {
                    <p class="map-veil" role="alert">
                        {t.say(m::MAP_FAILED_TEXT)}" "<a href=list.clone()>{t.say(m::MAP_LIST)}</a>
                    </p>
                }.into_any()),
                Phase::Ready => None,
            }}
            <LiveBanner state/>
        </section>
    }
}

#[component]
fn ZoomButtons(state: State) -> impl IntoView {
    let t = use_lang();
    let not_ready = move || state.phase.get() != Phase::Ready;
    view! {
        <div class="map-zoom" role="group" aria-label=t.say(m::MAP_ZOOM)>
            <button type="button" aria-label=t.say(m::MAP_ZOOM_IN) title=t.say(m::MAP_ZOOM_IN)
                disabled=move || not_ready() || state.zoom.get().1 on:click=move |_| state.ask(Ask::ZoomIn)>
                <Icon path="M12 5v14M5 12h14"/>
            </button>
            <button type="button" aria-label=t.say(m::MAP_ZOOM_OUT) title=t.say(m::MAP_ZOOM_OUT)
                disabled=move || not_ready() || state.zoom.get().0 on:click=move |_| state.ask(Ask::ZoomOut)>
                <Icon path="M5 12h14"/>
            </button>
            <button type="button" aria-label=t.say(m::MAP_WHOLE) title=t.say(m::MAP_WHOLE)
                disabled=move || not_ready() || state.zoom.get().0 on:click=move |_| state.ask(Ask::Whole)>
                <Icon path="M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5"/>
            </button>
        </div>
    }
}

#[component]
fn Icon(path: &'static str) -> impl IntoView {
    view! {
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" fill="none"
            stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round">
            <path d=path></path>
        </svg>
    }
}

/// What the shapes mean.
#[component]
fn Key() -> impl IntoView {
    let t = use_lang();
    view! {
        <ul class="map-key" aria-label=t.say(m::MAP_KEY)>
            <li><svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="6" fill="currentColor"></circle></svg>{t.say(m::MAP_KEY_FREE)}</li>
            <li><svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" stroke-width="2"></circle></svg>{t.say(m::MAP_KEY_HELD)}</li>
            <li><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M5 5l6 6M11 5l-6 6" stroke="currentColor" stroke-width="2"></path></svg>{t.say(m::MAP_KEY_SOLD)}</li>
            <li class="mine"><svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="7" fill="currentColor"></circle><path d="M4.6 8.2l2.4 2.5 4.4-5" fill="none" stroke="var(--on-accent)" stroke-width="1.8"></path></svg>{t.say(m::MAP_KEY_MINE)}</li>
        </ul>
    }
}

/// The seat under the pointer.
#[component]
fn Card(state: State) -> impl IntoView {
    move || {
        state.card.get().map(|card| {
            // Kept inside the box: above the pointer, below it near the upper edge.
            let (x, y) = (card.x.round() as i32, card.y.round() as i32);
            let left = format!("min(max({x}px, 8.2rem), 100% - 8.2rem)");
            let top = format!("{y}px");
            view! {
                <div class="map-card" class:below=card.y < 90.0 style:left=left style:top=top aria-hidden="true">
                    <strong>{card.words}</strong>
                    <span>{card.price}" · "{card.state}</span>
                </div>
            }
        })
    }
}

/// Says when what is shown may be old.
#[component]
fn LiveBanner(state: State) -> impl IntoView {
    let t = use_lang();
    move || {
        let text = match state.live.status().get() {
            LiveStatus::Connecting | LiveStatus::Live => return None,
            LiveStatus::Reconnecting => t.say(m::MAP_RECONNECTING),
            LiveStatus::Offline => t.say(m::MAP_OFFLINE),
        };
        Some(view! { <p class="map-banner" role="status">{text}</p> })
    }
}
