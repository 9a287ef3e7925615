//! A desk's Postgres: opens a board, commits batches through `desk_commit`, reads the log and the
//! outcomes; `load` reads a board back. The only place that writes the sale tables.

use domain::board::Plan;
use domain::board::change::Delta;
use domain::board::command::{Actor, Outcome};
use domain::desk::{Batch, Key, Stored};
use domain::ids::{AttemptId, BuyerId, CommandId, OrderId, Seq, ShowId, StaffId};
use domain::money::Currency;
use domain::order::{Line, OrderSummary, Place};
use domain::time::Millis;
use domain::wire::log;
use sqlx::{PgPool, Row};
use uuid::Uuid;

use super::rows::{OrderStep, Rows};

mod load;

pub(super) use load::load;

/// Log rows read at once.
const DELTAS_PER_READ_MAX: i64 = 500;

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

/// Seq of the last commit in Postgres.
pub(super) async fn seq(db: &PgPool, show: ShowId) -> Result<Seq> {
    let seq: i64 = sqlx::query_scalar("select seq from show_seq where show_id = $1")
        .bind(show.0)
        .fetch_one(db)
        .await?;
    Ok(Seq(seq as u64))
}

/// All commits after `after`, oldest first: whoever has read them is as far as Postgres was.
pub(super) async fn deltas(db: &PgPool, show: ShowId, after: Seq) -> Result<Vec<Delta>> {
    let mut deltas = Vec::new();
    let mut last = after;
    loop {
        let page = deltas_page(db, show, last).await?;
        let more = page.len() as i64 == DELTAS_PER_READ_MAX;
        last = page.last().map_or(last, |delta| delta.seq);
        deltas.extend(page);
        if !more {
            return Ok(deltas);
        }
    }
}

async fn deltas_page(db: &PgPool, show: ShowId, after: Seq) -> Result<Vec<Delta>> {
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
        .bind(column(&begun, |o| o.ticket_fee.0))
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
    $33, $34, $35, $36, $37, $38, $39, $40, $41, $42)";

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
