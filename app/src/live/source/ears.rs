//! What a tab listens to: the stream, the other tabs, its own page.

use std::cell::Cell;
use std::rc::{Rc, Weak};

use domain::wire::snapshot::Position;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{BroadcastChannel, EventSource, EventTarget, MessageEvent};

use super::word::Word;
use super::{Inner, window};
use crate::live::feed::Event;

/// An open `EventSource`; dropping it closes it.
pub(super) struct Stream {
    source: EventSource,
    /// Where it stands, for tabs that join.
    pub(super) at: Cell<Option<Position>>,
    _listeners: Vec<Listener>,
}

impl Stream {
    pub(super) fn open(inner: &Rc<Inner>, after: Option<Position>) -> Option<Self> {
        let query = after
            .map(|after| format!("?after={after}"))
            .unwrap_or_default();
        let url = format!("/api/v1/shows/{}/stream{query}", inner.show);
        let source = EventSource::new(&url).ok()?;
        let on = |name: &str, hear: fn(&Inner, &MessageEvent)| {
            let weak = Rc::downgrade(inner);
            Listener::new(&source, name, move |event| {
                if let Some(inner) = weak.upgrade() {
                    hear(&inner, event.unchecked_ref());
                }
            })
        };
        let listeners = vec![
            on("at", |inner, event| inner.hear(&Word::At(&data(event)))),
            on("message", |inner, event| {
                inner.hear(&Word::Frame(&event.last_event_id(), &data(event)));
            }),
            on("resync", |inner, event| {
                inner.hear(&Word::Resync(&data(event)))
            }),
            on("beat", |inner, _| inner.hear(&Word::Beat)),
            // The browser would connect again by itself from an old place; the feed knows a
            // better one, and when.
            on("error", |inner, _| inner.hear(&Word::Cut)),
        ];
        Some(Self {
            source,
            at: Cell::new(None),
            _listeners: listeners,
        })
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.source.close();
    }
}

/// The broadcast channel between the tabs that look at one show.
pub(super) struct Tabs {
    pub(super) channel: BroadcastChannel,
    _listener: Listener,
}

impl Tabs {
    pub(super) fn open(inner: &Rc<Inner>) -> Option<Self> {
        // Browsers without it throw at the constructor.
        let channel = BroadcastChannel::new(&inner.name()).ok()?;
        let weak = Rc::downgrade(inner);
        let listener = Listener::new(&channel, "message", move |event| {
            let said = data(event.unchecked_ref());
            if let (Some(inner), Some(word)) = (weak.upgrade(), Word::from_text(&said)) {
                inner.overhear(&word);
            }
        });
        Some(Self {
            channel,
            _listener: listener,
        })
    }
}

impl Drop for Tabs {
    fn drop(&mut self) {
        self.channel.close();
    }
}

fn data(event: &MessageEvent) -> String {
    event.data().as_string().unwrap_or_default()
}

/// Tells the feed when the page leaves or comes back, and when the network does.
pub(super) fn watch_page(inner: &Weak<Inner>) -> Vec<Listener> {
    let Some(window) = window() else {
        return Vec::new();
    };
    let on = |target: &EventTarget, name: &str, event: fn() -> Option<Event>| {
        let weak = inner.clone();
        Listener::new(target, name, move |_| {
            if let (Some(inner), Some(event)) = (weak.upgrade(), event()) {
                (inner.sink)(event);
            }
        })
    };
    let mut listeners = vec![
        on(&window, "pagehide", || Some(Event::Away)),
        on(&window, "pageshow", || Some(Event::InView)),
        on(&window, "offline", || Some(Event::Offline)),
        on(&window, "online", || Some(Event::Online)),
    ];
    if let Some(document) = window.document() {
        listeners.push(on(&document, "visibilitychange", || {
            let document = web_sys::window()?.document()?;
            (!document.hidden()).then_some(Event::InView)
        }));
    }
    listeners
}

/// A listener that goes when it is dropped.
pub(super) struct Listener {
    target: EventTarget,
    name: String,
    closure: Closure<dyn FnMut(web_sys::Event)>,
}

impl Listener {
    fn new(target: &EventTarget, name: &str, hear: impl FnMut(web_sys::Event) + 'static) -> Self {
        let closure = Closure::new(hear);
        let _ = target.add_event_listener_with_callback(name, closure.as_ref().unchecked_ref());
        Self {
            target: target.clone(),
            name: name.to_owned(),
            closure,
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = self
            .target
            .remove_event_listener_with_callback(&self.name, self.closure.as_ref().unchecked_ref());
    }
}
