//! Rowlock's pages. `domain` decides; this crate shows and asks.
//!
//! One crate, two clients: `hydrate` with `fan` or with `staff`. The server compiles both.

// A page's view is one type, as deep as its markup.
#![recursion_limit = "512"]

// -- base
/// Server functions, one file per noun: what pages ask the server.
pub mod api;
/// Every question that pages may ask the server.
#[cfg(feature = "ssr")]
pub mod backend;
/// What the buyer means to buy, and the names of commands.
pub mod cart;
/// Languages: messages, dates and money in words.
pub mod i18n;
/// The house as it changes.
pub mod live;
/// Which page stands at which address.
pub mod routes;
/// The seat map on the canvas.
pub mod seat_map;
/// The HTML around a page.
#[cfg(feature = "ssr")]
pub mod shell;
/// Parts that several pages share.
pub mod ui;

// -- pages
/// The organiser's pages.
#[cfg(any(feature = "ssr", feature = "staff"))]
pub mod console;
/// The fan's pages.
#[cfg(any(feature = "ssr", feature = "fan"))]
pub mod pages;

/// Takes the server's HTML over in the browser; called when the client is loaded.
#[cfg(all(feature = "hydrate", feature = "fan", not(feature = "staff")))]
#[wasm_bindgen::prelude::wasm_bindgen(start)]
pub fn hydrate_fan() {
    console_error_panic_hook::set_once();
    ui::countdown::taking_over();
    leptos::mount::hydrate_body(routes::FanApp);
}

/// Takes the server's HTML over in the browser; called when the client is loaded.
#[cfg(all(feature = "hydrate", feature = "staff", not(feature = "fan")))]
#[wasm_bindgen::prelude::wasm_bindgen(start)]
pub fn hydrate_staff() {
    console_error_panic_hook::set_once();
    ui::countdown::taking_over();
    leptos::mount::hydrate_body(routes::StaffApp);
}
