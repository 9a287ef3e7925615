//! From a decided batch to the typed rows of `desk_commit`: the net effect of all its changes.
//! A seat given back and taken again in one batch is a delete and an insert of one key, in that
//! order; an order begun and ended in one batch is one row.

use std::collections::BTreeMap;

use domain::board::change::Change;
use domain::board::command::Captured;
use domain::desk::Batch;
use domain::ids::{AreaIx, AttemptId, OrderId, SeatIx};
use domain::order::{Line, OrderState, OrderSummary, Place};
use domain::time::Millis;

mod more;

pub(super) use more::More;
use more::{
    AttemptEnd, AttemptRow, ContactRow, DroppedLine, OutboxRow, PaymentRow, SoldSeat, TicketRow,
};

/// Codes of `seat_claim.state`.
const HELD: i16 = 1;
const SOLD: i16 = 2;
const BLOCKED: i16 = 3;

/// Whose a seat is: an order's, or 0 for the house.
type Owner = i64;

/// What becomes of one seat in a batch.
#[derive(Debug, Default)]
struct SeatFate {
    /// Who had it before the batch, when that is known to be somebody.
    before: Option<Owner>,
    after: Option<(Owner, i16, Option<String>)>,
}

/// An order that was there before the batch.
#[derive(Debug)]
pub(super) struct OrderStep {
    pub from: &'static str,
    pub state: OrderState,
    pub deadline: Option<Millis>,
    /// Fees, total and last line, when the lines changed.
    pub sums: Option<(i64, i64, i16)>,
    pub attempt: Option<AttemptId>,
}

/// Rows of one commit.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub freed: Vec<(SeatIx, Owner)>,
    pub taken: Vec<(SeatIx, Owner, i16, Option<String>)>,
    pub areas: BTreeMap<AreaIx, i32>,
    pub begun: BTreeMap<OrderId, OrderSummary>,
    pub lines: BTreeMap<(OrderId, u16), Line>,
    pub steps: BTreeMap<OrderId, OrderStep>,
    pub more: More,
    seats: BTreeMap<SeatIx, SeatFate>,
}

impl Rows {
    /// The rows of `batch`.
    pub(super) fn of(batch: &Batch) -> Self {
        let mut rows = Self::default();
        for change in &batch.delta.changes {
            rows.note(change);
        }
        for (order, contact) in &batch.contacts {
            rows.more.contacts.push(ContactRow {
                order: order.0,
                contact: contact.clone(),
            });
        }
        rows.settle_seats();
        rows
    }

    fn note(&mut self, change: &Change) {
        match change {
            Change::Held(order) => {
                self.take_lines(order.order, &order.lines, HELD);
                self.begin_lines(order.order, &order.lines);
                self.begun.insert(order.order, order.clone());
            }
            Change::Added { order, lines } => {
                self.take_lines(order.order, lines, HELD);
                self.begin_lines(order.order, lines);
                self.step_to(order, "held", true);
            }
            Change::Dropped { order, lines } => {
                self.free_lines(order.order, lines);
                for line in lines {
                    self.drop_line(order.order, line.no);
                }
                self.step_to(order, "held", true);
            }
            Change::Expired { order } => {
                self.free_lines(order.order, &order.lines);
                self.step_to(order, "held,paying", false);
            }
            Change::Cancelled { order } => {
                self.free_lines(order.order, &order.lines);
                self.step_to(order, "held", false);
            }
            Change::Blocked { seats, reason } => {
                for seat in seats {
                    self.take(*seat, 0, BLOCKED, Some(reason.clone()));
                }
            }
            Change::Unblocked { seats } => {
                for seat in seats {
                    self.free(*seat, 0);
                }
            }
            Change::Configured(settings) => self.more.settings = Some(settings.clone()),
            Change::PayStarted { .. }
            | Change::Declined { .. }
            | Change::AttemptOver { .. }
            | Change::Settled { .. }
            | Change::Parked { .. } => self.note_money(change),
        }
    }

    /// The part of `note` about paying.
    fn note_money(&mut self, change: &Change) {
        match change {
            Change::PayStarted {
                order,
                attempt,
                deadline,
            } => {
                self.step(
                    *order,
                    "held",
                    OrderState::Paying,
                    Some(*deadline),
                    Some(*attempt),
                );
                self.more.attempts.push(AttemptRow {
                    order: order.0,
                    attempt: attempt.to_string(),
                });
            }
            Change::Declined {
                order,
                attempt,
                deadline,
            } => {
                self.step(*order, "paying", OrderState::Held, Some(*deadline), None);
                self.end_attempt(*order, *attempt, "declined");
            }
            Change::AttemptOver {
                order,
                attempt,
                captured,
            } => {
                let state = if *captured { "captured" } else { "ended" };
                self.end_attempt(*order, *attempt, state);
            }
            Change::Settled {
                order,
                payment,
                retaken,
            } => self.note_settled(order, payment, *retaken),
            Change::Parked {
                order,
                payment,
                reason,
            } => self.pay(*order, payment, Some(reason.word())),
            _ => unreachable!("`note` has the others"),
        }
    }

    fn note_settled(&mut self, order: &OrderSummary, payment: &Captured, retaken: bool) {
        if retaken {
            self.take_lines(order.order, &order.lines, SOLD);
            self.step_to(order, "expired", false);
        } else {
            for line in &order.lines {
                if let Place::Seat(seat) = line.place {
                    let fate = self.seats.entry(seat).or_insert_with(|| SeatFate {
                        before: Some(order.order.0),
                        after: None,
                    });
                    fate.after = Some((order.order.0, SOLD, None));
                }
            }
            self.step_to(order, "held,paying", false);
        }
        self.pay(order.order, payment, None);
        for line in &order.lines {
            let (seat, area) = match line.place {
                Place::Seat(seat) => (Some(seat.0), None),
                Place::Area(area) => (None, Some(area.0)),
            };
            self.more.tickets.push(TicketRow {
                order: order.order.0,
                line: line.no,
                seat,
                area,
            });
        }
        self.more.outbox.push(OutboxRow {
            kind: "order_paid",
            order: order.order.0,
        });
    }

    fn pay(&mut self, order: OrderId, payment: &Captured, parked: Option<&'static str>) {
        self.more.payments.push(PaymentRow {
            order: order.0,
            provider: payment.provider.clone(),
            payment_id: payment.payment_id.clone(),
            amount: payment.amount.0,
            currency: payment.currency.code().to_owned(),
            parked,
        });
    }

    fn end_attempt(&mut self, order: OrderId, attempt: AttemptId, state: &'static str) {
        self.more.attempts_ended.push(AttemptEnd {
            order: order.0,
            attempt: attempt.to_string(),
            state,
        });
    }

    fn step_to(&mut self, order: &OrderSummary, from: &'static str, sums: bool) {
        self.step(order.order, from, order.state, None, order.attempt);
        if let Some(begun) = self.begun.get_mut(&order.order) {
            *begun = order.clone();
        } else if let (true, Some(step)) = (sums, self.steps.get_mut(&order.order)) {
            step.sums = Some((order.fees.0, order.total.0, order.last_line as i16));
        }
    }

    fn step(
        &mut self,
        order: OrderId,
        from: &'static str,
        state: OrderState,
        deadline: Option<Millis>,
        attempt: Option<AttemptId>,
    ) {
        if let Some(begun) = self.begun.get_mut(&order) {
            begun.state = state;
            begun.attempt = attempt;
            begun.deadline = deadline.unwrap_or(begun.deadline);
            return;
        }
        let step = self.steps.entry(order).or_insert(OrderStep {
            from,
            state,
            deadline: None,
            sums: None,
            attempt: None,
        });
        step.state = state;
        step.attempt = attempt;
        step.deadline = deadline.or(step.deadline);
    }

    fn begin_lines(&mut self, order: OrderId, lines: &[Line]) {
        self.lines
            .extend(lines.iter().map(|line| ((order, line.no), *line)));
    }

    fn drop_line(&mut self, order: OrderId, no: u16) {
        if self.lines.remove(&(order, no)).is_none() {
            self.more.dropped.push(DroppedLine {
                order: order.0,
                line: no,
            });
        }
    }

    fn take_lines(&mut self, order: OrderId, lines: &[Line], state: i16) {
        for line in lines {
            match line.place {
                Place::Seat(seat) => self.take(seat, order.0, state, None),
                Place::Area(area) => *self.areas.entry(area).or_default() += 1,
            }
        }
    }

    fn free_lines(&mut self, order: OrderId, lines: &[Line]) {
        for line in lines {
            match line.place {
                Place::Seat(seat) => self.free(seat, order.0),
                Place::Area(area) => *self.areas.entry(area).or_default() -= 1,
            }
        }
    }

    fn take(&mut self, seat: SeatIx, owner: Owner, state: i16, reason: Option<String>) {
        self.seats.entry(seat).or_default().after = Some((owner, state, reason));
    }

    fn free(&mut self, seat: SeatIx, owner: Owner) {
        let fate = self.seats.entry(seat).or_insert(SeatFate {
            before: Some(owner),
            after: None,
        });
        fate.after = None;
    }

    fn settle_seats(&mut self) {
        for (seat, fate) in std::mem::take(&mut self.seats) {
            match (fate.before, fate.after) {
                // The same order's seat, now sold: an update of its row.
                (Some(before), Some((owner, SOLD, _))) if before == owner => {
                    self.more.sold.push(SoldSeat {
                        seat: seat.0,
                        order: owner,
                    });
                }
                (before, after) => {
                    self.freed.extend(before.map(|owner| (seat, owner)));
                    self.taken
                        .extend(after.map(|(owner, state, reason)| (seat, owner, state, reason)));
                }
            }
        }
        self.areas.retain(|_, step| *step != 0);
    }
}

#[cfg(test)]
mod tests;
