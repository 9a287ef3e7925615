//! The map's listeners: they translate, let the gestures decide and ask for a frame.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{Event, EventTarget, KeyboardEvent, PointerEvent, WheelEvent};

use super::{Inner, Notice, Stale, WeakMap, tell};
use crate::seat_map::camera::{Px, wheel_factor};
use crate::seat_map::gestures::Input;
use crate::seat_map::keys;
use crate::seat_map::listen::{Listeners, now, place};

/// CSS pixels of one line, where a wheel counts in lines.
const LINE: f64 = 16.0;
/// Trackpads send a pinch as a wheel with Ctrl and very small steps.
const PINCH_WHEEL_GAIN: f64 = 4.0;

/// Listens to everything the map needs to hear.
pub(super) fn listen(inner: &Rc<RefCell<Inner>>) -> Listeners {
    let mut listeners = Listeners::default();
    let (over, stage) = {
        let inner = inner.borrow();
        (inner.elements.over.clone(), inner.elements.stage.clone())
    };
    let weak = Rc::downgrade(inner);
    for name in [
        "pointerdown",
        "pointermove",
        "pointerup",
        "pointercancel",
        "pointerleave",
    ] {
        let weak = weak.clone();
        listeners.on(&over, name, move |event| {
            let Ok(event) = event.dyn_into::<PointerEvent>() else {
                return;
            };
            with(&weak, |inner| pointer(inner, name, &event));
        });
    }
    on(&mut listeners, &over, "wheel", &weak, wheel);
    on(&mut listeners, &over, "keydown", &weak, key);
    on(
        &mut listeners,
        &over,
        "contextmenu",
        &weak,
        |inner, event| {
            // A long press asks for our card, not for the browser's menu.
            if inner.gestures.is_busy() {
                event.prevent_default();
            }
            vec![]
        },
    );
    on(&mut listeners, &over, "blur", &weak, |inner, _| {
        inner.has_keyboard = false;
        inner.stale.over = true;
        vec![]
    });
    // Lost pictures are drawn again from what we know.
    for canvas in [&over, &inner.borrow().elements.seats] {
        on(&mut listeners, canvas, "contextrestored", &weak, everything);
    }
    if let Some(window) = web_sys::window() {
        // Page zoom and another screen change the pixel ratio without changing the box.
        on(&mut listeners, &window, "resize", &weak, everything);
        on(&mut listeners, &window, "pageshow", &weak, everything);
        for query in ["(prefers-color-scheme: dark)", "(forced-colors: active)"] {
            if let Ok(Some(list)) = window.match_media(query) {
                on(&mut listeners, &list, "change", &weak, everything);
            }
        }
    }
    listeners.on_size(&stage, move || {
        with(&weak, |inner| {
            inner.stale.size = true;
            vec![]
        });
    });
    listeners
}

fn on(
    listeners: &mut Listeners,
    target: &EventTarget,
    name: &'static str,
    weak: &WeakMap,
    hear: impl Fn(&mut Inner, &Event) -> Vec<Notice> + 'static,
) {
    let weak = weak.clone();
    listeners.on(target, name, move |event| {
        with(&weak, |inner| hear(inner, &event))
    });
}

/// Does something with the map, asks for a frame, and tells the page what came of it.
fn with(weak: &WeakMap, act: impl FnOnce(&mut Inner) -> Vec<Notice>) {
    let Some(inner) = weak.upgrade() else { return };
    let notices = {
        let mut inner = inner.borrow_mut();
        let notices = act(&mut inner);
        inner.ask();
        notices
    };
    tell(&inner, notices);
}

fn everything(inner: &mut Inner, _event: &Event) -> Vec<Notice> {
    inner.stale = Stale::ALL;
    vec![]
}

fn pointer(inner: &mut Inner, name: &str, event: &PointerEvent) -> Vec<Notice> {
    let (id, time) = (event.pointer_id(), event.time_stamp());
    let at = place(&inner.elements.over, event);
    let input = match name {
        // Other buttons are the browser's.
        "pointerdown" if event.button() != 0 => return vec![],
        "pointerdown" => {
            // So that a drag goes on beyond the edge of the map.
            let _ = inner.elements.over.set_pointer_capture(id);
            let still = !inner.camera.is_moving();
            inner.camera.catch();
            inner.has_keyboard = false;
            Input::Down {
                id,
                at,
                time,
                still,
            }
        }
        "pointermove" => Input::Move { id, at, time },
        "pointerup" => Input::Up { id, at, time },
        "pointercancel" => Input::Cancel { id },
        _ if inner.gestures.is_busy() => return vec![],
        _ => Input::Leave,
    };
    let proposal = inner.gestures.step(input);
    proposal
        .and_then(|proposal| inner.apply(proposal))
        .into_iter()
        .collect()
}

fn wheel(inner: &mut Inner, event: &Event) -> Vec<Notice> {
    let Some(event) = event.dyn_ref::<WheelEvent>() else {
        return vec![];
    };
    let unit = match event.delta_mode() {
        WheelEvent::DOM_DELTA_LINE => LINE,
        WheelEvent::DOM_DELTA_PAGE => inner.camera.view().1,
        _ => 1.0,
    };
    let (dx, dy) = (event.delta_x() * unit, event.delta_y() * unit);
    let in_vain = dy >= 0.0 && inner.camera.is_whole() && !event.ctrl_key();
    if !inner.gestures.wheel(now(), in_vain) {
        return vec![];
    }
    event.prevent_default();
    let at: Px = place(&inner.elements.over, event);
    if event.ctrl_key() {
        inner.camera.zoom(at, wheel_factor(dy * PINCH_WHEEL_GAIN));
    } else if dx.abs() > dy.abs() {
        inner.camera.pan(-dx, 0.0);
    } else {
        inner.camera.zoom(at, wheel_factor(dy));
    }
    inner.moved();
    vec![]
}

fn key(inner: &mut Inner, event: &Event) -> Vec<Notice> {
    let Some(event) = event.dyn_ref::<KeyboardEvent>() else {
        return vec![];
    };
    let with_control = event.ctrl_key() || event.meta_key() || event.alt_key();
    let Some(proposal) = keys::proposal(&event.key(), with_control) else {
        return vec![];
    };
    event.prevent_default();
    inner.key(proposal)
}
