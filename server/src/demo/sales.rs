//! Sales before the doors open: parties here and there, more of them where one sees well, until
//! the planned part of the house is gone. Bought in large orders, so that seeding is quick.

use std::collections::HashSet;

use anyhow::Context;
use domain::board::command::{Captured, Command, Outcome, Want};
use domain::ids::{AreaIx, AttemptId, BuyerId, SeatIx, ShowId};
use domain::seat_map::{SeatFlags, SeatMap};
use futures::{StreamExt, TryStreamExt};

use super::programme::PlannedShow;
use super::submit;
use crate::app::App;
use crate::error::Result;

/// Lines of one order.
pub(super) const SEATS_PER_ORDER: u32 = 50;
/// Orders under way at once: they share commits.
const ORDERS_AT_ONCE: usize = 64;
/// Name of the payment provider of what was sold before: not one that can be asked.
const PROVIDER: &str = "demonstration";
/// Largest party.
const PARTY_MAX: u64 = 6;

/// Sells the planned part of the show, less what is taken already.
pub(super) async fn sell(
    app: &App,
    show: ShowId,
    map: &SeatMap,
    planned: &PlannedShow,
) -> Result<()> {
    let taken: Vec<i32> = sqlx::query_scalar("select seat_ix from seat_claim where show_id = $1")
        .bind(show.0)
        .fetch_all(&app.db)
        .await?;
    let taken: HashSet<SeatIx> = taken.into_iter().map(|ix| SeatIx(ix as u32)).collect();
    let mut seats = parties(map, planned.sold_percent, show.0 as u64);
    seats.retain(|seat| !taken.contains(seat));
    let seat_orders = seats.chunks(SEATS_PER_ORDER as usize);
    let mut wants: Vec<Want> = seat_orders
        .map(|seats| Want::Chosen {
            seats: seats.to_vec(),
            areas: vec![],
        })
        .collect();
    wants.extend(standing(app, show, map, planned.sold_percent).await?);
    futures::stream::iter(wants)
        .map(|want| sell_one(app, show, want))
        .buffer_unordered(ORDERS_AT_ONCE)
        .try_collect()
        .await
}

async fn sell_one(app: &App, show: ShowId, want: Want) -> Result<()> {
    let hold = Command::Hold {
        order: app.orders.numbers.next(app.clock.now()),
        buyer: BuyerId(uuid::Uuid::new_v4().as_u128()),
        want,
    };
    let Outcome::Order(order) = submit(app, show, hold).await? else {
        return Err(anyhow::anyhow!("a hold without an order").into());
    };
    let currency = app.desks.house(show).await?.settings().currency;
    let payment = Captured {
        provider: PROVIDER.into(),
        payment_id: format!("before-{}", order.order),
        amount: order.total,
        currency,
    };
    let settle = Command::Settle {
        order: order.order,
        // Bought before Rowlock was there: it was no attempt of ours.
        attempt: AttemptId(rand::random()),
        payment,
        ended: None,
    };
    submit(app, show, settle).await?;
    Ok(())
}

/// Orders for the planned part of every standing area, less what is taken already.
async fn standing(app: &App, show: ShowId, map: &SeatMap, percent: u32) -> Result<Vec<Want>> {
    let mut wants = Vec::new();
    for (ix, area) in map.areas.iter().enumerate() {
        let taken: Option<i32> =
            sqlx::query_scalar("select taken from area_stock where show_id = $1 and area_ix = $2")
                .bind(show.0)
                .bind(ix as i16)
                .fetch_optional(&app.db)
                .await?;
        let goal = area.capacity * percent / 100;
        let mut left = goal.saturating_sub(taken.unwrap_or(0).unsigned_abs());
        while left > 0 {
            let count = left.min(SEATS_PER_ORDER);
            left -= count;
            let count = u16::try_from(count).context("places of one order")?;
            wants.push(Want::Chosen {
                seats: vec![],
                areas: vec![(AreaIx(ix as u16), count)],
            });
        }
    }
    Ok(wants)
}

/// Seats of parties side by side, the same for the same `seed`: `percent` of the house.
fn parties(map: &SeatMap, percent: u32, seed: u64) -> Vec<SeatIx> {
    let count = map.seats.len();
    let goal = count * percent as usize / 100;
    // Every party draws a number; those with the lowest numbers come. Good seats draw lower.
    let far = map.seats.iter().map(|s| s.at.distance(map.focal));
    let far = far.fold(1.0, f32::max);
    let mut parties: Vec<(u64, std::ops::Range<usize>)> = Vec::new();
    let mut first = 0;
    while first < count {
        let draw = mix(seed ^ (first as u64) << 20);
        let size = 1 + (draw % PARTY_MAX) as usize;
        let mut end = first + 1;
        while end < count
            && end - first < size
            && !map.seats[end - 1].flags.has(SeatFlags::GAP_AFTER)
        {
            end += 1;
        }
        let distance = map.seats[first].at.distance(map.focal) / far;
        let number = (draw >> 32) + (f64::from(distance) * f64::from(u32::MAX)) as u64;
        parties.push((number, first..end));
        first = end;
    }
    parties.sort_unstable_by_key(|(number, seats)| (*number, seats.start));
    let mut seats: Vec<SeatIx> = parties
        .into_iter()
        .flat_map(|(_, seats)| seats)
        .take(goal)
        .map(|ix| SeatIx(ix as u32))
        .collect();
    seats.sort_unstable();
    seats
}

/// Spreads the bits of a number (the finisher of SplitMix64).
fn mix(mut value: u64) -> u64 {
    value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::seat_map::generate;

    #[test]
    fn the_planned_part_of_the_house_is_sold_each_seat_once() {
        let map = generate::theatre("T");
        for (percent, seats) in [(0, 0), (60, 900), (100, 1500)] {
            let sold = parties(&map, percent, 7);
            assert_eq!(sold.len(), seats);
            assert!(sold.windows(2).all(|pair| pair[0] < pair[1]));
        }
        assert_ne!(parties(&map, 50, 1), parties(&map, 50, 2));
    }
}
