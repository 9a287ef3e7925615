//! The rules that hold after every commit, read from the rows alone.

use std::collections::{BTreeMap, BTreeSet};

use super::store::{Holder, Store};
use crate::ids::{BuyerId, OrderId, SeatIx};
use crate::order::{OrderState, Place};

/// I1–I5 and the limits.
pub fn rows(store: &Store) {
    let mut claims: BTreeMap<SeatIx, OrderId> = BTreeMap::new();
    let mut areas = vec![0u32; store.area_taken.len()];
    let mut bought: BTreeMap<BuyerId, usize> = BTreeMap::new();
    let at = store.log.last().map(|delta| delta.at);
    for (id, row) in &store.orders {
        let order = &row.summary;
        assert_eq!(order.order, *id);
        if !order.state.has_seats() {
            assert!(
                row.paid_by.is_none() && order.attempt.is_none(),
                "{order:?}"
            );
            continue;
        }
        assert!(
            !order.lines.is_empty(),
            "a live order is for something: {order:?}"
        );
        let numbers: BTreeSet<u16> = order.lines.iter().map(|line| line.no).collect();
        assert_eq!(
            numbers.len(),
            order.lines.len(),
            "lines have names: {order:?}"
        );
        let sum: i64 = order.lines.iter().map(|line| line.price.0).sum();
        assert_eq!(
            order.total.0,
            sum + order.fees.0,
            "totals add up: {order:?}"
        );
        for line in &order.lines {
            match line.place {
                Place::Seat(seat) => {
                    let other = claims.insert(seat, *id);
                    assert_eq!(other, None, "seat {} is in two orders", seat.0);
                }
                Place::Area(area) => areas[area.at()] += 1,
            }
        }
        let over = order.state == OrderState::Held && at.is_some_and(|at| order.deadline <= at);
        if !over {
            *bought.entry(order.buyer).or_default() += order.lines.len();
        }
        assert_eq!(
            order.state == OrderState::Paying,
            order.attempt.is_some(),
            "{order:?}"
        );
        assert_eq!(
            order.state == OrderState::Paid,
            row.paid_by.is_some(),
            "{order:?}"
        );
    }
    let rows = claimed(store);
    assert_eq!(rows, claims, "claims are the lines of live orders");
    assert_eq!(areas, store.area_taken, "stock is what live orders took");
    let max = store.settings.per_buyer_max as usize;
    for (buyer, places) in bought {
        assert!(places <= max, "{buyer} has {places} of {max}");
    }
    money(store);
}

/// Seats of orders, as `seat_claim` has them.
fn claimed(store: &Store) -> BTreeMap<SeatIx, OrderId> {
    let rows = store.claims.iter();
    rows.filter_map(|(seat, holder)| match holder {
        Holder::Order(order) => Some((*seat, *order)),
        Holder::House => None,
    })
    .collect()
}

/// Every payment belongs to one order, which it made paid, or waits for a person.
fn money(store: &Store) {
    for (name, payment) in &store.payments {
        let paid_by = store
            .orders
            .get(&payment.order)
            .and_then(|row| row.paid_by.as_ref());
        match payment.parked {
            None => assert_eq!(paid_by, Some(name), "what was taken paid for its order"),
            Some(_) => assert_ne!(paid_by, Some(name), "parked money paid for nothing"),
        }
    }
    for (order, row) in &store.orders {
        if let Some(name) = &row.paid_by {
            let payment = store
                .payments
                .get(name)
                .expect("a paid order has its payment");
            assert_eq!(payment.order, *order);
        }
    }
}
