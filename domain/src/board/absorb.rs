//! Carrying changes out, and what the public learns of them.

use std::collections::BTreeSet;

use super::change::{Change, Delta};
use super::command::Captured;
use super::{Board, BoardOrder, Claim};
use crate::ids::{AreaIx, SeatIx};
use crate::order::{Line, OrderState, OrderSummary, Place};
use crate::wire::frame::Frame;

impl Board {
    /// Reads one commit of another process from the log.
    ///
    /// # Panics
    /// If `delta` is not the next one: the caller reads the log in order.
    pub fn follow(&mut self, delta: &Delta) -> Frame {
        assert!(self.journal.is_none(), "nothing undecided while following");
        assert_eq!(delta.seq, self.seq.next(), "the log has no gaps");
        for change in &delta.changes {
            self.absorb(change);
        }
        self.seq = delta.seq;
        self.last_at = delta.at;
        self.frame(delta)
    }

    /// The final state of all that `delta`, the last commit, touched.
    pub fn frame(&self, delta: &Delta) -> Frame {
        assert_eq!(delta.seq, self.seq, "frames are cut at the last commit");
        let mut seats = BTreeSet::new();
        let mut areas = BTreeSet::new();
        for change in &delta.changes {
            self.touched(change, &mut seats, &mut areas);
        }
        Frame {
            from: crate::ids::Seq(delta.seq.0 - 1),
            to: delta.seq,
            seats: seats
                .into_iter()
                .map(|seat| (seat, self.seat_state(seat)))
                .collect(),
            areas: areas
                .into_iter()
                .map(|area| (area, self.area_taken[area.at()]))
                .collect(),
            tier_free: self.tier_free.clone(),
        }
    }

    fn touched(&self, change: &Change, seats: &mut BTreeSet<SeatIx>, areas: &mut BTreeSet<AreaIx>) {
        let lines: &[Line] = match change {
            Change::Held(order)
            | Change::Settled { order, .. }
            | Change::Expired { order }
            | Change::Cancelled { order } => &order.lines,
            Change::Added { lines, .. } | Change::Dropped { lines, .. } => lines,
            Change::Blocked { seats: list, .. } | Change::Unblocked { seats: list } => {
                seats.extend(list);
                return;
            }
            Change::PayStarted { .. }
            | Change::Declined { .. }
            | Change::Parked { .. }
            | Change::AttemptOver { .. }
            | Change::Configured(_) => return,
        };
        for line in lines {
            match line.place {
                Place::Seat(seat) => seats.insert(seat),
                Place::Area(area) => areas.insert(area),
            };
        }
    }

    /// Carries one change out.
    pub fn absorb(&mut self, change: &Change) {
        match change {
            Change::Held(order) => {
                self.take_places(&order.lines, order.order);
                self.put_summary(order.clone());
            }
            Change::Added { order, lines } => {
                self.take_places(lines, order.order);
                self.put_summary(order.clone());
            }
            Change::Dropped { order, lines } => {
                self.free_places(lines);
                self.put_summary(order.clone());
            }
            Change::PayStarted {
                order,
                attempt,
                deadline,
            } => self.amend(*order, |order| {
                order.state = OrderState::Paying;
                order.attempt = Some(*attempt);
                order.deadline = *deadline;
            }),
            Change::Declined {
                order, deadline, ..
            } => self.amend(*order, |order| {
                order.state = OrderState::Held;
                order.attempt = None;
                order.deadline = *deadline;
            }),
            Change::Settled {
                order,
                payment,
                retaken,
            } => {
                if *retaken {
                    self.take_places(&order.lines, order.order);
                }
                let entry = BoardOrder {
                    summary: order.clone(),
                    paid_by: Some(payment_name(payment)),
                };
                self.put_order(order.order, Some(entry));
            }
            Change::Parked { .. } | Change::AttemptOver { .. } => {}
            Change::Expired { order } | Change::Cancelled { order } => {
                self.free_places(&order.lines);
                self.put_order(order.order, None);
            }
            Change::Blocked { seats, reason } => {
                for seat in seats {
                    self.put_reason(*seat, Some(reason.clone()));
                    self.put_claim(*seat, Claim::Blocked);
                }
            }
            Change::Unblocked { seats } => {
                for seat in seats {
                    self.put_reason(*seat, None);
                    self.put_claim(*seat, Claim::Free);
                }
            }
            Change::Configured(settings) => {
                self.put_settings(std::sync::Arc::new(settings.clone()))
            }
        }
    }

    fn put_summary(&mut self, summary: OrderSummary) {
        let entry = BoardOrder {
            paid_by: None,
            summary,
        };
        self.put_order(entry.summary.order, Some(entry));
    }

    fn amend(&mut self, order: crate::ids::OrderId, change: impl FnOnce(&mut OrderSummary)) {
        let mut entry = self.orders[&order].clone();
        change(&mut entry.summary);
        self.put_order(order, Some(entry));
    }
}

/// One name for a payment across providers.
pub(super) fn payment_name(payment: &Captured) -> String {
    format!("{}:{}", payment.provider, payment.payment_id)
}
