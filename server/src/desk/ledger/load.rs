//! Reads a board back from Postgres, and single orders.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::Context;
use domain::board::settings::Settings;
use domain::board::{Board, BoardOrder, Plan, Stored as StoredBoard};
use domain::desk::Key;
use domain::ids::{AreaIx, AttemptId, BuyerId, OrderId, SeatIx, Seq, ShowId, TierIx};
use domain::money::Minor;
use domain::order::{Line, OrderSummary, Place};
use domain::time::Millis;
use sqlx::postgres::PgRow;
use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool, Row};
use uuid::Uuid;

use super::{Result, actor_of, command_of};

/// The board as Postgres has it now, and the keys of all outcomes it keeps: one snapshot.
pub(in crate::desk) async fn load(
    db: &PgPool,
    show: ShowId,
    plan: Arc<Plan>,
) -> Result<(Board, Vec<Key>)> {
    let mut connection = db.acquire().await?;
    let mut transaction = connection
        .begin_with("begin isolation level repeatable read read only")
        .await?;
    let row = sqlx::query(
        "select seq, settings, (select (extract(epoch from at) * 1000)::bigint from show_delta d
             where d.show_id = s.show_id and d.seq = s.seq) as at
         from show_seq s left join (select show_id, settings from show_settings) t using (show_id)
         where show_id = $1",
    )
    .bind(show.0)
    .fetch_one(&mut *transaction)
    .await?;
    let settings: Option<sqlx::types::Json<Settings>> = row.try_get("settings")?;
    let at: Option<i64> = row.try_get("at")?;
    let stored = StoredBoard {
        seq: Seq(row.try_get::<i64, _>("seq")? as u64),
        last_at: Millis(at.unwrap_or(0)),
        settings: settings.map_or_else(Settings::unset, |json| json.0),
        orders: live_orders(&mut transaction, show).await?,
        blocked: blocked_seats(&mut transaction, show).await?,
    };
    let known = sqlx::query("select actor, command_id from command_outcome where show_id = $1")
        .bind(show.0)
        .fetch_all(&mut *transaction)
        .await?
        .iter()
        .map(|row| Ok((actor_of(row.try_get(0)?), command_of(row.try_get(1)?))))
        .collect::<Result<Vec<Key>>>()?;
    transaction.rollback().await?;
    Ok((Board::load(plan, stored), known))
}

/// Columns that `summary` reads.
const SUMMARY_COLUMNS: &str = "order_id, buyer_id, state::text as state, ticket_fee, fees, total,
    last_line,
    case when state = 'paying' then attempt end as attempt,
    (extract(epoch from deadline) * 1000)::bigint as deadline,
    (extract(epoch from hold_deadline) * 1000)::bigint as hold_deadline";

async fn live_orders(connection: &mut PgConnection, show: ShowId) -> Result<Vec<BoardOrder>> {
    let mut lines: HashMap<OrderId, Vec<Line>> = HashMap::new();
    let rows = sqlx::query(
        "select l.order_id, line_no, seat_ix, area_ix, tier, price
         from order_line l join orders o using (show_id, order_id)
         where show_id = $1 and o.state in ('held', 'paying', 'paid')
         order by l.order_id, line_no",
    )
    .bind(show.0)
    .fetch_all(&mut *connection)
    .await?;
    for row in rows {
        let order = OrderId(row.try_get("order_id")?);
        lines.entry(order).or_default().push(line(&row)?);
    }
    let rows = sqlx::query(AssertSqlSafe(format!(
        "select {SUMMARY_COLUMNS}, (
             select provider || ':' || payment_id from payment p
             where p.show_id = o.show_id and p.order_id = o.order_id and p.parked is null
             limit 1) as paid_by
         from orders o
         where show_id = $1 and state in ('held', 'paying', 'paid')"
    )))
    .bind(show.0)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let order = OrderId(row.try_get("order_id")?);
            Ok(BoardOrder {
                paid_by: row.try_get("paid_by")?,
                summary: summary(row, lines.remove(&order).unwrap_or_default())?,
            })
        })
        .collect()
}

fn summary(row: &PgRow, lines: Vec<Line>) -> Result<OrderSummary> {
    let state: &str = row.try_get("state")?;
    let attempt: Option<Uuid> = row.try_get("attempt")?;
    Ok(OrderSummary {
        order: OrderId(row.try_get("order_id")?),
        buyer: BuyerId(row.try_get::<Uuid, _>("buyer_id")?.as_u128()),
        state: state.parse().context("order state")?,
        deadline: Millis(row.try_get("deadline")?),
        hold_deadline: Millis(row.try_get("hold_deadline")?),
        attempt: attempt.map(|id| AttemptId(id.as_u128())),
        lines,
        last_line: row.try_get::<i16, _>("last_line")? as u16,
        ticket_fee: Minor(row.try_get("ticket_fee")?),
        fees: Minor(row.try_get("fees")?),
        total: Minor(row.try_get("total")?),
    })
}

fn line(row: &PgRow) -> Result<Line> {
    let seat: Option<i32> = row.try_get("seat_ix")?;
    let area: Option<i16> = row.try_get("area_ix")?;
    let place = match (seat, area) {
        (Some(seat), _) => Place::Seat(SeatIx(seat as u32)),
        (None, Some(area)) => Place::Area(AreaIx(area as u16)),
        (None, None) => anyhow::bail!("a line without a place"),
    };
    Ok(Line {
        no: row.try_get::<i16, _>("line_no")? as u16,
        place,
        tier: TierIx(row.try_get::<i16, _>("tier")? as u8),
        price: Minor(row.try_get("price")?),
    })
}

async fn blocked_seats(
    connection: &mut PgConnection,
    show: ShowId,
) -> Result<Vec<(SeatIx, String)>> {
    let rows = sqlx::query(
        "select seat_ix, coalesce(reason, '') from seat_claim where show_id = $1 and state = 3",
    )
    .bind(show.0)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| Ok((SeatIx(row.try_get::<i32, _>(0)? as u32), row.try_get(1)?)))
        .collect()
}
