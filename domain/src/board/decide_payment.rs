//! Money arrives: for an order that waits for it, or for one that is gone.

use super::Board;
use super::absorb::payment_name;
use super::change::Change;
use super::command::{Captured, Outcome, ParkReason};
use super::decide::Verdict;
use crate::ids::{AreaIx, AttemptId, OrderId, SeatIx};
use crate::order::{Line, OrderState, OrderSummary, Place};
use crate::refusal::Refusal;
use crate::time::Millis;

impl Board {
    pub(super) fn settle(
        &self,
        order: OrderId,
        attempt: AttemptId,
        payment: &Captured,
        ended: Option<&OrderSummary>,
        now: Millis,
    ) -> Result<Verdict, Refusal> {
        let mut verdict = self.take_money(order, payment, ended, now)?;
        if !verdict.changes.is_empty() {
            verdict.changes.push(Change::AttemptOver {
                order,
                attempt,
                captured: true,
            });
        }
        Ok(verdict)
    }

    fn take_money(
        &self,
        order: OrderId,
        payment: &Captured,
        ended: Option<&OrderSummary>,
        now: Millis,
    ) -> Result<Verdict, Refusal> {
        let Some(entry) = self.orders.get(&order) else {
            let ended = ended.filter(|ended| ended.order == order);
            return self.settle_late(ended.ok_or(Refusal::NotFound)?, payment, now);
        };
        let summary = &entry.summary;
        if summary.state == OrderState::Paid {
            return Ok(if entry.paid_by == Some(payment_name(payment)) {
                Verdict::already(Outcome::Order(summary.clone()))
            } else {
                park(order, payment, ParkReason::Surplus)
            });
        }
        if !self.is_asked(summary, payment) {
            return Ok(park(order, payment, ParkReason::AmountDiffers));
        }
        Ok(settled(summary, payment, false, Vec::new()))
    }

    fn is_asked(&self, order: &OrderSummary, payment: &Captured) -> bool {
        payment.amount == order.total && payment.currency == self.settings.currency
    }

    /// Every rule but the window applies again; what cannot have its seats waits for a person,
    /// with the money on record.
    fn settle_late(
        &self,
        order: &OrderSummary,
        payment: &Captured,
        now: Millis,
    ) -> Result<Verdict, Refusal> {
        if !self.is_asked(order, payment) {
            return Ok(park(order.order, payment, ParkReason::AmountDiffers));
        }
        let (seats, areas) = places(&order.lines);
        let allowed = order.state == OrderState::Expired
            && self
                .check_limits(order.buyer, None, order.lines.len(), now)
                .is_ok();
        let wanted = self.find_chosen(&seats, &areas, now);
        let (true, Ok(wanted)) = (allowed, wanted) else {
            return Ok(park(order.order, payment, ParkReason::OrderEnded));
        };
        let freed = self.expire_at_use(&wanted, now);
        Ok(settled(order, payment, true, freed))
    }
}

fn places(lines: &[Line]) -> (Vec<SeatIx>, Vec<(AreaIx, u16)>) {
    let mut seats = Vec::new();
    let mut areas: Vec<(AreaIx, u16)> = Vec::new();
    for line in lines {
        match line.place {
            Place::Seat(seat) => seats.push(seat),
            Place::Area(area) => match areas.iter_mut().find(|(other, _)| *other == area) {
                Some((_, count)) => *count += 1,
                None => areas.push((area, 1)),
            },
        }
    }
    (seats, areas)
}

fn settled(
    order: &OrderSummary,
    payment: &Captured,
    retaken: bool,
    mut changes: Vec<Change>,
) -> Verdict {
    let order = OrderSummary {
        state: OrderState::Paid,
        attempt: None,
        ..order.clone()
    };
    changes.push(Change::Settled {
        order: order.clone(),
        payment: payment.clone(),
        retaken,
    });
    Verdict {
        changes,
        outcome: Outcome::Order(order),
    }
}

fn park(order: OrderId, payment: &Captured, reason: ParkReason) -> Verdict {
    Verdict::one(
        Change::Parked {
            order,
            payment: payment.clone(),
            reason,
        },
        Outcome::Parked { order, reason },
    )
}
