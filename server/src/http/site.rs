//! Pages: the server-rendered site, its server functions, and the files of its clients.
//!
//! Pages are rendered whole before the first byte is sent: without a script nobody would put late
//! parts into their places, and the status is known in time.

use std::path::Path;

use anyhow::Context;
use app::api::ApiError;
use app::shell::{self, SharedManifest};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, VARY};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use domain::new_show::Returned;
use domain::refusal::Refusal;
use leptos::prelude::{IntoView, provide_context, use_context};
use leptos_axum::ResponseOptions;
use tower_http::services::{ServeDir, ServeFile};

use crate::app::App;
use crate::backend;
use crate::error::Result;
use crate::http::limits::SERVER_FUNCTION_ERROR_BYTES_MAX;
use crate::http::{problem, security};

/// Problems as people see them.
pub mod problem_page;

/// Names under `/pkg` carry a hash of the content: they never change.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Files whose name stays while their content may change.
const A_WHILE: HeaderValue = HeaderValue::from_static("public, max-age=3600");
/// What everybody may see, in the language of their cookie or browser.
const SHARED: HeaderValue = HeaderValue::from_static("public, max-age=0, s-maxage=2");
const PRIVATE: HeaderValue = HeaderValue::from_static("no-store");

/// Pages, server functions and files, around `forms`: routes that take commands at addresses where
/// a page may be looked at too. What nobody answers ends here, as a page.
pub fn routes(app: &App, manifest: SharedManifest, forms: Router<App>) -> Router<App> {
    // Where pages' futures run; an error means that it is known already.
    let _ = any_spawner::Executor::init_tokio();
    let returned = manifest.clone();
    let returned = move |State(app): State<App>, request: Request, next: Next| {
        returned_form(app, returned.clone(), request, next)
    };
    let pages =
        move |State(app): State<App>, request: Request| page_at(app, manifest.clone(), request);
    forms
        .layer(from_fn_with_state(app.clone(), returned))
        .method_not_allowed_fallback(pages.clone())
        .route("/sf/{*name}", post(server_function))
        .merge(files(&app.config.site_dir))
        .fallback(pages)
}

/// Shows the form that a command sent back, as it was typed, at the address it was sent to.
async fn returned_form(
    app: App,
    manifest: SharedManifest,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    let (uri, headers) = (parts.uri.clone(), parts.headers.clone());
    let mut response = next.run(Request::from_parts(parts, body)).await;
    let Some(returned) = response.extensions_mut().remove::<Returned>() else {
        return response;
    };
    let mut request = Request::new(Body::empty());
    *request.uri_mut() = uri;
    *request.headers_mut() = headers;
    let context = move || provide_context(returned.clone());
    render(app, manifest, request, context, shell::staff, false).await
}

async fn page_at(app: App, manifest: SharedManifest, request: Request) -> Response {
    let path = request.uri().path();
    if is_staff(path) {
        page(app, manifest, request, shell::staff, false).await
    } else {
        let shared = is_shared(path);
        page(app, manifest, request, shell::fan, shared).await
    }
}

/// Addresses of the console.
fn is_staff(path: &str) -> bool {
    path == "/staff" || path.starts_with("/staff/")
}

/// Pages that show nothing personal. The list view is not among them: its forms carry the name of
/// a command.
fn is_shared(path: &str) -> bool {
    let mut parts = path.trim_matches('/').split('/');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(""), None, None) => true,
        (Some("events" | "shows"), Some(_), None) => true,
        (Some("shows"), Some(_), Some("seats")) => parts.next().is_none(),
        _ => false,
    }
}

async fn page<V: IntoView + 'static>(
    app: App,
    manifest: SharedManifest,
    request: Request,
    shell: fn() -> V,
    shared: bool,
) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return problem::refused(&Refusal::NotFound);
    }
    render(app, manifest, request, || (), shell, shared).await
}

/// Renders a page; `more` provides what only this page finds in context.
async fn render<V: IntoView + 'static>(
    app: App,
    manifest: SharedManifest,
    request: Request,
    more: impl Fn() + Clone + Send + Sync + 'static,
    shell: fn() -> V,
    shared: bool,
) -> Response {
    let context = move || {
        provide_context(manifest.clone());
        more();
        request_context(&app);
        let (Some(response), Some(nonce)) =
            (use_context::<ResponseOptions>(), leptos::nonce::use_nonce())
        else {
            return;
        };
        let policy = HeaderValue::from_str(&security::policy(Some(&nonce)));
        response.insert_header(
            CONTENT_SECURITY_POLICY,
            policy.expect("a nonce is plain ASCII"),
        );
    };
    let render = leptos_axum::render_app_async_with_context(context, shell);
    let mut response = render(request).await;
    let shared = shared && response.status() == StatusCode::OK;
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, if shared { SHARED } else { PRIVATE });
    if shared {
        headers.insert(VARY, HeaderValue::from_static("cookie, accept-language"));
    }
    response
}

/// What pages and server functions find in context besides leptos' own: the backend.
fn request_context(app: &App) {
    if let Some(parts) = use_context::<Parts>() {
        let response = use_context::<ResponseOptions>();
        provide_context(backend::of_request(app, &parts, response));
    }
}

/// A server function. Its refusals and the framework's complaints about arguments come as bodies
/// of our own error type; here, in one place, complaints become refusals and the status is set.
async fn server_function(State(app): State<App>, mut request: Request) -> Result<Response> {
    let (path, method) = (request.uri().path(), request.method().clone());
    if leptos::server_fn::axum::get_server_fn_service(path, method).is_none() {
        return Err(Refusal::NotFound.into());
    }
    // Told that HTML is wanted, the framework would redirect to the referrer.
    request
        .headers_mut()
        .insert(ACCEPT, HeaderValue::from_static("application/json"));
    let context = move || request_context(&app);
    let answer = leptos_axum::handle_server_fns_with_context(context, request).await;
    let mut response = with_status_of_error(answer.into_response()).await?;
    response.headers_mut().insert(CACHE_CONTROL, PRIVATE);
    Ok(response)
}

async fn with_status_of_error(response: Response) -> Result<Response> {
    if !is_function_error(response.headers()) {
        return Ok(response);
    }
    let (mut parts, body) = response.into_parts();
    let bytes = axum::body::to_bytes(body, SERVER_FUNCTION_ERROR_BYTES_MAX)
        .await
        .context("an error of a server function could not be read")?;
    let Ok(error) = postcard::from_bytes::<ApiError>(&bytes) else {
        return Ok(Response::from_parts(parts, Body::from(bytes)));
    };
    let error = match error {
        ApiError::Misread { detail } => {
            let refusal = Refusal::Malformed { detail };
            problem::count(&refusal);
            ApiError::Refusal(refusal)
        }
        known => known,
    };
    parts.status = StatusCode::from_u16(error.status()).expect("errors have real statuses");
    parts.headers.remove(CONTENT_LENGTH);
    let bytes = postcard::to_allocvec(&error).context("an error could not be packed")?;
    Ok(Response::from_parts(parts, Body::from(bytes)))
}

fn is_function_error(headers: &HeaderMap) -> bool {
    headers.contains_key(leptos::server_fn::error::SERVER_FN_ERROR_HEADER)
}

/// The names of the clients' files. Without them pages are plain forms and lists: a fact worth a
/// warning, not a failure.
pub fn manifest(site: &Path) -> SharedManifest {
    let path = site.join("pkg/manifest.json");
    let read = std::fs::read(&path).map_err(anyhow::Error::from);
    let mut manifest = match read.and_then(|bytes| Ok(serde_json::from_slice(&bytes)?)) {
        Ok(manifest) => manifest,
        Err(error) => {
            tracing::warn!(
                "no client is served, pages work without: {}: {error}",
                path.display()
            );
            shell::Manifest::default()
        }
    };
    if std::env::var_os("LEPTOS_WATCH").is_some() {
        manifest.fan = Some(watched(std::process::id()));
    }
    SharedManifest::new(manifest)
}

/// `cargo leptos watch` builds the fan's client anew under fixed names and starts us again; the
/// query keeps a browser from taking the one that it remembers.
fn watched(start: u32) -> shell::ClientFiles {
    shell::ClientFiles {
        js: format!("fan.js?{start}"),
        wasm: format!("fan.wasm?{start}"),
    }
}

/// `/pkg`, and every file and folder that lies at the top of the site.
fn files(site: &Path) -> Router<App> {
    let pkg = served(&site.join("pkg"));
    let hashed = Router::new()
        .nest_service("/pkg", pkg)
        .layer(from_fn(hashed_files));
    let mut public = Router::new();
    for entry in std::fs::read_dir(site).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let Some(name) = name.to_str() else { continue };
        if path.is_dir() && name != "pkg" {
            public = public.nest_service(&format!("/{name}"), served(&path));
        } else if path.is_file() && !name.ends_with(".br") && !name.ends_with(".gz") {
            let file = ServeFile::new(&path)
                .precompressed_br()
                .precompressed_gzip();
            public = public.route_service(&format!("/{name}"), file);
        }
    }
    if !site.join("favicon.ico").exists() {
        // Browsers ask for this name before they have read a page.
        let icon = get(async || Redirect::permanent("/icon.svg"));
        public = public.route("/favicon.ico", icon);
    }
    hashed.merge(public.layer(from_fn(public_files)))
}

fn served(folder: &Path) -> ServeDir {
    ServeDir::new(folder)
        .append_index_html_on_directories(false)
        .precompressed_br()
        .precompressed_gzip()
}

async fn hashed_files(request: Request, next: Next) -> Response {
    // The manifest is the one file whose name says nothing about its content.
    let is_hashed = !request.uri().path().ends_with("manifest.json");
    cached(
        next.run(request).await,
        if is_hashed { FOR_EVER } else { PRIVATE },
    )
}

async fn public_files(request: Request, next: Next) -> Response {
    cached(next.run(request).await, A_WHILE)
}

/// A file that is not there must not be remembered: the next build may bring it.
fn cached(mut response: Response, how: HeaderValue) -> Response {
    let found = matches!(
        response.status(),
        StatusCode::OK
            | StatusCode::PARTIAL_CONTENT
            | StatusCode::NOT_MODIFIED
            | StatusCode::PERMANENT_REDIRECT
    );
    response
        .headers_mut()
        .insert(CACHE_CONTROL, if found { how } else { PRIVATE });
    response
}
