//! What the browser tells the map: listeners that go with the map, and events in its own terms.

use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{AddEventListenerOptions, Element, Event, EventTarget, MouseEvent, ResizeObserver};

use super::camera::Px;

/// Where, what, and who hears it.
type Listening = (EventTarget, &'static str, Closure<dyn FnMut(Event)>);
type Measuring = (ResizeObserver, Closure<dyn FnMut(JsValue)>);

/// Listeners and observers of one map; dropping it ends them all.
#[derive(Default)]
pub struct Listeners {
    events: Vec<Listening>,
    sizes: Vec<Measuring>,
}

impl Listeners {
    /// Hears `name` on `target` and may prevent the default: listeners for wheels and touches
    /// are passive unless asked.
    pub fn on(
        &mut self,
        target: &EventTarget,
        name: &'static str,
        hear: impl FnMut(Event) + 'static,
    ) {
        let closure = Closure::<dyn FnMut(Event)>::new(hear);
        let options = AddEventListenerOptions::new();
        options.set_passive(false);
        let added = target.add_event_listener_with_callback_and_add_event_listener_options(
            name,
            closure.as_ref().unchecked_ref(),
            &options,
        );
        if added.is_ok() {
            self.events.push((target.clone(), name, closure));
        }
    }

    /// Hears when `element` changes its size, and once at the beginning.
    pub fn on_size(&mut self, element: &Element, mut hear: impl FnMut() + 'static) {
        let closure = Closure::<dyn FnMut(JsValue)>::new(move |_| hear());
        if let Ok(observer) = ResizeObserver::new(closure.as_ref().unchecked_ref()) {
            observer.observe(element);
            self.sizes.push((observer, closure));
        }
    }
}

impl Drop for Listeners {
    fn drop(&mut self) {
        for (target, name, closure) in &self.events {
            let _ =
                target.remove_event_listener_with_callback(name, closure.as_ref().unchecked_ref());
        }
        for (observer, _) in &self.sizes {
            observer.disconnect();
        }
    }
}

/// Where a mouse, pen or finger is, in CSS pixels of the element's box. Asked anew each time:
/// the page may have scrolled.
pub fn place(element: &Element, event: &MouseEvent) -> Px {
    let bounds = element.get_bounding_client_rect();
    Px::new(
        f64::from(event.client_x()) - bounds.left(),
        f64::from(event.client_y()) - bounds.top(),
    )
}

/// Milliseconds since the page began, the clock of events and frames alike.
pub fn now() -> f64 {
    web_sys::window()
        .and_then(|window| window.performance())
        .map_or(0.0, |clock| clock.now())
}

/// Whether a media query holds now.
pub fn matches(query: &str) -> bool {
    let list = web_sys::window().and_then(|window| window.match_media(query).ok().flatten());
    list.is_some_and(|list| list.matches())
}
