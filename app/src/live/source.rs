//! The stream of one show in the browser: an `EventSource`, one a browser.
//!
//! The tabs of a browser that look at one show share its stream, since a browser opens at most
//! six connections to a host over HTTP/1.1. The tab that holds the web lock of the show has the
//! stream and repeats its words on a broadcast channel; when it goes, the lock goes to the next.
//! Without either of the two, each tab has a stream of its own.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use domain::ids::ShowId;
use domain::wire::snapshot::Position;
use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

use super::feed::Event;

mod ears;
mod word;

use ears::{Listener, Stream, Tabs, watch_page};
use word::Word;

/// Milliseconds since the page began.
pub fn now_ms() -> f64 {
    window()
        .and_then(|window| window.performance())
        .map_or(0.0, |clock| clock.now())
}

/// Random in `0.0..1.0`.
pub fn dice() -> f64 {
    js_sys::Math::random()
}

fn window() -> Option<web_sys::Window> {
    web_sys::window()
}

/// Joins the stream of a show and tells a sink what it says.
pub struct Source(Rc<Inner>);

struct Inner {
    show: ShowId,
    sink: Box<dyn Fn(Event)>,
    role: Cell<Role>,
    /// Counts how often this tab asked for the lock: answers to older requests are void.
    request: Cell<u32>,
    /// Ends the promise that holds the lock.
    release: RefCell<Option<Function>>,
    stream: RefCell<Option<Stream>>,
    tabs: RefCell<Option<Tabs>>,
    _page: RefCell<Vec<Listener>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Not joined.
    Out,
    /// Waits for the lock and hears what the leader repeats.
    Follower,
    /// Has the stream.
    Leader,
}

impl Source {
    pub fn new(show: ShowId, sink: impl Fn(Event) + 'static) -> Self {
        let inner = Rc::new(Inner {
            show,
            sink: Box::new(sink),
            role: Cell::new(Role::Out),
            request: Cell::new(0),
            release: RefCell::default(),
            stream: RefCell::default(),
            tabs: RefCell::default(),
            _page: RefCell::default(),
        });
        let page = watch_page(&Rc::downgrade(&inner));
        inner._page.replace(page);
        Self(inner)
    }

    /// Opens the stream from `after` on, or joins that of another tab.
    pub fn connect(&self, after: Option<Position>) {
        match self.0.role.get() {
            Role::Out => self.0.join(after),
            Role::Leader => self.0.open(after),
            Role::Follower => self.0.say(&Word::Hello),
        }
    }

    /// Opens the stream anew; takes it over from a leader who is silent.
    pub fn revive(&self, after: Option<Position>) {
        match self.0.role.get() {
            Role::Follower => self.0.ask_for_lock(true),
            _ => self.connect(after),
        }
    }

    /// Leaves: another tab may have the stream.
    pub fn close(&self) {
        self.0.role.set(Role::Out);
        self.0.request.set(self.0.request.get().wrapping_add(1));
        self.0.stream.take();
        self.0.tabs.take();
        if let Some(release) = self.0.release.take() {
            let _ = release.call0(&JsValue::NULL);
        }
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.close();
    }
}

impl Inner {
    fn join(self: &Rc<Self>, after: Option<Position>) {
        match (locks(), Tabs::open(self)) {
            (Some(_), Some(tabs)) => {
                self.role.set(Role::Follower);
                self.tabs.replace(Some(tabs));
                self.say(&Word::Hello);
                self.ask_for_lock(false);
            }
            _ => {
                self.role.set(Role::Leader);
                self.open(after);
            }
        }
    }

    fn open(self: &Rc<Self>, after: Option<Position>) {
        self.stream.replace(None);
        match Stream::open(self, after) {
            Some(stream) => drop(self.stream.replace(Some(stream))),
            None => self.hear(&Word::Cut),
        }
    }

    /// The leader's stream said something: for this tab and for the others.
    fn hear(&self, word: &Word<'_>) {
        if let Word::At(at) | Word::Frame(at, _) = word
            && let Some(stream) = &*self.stream.borrow()
        {
            stream.at.set(at.parse().ok());
        }
        if matches!(word, Word::Cut) {
            self.stream.take();
        }
        self.say(word);
        (self.sink)(word.event());
    }

    /// Another tab said something.
    fn overhear(&self, word: &Word<'_>) {
        match (self.role.get(), word) {
            (Role::Leader, Word::Hello) => {
                let at = self
                    .stream
                    .borrow()
                    .as_ref()
                    .and_then(|stream| stream.at.get());
                if let Some(at) = at {
                    self.say(&Word::At(&at.to_string()));
                }
            }
            (Role::Follower, Word::Hello) | (Role::Leader | Role::Out, _) => {}
            (Role::Follower, Word::Cut) => (self.sink)(Event::Lost),
            (Role::Follower, word) => (self.sink)(word.event()),
        }
    }

    fn say(&self, word: &Word<'_>) {
        if let Some(tabs) = &*self.tabs.borrow() {
            let _ = tabs
                .channel
                .post_message(&JsValue::from_str(&word.to_text()));
        }
    }

    /// Asks for the lock that makes this tab the leader. With `steal` it is taken from whoever
    /// has it, who becomes a follower.
    fn ask_for_lock(self: &Rc<Self>, steal: bool) {
        let Some(locks) = locks() else { return };
        let number = self.request.get().wrapping_add(1);
        self.request.set(number);
        let options = Object::new();
        if steal {
            let _ = Reflect::set(&options, &"steal".into(), &JsValue::TRUE);
        }
        let weak = Rc::downgrade(self);
        let granted = Closure::once_into_js(move |_lock: JsValue| -> JsValue {
            match weak.upgrade().filter(|inner| inner.request.get() == number) {
                Some(inner) => inner.lead().into(),
                // The tab has left meanwhile: an answer at once gives the lock back.
                None => JsValue::UNDEFINED,
            }
        });
        let request = Reflect::get(&locks, &"request".into())
            .ok()
            .and_then(|request| request.dyn_into::<Function>().ok());
        let name = JsValue::from_str(&self.name());
        let asked = request.and_then(|request| {
            request
                .call3(&locks, &name, &options, &granted)
                .ok()?
                .dyn_into::<Promise>()
                .ok()
        });
        let weak = Rc::downgrade(self);
        leptos::task::spawn_local(async move {
            let ended = match asked {
                Some(asked) => wasm_bindgen_futures::JsFuture::from(asked).await,
                None => Err(JsValue::NULL),
            };
            // An error while the request still counts: the lock was stolen, or cannot be had.
            if ended.is_err()
                && let Some(inner) = weak.upgrade()
                && inner.request.get() == number
            {
                inner.step_down();
            }
        });
    }

    /// Has the lock; it is kept until the promise that this answers is resolved.
    fn lead(self: &Rc<Self>) -> Promise {
        self.role.set(Role::Leader);
        let mut release = None;
        let held = Promise::new(&mut |resolve, _reject| release = Some(resolve));
        self.release.replace(release);
        (self.sink)(Event::Elected);
        held
    }

    /// The lock went to another tab.
    fn step_down(self: &Rc<Self>) {
        self.stream.take();
        self.release.take();
        self.role.set(Role::Follower);
        self.say(&Word::Hello);
        self.ask_for_lock(false);
    }

    fn name(&self) -> String {
        format!("rowlock-live-{}", self.show)
    }
}

fn locks() -> Option<JsValue> {
    let navigator = window()?.navigator();
    Reflect::get(&navigator, &"locks".into())
        .ok()
        .filter(JsValue::is_object)
}
