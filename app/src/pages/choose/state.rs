//! What the parts of the seat map page share: signals only, so that they may be made on the
//! server and copied into every handler. What lives in the browser alone is the session's.

use domain::ids::{AreaIx, SeatIx, TierIx};
use domain::money::Minor;
use leptos::prelude::*;

use crate::cart::Cart;
use crate::live::store::LiveSignals;

/// Most that "N together" proposes.
pub const TOGETHER_MAX: u16 = 10;

/// A chosen seat in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatInWords {
    pub seat: SeatIx,
    pub words: String,
    pub tier: TierIx,
    pub price: Minor,
}

/// What "N together" proposes now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    pub seats: Vec<SeatIx>,
    pub words: String,
    pub total: Minor,
}

/// A standing area of this house.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AreaInWords {
    pub area: AreaIx,
    pub name: String,
    pub tier: TierIx,
    pub price: Minor,
    pub left: u32,
}

/// The seat under a pointer.
#[derive(Debug, Clone, PartialEq)]
pub struct HoverCard {
    /// CSS pixels of the map's box.
    pub x: f64,
    pub y: f64,
    pub words: String,
    pub price: String,
    pub state: &'static str,
}

/// What went wrong, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub text: String,
    /// Seats like those that went, by one tap.
    pub instead: Option<(Vec<SeatIx>, String)>,
}

/// Whether the map can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Loading,
    Ready,
    Failed,
}

/// What a button asks the session for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    ZoomIn,
    ZoomOut,
    Whole,
    /// Bring these seats into view.
    Show(Vec<SeatIx>),
    /// The next best suggestion.
    Next,
    /// Choose these.
    Take(Vec<SeatIx>),
    /// Hold what is chosen, else what is suggested.
    Hold,
}

/// The signals of one page.
#[derive(Clone, Copy)]
pub struct State {
    pub phase: RwSignal<Phase>,
    pub live: LiveSignals,
    pub cart: RwSignal<Cart>,
    /// The cart's seats in words.
    pub chosen: RwSignal<Vec<SeatInWords>>,
    pub areas: RwSignal<Vec<AreaInWords>>,
    /// How many should sit together.
    pub wanted: RwSignal<u16>,
    pub suggestion: RwSignal<Option<Suggestion>>,
    /// One tier alone, from the legend.
    pub only: RwSignal<Option<TierIx>>,
    /// Wanted and gone: marked on the map until the next choice.
    pub gone: RwSignal<Vec<SeatIx>>,
    pub notice: RwSignal<Option<Notice>>,
    /// For screen readers, one sentence at a time.
    pub spoken: RwSignal<String>,
    pub card: RwSignal<Option<HoverCard>>,
    /// The whole house is shown; the map is as near as it gets.
    pub zoom: RwSignal<(bool, bool)>,
    /// The desk has been asked and has not answered.
    pub holding: RwSignal<bool>,
    /// Numbered, so that the same twice is two.
    pub ask: RwSignal<(u32, Option<Ask>)>,
}

impl State {
    pub fn new(tier_free: Vec<u32>, per_order_max: u32) -> Self {
        Self {
            phase: RwSignal::new(Phase::Loading),
            live: LiveSignals::new(tier_free),
            cart: RwSignal::default(),
            chosen: RwSignal::default(),
            areas: RwSignal::default(),
            wanted: RwSignal::new(per_order_max.clamp(1, 2) as u16),
            suggestion: RwSignal::default(),
            only: RwSignal::default(),
            gone: RwSignal::default(),
            notice: RwSignal::default(),
            spoken: RwSignal::default(),
            card: RwSignal::default(),
            zoom: RwSignal::new((true, false)),
            holding: RwSignal::new(false),
            ask: RwSignal::default(),
        }
    }

    /// Asks the session to do something.
    pub fn ask(self, what: Ask) {
        self.ask.update(|(number, ask)| {
            *number = number.wrapping_add(1);
            *ask = Some(what);
        });
    }
}
