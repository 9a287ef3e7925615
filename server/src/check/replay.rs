//! I10: whoever plays the log over an empty board gets what the tables say, and the log is the one
//! that was written: each row carries the hash of all before it.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::Context;
use domain::board::change::{Change, Delta};
use domain::board::settings::Settings;
use domain::board::{Board, Plan};
use domain::ids::{OrderId, SeatIx, Seq, ShowId};
use domain::order::Place;
use domain::time::Millis;
use domain::wire::log;
use domain::wire::snapshot::SeatState;
use futures::TryStreamExt;
use sha2::{Digest, Sha256};
use sqlx::{PgConnection, PgPool};

use super::Breach;
use crate::catalog;
use crate::error::Result;
use crate::venues::SeatMaps;

/// What a log says, played over an empty board.
struct Played {
    board: Board,
    /// Chain value of the last commit; zeros before the first.
    head: [u8; 32],
    /// Who every sold seat went to.
    sold: HashMap<SeatIx, OrderId>,
}

/// Where the audit of a show stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audited {
    pub show: ShowId,
    pub commits: Seq,
    /// Seats sold, each once if there is no breach.
    pub sold: usize,
    /// Chain value of the last commit; whoever has noted it can prove later that the log up to
    /// here is the same.
    pub head: [u8; 32],
    pub breaches: Vec<Breach>,
}

/// Plays `show`'s log and compares it with its tables, both read through `conn`.
pub(super) async fn audit(db: &PgPool, conn: &mut PgConnection, show: ShowId) -> Result<Audited> {
    // Plans never change, so they need not come from the same snapshot.
    let row = catalog::plan(db, show).await?;
    let seat_map = SeatMaps::new(db.clone()).get(row.seat_map).await?;
    let plan = Arc::new(Plan::new(seat_map, row.seat_tiers, row.area_tiers));
    let mut breaches = Vec::new();
    let mut found = |what: String| {
        breaches.push(Breach {
            rule: "I10".to_owned(),
            breach: format!("show {show}: {what}"),
        });
    };
    let (played, whole) = play(conn, show, plan, &mut found).await?;
    if whole {
        compare_claims(conn, show, &played.board, &mut found).await?;
        compare_areas(conn, show, &played.board, &mut found).await?;
        compare_orders(conn, show, &played.board, &mut found).await?;
    }
    Ok(Audited {
        show,
        commits: played.board.seq(),
        sold: played.sold.len(),
        head: played.head,
        breaches,
    })
}

/// Plays the log as far as it goes; `false` when a number is missing.
async fn play(
    conn: &mut PgConnection,
    show: ShowId,
    plan: Arc<Plan>,
    found: &mut impl FnMut(String),
) -> Result<(Played, bool)> {
    let mut played = Played {
        board: Board::new(plan, Settings::unset()),
        head: [0; 32],
        sold: HashMap::new(),
    };
    let mut rows = sqlx::query_as::<_, (i64, i64, Vec<u8>, Vec<u8>)>(
        "select seq, (extract(epoch from at) * 1000)::bigint, changes, chain
         from show_delta where show_id = $1 order by seq",
    )
    .bind(show.0)
    .fetch(conn);
    while let Some((seq, at, changes, chain)) = rows.try_next().await? {
        let seq = Seq(seq as u64);
        if seq != played.board.seq().next() {
            found("the log has a gap and cannot be played".to_owned());
            return Ok((played, false));
        }
        let head = link(&played, show, at, &changes);
        if head[..] != chain[..] {
            found(format!(
                "commit {seq} or one before it is not what was written"
            ));
        }
        // Every change is told once: what follows is held against the chain as it stands.
        played.head = chain.try_into().unwrap_or(head);
        let delta = log::decode(seq, Millis(at), &changes)
            .with_context(|| format!("show {show}: commit {seq} cannot be read"))?;
        played.board.follow(&delta);
        for (seat, orders) in sold_by(&delta, &mut played.sold) {
            let (first, second) = orders;
            found(format!(
                "seat {} was sold to order {first} and to order {second}",
                seat.0
            ));
        }
    }
    Ok((played, true))
}

/// The chain value of the commit after `played`.
fn link(played: &Played, show: ShowId, at: i64, changes: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    if played.board.seq() > Seq(0) {
        hash.update(played.head);
    }
    hash.update(show.0.to_be_bytes());
    hash.update(played.board.seq().next().0.to_be_bytes());
    hash.update(at.to_be_bytes());
    hash.update(changes);
    hash.finalize().into()
}

/// Notes what a commit sold, and answers the seats that were sold before.
fn sold_by(
    delta: &Delta,
    sold: &mut HashMap<SeatIx, OrderId>,
) -> Vec<(SeatIx, (OrderId, OrderId))> {
    let settled = delta.changes.iter().filter_map(|change| match change {
        Change::Settled { order, .. } => Some(order),
        _ => None,
    });
    let mut twice = Vec::new();
    for order in settled {
        for line in &order.lines {
            if let Place::Seat(seat) = line.place
                && let Some(first) = sold.insert(seat, order.order)
            {
                twice.push((seat, (first, order.order)));
            }
        }
    }
    twice
}

async fn compare_claims(
    conn: &mut PgConnection,
    show: ShowId,
    board: &Board,
    found: &mut impl FnMut(String),
) -> Result<()> {
    let rows: Vec<(i32, i16, Option<i64>)> =
        sqlx::query_as("select seat_ix, state, order_id from seat_claim where show_id = $1")
            .bind(show.0)
            .fetch_all(conn)
            .await?;
    let seats = board.plan().seat_tiers.len();
    let mut stored = vec![SeatState::Free; seats];
    for (seat, state, order) in rows {
        // Seats that the house does not have are I8's to report.
        let Some(entry) = stored.get_mut(seat as usize) else {
            continue;
        };
        *entry = SeatState::from_bits(state as u8);
        let has_line = |order| {
            let summary = board.order(OrderId(order));
            let place = Place::Seat(SeatIx(seat as u32));
            summary.is_some_and(|summary| summary.lines.iter().any(|line| line.place == place))
        };
        if order.is_some_and(|order| !has_line(order)) {
            found(format!(
                "seat {seat} is order {order:?}'s in the table, not in the log"
            ));
        }
    }
    for (seat, state) in stored.into_iter().enumerate() {
        let played = board.seat_state(SeatIx(seat as u32));
        if played != state {
            found(format!(
                "seat {seat} is {} in the table and {} in the log",
                state.word(),
                played.word()
            ));
        }
    }
    Ok(())
}

async fn compare_areas(
    conn: &mut PgConnection,
    show: ShowId,
    board: &Board,
    found: &mut impl FnMut(String),
) -> Result<()> {
    let rows: Vec<(i16, i32, i32)> =
        sqlx::query_as("select area_ix, taken, capacity from area_stock where show_id = $1")
            .bind(show.0)
            .fetch_all(conn)
            .await?;
    let played = board.snapshot().area_taken;
    for (area, taken, capacity) in rows {
        let in_log = played.get(area as usize).copied();
        if in_log != Some(taken as u32) {
            found(format!(
                "area {area} has {taken} taken in the table, {in_log:?} in the log"
            ));
        }
        let of_map = board.plan().seat_map.areas.get(area as usize);
        if of_map.map(|area| area.capacity) != Some(capacity as u32) {
            found(format!(
                "area {area} holds {capacity}, another number than its map says"
            ));
        }
    }
    Ok(())
}

async fn compare_orders(
    conn: &mut PgConnection,
    show: ShowId,
    board: &Board,
    found: &mut impl FnMut(String),
) -> Result<()> {
    let rows: Vec<(i64, String, i64, i64)> = sqlx::query_as(
        "select order_id, state::text, total, (extract(epoch from deadline) * 1000)::bigint
         from orders where show_id = $1",
    )
    .bind(show.0)
    .fetch_all(conn)
    .await?;
    for (order, state, total, deadline) in rows {
        let live = matches!(state.as_str(), "held" | "paying" | "paid");
        match board.order(OrderId(order)) {
            None if live => found(format!(
                "order {order} is {state} in the table, ended in the log"
            )),
            Some(_) if !live => found(format!(
                "order {order} is {state} in the table, live in the log"
            )),
            Some(played)
                if played.state.word() != state
                    || played.total.0 != total
                    || (state != "paid" && played.deadline.0 != deadline) =>
            {
                found(format!(
                    "order {order} is {state}, {total}, until {deadline} in the table, and {played:?} in the log"
                ));
            }
            _ => {}
        }
    }
    Ok(())
}
