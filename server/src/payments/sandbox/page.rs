//! The pretend provider's hosted page: an amount and three buttons, plain HTML that needs no
//! script. Its forms end the session and send the browser back; our side hears of it by webhook
//! and by asking.

use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use axum_extra::extract::Form;
use domain::ids::OrderId;
use domain::money::{Currency, Minor, Money};
use domain::order::number;
use domain::refusal::Refusal;
use serde::Deserialize;

use super::{Ending, Sandbox, Session};
use crate::app::App;
use crate::error::{Error, Result};
use crate::messages::{Locale, escape};

const STYLE: &str = include_str!("../../../assets/sandbox.css");

/// Routes of the hosted page; without the pretend provider they answer 404.
pub fn routes() -> axum::Router<App> {
    axum::Router::new()
        .route("/sandbox/pay/{session}", get(show).post(answer))
        .route("/sandbox/pay.css", get(style))
}

async fn style() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], STYLE)
}

fn sandbox(app: &App) -> Result<&Sandbox> {
    app.payments
        .sandbox
        .as_ref()
        .ok_or(Error::Refusal(Refusal::NotFound))
}

async fn show(State(app): State<App>, Path(session): Path<String>) -> Result<Response> {
    let session = sandbox(&app)?.session(name(&session)?).await?;
    let session = session.ok_or(Refusal::NotFound)?;
    let html = Html(render(&session)?);
    Ok(([(CACHE_CONTROL, "no-store")], html).into_response())
}

#[derive(Deserialize)]
struct Choice {
    action: Action,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Action {
    Pay,
    Decline,
    Back,
}

async fn answer(
    State(app): State<App>,
    Path(session): Path<String>,
    Form(choice): Form<Choice>,
) -> Result<Redirect> {
    let ending = match choice.action {
        Action::Pay => Ending::Paid,
        Action::Decline => Ending::Declined,
        Action::Back => Ending::Expired,
    };
    let session = sandbox(&app)?.finish(name(&session)?, ending).await?;
    let session = session.ok_or(Refusal::NotFound)?;
    Ok(Redirect::to(&session.return_url))
}

/// Sessions are named by letters, digits and `_`: nothing else is looked for.
fn name(session: &str) -> Result<&str> {
    let named = session
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    Ok(named.then_some(session).ok_or(Refusal::NotFound)?)
}

fn render(session: &Session) -> Result<String> {
    let locale = Locale::of(&session.locale);
    let currency = Currency::new(&session.currency)
        .ok_or_else(|| anyhow::anyhow!("an unknown currency in the books"))?;
    let amount = locale.money(Money {
        amount: Minor(session.amount),
        currency,
    });
    let order = number::print(OrderId(session.order_id));
    let body = if session.state == "open" {
        format!(
            r#"<form method="post">
<button class="pay" name="action" value="pay">{pay}</button>
<button name="action" value="decline">{decline}</button>
<button name="action" value="back">{back}</button>
</form>"#,
            pay = escape(&locale.fill("sandbox-pay", &[("amount", &amount)])),
            decline = escape(locale.text("sandbox-decline")),
            back = escape(locale.text("sandbox-back")),
        )
    } else {
        format!(
            r#"<p role="status">{state}</p><p><a class="button" href="{url}">{back}</a></p>"#,
            state = escape(locale.text(&format!("sandbox-{}", session.state))),
            url = escape(&session.return_url),
            back = escape(locale.text("sandbox-return")),
        )
    };
    Ok(format!(
        r#"<!DOCTYPE html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>{title}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/sandbox/pay.css">
</head>
<body>
<main>
<h1>{title}</h1>
<p class="notice">{notice}</p>
<p class="order">{order}</p>
<p class="amount"><span>{label}</span> <strong>{amount}</strong></p>
{body}
</main>
</body>
</html>
"#,
        lang = locale.tag(),
        title = escape(locale.text("sandbox-title")),
        notice = escape(locale.text("sandbox-notice")),
        order = escape(&locale.fill("sandbox-order", &[("number", &order)])),
        label = escape(locale.text("sandbox-amount")),
        amount = escape(&amount),
    ))
}
