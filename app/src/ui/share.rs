//! Hands the address of this page on: by the system's own sheet, else by the clipboard.

use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

/// Sets `copied` when the address went to the clipboard.
pub fn share(title: &str, copied: WriteSignal<bool>) {
    let navigator = window().navigator();
    let Ok(address) = window().location().href() else {
        return;
    };
    // `share` exists on phones and in safe contexts only.
    let has_sheet = js_sys::Reflect::has(&navigator, &JsValue::from_str("share")).unwrap_or(false);
    if has_sheet {
        let data = js_sys::Object::new();
        let _ = js_sys::Reflect::set(&data, &"title".into(), &title.into());
        let _ = js_sys::Reflect::set(&data, &"url".into(), &address.into());
        let call = js_sys::Reflect::get(&navigator, &"share".into());
        if let Some(call) = call
            .ok()
            .and_then(|call| call.dyn_into::<js_sys::Function>().ok())
        {
            let _ = call.call1(&navigator, &data);
        }
    } else {
        let _ = navigator.clipboard().write_text(&address);
        copied.set(true);
    }
}
