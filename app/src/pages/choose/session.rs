//! The page's half that lives in the browser: it loads the house, draws it, answers the map and
//! asks the desk. One plain `Rc`, made inside an effect; the effects of the page own it, and it
//! ends with them.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use domain::ids::{AreaIx, SeatIx, SeatMapId, TierIx};
use domain::pick::Picker;
use domain::seat_map::{SeatMap, codec};
use domain::wire::snapshot::{SeatState, Snapshot};
use domain::wire::view::ShowPage;
use leptos::html;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use super::state::{AreaInWords, Ask, Phase, State};
use super::{geometry, words};
use crate::cart::CommandNames;
use crate::i18n::{Lang, use_lang};
use crate::live::store::LiveStore;
use crate::seat_map::camera::Px;
use crate::seat_map::frame::{Elements, MapView, Setup};
use crate::seat_map::scene::Scene;

mod hold;
mod seats;

/// The elements of the map.
pub struct Nodes {
    pub stage: NodeRef<html::Div>,
    pub seats: NodeRef<html::Canvas>,
    pub over: NodeRef<html::Canvas>,
}

/// Goes to another page of this site.
type Navigate = Rc<dyn Fn(&str)>;

struct Session {
    t: Lang,
    page: ShowPage,
    state: State,
    live: LiveStore,
    navigate: Navigate,
    /// There from the moment the house is known.
    house: RefCell<Option<House>>,
    names: RefCell<CommandNames>,
    /// Suggestions passed over with "next best".
    passed: RefCell<Vec<SeatIx>>,
    /// The seat under the pointer, and where that is.
    over: Cell<Option<(SeatIx, Px)>>,
    /// The hold went through and the page is about to change: seats that turn "held" now are ours.
    is_held: Cell<bool>,
}

struct House {
    map: Rc<SeatMap>,
    /// By seat.
    tiers: Vec<TierIx>,
    picker: Picker,
    view: MapView,
}

/// Begins the page's life in the browser.
pub fn begin(page: ShowPage, state: State, nodes: Nodes) {
    let t = use_lang();
    let navigate = use_navigate();
    let navigate: Navigate = Rc::new(move |path: &str| navigate(path, NavigateOptions::default()));
    let started = Cell::new(false);
    Effect::new(move |_| {
        let (Some(stage), Some(seats), Some(over)) =
            (nodes.stage.get(), nodes.seats.get(), nodes.over.get())
        else {
            return;
        };
        if started.replace(true) {
            return;
        }
        let elements = Elements {
            stage: stage.into(),
            seats,
            over,
        };
        let live = LiveStore::start_with(page.card.id, state.live);
        let session = Rc::new(Session {
            t,
            page: page.clone(),
            state,
            live,
            navigate: navigate.clone(),
            house: RefCell::new(None),
            names: RefCell::default(),
            passed: RefCell::default(),
            over: Cell::new(None),
            is_held: Cell::new(false),
        });
        session.follow();
        session.load(elements);
    });
}

impl Session {
    /// The effects that keep map and page in step. Each owns the session.
    fn follow(self: &Rc<Self>) {
        let state = self.state;
        let weak = Rc::downgrade(self);
        self.live.on_change(move |changed| {
            if let Some(session) = weak.upgrade() {
                session.house_moved(changed);
            }
        });
        let session = self.clone();
        Effect::new(move |_| {
            state.phase.track();
            state.cart.track();
            session.say_chosen();
        });
        let session = self.clone();
        Effect::new(move |_| {
            state.phase.track();
            state.live.seq().track();
            state.wanted.track();
            state.only.track();
            state.cart.track();
            session.suggest();
        });
        let session = self.clone();
        Effect::new(move |_| {
            state.phase.track();
            state.cart.track();
            state.suggestion.track();
            state.only.track();
            state.gone.track();
            session.mark();
        });
        let session = self.clone();
        Effect::new(move |_| {
            let (_, ask) = state.ask.get();
            if let Some(ask) = ask {
                session.carry_out(ask);
            }
        });
        // Another number or price begins the list of suggestions anew.
        let session = self.clone();
        Effect::new(move |_| {
            state.wanted.track();
            state.only.track();
            session.passed.borrow_mut().clear();
        });
    }

    /// Gets the geometry, and draws as soon as the states are there as well.
    fn load(self: &Rc<Self>, elements: Elements) {
        let weak = Rc::downgrade(self);
        let id = self.page.seat_map;
        leptos::task::spawn_local(async move {
            let map = fetch(id).await;
            let Some(session) = weak.upgrade() else {
                return;
            };
            let Some(map) = map else {
                session.state.phase.set(Phase::Failed);
                return;
            };
            let map = Rc::new(map);
            // The first snapshot may still be under way; it is polled for, since the store
            // tells of changes only.
            session.draw_when_known(elements, map);
        });
    }

    fn draw_when_known(self: &Rc<Self>, elements: Elements, map: Rc<SeatMap>) {
        match self.live.with(Snapshot::clone) {
            Some(snapshot) => self.draw(elements, map, snapshot),
            None => {
                let weak = Rc::downgrade(self);
                let again = move || {
                    if let Some(session) = weak.upgrade() {
                        session.draw_when_known(elements, map);
                    }
                };
                set_timeout(again, std::time::Duration::from_millis(30));
            }
        }
    }

    fn draw(self: &Rc<Self>, elements: Elements, map: Rc<SeatMap>, snapshot: Snapshot) {
        let tiers: Vec<TierIx> = map.seats.iter().map(|seat| TierIx(seat.category)).collect();
        let scene = Scene::new(map.clone(), &tiers, self.page.area_tiers.clone());
        let t = self.t;
        let weak: Weak<Self> = Rc::downgrade(self);
        let view = MapView::new(Setup {
            elements,
            scene,
            snapshot,
            tier_colours: self.page.tiers.iter().map(|tier| tier.color).collect(),
            left_in_words: Box::new(move |free| crate::ui::status::left(t, free)),
            notice: Rc::new(move |notice| {
                if let Some(session) = weak.upgrade() {
                    session.heard(notice);
                }
            }),
        });
        let Some(view) = view else {
            self.state.phase.set(Phase::Failed);
            return;
        };
        let picker = Picker::new(&map);
        *self.house.borrow_mut() = Some(House {
            map,
            tiers,
            picker,
            view,
        });
        self.count_areas();
        self.state.phase.set(Phase::Ready);
    }

    fn house_moved(&self, changed: &[(SeatIx, SeatState)]) {
        if let Some(house) = &*self.house.borrow() {
            self.live
                .with(|snapshot| house.view.house(snapshot, changed));
        }
        self.count_areas();
        self.drop_what_went(changed);
    }

    /// Places left in standing areas.
    fn count_areas(&self) {
        let house = self.house.borrow();
        let Some(house) = &*house else { return };
        let areas = house.map.areas.iter().enumerate().map(|(at, area)| {
            let ix = AreaIx(at as u16);
            let tier = self.page.area_tiers.get(at).copied().unwrap_or(TierIx(0));
            let taken = self
                .live
                .with(|snapshot| snapshot.area_taken.get(at).copied().unwrap_or(0));
            AreaInWords {
                area: ix,
                name: area.name.clone(),
                tier,
                price: words::price(&self.page, tier),
                left: area.capacity.saturating_sub(taken.unwrap_or(0)),
            }
        });
        let areas: Vec<AreaInWords> = areas.collect();
        if self.state.areas.with_untracked(|known| *known != areas) {
            self.state.areas.set(areas);
        }
    }

    fn carry_out(self: &Rc<Self>, ask: Ask) {
        match ask {
            Ask::ZoomIn => self.with_view(MapView::zoom_in),
            Ask::ZoomOut => self.with_view(MapView::zoom_out),
            Ask::Whole => self.with_view(MapView::whole),
            Ask::Show(seats) => self.with_view(|view| view.show(&seats)),
            Ask::Next => self.pass_over(),
            Ask::Take(seats) => self.take(&seats),
            Ask::Hold => self.hold(),
        }
    }

    fn with_view(&self, act: impl FnOnce(&MapView)) {
        if let Some(house) = &*self.house.borrow() {
            act(&house.view);
        }
    }
}

/// The page asks for the same address ahead of us (a preload), so this brings no header of its own:
/// the binary form is what is served unasked.
async fn fetch(id: SeatMapId) -> Option<SeatMap> {
    let answer = gloo_net::http::Request::get(&geometry(id))
        .send()
        .await
        .ok()?;
    if !answer.ok() {
        return None;
    }
    codec::decode(&answer.binary().await.ok()?).ok()
}
