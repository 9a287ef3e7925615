//! Orders as pages and clients see them, from Postgres.

use std::collections::HashMap;

use anyhow::{Context, anyhow};
use domain::board::command::{Captured, ParkReason};
use domain::board::settings::Settings;
use domain::ids::{AreaIx, AttemptId, BuyerId, OrderId, SeatIx, ShowId, TierIx};
use domain::money::{Currency, Minor};
use domain::order::{Line, OrderState, OrderSummary, Place, number};
use domain::seat_map::SeatMap;
use domain::time::Millis;
use domain::wire::view::{LineView, OrderView, TicketView};
use sqlx::PgPool;

use super::settle::Settled;
use crate::app::App;
use crate::catalog;
use crate::catalog::venue_time;
use crate::error::Result;
use crate::messages::Locale;
use crate::payments::AttemptName;
use crate::tickets::qr;

/// Orders of one buyer that are listed.
const MY_ORDERS_MAX: i64 = 50;

/// An order as it is in the books.
#[derive(Debug, Clone)]
pub struct Stored {
    pub show: ShowId,
    pub summary: OrderSummary,
    pub currency: Currency,
    pub contact_name: Option<String>,
    pub contact_email: Option<String>,
    pub locale: Locale,
    pub parked: bool,
    /// The attempt begun last, and how it stands.
    pub last_attempt: Option<(AttemptId, String)>,
}

impl Stored {
    /// The attempt that the buyer is at, while paying.
    pub fn attempt(&self) -> Option<AttemptName> {
        self.summary.attempt.map(|attempt| self.name(attempt))
    }

    /// The attempt begun last, over or not.
    pub fn last_attempt(&self) -> Option<AttemptName> {
        let (attempt, _) = self.last_attempt.as_ref()?;
        Some(self.name(*attempt))
    }

    fn name(&self, attempt: AttemptId) -> AttemptName {
        AttemptName {
            show: self.show,
            order: self.summary.order,
            attempt,
        }
    }
}

/// Who looks at an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    Owner,
    /// Came by the link in the mail: sees the tickets, not where they went.
    Link,
}

#[derive(sqlx::FromRow)]
struct OrderRow {
    show_id: i64,
    order_id: i64,
    buyer_id: String,
    state: String,
    deadline_ms: i64,
    hold_deadline_ms: i64,
    currency: String,
    ticket_fee: i64,
    fees: i64,
    total: i64,
    last_line: i16,
    attempt: Option<String>,
    contact_name: Option<String>,
    contact_email: Option<String>,
    locale: Option<String>,
    parked: bool,
    last_attempt: Option<String>,
    last_attempt_state: Option<String>,
}

#[derive(sqlx::FromRow)]
struct LineRow {
    line_no: i16,
    seat_ix: Option<i32>,
    area_ix: Option<i16>,
    tier: i16,
    price: i64,
}

/// What became of a payment for an order, if it is in the books.
pub async fn payment(
    db: &PgPool,
    name: AttemptName,
    payment: &Captured,
) -> Result<Option<Settled>> {
    let parked: Option<Option<String>> = sqlx::query_scalar(
        "select parked from payment
         where show_id = $1 and order_id = $2 and provider = $3 and payment_id = $4",
    )
    .bind(name.show.0)
    .bind(name.order.0)
    .bind(&payment.provider)
    .bind(&payment.payment_id)
    .fetch_optional(db)
    .await?;
    Ok(match parked {
        None => None,
        Some(None) => Some(Settled::Paid),
        Some(Some(word)) => {
            let reason = ParkReason::of_word(&word).context("a reason in the books")?;
            Some(Settled::Parked(reason))
        }
    })
}

/// The order with this number, whoever's it is.
pub async fn stored(db: &PgPool, order: OrderId) -> Result<Option<Stored>> {
    let row: Option<OrderRow> = sqlx::query_as(
        "select o.show_id, o.order_id, o.buyer_id::text, o.state::text,
                (extract(epoch from o.deadline) * 1000)::bigint as deadline_ms,
                (extract(epoch from o.hold_deadline) * 1000)::bigint as hold_deadline_ms,
                o.currency, o.ticket_fee, o.fees, o.total, o.last_line, o.attempt::text,
                o.contact_name, o.contact_email, o.locale,
                o.parked is not null or exists (
                    select from payment p where p.show_id = o.show_id
                    and p.order_id = o.order_id and p.parked is not null) as parked,
                a.attempt::text as last_attempt, a.state as last_attempt_state
         from orders o left join lateral (
            select attempt, state from payment_attempt a
            where a.show_id = o.show_id and a.order_id = o.order_id
            order by started_at desc limit 1) a on true
         where o.order_id = $1",
    )
    .bind(order.0)
    .fetch_optional(db)
    .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let lines: Vec<LineRow> = sqlx::query_as(
        "select line_no, seat_ix, area_ix, tier, price from order_line
         where show_id = $1 and order_id = $2 order by line_no",
    )
    .bind(row.show_id)
    .bind(row.order_id)
    .fetch_all(db)
    .await?;
    Ok(Some(row.stored(lines)?))
}

impl OrderRow {
    fn stored(self, lines: Vec<LineRow>) -> anyhow::Result<Stored> {
        let id = |text: Option<String>| text.map(|t| t.parse::<AttemptId>()).transpose();
        let last_attempt = id(self.last_attempt)?.zip(self.last_attempt_state);
        Ok(Stored {
            show: ShowId(self.show_id),
            summary: OrderSummary {
                order: OrderId(self.order_id),
                buyer: self.buyer_id.parse::<BuyerId>()?,
                state: self.state.parse::<OrderState>()?,
                deadline: Millis(self.deadline_ms),
                hold_deadline: Millis(self.hold_deadline_ms),
                attempt: id(self.attempt)?,
                lines: lines.into_iter().map(line).collect::<anyhow::Result<_>>()?,
                last_line: u16::try_from(self.last_line)?,
                ticket_fee: Minor(self.ticket_fee),
                fees: Minor(self.fees),
                total: Minor(self.total),
            },
            currency: Currency::new(&self.currency).context("the currency of an order")?,
            contact_name: self.contact_name.filter(|name| !name.is_empty()),
            contact_email: self.contact_email.filter(|email| !email.is_empty()),
            locale: Locale::of(self.locale.as_deref().unwrap_or("en")),
            parked: self.parked,
            last_attempt,
        })
    }
}

fn line(row: LineRow) -> anyhow::Result<Line> {
    let place = match (row.seat_ix, row.area_ix) {
        (Some(seat), None) => Place::Seat(SeatIx(u32::try_from(seat)?)),
        (None, Some(area)) => Place::Area(AreaIx(u16::try_from(area)?)),
        _ => return Err(anyhow!("a line is a seat or a place in an area")),
    };
    Ok(Line {
        no: u16::try_from(row.line_no)?,
        place,
        tier: TierIx(u8::try_from(row.tier)?),
        price: Minor(row.price),
    })
}

/// What is printed about a show on its orders.
#[derive(sqlx::FromRow)]
struct ShowRow {
    title: String,
    venue: String,
    city: String,
    zone: String,
    starts_ms: i64,
    seat_map_id: Vec<u8>,
    settings: sqlx::types::Json<Settings>,
}

async fn show_row(db: &PgPool, show: ShowId) -> Result<ShowRow> {
    let row = sqlx::query_as(
        "select e.title, v.name as venue, v.city, v.zone,
                (extract(epoch from s.starts_at) * 1000)::bigint as starts_ms,
                s.seat_map_id, t.settings
         from show s join event e using (event_id) join venue v using (venue_id)
         join show_settings t using (show_id)
         where s.show_id = $1",
    )
    .bind(show.0)
    .fetch_one(db)
    .await?;
    Ok(row)
}

/// The order in words, as `viewer` may see it.
pub async fn view(app: &App, stored: &Stored, viewer: Viewer) -> Result<OrderView> {
    let show = show_row(&app.db, stored.show).await?;
    let seat_map = catalog::seat_map_id(&show.seat_map_id)?;
    let seat_map = app.seat_maps.get(seat_map).await?;
    let summary = &stored.summary;
    let lines = summary.lines.iter();
    let lines = lines.map(|line| line_view(line, &seat_map, &show.settings));
    let lines: Vec<LineView> = lines.collect();
    let tickets = match summary.state {
        OrderState::Paid => tickets(app, stored, &lines).await?,
        _ => Vec::new(),
    };
    let waits = matches!(summary.state, OrderState::Held | OrderState::Paying);
    let declined = summary.state == OrderState::Held
        && matches!(&stored.last_attempt, Some((_, state)) if state == "declined");
    let zone = venue_time::zone(&show.zone)?;
    let hold_expires_at = waits.then_some(summary.deadline);
    let hold_until = hold_expires_at.map(|at| venue_time::at_venue(at, &zone));
    Ok(OrderView {
        id: summary.order,
        number: number::print(summary.order),
        state: summary.state,
        show: stored.show,
        title: show.title,
        venue: show.venue,
        city: show.city,
        starts: venue_time::at_venue(Millis(show.starts_ms), &zone)?,
        lines,
        currency: stored.currency,
        fees: summary.fees,
        total: summary.total,
        hold_expires_at,
        hold_until: hold_until.transpose()?,
        server_now: app.clock.now(),
        tickets,
        email: match viewer {
            Viewer::Owner => stored.contact_email.clone(),
            Viewer::Link => None,
        },
        declined,
        parked: stored.parked,
    })
}

fn line_view(line: &Line, seat_map: &SeatMap, settings: &Settings) -> LineView {
    let tier = settings.tier(line.tier);
    let mut view = LineView {
        no: line.no,
        seat: None,
        area: None,
        section: String::new(),
        row: String::new(),
        label: String::new(),
        tier: line.tier,
        tier_name: tier.map_or(String::new(), |tier| tier.name.clone()),
        price: line.price,
    };
    match line.place {
        Place::Seat(seat) => {
            view.seat = Some(seat);
            if let Some(words) = seat_map.words(seat) {
                view.section = words.section.to_owned();
                view.row = words.row.to_owned();
                view.label = words.seat.to_owned();
            }
        }
        Place::Area(area) => {
            view.area = Some(area);
            if let Some(area) = seat_map.area(area) {
                view.section = area.name.clone();
            }
        }
    }
    view
}

async fn tickets(app: &App, stored: &Stored, lines: &[LineView]) -> Result<Vec<TicketView>> {
    let rows: Vec<(i16, i16, bool)> = sqlx::query_as(
        "select line_no, issue, void from ticket
         where show_id = $1 and order_id = $2 order by line_no",
    )
    .bind(stored.show.0)
    .bind(stored.summary.order.0)
    .fetch_all(&app.db)
    .await?;
    let words: HashMap<u16, &LineView> = lines.iter().map(|line| (line.no, line)).collect();
    let mut tickets = Vec::with_capacity(rows.len());
    for (line, issue, void) in rows {
        let line = line as u16;
        let (code, qr_svg) = if void {
            (String::new(), String::new())
        } else {
            let show = stored.show.0;
            let order = stored.summary.order.0;
            let code = app.signatory.code(show, order, line, issue as u16);
            let picture = qr::svg(&code, &label(words.get(&line).copied()))?;
            (code, picture)
        };
        tickets.push(TicketView {
            line,
            code,
            qr_svg,
            void,
        });
    }
    Ok(tickets)
}

/// What screen readers say to a ticket's picture: the words on the ticket, in no language.
fn label(line: Option<&LineView>) -> String {
    let Some(line) = line else {
        return "QR".to_owned();
    };
    let words = [&line.section, &line.row, &line.label];
    let words: Vec<&str> = words
        .iter()
        .map(|word| word.as_str())
        .filter(|word| !word.is_empty())
        .collect();
    format!("QR {}", words.join(" · "))
}

/// The buyer's own orders, newest first.
pub async fn of_buyer(app: &App, buyer: BuyerId) -> Result<Vec<OrderView>> {
    let ids: Vec<i64> = sqlx::query_scalar(
        "select order_id from orders where buyer_id = $1::text::uuid
         order by order_id desc limit $2",
    )
    .bind(buyer.to_string())
    .bind(MY_ORDERS_MAX)
    .fetch_all(&app.db)
    .await?;
    let mut orders = Vec::with_capacity(ids.len());
    for id in ids {
        if let Some(stored) = stored(&app.db, OrderId(id)).await? {
            orders.push(view(app, &stored, Viewer::Owner).await?);
        }
    }
    Ok(orders)
}
