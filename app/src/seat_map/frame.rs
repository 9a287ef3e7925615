//! One animation loop for one map. Events and callers change the state and ask for a frame;
//! the frame moves the camera on and paints what has become stale. Nothing runs while nothing
//! changes. Here is the map as the page has it; `input` listens, `act` applies what people meant,
//! `turn` makes the next picture.
//!
//! Whoever made the [`MapView`] owns it. Listeners and the loop hold it weakly, so that they end
//! with it, even when the browser calls them late.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use domain::ids::SeatIx;
use domain::wire::snapshot::{SeatState, Snapshot};
use wasm_bindgen::closure::Closure;
use web_sys::{HtmlCanvasElement, HtmlElement};

use super::camera::{Backing, Camera, Px, STEP};
use super::gestures::Gestures;
use super::listen::{Listeners, matches, now};
use super::paint::Painter;
use super::raster::Raster;
use super::scene::{Filter, Left, Level, Scene};
use super::theme::Theme;

mod act;
mod input;
mod turn;

/// Seats that pulse at once; a burst beyond is drawn without.
const PULSES_MAX: usize = 60;

/// What people did, for the page to answer. The map itself chooses nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Notice {
    /// A tap or key on a seat that is large enough to be meant.
    Toggle(SeatIx),
    /// A pointer rests on a seat, at this place; or on none.
    Over(Option<(SeatIx, Px)>),
    /// The keyboard stands on a seat.
    Focused(SeatIx),
    /// What the zoom buttons can do.
    Zoom { whole: bool, nearest: bool },
}

/// What is shown above the seats, as the page wants it.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    pub chosen: Vec<SeatIx>,
    pub suggested: Vec<SeatIx>,
    pub gone: Vec<SeatIx>,
    pub filter: Filter,
}

/// The elements of one map.
pub struct Elements {
    /// The box: its size is the map's.
    pub stage: HtmlElement,
    pub seats: HtmlCanvasElement,
    /// The upper canvas: it hears pointers and keys.
    pub over: HtmlCanvasElement,
}

/// What the page gives the map once.
pub struct Setup {
    pub elements: Elements,
    pub scene: Scene,
    pub snapshot: Snapshot,
    /// Colours of the show's tiers, `0xRRGGBB`.
    pub tier_colours: Vec<u32>,
    pub left_in_words: Box<dyn Fn(u32) -> String>,
    pub notice: Rc<dyn Fn(Notice)>,
}

/// A living map. Dropping it ends loop and listeners.
pub struct MapView {
    inner: Rc<RefCell<Inner>>,
    _listeners: Listeners,
}

struct Inner {
    elements: Elements,
    painter: Painter,
    scene: Scene,
    snapshot: Snapshot,
    camera: Camera,
    gestures: Gestures,
    raster: Raster,
    backing: Backing,
    theme: Theme,
    tier_colours: Vec<u32>,
    marks: Marks,
    left: Vec<Left>,
    pulses: Vec<(SeatIx, f64)>,
    hovered: Option<SeatIx>,
    focused: Option<SeatIx>,
    /// The keyboard is on the map, so the focus is drawn.
    has_keyboard: bool,
    left_in_words: Box<dyn Fn(u32) -> String>,
    notice: Rc<dyn Fn(Notice)>,
    told_zoom: Option<(bool, bool)>,
    stale: Stale,
    /// A frame was asked for and has not come.
    frame_asked: bool,
    tick: Option<Closure<dyn FnMut(f64)>>,
}

/// What has to be done again before the next picture.
#[derive(Clone, Copy, PartialEq)]
struct Stale {
    theme: bool,
    size: bool,
    left: bool,
    seats: bool,
    over: bool,
}

impl Stale {
    const ALL: Self = Self {
        theme: true,
        size: true,
        left: true,
        seats: true,
        over: true,
    };
    const NOTHING: Self = Self {
        theme: false,
        size: false,
        left: false,
        seats: false,
        over: false,
    };
}

impl MapView {
    /// Begins to draw and to listen; `None` where the browser gives no canvas.
    pub fn new(setup: Setup) -> Option<Self> {
        let Setup {
            elements,
            scene,
            snapshot,
            tier_colours,
            left_in_words,
            notice,
        } = setup;
        let painter = Painter::new(elements.seats.clone(), elements.over.clone())?;
        let camera = Camera::new(scene.map.width, scene.map.height, scene.seat_diameter);
        let inner = Rc::new(RefCell::new(Inner {
            painter,
            camera,
            scene,
            snapshot,
            gestures: Gestures::default(),
            raster: Raster::default(),
            backing: Backing::of((1.0, 1.0), 1.0),
            theme: Theme::default(),
            tier_colours,
            marks: Marks::default(),
            left: Vec::new(),
            pulses: Vec::new(),
            hovered: None,
            focused: None,
            has_keyboard: false,
            left_in_words,
            notice,
            told_zoom: None,
            stale: Stale::ALL,
            frame_asked: false,
            tick: None,
            elements,
        }));
        let weak = Rc::downgrade(&inner);
        let tick = Closure::<dyn FnMut(f64)>::new(move |time| {
            if let Some(inner) = weak.upgrade() {
                let notices = inner.borrow_mut().frame(time);
                tell(&inner, notices);
            }
        });
        inner.borrow_mut().tick = Some(tick);
        let listeners = input::listen(&inner);
        inner.borrow_mut().ask();
        Some(Self {
            inner,
            _listeners: listeners,
        })
    }

    /// The house moved on: `changed` seats look different in `snapshot`.
    pub fn house(&self, snapshot: &Snapshot, changed: &[(SeatIx, SeatState)]) {
        let mut inner = self.inner.borrow_mut();
        inner.snapshot.clone_from(snapshot);
        inner.stale.left = true;
        inner.stale.seats = true;
        inner.stale.over = true;
        let near = Level::of(inner.camera.seat_diameter()) != Level::House;
        if near && changed.len() <= PULSES_MAX && !less_motion() {
            let since = now();
            inner
                .pulses
                .extend(changed.iter().map(|&(seat, _)| (seat, since)));
            let surplus = inner.pulses.len().saturating_sub(PULSES_MAX);
            inner.pulses.drain(..surplus);
        }
        inner.ask();
    }

    /// What lies above the seats changed.
    pub fn mark(&self, marks: Marks) {
        let mut inner = self.inner.borrow_mut();
        if inner.marks.filter != marks.filter {
            inner.stale.left = true;
            inner.stale.seats = true;
        }
        inner.marks = marks;
        inner.stale.over = true;
        inner.ask();
    }

    pub fn zoom_in(&self) {
        self.move_camera(|camera, now| camera.go_step(STEP, now));
    }

    pub fn zoom_out(&self) {
        self.move_camera(|camera, now| camera.go_step(1.0 / STEP, now));
    }

    pub fn whole(&self) {
        self.move_camera(Camera::go_whole);
    }

    /// Brings seats into view, large enough to be chosen where that is possible.
    pub fn show(&self, seats: &[SeatIx]) {
        let around = self.inner.borrow().scene.around(seats);
        if let Some(rect) = around {
            self.move_camera(|camera, now| camera.go_show(rect, now));
        }
    }

    /// Reads what is drawn.
    pub fn with_scene<R>(&self, read: impl FnOnce(&Scene, &Snapshot) -> R) -> R {
        let inner = self.inner.borrow();
        read(&inner.scene, &inner.snapshot)
    }

    fn move_camera(&self, go: impl FnOnce(&mut Camera, Option<f64>)) {
        let mut inner = self.inner.borrow_mut();
        let now = animated();
        go(&mut inner.camera, now);
        inner.moved();
        inner.ask();
    }
}

/// The time at which an animation begins; `None` for those who want none.
fn animated() -> Option<f64> {
    (!less_motion()).then(now)
}

fn less_motion() -> bool {
    matches("(prefers-reduced-motion: reduce)")
}

/// Tells the page after the map is free again: the page may change the map in return.
fn tell(inner: &Rc<RefCell<Inner>>, notices: Vec<Notice>) {
    if notices.is_empty() {
        return;
    }
    let notice = inner.borrow().notice.clone();
    for said in notices {
        notice(said);
    }
}

/// For listeners: the map as long as there is one.
type WeakMap = Weak<RefCell<Inner>>;
