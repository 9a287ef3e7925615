//! A desk's Postgres: opens and loads a board, commits batches through `desk_commit`, reads the
//! log and the outcomes. The only place that writes the sale tables.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::Context;
use domain::board::change::Delta;
use domain::board::command::{Actor, Outcome};
use domain::board::settings::Settings;
use domain::board::{Board, BoardOrder, Plan, Stored as StoredBoard};
use domain::desk::{Batch, Key, Stored};
use domain::ids::{
    AreaIx, AttemptId, BuyerId, CommandId, OrderId, SeatIx, Seq, ShowId, StaffId, TierIx,
};
use domain::money::{Currency, Minor};
use domain::order::{Line, OrderSummary, Place};
use domain::time::Millis;
use domain::wire::log;
use sqlx::postgres::PgRow;
use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool, Row};
use uuid::Uuid;

use super::rows::{OrderStep, Rows};

/// Log rows read at once.
pub(super) const DELTAS_PER_READ_MAX: i64 = 500;

type Result<T, E = anyhow::Error> = std::result::Result<T, E>;

/// How a commit ended when nothing went wrong.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Written {
    Done,
    /// Ids among the batch are known: nothing written.
    Known,
    /// Another process wrote first: nothing written.
    Behind,
}

/// Prepares the rows that every board needs, once per show.
pub(super) async fn open(db: &PgPool, show: ShowId, plan: &Plan) -> Result<()> {
    let (areas, capacities): (Vec<i16>, Vec<i32>) = plan
        .seat_map
        .areas
        .iter()
        .enumerate()
        .map(|(ix, area)| (ix as i16, area.capacity as i32))
        .unzip();
    let mut transaction = db.begin().await?;
    sqlx::query("insert into show_seq (show_id, seq) values ($1, 0) on conflict do nothing")
        .bind(show.0)
        .execute(&mut *transaction)
        .await?;
    sqlx::query(
        "insert into area_stock (show_id, area_ix, capacity)
         select $1, * from unnest($2::smallint[], $3::integer[]) on conflict do nothing",
    )
    .bind(show.0)
    .bind(areas)
    .bind(capacities)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(())
}

/// The board as Postgres has it now, and the keys of all outcomes it keeps: one snapshot.
pub(super) async fn load(db: &PgPool, show: ShowId, plan: Arc<Plan>) -> Result<(Board, Vec<Key>)> {
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
const SUMMARY_COLUMNS: &str = "order_id, buyer_id, state::text as state, fees, total, last_line,
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

/// One order as its row says, whatever became of it; `None` when there is none.
pub async fn order_summary(
    connection: &mut PgConnection,
    order: OrderId,
) -> Result<Option<(ShowId, OrderSummary)>> {
    let row = sqlx::query(AssertSqlSafe(format!(
        "select show_id, {SUMMARY_COLUMNS} from orders where order_id = $1"
    )))
    .bind(order.0)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let show = ShowId(row.try_get("show_id")?);
    let lines = sqlx::query(
        "select line_no, seat_ix, area_ix, tier, price from order_line
         where show_id = $1 and order_id = $2 order by line_no",
    )
    .bind(show.0)
    .bind(order.0)
    .fetch_all(connection)
    .await?;
    let lines = lines.iter().map(line).collect::<Result<Vec<Line>>>()?;
    Ok(Some((show, summary(&row, lines)?)))
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

/// Seq of the last commit in Postgres.
pub(super) async fn seq(db: &PgPool, show: ShowId) -> Result<Seq> {
    let seq: i64 = sqlx::query_scalar("select seq from show_seq where show_id = $1")
        .bind(show.0)
        .fetch_one(db)
        .await?;
    Ok(Seq(seq as u64))
}

/// Commits after `after`, oldest first, at most [`DELTAS_PER_READ_MAX`].
pub(super) async fn deltas(db: &PgPool, show: ShowId, after: Seq) -> Result<Vec<Delta>> {
    let rows = sqlx::query(
        "select seq, (extract(epoch from at) * 1000)::bigint as at, changes
         from show_delta where show_id = $1 and seq > $2 order by seq limit $3",
    )
    .bind(show.0)
    .bind(after.0 as i64)
    .bind(DELTAS_PER_READ_MAX)
    .fetch_all(db)
    .await?;
    rows.iter()
        .map(|row| {
            let seq = Seq(row.try_get::<i64, _>("seq")? as u64);
            let changes: &[u8] = row.try_get("changes")?;
            Ok(log::decode(seq, Millis(row.try_get("at")?), changes)?)
        })
        .collect()
}

/// Stored outcomes of those of `keys` that have one.
pub(super) async fn outcomes(db: &PgPool, show: ShowId, keys: &[Key]) -> Result<Vec<Stored>> {
    let (actors, commands): (Vec<Uuid>, Vec<Uuid>) = keys.iter().map(uuids).unzip();
    let rows = sqlx::query(
        "select actor, command_id, fingerprint, outcome
         from unnest($2::uuid[], $3::uuid[]) as asked (actor, command_id)
         join command_outcome using (actor, command_id) where show_id = $1",
    )
    .bind(show.0)
    .bind(actors)
    .bind(commands)
    .fetch_all(db)
    .await?;
    rows.iter()
        .map(|row| {
            let outcome: &[u8] = row.try_get("outcome")?;
            Ok(Stored {
                key: (
                    actor_of(row.try_get("actor")?),
                    command_of(row.try_get("command_id")?),
                ),
                fingerprint: row.try_get::<i64, _>("fingerprint")? as u64,
                outcome: postcard::from_bytes::<Outcome>(outcome)?,
            })
        })
        .collect()
}

/// Writes `batch`, all or nothing.
pub(super) async fn commit(
    db: &PgPool,
    show: ShowId,
    currency: Currency,
    batch: &Batch,
) -> Result<Written> {
    let rows = Rows::of(batch);
    let (actors, commands): (Vec<Uuid>, Vec<Uuid>) = batch
        .outcomes
        .iter()
        .map(|stored| uuids(&stored.key))
        .unzip();
    let fingerprints = column(&batch.outcomes, |o| o.fingerprint as i64);
    let outcomes = batch
        .outcomes
        .iter()
        .map(|stored| postcard::to_allocvec(&stored.outcome))
        .collect::<Result<Vec<Vec<u8>>, _>>()?;
    let begun: Vec<&OrderSummary> = rows.begun.values().collect();
    let lines: Vec<(OrderId, Line)> = rows.lines.iter().map(|(key, l)| (key.0, *l)).collect();
    let steps: Vec<(&OrderId, &OrderStep)> = rows.steps.iter().collect();
    let more = (!rows.more.is_empty()).then_some(sqlx::types::Json(&rows.more));

    let answer: String = sqlx::query_scalar(COMMIT)
        .bind(show.0)
        .bind(batch.expected.0 as i64)
        .bind(batch.delta.at.0)
        .bind(log::encode(&batch.delta))
        .bind(actors)
        .bind(commands)
        .bind(fingerprints)
        .bind(outcomes)
        .bind(column(&rows.freed, |(seat, _)| seat.0 as i32))
        .bind(column(&rows.freed, |(_, owner)| *owner))
        .bind(column(&rows.taken, |taken| taken.0.0 as i32))
        .bind(column(&rows.taken, |taken| taken.1))
        .bind(column(&rows.taken, |taken| taken.2))
        .bind(column(&rows.taken, |taken| taken.3.clone()))
        .bind(
            rows.areas
                .keys()
                .map(|area| area.0 as i16)
                .collect::<Vec<_>>(),
        )
        .bind(rows.areas.values().copied().collect::<Vec<_>>())
        .bind(column(&begun, |o| o.order.0))
        .bind(column(&begun, |o| Uuid::from_u128(o.buyer.0)))
        .bind(column(&begun, |o| o.state.word()))
        .bind(column(&begun, |o| o.deadline.0))
        .bind(column(&begun, |o| o.hold_deadline.0))
        .bind(column(&begun, |o| o.fees.0))
        .bind(column(&begun, |o| o.total.0))
        .bind(column(&begun, |o| o.last_line as i16))
        .bind(column(&begun, |o| attempt_uuid(o.attempt)))
        .bind(currency.code())
        .bind(column(&lines, |(order, _)| order.0))
        .bind(column(&lines, |(_, line)| line.no as i16))
        .bind(column(&lines, |(_, line)| seat_of(line)))
        .bind(column(&lines, |(_, line)| area_of(line)))
        .bind(column(&lines, |(_, line)| i16::from(line.tier.0)))
        .bind(column(&lines, |(_, line)| line.price.0))
        .bind(column(&steps, |(order, _)| order.0))
        .bind(column(&steps, |(_, step)| step.from))
        .bind(column(&steps, |(_, step)| step.state.word()))
        .bind(column(&steps, |(_, step)| step.deadline.map(|at| at.0)))
        .bind(column(&steps, |(_, step)| step.sums.map(|sums| sums.0)))
        .bind(column(&steps, |(_, step)| step.sums.map(|sums| sums.1)))
        .bind(column(&steps, |(_, step)| step.sums.map(|sums| sums.2)))
        .bind(column(&steps, |(_, step)| attempt_uuid(step.attempt)))
        .bind(more)
        .fetch_one(db)
        .await?;
    match answer.as_str() {
        "done" => Ok(Written::Done),
        "known" => Ok(Written::Known),
        "behind" => Ok(Written::Behind),
        other => anyhow::bail!("desk_commit answered {other}"),
    }
}

/// Arguments in the order of `desk_commit`.
const COMMIT: &str = "select desk_commit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
    $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32,
    $33, $34, $35, $36, $37, $38, $39, $40, $41)";

fn column<T, V>(rows: &[T], value: impl Fn(&T) -> V) -> Vec<V> {
    rows.iter().map(value).collect()
}

fn attempt_uuid(attempt: Option<AttemptId>) -> Option<Uuid> {
    attempt.map(|id| Uuid::from_u128(id.0))
}

fn seat_of(line: &Line) -> Option<i32> {
    match line.place {
        Place::Seat(seat) => Some(seat.0 as i32),
        Place::Area(_) => None,
    }
}

fn area_of(line: &Line) -> Option<i16> {
    match line.place {
        Place::Seat(_) => None,
        Place::Area(area) => Some(area.0 as i16),
    }
}

/// Actors as uuids: the system is 0, staff their small numbers, buyers random.
fn uuids(key: &Key) -> (Uuid, Uuid) {
    let actor = match key.0 {
        Actor::System => 0,
        Actor::Staff(staff) => staff.0 as u128,
        Actor::Buyer(buyer) => buyer.0,
    };
    (Uuid::from_u128(actor), Uuid::from_u128(key.1.0))
}

fn actor_of(id: Uuid) -> Actor {
    match id.as_u128() {
        0 => Actor::System,
        small if small <= i64::MAX as u128 => Actor::Staff(StaffId(small as i64)),
        wide => Actor::Buyer(BuyerId(wide)),
    }
}

fn command_of(id: Uuid) -> CommandId {
    CommandId(id.as_u128())
}
