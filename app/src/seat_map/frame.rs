//! One animation loop for one map. Events and callers change the state and ask for a frame;
//! the frame moves the camera on and paints what has become stale. Nothing runs while nothing
//! changes.
//!
//! Whoever made the [`MapView`] owns it. Listeners and the loop hold it weakly, so that they end
//! with it, even when the browser calls them late.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use domain::ids::SeatIx;
use domain::seat_map::Rect;
use domain::wire::snapshot::{SeatState, Snapshot};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlCanvasElement, HtmlElement};

use super::camera::{Backing, Camera, Px, STEP};
use super::gestures::{Gestures, Input, Proposal};
use super::hit::{self, Target};
use super::keys::{self, KeyProposal};
use super::listen::{Listeners, matches, now};
use super::overlay::Over;
use super::paint::{Ground, Painter};
use super::raster::{Look, Raster};
use super::scene::{Filter, Left, Level, Scene};
use super::theme::Theme;

mod input;

/// How long a changed seat draws the eye.
const PULSE_MS: f64 = 700.0;
/// Seats that pulse at once; a burst beyond is drawn without.
const PULSES_MAX: usize = 60;
/// A tap that cannot choose goes to a section only where that brings it this much closer.
const CLOSER_MIN: f64 = 1.25;

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

impl Inner {
    /// Asks the browser for a frame, once.
    fn ask(&mut self) {
        if self.frame_asked {
            return;
        }
        let (Some(window), Some(tick)) = (web_sys::window(), &self.tick) else {
            return;
        };
        self.frame_asked = window
            .request_animation_frame(tick.as_ref().unchecked_ref())
            .is_ok();
    }

    fn moved(&mut self) {
        self.stale.seats = true;
        self.stale.over = true;
    }

    fn frame(&mut self, time: f64) -> Vec<Notice> {
        self.frame_asked = false;
        let mut notices = Vec::new();
        if self.camera.is_moving() {
            self.camera.advance(time);
            self.moved();
        }
        if self.gestures.is_waiting() {
            let said = self.gestures.step(Input::Tick { time: now() });
            notices.extend(said.and_then(|proposal| self.apply(proposal)));
        }
        self.pulses.retain(|&(_, since)| time - since < PULSE_MS);
        self.refit();
        if self.camera.has_view() {
            self.paint(time);
            notices.extend(self.zoom_notice());
        }
        if self.camera.is_moving() || self.gestures.is_waiting() || !self.pulses.is_empty() {
            self.ask();
        }
        notices
    }

    /// Follows the box and the screen; cheap when neither changed.
    fn refit(&mut self) {
        let ratio = web_sys::window().map_or(1.0, |window| window.device_pixel_ratio());
        if self.stale.size {
            self.stale.size = false;
            let bounds = self.elements.stage.get_bounding_client_rect();
            if self.camera.view() != (bounds.width(), bounds.height()) {
                self.camera.resize(bounds.width(), bounds.height());
                self.moved();
            }
        }
        let backing = Backing::of(self.camera.view(), ratio);
        if backing != self.backing {
            self.backing = backing;
            self.moved();
        }
        if self.stale.theme {
            self.stale.theme = false;
            let element: &Element = &self.elements.stage;
            self.theme = Theme::read(
                element,
                &self.tier_colours,
                matches("(forced-colors: active)"),
            );
            self.moved();
        }
    }

    fn paint(&mut self, time: f64) {
        if self.stale.left {
            self.left = self.scene.left(&self.snapshot, self.marks.filter);
        }
        self.painter.fit(&self.backing);
        if self.stale.seats {
            let look = Look {
                pose: self.camera.pose(),
                backing: self.backing,
                visible: self.camera.visible(),
                filter: self.marks.filter,
                palette: &self.theme.palette,
            };
            self.raster.draw(&self.scene, &self.snapshot, &look);
            let ground = Ground {
                scene: &self.scene,
                camera: &self.camera,
                theme: &self.theme,
                filter: self.marks.filter,
                left: &self.left,
            };
            self.painter.seats(&self.raster, &self.backing, &ground);
        }
        if self.stale.over {
            let pulses: Vec<(SeatIx, f64)> = self
                .pulses
                .iter()
                .map(|&(seat, since)| (seat, ((time - since) / PULSE_MS).clamp(0.0, 1.0)))
                .collect();
            let over = Over {
                scene: &self.scene,
                camera: &self.camera,
                snapshot: &self.snapshot,
                filter: self.marks.filter,
                left: &self.left,
                chosen: &self.marks.chosen,
                suggested: &self.marks.suggested,
                gone: &self.marks.gone,
                pulses: &pulses,
                hovered: self.hovered,
                focused: self.focused.filter(|_| self.has_keyboard),
                left_in_words: &*self.left_in_words,
            };
            self.painter.over(
                &over.marks(),
                &self.backing,
                &self.theme,
                self.camera.view(),
            );
        }
        // When the last pulse has faded, the overlay is drawn once more without it.
        self.stale = Stale {
            over: !self.pulses.is_empty(),
            ..Stale::NOTHING
        };
    }

    fn zoom_notice(&mut self) -> Option<Notice> {
        let zoom = (self.camera.is_whole(), self.camera.is_nearest());
        if self.told_zoom == Some(zoom) {
            return None;
        }
        self.told_zoom = Some(zoom);
        // While the whole house is shown there is nothing to pan: one finger up or down scrolls
        // the page past the map.
        let action = if zoom.0 { "pan-y" } else { "none" };
        let _ = self
            .elements
            .over
            .style()
            .set_property("touch-action", action);
        Some(Notice::Zoom {
            whole: zoom.0,
            nearest: zoom.1,
        })
    }

    /// Applies what a gesture proposes.
    fn apply(&mut self, proposal: Proposal) -> Option<Notice> {
        match proposal {
            Proposal::Tap { at, double } => return self.tap(at, double),
            Proposal::Pan { dx, dy } => {
                self.camera.pan(dx, dy);
                self.moved();
                return self.hover(None, Px::default());
            }
            Proposal::Pinch { from, to, factor } => {
                self.camera.pinch(from, to, factor);
                self.moved();
            }
            Proposal::Fling { velocity } => {
                if !less_motion() {
                    self.camera.fling(velocity, now());
                }
            }
            Proposal::Card { at } | Proposal::Hover { at } => {
                let seat = hit::seat_at(&self.scene, &self.camera, at);
                let seat = seat.filter(|_| Level::of(self.camera.seat_diameter()) != Level::House);
                return self.hover(seat, at);
            }
            Proposal::HoverEnd => return self.hover(None, Px::default()),
        }
        None
    }

    fn hover(&mut self, seat: Option<SeatIx>, at: Px) -> Option<Notice> {
        if self.hovered == seat {
            return None;
        }
        self.hovered = seat;
        self.stale.over = true;
        Some(Notice::Over(seat.map(|seat| (seat, at))))
    }

    fn tap(&mut self, at: Px, double: bool) -> Option<Notice> {
        match hit::target(&self.scene, &self.camera, at) {
            Target::Seat(seat) => {
                self.focused = Some(seat);
                self.stale.over = true;
                return Some(Notice::Toggle(seat));
            }
            // Places in an area are chosen by number, beside the map.
            Target::Area(area) => {
                let area = self.scene.map.area(area);
                self.go_to(
                    area.and_then(|area| Rect::around(area.outline.iter().copied())),
                    at,
                );
            }
            Target::Section(section) => self.go_to(self.scene.grid.section_box(section), at),
            Target::Closer => self.camera.go_near(at, animated()),
            Target::Nothing if double => self.camera.go_step(STEP, animated()),
            Target::Nothing => {}
        }
        self.moved();
        None
    }

    /// Fills the box with a section or an area; where that is no closer, goes near the tap.
    fn go_to(&mut self, bounds: Option<Rect>, at: Px) {
        match bounds {
            Some(bounds) if self.camera.closer(&bounds) >= CLOSER_MIN => {
                self.camera.go_rect(bounds, animated());
            }
            _ => self.camera.go_near(at, animated()),
        }
    }

    fn key(&mut self, proposal: KeyProposal) -> Vec<Notice> {
        self.has_keyboard = true;
        self.stale.over = true;
        let now = animated();
        match proposal {
            KeyProposal::ZoomIn => self.camera.go_step(STEP, now),
            KeyProposal::ZoomOut => self.camera.go_step(1.0 / STEP, now),
            KeyProposal::Whole => self.camera.go_whole(now),
            KeyProposal::Leave => self.focused = None,
            KeyProposal::Toggle => {
                return match self.focused {
                    Some(seat) => vec![Notice::Toggle(seat)],
                    None => self.focus(self.first_focus()),
                };
            }
            KeyProposal::Step(way) => {
                let next = match self.focused {
                    None => self.first_focus(),
                    Some(seat) => keys::next(&self.scene, seat, way),
                };
                return self.focus(next);
            }
            KeyProposal::RowStart | KeyProposal::RowEnd => {
                let right = proposal == KeyProposal::RowEnd;
                let end = self
                    .focused
                    .and_then(|seat| keys::row_end(&self.scene, seat, right));
                return self.focus(end.or_else(|| self.first_focus()));
            }
        }
        self.moved();
        vec![]
    }

    /// Where the keyboard begins: what is chosen or suggested, else the seat nearest to the stage.
    fn first_focus(&self) -> Option<SeatIx> {
        let marked = self
            .marks
            .chosen
            .first()
            .or(self.marks.suggested.first())
            .copied();
        marked.or_else(|| keys::nearest(&self.scene, self.scene.map.focal))
    }

    fn focus(&mut self, seat: Option<SeatIx>) -> Vec<Notice> {
        let Some(seat) = seat else { return vec![] };
        self.focused = Some(seat);
        if let Some(rect) = self.scene.around(&[seat]) {
            self.camera.go_show(rect, animated());
            self.moved();
        }
        vec![Notice::Focused(seat)]
    }
}

/// For listeners: the map as long as there is one.
type WeakMap = Weak<RefCell<Inner>>;
