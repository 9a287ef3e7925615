//! The lifeboat: plain forms for browsers without script or WebAssembly, urlencoded, answered
//! with 303. The same use-cases as everywhere; a refusal goes back to the page it came from, as
//! `?refusal=<code>` with its fields.

use axum::extract::{Form, Path, Query, State};
use axum::http::header::SET_COOKIE;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use domain::ids::{AreaIx, CommandId, OrderId, ShowId, TierIx};
use domain::refusal::Refusal;
use domain::wire::view::{AreaWanted, BestWanted, ContactForm, HoldRequest};
use serde_json::Value;

use crate::app::App;
use crate::error::{Error, Result};
use crate::http::problem;
use crate::orders::pay::{self, Begun};
use crate::orders::{Ask, cancel, change, place};
use crate::people::{Buyer, MaybeBuyer, buyers};

/// Fields of one form: every seat of an order and some to spare.
const FIELDS_MAX: usize = 200;
/// Seats named in the address after a refusal.
const SEATS_TOLD_MAX: usize = 50;
/// How long a browser keeps the language, seconds.
const LANGUAGE_AGE_S: u32 = 400 * 24 * 3600;

pub fn routes() -> axum::Router<App> {
    axum::Router::new()
        .route("/shows/{show}/hold", post(hold))
        .route("/orders/{order}/drop", post(drop_lines))
        .route("/orders/{order}/cancel", post(end))
        .route("/orders/{order}/pay", post(begin_to_pay))
        .route("/language", post(language))
}

/// A form as it was sent: names repeat.
struct Fields(Vec<(String, String)>);

impl Fields {
    fn new(pairs: Vec<(String, String)>) -> Result<Self, Refusal> {
        if pairs.len() > FIELDS_MAX {
            return Err(malformed("too many fields"));
        }
        Ok(Self(pairs))
    }

    fn get(&self, name: &str) -> &str {
        let mut pairs = self.0.iter();
        pairs.find(|(key, _)| key == name).map_or("", |(_, v)| v)
    }

    /// Every value under `name`, as numbers.
    fn numbers<T: std::str::FromStr>(&self, name: &str) -> Result<Vec<T>, Refusal> {
        let pairs = self.0.iter().filter(|(key, _)| key == name);
        pairs.map(|(_, value)| number(value)).collect()
    }

    /// The name of the command; a form without one gets a fresh name, and sent twice it is two.
    fn command(&self) -> Result<CommandId, Refusal> {
        match self.get("command_id") {
            "" => Ok(CommandId(uuid::Uuid::new_v4().as_u128())),
            id => id.parse().map_err(|_| malformed("a command id is a UUID")),
        }
    }
}

fn malformed(detail: &str) -> Refusal {
    Refusal::Malformed {
        detail: detail.to_owned(),
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, Refusal> {
    text.trim().parse().map_err(|_| malformed("not a number"))
}

/// Back to a page, with what it should say.
fn back(path: &str, refusal: &Refusal) -> Response {
    problem::count(refusal);
    let mut address = format!("{path}?refusal={}", refusal.code());
    for (name, value) in problem::fields(refusal) {
        let text = match value {
            Value::Number(number) => number.to_string(),
            // Only words of ours: details are for developers and may carry anything.
            Value::String(word) if name == "field" || name == "state" => word,
            Value::Array(numbers) => {
                let numbers = numbers.iter().take(SEATS_TOLD_MAX).map(Value::to_string);
                numbers.collect::<Vec<_>>().join(",")
            }
            _ => continue,
        };
        address.push_str(&format!("&{name}={text}"));
    }
    Redirect::to(&address).into_response()
}

/// A refusal goes back to `path`, a fault to the error page.
fn or_back(path: &str, answer: Result<Response>) -> Result<Response> {
    match answer {
        Err(Error::Refusal(refusal)) if refusal != Refusal::NotFound => Ok(back(path, &refusal)),
        other => other,
    }
}

/// Set in the address of a hold that was sent again.
#[derive(serde::Deserialize)]
struct Again {
    again: Option<u8>,
}

async fn hold(
    State(app): State<App>,
    MaybeBuyer(buyer): MaybeBuyer,
    Path(show): Path<String>,
    Query(Again { again }): Query<Again>,
    Form(pairs): Form<Vec<(String, String)>>,
) -> Result<Response> {
    let show: ShowId = show.parse().map_err(|_| Refusal::NotFound)?;
    let page = format!("/shows/{show}/list");
    let Some(buyer) = buyer else {
        return Ok(match again {
            None => in_their_name(&app, show),
            // The browser takes no cookies: a hold would be nobody's.
            Some(_) => back(&page, &Refusal::NoSession),
        });
    };
    let held = async {
        let fields = Fields::new(pairs)?;
        let id = fields.command()?;
        let request = hold_request(show, &fields)?;
        let order = place::hold(&app, Ask { buyer, id }, &request).await?;
        Ok(Redirect::to(&format!("/orders/{order}")).into_response())
    };
    or_back(&page, held.await)
}

/// Begins a buyer and has the browser send the form again in their name: were it carried out now
/// and the answer lost, a repeat would be somebody else's and hold other seats.
fn in_their_name(app: &App, show: ShowId) -> Response {
    let mut response = Redirect::temporary(&format!("/shows/{show}/hold?again=1")).into_response();
    let cookie = buyers::set_cookie(app, &buyers::begin(app));
    response.headers_mut().append(SET_COOKIE, cookie);
    response
}

/// `seat=…` repeated and `area-<index>=<count>`, or `best_count` with `best_tier`. A form sends
/// empty fields too; they ask for nothing.
fn hold_request(show: ShowId, fields: &Fields) -> Result<HoldRequest, Refusal> {
    let mut areas = Vec::new();
    for (name, value) in &fields.0 {
        let Some(area) = name.strip_prefix("area-") else {
            continue;
        };
        let count: u16 = if value.trim().is_empty() {
            0
        } else {
            number(value)?
        };
        if count > 0 {
            let area = AreaIx(number(area)?);
            areas.push(AreaWanted { area, count });
        }
    }
    let best = match fields.get("best_count").trim() {
        "" | "0" => None,
        count => Some(BestWanted {
            count: number(count)?,
            tier: match fields.get("best_tier") {
                "" => None,
                tier => Some(TierIx(number(tier)?)),
            },
        }),
    };
    Ok(HoldRequest {
        show_id: show,
        seats: fields.numbers("seat")?,
        areas,
        best,
    })
}

fn order_id(text: &str) -> Result<OrderId> {
    text.parse().map_err(|_| Error::Refusal(Refusal::NotFound))
}

async fn drop_lines(
    State(app): State<App>,
    Buyer(buyer): Buyer,
    Path(order): Path<String>,
    Form(pairs): Form<Vec<(String, String)>>,
) -> Result<Response> {
    let order = order_id(&order)?;
    let page = format!("/orders/{order}");
    let dropped = async {
        let fields = Fields::new(pairs)?;
        let id = fields.command()?;
        let lines: Vec<u16> = fields.numbers("line")?;
        change::drop_lines(&app, Ask { buyer, id }, order, &lines).await?;
        Ok(Redirect::to(&page).into_response())
    };
    or_back(&page, dropped.await)
}

async fn end(
    State(app): State<App>,
    Buyer(buyer): Buyer,
    Path(order): Path<String>,
    Form(pairs): Form<Vec<(String, String)>>,
) -> Result<Response> {
    let order = order_id(&order)?;
    let page = format!("/orders/{order}");
    let ended = async {
        let id = Fields::new(pairs)?.command()?;
        cancel::cancel(&app, Ask { buyer, id }, order).await?;
        Ok(Redirect::to(&page).into_response())
    };
    or_back(&page, ended.await)
}

async fn begin_to_pay(
    State(app): State<App>,
    Buyer(buyer): Buyer,
    Path(order): Path<String>,
    Form(pairs): Form<Vec<(String, String)>>,
) -> Result<Response> {
    let order = order_id(&order)?;
    let page = format!("/orders/{order}");
    let begun = async {
        let fields = Fields::new(pairs)?;
        let id = fields.command()?;
        let form = ContactForm {
            name: fields.get("name").to_owned(),
            email: fields.get("email").to_owned(),
            locale: fields.get("locale").to_owned(),
        };
        let contact = pay::contact(&form, true)?;
        let url = match pay::redirect(&app, Ask { buyer, id }, order, &contact).await? {
            Begun::Redirect(url) => url,
            Begun::Done => page.clone(),
        };
        Ok(Redirect::to(&url).into_response())
    };
    or_back(&page, begun.await)
}

/// Keeps the language in a cookie that scripts may read: nothing depends on it but words.
async fn language(
    State(app): State<App>,
    Form(pairs): Form<Vec<(String, String)>>,
) -> Result<Response> {
    let fields = Fields::new(pairs)?;
    let locale = crate::messages::Locale::of(fields.get("locale")).tag();
    let secure = if app.config.secure_cookies() {
        "; Secure"
    } else {
        ""
    };
    let cookie = format!("lang={locale}; Path=/; Max-Age={LANGUAGE_AGE_S}; SameSite=Lax{secure}");
    let to = Redirect::to(local_path(fields.get("back")).unwrap_or("/"));
    Ok(([(SET_COOKIE, cookie)], to).into_response())
}

/// `back` only when it stays on this site: `//host` and `/\host` do not.
fn local_path(back: &str) -> Option<&str> {
    let local = back.starts_with('/')
        && !back[1..].starts_with(['/', '\\'])
        && back.bytes().all(|byte| byte.is_ascii_graphic());
    local.then_some(back)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::ids::SeatIx;

    fn fields(pairs: &[(&str, &str)]) -> Fields {
        let pairs = pairs.iter();
        Fields(
            pairs
                .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
                .collect(),
        )
    }

    #[test]
    fn forms_say_what_is_wanted() {
        let chosen = [
            ("seat", "3"),
            ("seat", "14"),
            ("area-1", "2"),
            ("area-0", ""),
        ];
        let request = hold_request(ShowId(7), &fields(&chosen)).unwrap();
        assert_eq!(request.seats, [3, 14]);
        let area = AreaWanted {
            area: AreaIx(1),
            count: 2,
        };
        assert_eq!((request.areas, request.best), (vec![area], None));

        let best = [("best_count", "2"), ("best_tier", "1"), ("price", "0")];
        let request = hold_request(ShowId(7), &fields(&best)).unwrap();
        let wanted = BestWanted {
            count: 2,
            tier: Some(TierIx(1)),
        };
        assert_eq!(request.best, Some(wanted));

        for bad in [
            ("seat", "-1"),
            ("seat", "x"),
            ("area-1", "1.5"),
            ("best_count", "70000"),
        ] {
            assert!(hold_request(ShowId(7), &fields(&[bad])).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn refusals_go_back_with_their_numbers_and_without_texts() {
        let place = |refusal| {
            let response = back("/shows/7/list", &refusal);
            response.headers()["location"].to_str().unwrap().to_owned()
        };
        let taken = Refusal::SeatsTaken {
            seats: vec![SeatIx(1), SeatIx(2)],
        };
        assert_eq!(place(taken), "/shows/7/list?refusal=seats_taken&seats=1,2");
        let bad = Refusal::BadField {
            field: "email".into(),
            detail: "a&b=<c>".into(),
        };
        assert_eq!(place(bad), "/shows/7/list?refusal=bad_field&field=email");
    }

    #[test]
    fn the_way_back_stays_here() {
        assert_eq!(local_path("/shows/7?q=a%20b"), Some("/shows/7?q=a%20b"));
        for away in ["", "//evil", "/\\evil", "https://evil", "/a\nb", "/ä"] {
            assert_eq!(local_path(away), None, "{away:?}");
        }
    }
}
