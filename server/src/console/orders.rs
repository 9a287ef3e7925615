//! Orders, found by number, mail or name.

use domain::ids::{OrderId, ShowId};
use domain::money::{Currency, Minor, Money};
use domain::order::{OrderState, number};
use domain::refusal::Refusal;
use domain::time::Millis;
use domain::wire::view::StaffOrder;

use crate::app::App;
use crate::catalog::venue_time;
use crate::error::Result;

/// Orders in the list, the newest.
pub const ORDERS_LISTED_MAX: i64 = 100;
/// Characters of what is searched for.
pub const TEXT_CHARS_MAX: usize = 200;

#[derive(sqlx::FromRow)]
struct Row {
    order_id: i64,
    show_id: i64,
    title: String,
    state: String,
    created_at_ms: i64,
    zone: String,
    places: i64,
    total: i64,
    currency: String,
    name: Option<String>,
    email: Option<String>,
    parked: bool,
}

/// Newest first. `text` is an order's number as printed or as a link has it, or a part of a name
/// or a mail address; empty finds all.
pub async fn list(app: &App, show: Option<ShowId>, text: &str) -> Result<Vec<StaffOrder>> {
    let text = text.trim();
    if text.chars().count() > TEXT_CHARS_MAX || text.contains('\0') {
        return Err(Refusal::BadField {
            field: "q".into(),
            detail: "too_long".into(),
        }
        .into());
    }
    let order = number::parse(text).or_else(|| text.parse().ok());
    let rows: Vec<Row> = sqlx::query_as(
        "select o.order_id, o.show_id, e.title, o.state::text,
                (extract(epoch from o.created_at) * 1000)::bigint as created_at_ms,
                v.zone,
                (select count(*) from order_line l
                 where l.show_id = o.show_id and l.order_id = o.order_id) as places,
                o.total, o.currency, o.contact_name as name, o.contact_email as email,
                o.parked is not null as parked
         from orders o join show s using (show_id) join event e using (event_id)
              join venue v using (venue_id)
         where ($1::bigint is null or o.show_id = $1)
           and ($2 = '' or o.order_id = $3
                or position(lower($2) in lower(o.contact_name)) > 0
                or position(lower($2) in lower(o.contact_email)) > 0)
         order by o.order_id desc limit $4",
    )
    .bind(show.map(|show| show.0))
    .bind(text)
    .bind(order.map(|order: OrderId| order.0))
    .bind(ORDERS_LISTED_MAX)
    .fetch_all(&app.db)
    .await?;
    rows.into_iter().map(view).collect()
}

fn view(row: Row) -> Result<StaffOrder> {
    let state: OrderState = row
        .state
        .parse()
        .map_err(|_| anyhow::anyhow!("order state {:?}", row.state))?;
    let currency = Currency::new(&row.currency)
        .ok_or_else(|| anyhow::anyhow!("currency {:?} of an order", row.currency))?;
    Ok(StaffOrder {
        id: OrderId(row.order_id),
        number: number::print(OrderId(row.order_id)),
        state,
        show: ShowId(row.show_id),
        title: row.title,
        created: venue_time::at_venue(Millis(row.created_at_ms), &venue_time::zone(&row.zone)?)?,
        places: u32::try_from(row.places).unwrap_or(u32::MAX),
        total: Money {
            amount: Minor(row.total),
            currency,
        },
        name: row.name.unwrap_or_default(),
        email: row.email.unwrap_or_default(),
        parked: row.parked,
    })
}
