//! Changing, paying for and ending an order that is there.

use std::collections::HashSet;

use super::Board;
use super::change::Change;
use super::command::Outcome;
use super::decide::{Verdict, ended};
use super::settings::{LINE_NUMBER_MAX, PAYING_EXTENSION};
use crate::ids::{AreaIx, AttemptId, BuyerId, OrderId, SeatIx};
use crate::order::{Line, OrderState, OrderSummary};
use crate::pricing;
use crate::refusal::Refusal;
use crate::time::Millis;

impl Board {
    /// The live order of this buyer. What is not here, or not theirs, is not found: the caller
    /// may look whether it ended.
    fn owned(&self, order: OrderId, buyer: BuyerId) -> Result<&OrderSummary, Refusal> {
        self.order(order)
            .filter(|order| order.buyer == buyer)
            .ok_or(Refusal::NotFound)
    }

    /// The same, while it only holds and still does.
    fn holding(
        &self,
        order: OrderId,
        buyer: BuyerId,
        now: Millis,
    ) -> Result<&OrderSummary, Refusal> {
        let order = self.owned(order, buyer)?;
        match order.state {
            OrderState::Held if order.deadline <= now => Err(Refusal::HoldExpired),
            OrderState::Held => Ok(order),
            state => Err(Refusal::WrongState { state }),
        }
    }

    pub(super) fn add(
        &self,
        order: OrderId,
        buyer: BuyerId,
        seats: &[SeatIx],
        areas: &[(AreaIx, u16)],
        now: Millis,
    ) -> Result<Verdict, Refusal> {
        let count = self.check_chosen(seats, areas)?;
        if count == 0 {
            return Err(Refusal::EmptySelection);
        }
        let order = self.holding(order, buyer, now)?;
        if !self.settings.choose_seats && !seats.is_empty() {
            return Err(Refusal::ChoosingNotAllowed);
        }
        self.check_window(now)?;
        self.check_limits(buyer, Some(order), count, now)?;
        check_numbers(order, count)?;
        let wanted = self.find_chosen(seats, areas, now)?;
        let mut changes = self.expire_at_use(&wanted, now);
        let lines = self.make_lines(&wanted, order.last_line);
        let mut all = order.lines.clone();
        all.extend(&lines);
        let summary = with_lines(order, all, order.last_line + lines.len() as u16);
        changes.push(Change::Added {
            order: summary.clone(),
            lines,
        });
        Ok(Verdict {
            changes,
            outcome: Outcome::Order(summary),
        })
    }

    pub(super) fn drop_lines(
        &self,
        order: OrderId,
        buyer: BuyerId,
        lines: &[u16],
        now: Millis,
    ) -> Result<Verdict, Refusal> {
        if lines.is_empty() {
            return Err(Refusal::EmptySelection);
        }
        let mut seen = HashSet::new();
        if !lines.iter().all(|line| seen.insert(line)) {
            return Err(Refusal::BadField {
                field: "lines".into(),
                detail: "each line once".into(),
            });
        }
        let order = self.holding(order, buyer, now)?;
        if let Some(line) = lines
            .iter()
            .find(|no| !order.lines.iter().any(|line| line.no == **no))
        {
            return Err(Refusal::LineNotHere { line: *line });
        }
        let (gone, left): (Vec<Line>, Vec<Line>) = order
            .lines
            .iter()
            .partition(|line| lines.contains(&line.no));
        if left.is_empty() {
            return Ok(self.cancelled(order));
        }
        let summary = with_lines(order, left, order.last_line);
        let change = Change::Dropped {
            order: summary.clone(),
            lines: gone,
        };
        Ok(Verdict::one(change, Outcome::Order(summary)))
    }

    pub(super) fn pay_start(
        &self,
        order: OrderId,
        buyer: BuyerId,
        attempt: AttemptId,
        now: Millis,
    ) -> Result<Verdict, Refusal> {
        let order = self.holding(order, buyer, now)?;
        // From the hold's own deadline, so that trying again never pushes it twice.
        let deadline = order.hold_deadline + PAYING_EXTENSION;
        let change = Change::PayStarted {
            order: order.order,
            attempt,
            deadline,
        };
        let summary = OrderSummary {
            state: OrderState::Paying,
            attempt: Some(attempt),
            deadline,
            ..order.clone()
        };
        Ok(Verdict::one(change, Outcome::Order(summary)))
    }

    /// Only the attempt that is under way can be declined; an older one changes nothing.
    pub(super) fn decline(&self, order: OrderId, attempt: AttemptId) -> Result<Verdict, Refusal> {
        let Some(order) = self
            .order(order)
            .filter(|order| order.state == OrderState::Paying && order.attempt == Some(attempt))
        else {
            return Ok(Verdict::already(Outcome::Done));
        };
        let change = Change::Declined {
            order: order.order,
            attempt,
            deadline: order.hold_deadline,
        };
        let summary = OrderSummary {
            state: OrderState::Held,
            attempt: None,
            deadline: order.hold_deadline,
            ..order.clone()
        };
        Ok(Verdict::one(change, Outcome::Order(summary)))
    }

    /// An attempt that the order is not at any more; the one it is at ends by being declined, by
    /// money or by time.
    pub(super) fn close_attempt(
        &self,
        order: OrderId,
        attempt: AttemptId,
    ) -> Result<Verdict, Refusal> {
        let current = self.order(order).and_then(|order| order.attempt);
        if current == Some(attempt) {
            return Ok(Verdict::already(Outcome::Done));
        }
        let change = Change::AttemptOver {
            order,
            attempt,
            captured: false,
        };
        Ok(Verdict::one(change, Outcome::Done))
    }

    /// Does nothing unless the order still holds past its deadline; a paying order ends only by
    /// its own attempt, or when nobody has answered for as long again.
    pub(super) fn expire(
        &self,
        order: OrderId,
        attempt: Option<AttemptId>,
        now: Millis,
    ) -> Result<Verdict, Refusal> {
        let ends = |order: &&OrderSummary| match order.state {
            OrderState::Held => order.deadline <= now,
            OrderState::Paying => {
                let unanswered = order.deadline + PAYING_EXTENSION <= now;
                unanswered
                    || (order.deadline <= now && attempt.is_some() && order.attempt == attempt)
            }
            _ => false,
        };
        let Some(order) = self.order(order).filter(ends) else {
            return Ok(Verdict::already(Outcome::Done));
        };
        let order = ended(order, OrderState::Expired);
        Ok(Verdict::one(Change::Expired { order }, Outcome::Done))
    }

    pub(super) fn cancel(
        &self,
        order: OrderId,
        buyer: BuyerId,
        now: Millis,
    ) -> Result<Verdict, Refusal> {
        let order = self.holding(order, buyer, now)?;
        Ok(self.cancelled(order))
    }

    fn cancelled(&self, order: &OrderSummary) -> Verdict {
        let order = ended(order, OrderState::Cancelled);
        Verdict::one(
            Change::Cancelled {
                order: order.clone(),
            },
            Outcome::Order(order),
        )
    }
}

fn with_lines(order: &OrderSummary, lines: Vec<Line>, last_line: u16) -> OrderSummary {
    let (fees, total) = pricing::total_with(order, &lines);
    OrderSummary {
        lines,
        last_line,
        fees,
        total,
        ..order.clone()
    }
}

/// Line numbers are never used again, and end somewhere.
fn check_numbers(order: &OrderSummary, more: usize) -> Result<(), Refusal> {
    if usize::from(order.last_line) + more > usize::from(LINE_NUMBER_MAX) {
        return Err(Refusal::LimitPerOrder {
            max: u32::from(LINE_NUMBER_MAX),
        });
    }
    Ok(())
}
