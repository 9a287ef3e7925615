//! The HTML around a page. Two clients need two sets of script tags, so the shell writes its own
//! from the manifest that the bundler leaves beside the files. Without a client the page is
//! complete all the same: forms and lists, only nothing moves.

use std::sync::Arc;

use leptos::nonce::use_nonce;
use leptos::prelude::*;
use leptos_meta::MetaTags;
use serde::Deserialize;

use crate::i18n;
use crate::routes::{FanApp, StaffApp};

/// The current file names under `/pkg`, as `pkg/manifest.json` says them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Manifest {
    #[serde(default)]
    pub fan: Option<ClientFiles>,
    #[serde(default)]
    pub staff: Option<ClientFiles>,
    #[serde(default)]
    pub css: Option<String>,
}

/// One client's script and its wasm.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ClientFiles {
    pub js: String,
    pub wasm: String,
}

/// The manifest of this process, by context.
pub type SharedManifest = Arc<Manifest>;

/// A fan's page with its shell.
pub fn fan() -> impl IntoView {
    document(|manifest| manifest.fan.as_ref(), FanApp)
}

/// A staff page with its shell.
pub fn staff() -> impl IntoView {
    document(|manifest| manifest.staff.as_ref(), StaffApp)
}

fn document<A: IntoView>(
    client: fn(&Manifest) -> Option<&ClientFiles>,
    app: fn() -> A,
) -> impl IntoView {
    let manifest = use_context::<SharedManifest>().unwrap_or_default();
    let css = manifest.css.as_ref().map(|css| format!("/pkg/{css}"));
    let client = client(&manifest).map(scripts);
    let lang = i18n::provide();
    view! {
        <!DOCTYPE html>
        <html lang=lang.tag()>
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"/>
                <meta name="color-scheme" content="light dark"/>
                <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f7f6f3"/>
                <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#14161a"/>
                <link rel="icon" href="/icon.svg" type="image/svg+xml"/>
                <link rel="manifest" href="/site.webmanifest"/>
                {css.map(|css| view! { <link rel="stylesheet" href=css/> })}
                {client}
                <MetaTags/>
            </head>
            <body>{app()}</body>
        </html>
    }
}

/// The wasm is asked for at once, beside the script, not after it.
fn scripts(files: &ClientFiles) -> impl IntoView + use<> {
    let (js, wasm) = (format!("/pkg/{}", files.js), format!("/pkg/{}", files.wasm));
    // The names are our own hashes, so they need no escaping inside the script.
    let start = format!("import start from \"{js}\"; start({{ module_or_path: \"{wasm}\" }});");
    view! {
        <link rel="modulepreload" href=js/>
        <link rel="preload" r#as="fetch" r#type="application/wasm" crossorigin="anonymous" href=wasm/>
        <script type="module" nonce=use_nonce() inner_html=start></script>
    }
}
