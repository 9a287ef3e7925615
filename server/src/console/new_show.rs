//! Making a show from a seat map: its tiers begin as the plan's categories.

use domain::board::command::Command;
use domain::board::settings::Settings;
use domain::ids::{CommandId, SeatMapId, ShowId, StaffId};
use domain::money::Currency;
use domain::new_show::{self, Bad, BadField, Terms};
use domain::refusal::Refusal;
use domain::time::Millis;
use domain::wire::view::{CategoryView, NewShow, SeatMapCard};
use iso_currency::Flag;
use jiff::tz::TimeZone;
use sha2::{Digest, Sha256};
use sqlx::{PgConnection, Postgres, Transaction};
use uuid::Uuid;

use super::{Name, seat_maps, submit_named};
use crate::app::App;
use crate::catalog::venue_time::{self, BadLocalTime};
use crate::catalog::{self, EventWords, ShowRow};
use crate::error::{Error, Result};

/// A show was made, or what kept it from being made.
#[derive(Debug)]
pub enum Made {
    Show(ShowId),
    Returned(Vec<BadField>),
}

/// The times of a show as instants.
struct Times {
    starts: Millis,
    opens: Millis,
    closes: Millis,
}

/// Checks every field, stores the draft and sets it up at its desk. Nothing is left behind when
/// a field is bad; the same form again answers the show that it made.
pub async fn create(app: &App, staff: StaffId, form: &NewShow) -> Result<Made> {
    let name = name(form)?;
    // Until the desk has the show, others who come with this form wait here.
    let mut alone = alone(app, name.id).await?;
    if let Some(made) = made_before(&mut alone, staff, name).await? {
        return Ok(made);
    }
    let made = make(app, staff, form, name).await;
    alone.rollback().await?;
    made
}

async fn make(app: &App, staff: StaffId, form: &NewShow, name: Name) -> Result<Made> {
    let Ok(id) = form.seat_map.parse::<SeatMapId>() else {
        return Ok(unknown_seat_map());
    };
    let card = match seat_maps::one(app, id).await {
        Ok(card) => card,
        Err(Error::Refusal(_)) => return Ok(unknown_seat_map()),
        Err(fault) => return Err(fault),
    };
    let zone = venue_time::zone(&card.zone)?;
    let terms = check_terms(form, &card.categories);
    let times = check_times(form, &zone, app.clock.now());
    let (terms, times) = match (terms, times) {
        (Ok(terms), Ok(times)) => (terms, times),
        (terms, times) => {
            let mut bad = terms.err().unwrap_or_default();
            for more in times.err().unwrap_or_default() {
                // The shape of a field is told once, by the check that came first.
                if bad.iter().all(|bad| bad.field != more.field) {
                    bad.push(more);
                }
            }
            return Ok(Made::Returned(bad));
        }
    };
    let show = store(app, &card, &terms, &times, &zone).await?;
    let settings = Settings {
        currency: terms.currency,
        tiers: terms.tiers,
        fees: terms.fees,
        opens_at: times.opens,
        closes_at: times.closes,
        paused: false,
        hold_ttl: terms.hold_ttl,
        per_order_max: terms.per_order_max,
        per_buyer_max: terms.per_buyer_max,
        choose_seats: true,
    };
    submit_named(app, staff, show, name, Command::Configure(settings)).await?;
    Ok(Made::Show(show))
}

/// The form's own name, or a fresh one for a form that has none.
fn name(form: &NewShow) -> Result<Name, Refusal> {
    if form.command_id.is_empty() {
        return Ok(Name::fresh());
    }
    let id = form.command_id.parse().map_err(|_| Refusal::Malformed {
        detail: "a command id is a UUID".into(),
    })?;
    let form = serde_json::to_vec(form).expect("forms are plain data");
    let hash = Sha256::digest(&form);
    let fingerprint = u64::from_be_bytes(hash[..8].try_into().expect("eight of 32 bytes"));
    Ok(Name { id, fingerprint })
}

/// Nobody else makes a show under this name while the transaction is open.
async fn alone(app: &App, id: CommandId) -> Result<Transaction<'static, Postgres>> {
    let mut transaction = app.db.begin().await?;
    sqlx::query("select pg_advisory_xact_lock($1)")
        .bind((id.0 >> 64) as i64)
        .execute(&mut *transaction)
        .await?;
    Ok(transaction)
}

/// The show that was made under this name: of those made while answers are kept, the one whose
/// desk has carried the command out.
async fn made_before(conn: &mut PgConnection, staff: StaffId, name: Name) -> Result<Option<Made>> {
    let made: Option<(i64, i64)> = sqlx::query_as(
        "select show_id, fingerprint from show join command_outcome using (show_id)
         where created_at > now() - interval '48 hours' and actor = $1 and command_id = $2",
    )
    // The sale's tables know staff by small numbers in the place of an id.
    .bind(Uuid::from_u128(staff.0 as u128))
    .bind(Uuid::from_u128(name.id.0))
    .fetch_optional(conn)
    .await?;
    Ok(made.map(|(show, fingerprint)| {
        if fingerprint as u64 == name.fingerprint {
            Made::Show(ShowId(show))
        } else {
            Made::Returned(vec![BadField::new("command_id", Bad::SentBefore)])
        }
    }))
}

/// The form's own check, and whether there is such a currency.
fn check_terms(form: &NewShow, categories: &[CategoryView]) -> Result<Terms, Vec<BadField>> {
    let terms = new_show::check(form, categories)?;
    if is_sold_in(terms.currency) {
        Ok(terms)
    } else {
        Err(vec![BadField::new("currency", Bad::NotCurrency)])
    }
}

/// A currency of ISO 4217 that people pay with, in the minor units that prices are counted in:
/// neither gold nor a unit of account.
fn is_sold_in(currency: Currency) -> bool {
    let Some(listed) = iso_currency::Currency::from_code(currency.code()) else {
        return false;
    };
    let money = !listed
        .flags()
        .iter()
        .any(|flag| matches!(flag, Flag::Special | Flag::Fund));
    money && listed.exponent().map(u32::from) == Some(currency.exponent())
}

fn unknown_seat_map() -> Made {
    Made::Returned(vec![BadField::new("seat_map", Bad::UnknownSeatMap)])
}

/// The event and its show, in one transaction.
async fn store(
    app: &App,
    card: &SeatMapCard,
    terms: &Terms,
    times: &Times,
    zone: &TimeZone,
) -> Result<ShowId> {
    let map = app.seat_maps.get(card.id).await?;
    let words = EventWords {
        title: terms.title.clone(),
        summary: terms.summary.clone(),
        description: terms.description.clone(),
    };
    let starts_on = venue_time::day_at_venue(times.starts, zone)?;
    let mut transaction = app.db.begin().await?;
    let event = catalog::insert_event(&mut transaction, &words).await?;
    let row = ShowRow {
        event,
        venue: card.venue,
        seat_map: card.id,
        starts_at: times.starts,
        starts_on,
        // One tier per category, in the plan's order, so that a category is its tier's index.
        seat_tiers: map.seats.iter().map(|seat| seat.category).collect(),
        area_tiers: map.areas.iter().map(|area| area.category).collect(),
    };
    let show = catalog::insert_show(&mut transaction, &row).await?;
    transaction.commit().await?;
    Ok(show)
}

/// Wall-clock times at the venue as instants, in order and not in the past. A sale without a time
/// to open opens now, one without an end goes on until the show starts.
fn check_times(form: &NewShow, zone: &TimeZone, now: Millis) -> Result<Times, Vec<BadField>> {
    let mut bad = Vec::new();
    let mut instant = |field: &str, text: &str| match venue_time::from_venue(text, zone) {
        Ok(at) => at,
        Err(why) => {
            let why = match why {
                BadLocalTime::Malformed => Bad::NotTime,
                BadLocalTime::Skipped => Bad::SkippedTime,
                BadLocalTime::Doubled => Bad::DoubledTime,
            };
            bad.push(BadField::new(field, why));
            now
        }
    };
    let starts = instant("starts", &form.starts);
    let opens = match form.opens.trim() {
        "" => now,
        text => instant("opens", text),
    };
    let closes = match form.closes.trim() {
        "" => starts,
        text => instant("closes", text),
    };
    let times = Times {
        starts,
        opens,
        closes,
    };
    if bad.is_empty() {
        if times.starts <= now {
            bad.push(BadField::new("starts", Bad::InPast));
        } else if times.closes <= times.opens {
            bad.push(BadField::new("closes", Bad::ClosesBeforeOpens));
        } else if times.closes > times.starts {
            bad.push(BadField::new("closes", Bad::ClosesAfterStart));
        } else if times.closes <= now {
            bad.push(BadField::new("closes", Bad::InPast));
        }
    }
    if bad.is_empty() { Ok(times) } else { Err(bad) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn currencies_are_those_that_people_pay_with() {
        let sold_in = |code: &str| is_sold_in(Currency::new(code).unwrap());
        for code in [
            "EUR", "USD", "CNY", "JPY", "KRW", "KWD", "ISK", "XOF", "MRU",
        ] {
            assert!(sold_in(code), "{code}");
        }
        for code in ["ABC", "XXX", "XTS", "XAU", "XDR", "CLF", "CHE"] {
            assert!(!sold_in(code), "{code}");
        }
    }

    #[test]
    fn f65_a_show_in_the_skipped_or_doubled_hour_is_refused() {
        let zone = venue_time::zone("Europe/Berlin").unwrap();
        let check = |starts: &str, expect: &str| {
            let form = NewShow {
                starts: starts.into(),
                opens: "2027-01-01T10:00".into(),
                closes: "2027-03-28T01:30".into(),
                ..NewShow::default()
            };
            let bad = check_times(&form, &zone, Millis(0))
                .err()
                .unwrap_or_default();
            let told: Vec<String> = bad
                .iter()
                .map(|bad| format!("{} {}", bad.field, bad.bad.word()))
                .collect();
            assert_eq!(told.join(", "), expect, "{starts}");
        };
        check("2027-03-28T02:30", "starts skipped_time");
        check("2027-10-31T02:30", "starts doubled_time");
        check("2027-03-28T03:00", "");
        check("2027-03-28T01:00", "closes closes_after_start");
    }
}
