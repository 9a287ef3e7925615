//! Forms of the staff pages: urlencoded in, 303 to a page out. What is refused comes back to the
//! page it was sent from, with the refusal's code; a form that makes a show comes back as typed.

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use axum_extra::extract::Form;
use domain::ids::{RowIx, SeatIx, SectionIx, ShowId};
use domain::new_show::{Bad, Returned};
use domain::refusal::Refusal;
use domain::wire::view::NewShow;
use serde::Deserialize;

use super::new_show::{self, Made};
use super::{seats, shows};
use crate::app::App;
use crate::error::{Error, Result};
use crate::http::problem;
use crate::people::{Staff, sessions};

pub fn routes() -> Router<App> {
    Router::new()
        .route("/staff/shows", post(create))
        .route("/staff/shows/{id}/publish", post(publish))
        .route("/staff/shows/{id}/pause", post(pause))
        .route("/staff/shows/{id}/block", post(block))
        .route("/staff/shows/{id}/unblock", post(unblock))
}

/// Lets nobody without a staff session past the login, whatever stands below `/staff`.
pub async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let staff_only = (path == "/staff" || path.starts_with("/staff/"))
        && !matches!(path, "/staff/login" | "/staff/logout");
    if staff_only {
        match sessions::of(&app, request.headers()).await {
            Ok(Some(_)) => {}
            Ok(None) => return Redirect::to("/staff/login").into_response(),
            Err(error) => return error.into_response(),
        }
    }
    next.run(request).await
}

/// `POST /staff/shows`: the page of the new draft, or the form again with what was typed.
async fn create(
    State(app): State<App>,
    Staff(staff): Staff,
    Form(fields): Form<Vec<(String, String)>>,
) -> Result<Response> {
    let mut form = new_show_form(fields)?;
    match new_show::create(&app, staff.id, &form).await? {
        Made::Show(show) => Ok(to_show(show, None, None)),
        Made::Returned(bad) => {
            if let Some(first) = bad.first() {
                problem::count(&Refusal::from(first.clone()));
            }
            if bad.iter().any(|bad| bad.bad == Bad::SentBefore) {
                // The form gets another name: sent again, it means another show.
                form.command_id.clear();
            }
            // The edge shows the form again in place of this answer.
            let mut response = Response::default();
            response.extensions_mut().insert(Returned { form, bad });
            Ok(response)
        }
    }
}

/// The fields by name; unknown ones are refused, as everywhere.
fn new_show_form(fields: Vec<(String, String)>) -> Result<NewShow, Refusal> {
    let mut form = NewShow::default();
    for (name, value) in fields {
        if !domain::new_show::set(&mut form, &name, value) {
            return Err(Refusal::Malformed {
                detail: "a field that this form does not have".into(),
            });
        }
    }
    Ok(form)
}

async fn publish(State(app): State<App>, _: Staff, Path(id): Path<String>) -> Result<Response> {
    let show = show_id(&id)?;
    back(show, None, shows::publish(&app, show).await)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pause {
    paused: bool,
}

async fn pause(
    State(app): State<App>,
    Staff(staff): Staff,
    Path(id): Path<String>,
    Form(form): Form<Pause>,
) -> Result<Response> {
    let show = show_id(&id)?;
    back(
        show,
        None,
        shows::pause(&app, staff.id, show, form.paused).await,
    )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    /// The section that is open on the page, to come back to it.
    section: Option<SectionIx>,
    #[serde(default)]
    seat: Vec<SeatIx>,
    #[serde(default)]
    row: Vec<RowIx>,
    reason: String,
}

async fn block(
    State(app): State<App>,
    Staff(staff): Staff,
    Path(id): Path<String>,
    Form(form): Form<Block>,
) -> Result<Response> {
    let show = show_id(&id)?;
    let picked = seats::Picked {
        seats: form.seat,
        rows: form.row,
    };
    let done = seats::block(&app, staff.id, show, &picked, &form.reason).await;
    back(show, form.section, done)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unblock {
    section: Option<SectionIx>,
    #[serde(default)]
    seat: Vec<SeatIx>,
}

async fn unblock(
    State(app): State<App>,
    Staff(staff): Staff,
    Path(id): Path<String>,
    Form(form): Form<Unblock>,
) -> Result<Response> {
    let show = show_id(&id)?;
    let done = seats::unblock(&app, staff.id, show, form.seat).await;
    back(show, form.section, done)
}

fn show_id(text: &str) -> Result<ShowId, Refusal> {
    text.parse().map_err(|_| Refusal::NotFound)
}

/// Back to the show's page, with what was refused.
fn back(show: ShowId, section: Option<SectionIx>, done: Result<()>) -> Result<Response> {
    match done {
        Ok(()) => Ok(to_show(show, section, None)),
        // There is no page to go back to.
        Err(Error::Refusal(Refusal::NotFound)) => Err(Refusal::NotFound.into()),
        Err(Error::Refusal(refusal)) => {
            problem::count(&refusal);
            Ok(to_show(show, section, Some(&refusal)))
        }
        Err(fault) => Err(fault),
    }
}

fn to_show(show: ShowId, section: Option<SectionIx>, refusal: Option<&Refusal>) -> Response {
    let mut query = Vec::new();
    if let Some(section) = section {
        query.push(format!("section={section}"));
    }
    match refusal {
        Some(Refusal::BadField { field, detail }) => {
            query.push(format!("refusal=bad_field&field={field}&detail={detail}"));
        }
        Some(refusal) => query.push(format!("refusal={}", refusal.code())),
        None => {}
    }
    let mark = if query.is_empty() { "" } else { "?" };
    Redirect::to(&format!("/staff/shows/{show}{mark}{}", query.join("&"))).into_response()
}
