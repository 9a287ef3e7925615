//! What a command would do. Nothing changes here; a refusal names the first rule that says no,
//! in the order written at [`Refusal`].

use std::collections::{BTreeMap, HashSet};

use super::change::Change;
use super::command::{Actor, Command, Envelope, Outcome, Want};
use super::settings::SEATS_PER_ORDER_MAX;
use super::{Board, Claim};
use crate::ids::{AreaIx, BuyerId, OrderId, SeatIx, TierIx};
use crate::order::{Line, OrderState, OrderSummary, Place};
use crate::pricing;
use crate::refusal::Refusal;
use crate::time::Millis;

/// What a command does: the changes in order, and what it answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Empty when the command was true already.
    pub changes: Vec<Change>,
    pub outcome: Outcome,
}

impl Verdict {
    pub(super) fn one(change: Change, outcome: Outcome) -> Self {
        Self {
            changes: vec![change],
            outcome,
        }
    }

    /// Nothing to do; this is how it stands.
    pub(super) fn already(outcome: Outcome) -> Self {
        Self {
            changes: Vec::new(),
            outcome,
        }
    }
}

/// A place wanted, with the line it would become.
pub(super) struct Wanted {
    pub place: Place,
    pub tier: TierIx,
}

impl Board {
    /// Decides and carries out.
    pub fn apply(&mut self, envelope: &Envelope, now: Millis) -> Result<Verdict, Refusal> {
        let verdict = self.decide(envelope, now)?;
        for change in &verdict.changes {
            self.absorb(change);
        }
        Ok(verdict)
    }

    /// Decides one command at `now`.
    pub fn decide(&self, envelope: &Envelope, now: Millis) -> Result<Verdict, Refusal> {
        let now = self.not_before(now);
        match &envelope.command {
            Command::Hold { order, buyer, want } => {
                self.hold(envelope.actor, *order, *buyer, want, now)
            }
            Command::Add {
                order,
                buyer,
                seats,
                areas,
            } => self.add(*order, *buyer, seats, areas, now),
            Command::Drop {
                order,
                buyer,
                lines,
            } => self.drop_lines(*order, *buyer, lines, now),
            Command::PayStart {
                order,
                buyer,
                attempt,
                ..
            } => self.pay_start(*order, *buyer, *attempt, now),
            Command::Settle {
                order,
                attempt,
                payment,
                ended,
            } => self.settle(*order, *attempt, payment, ended.as_ref(), now),
            Command::Decline { order, attempt } => self.decline(*order, *attempt),
            Command::CloseAttempt { order, attempt } => self.close_attempt(*order, *attempt),
            Command::Expire { order, attempt } => self.expire(*order, *attempt, now),
            Command::Cancel { order, buyer } => self.cancel(*order, *buyer, now),
            Command::Block { seats, reason } => self.block(seats, reason, now),
            Command::Unblock { seats } => self.unblock(seats),
            Command::Configure(settings) => self.configure(settings),
        }
    }

    fn hold(
        &self,
        actor: Actor,
        order: OrderId,
        buyer: BuyerId,
        want: &Want,
        now: Millis,
    ) -> Result<Verdict, Refusal> {
        // Staff and Rowlock itself may sell beside the window and the buyers' limits.
        let buyers_rules = matches!(actor, Actor::Buyer(_));
        if self.settings.tiers.is_empty() {
            // Not configured yet: nothing has a price.
            return Err(Refusal::SalePaused);
        }
        let chooses = matches!(want, Want::Chosen { seats, .. } if !seats.is_empty());
        if buyers_rules && chooses && !self.settings.choose_seats {
            return Err(Refusal::ChoosingNotAllowed);
        }
        let count = match want {
            Want::Chosen { seats, areas } => self.check_chosen(seats, areas)?,
            Want::Best { count, tier } => {
                if tier.is_some_and(|tier| self.settings.tier(tier).is_none()) {
                    return Err(Refusal::BadField {
                        field: "tier".into(),
                        detail: "not a tier of this show".into(),
                    });
                }
                usize::from(*count)
            }
        };
        if count == 0 {
            return Err(Refusal::EmptySelection);
        }
        if buyers_rules {
            self.check_window(now)?;
            self.check_limits(buyer, None, count, now)?;
        } else if count > SEATS_PER_ORDER_MAX as usize {
            return Err(Refusal::LimitPerOrder {
                max: SEATS_PER_ORDER_MAX,
            });
        }
        let wanted = match want {
            Want::Chosen { seats, areas } => self.find_chosen(seats, areas, now)?,
            Want::Best { count, tier } => self.find_best(*count, *tier, now)?,
        };
        let mut changes = self.expire_at_use(&wanted, now);
        let lines = self.make_lines(&wanted, 0);
        let (fees, total) = pricing::total(&lines, self.settings.fees);
        let deadline = now + self.settings.hold_ttl;
        let summary = OrderSummary {
            order,
            buyer,
            state: OrderState::Held,
            deadline,
            hold_deadline: deadline,
            attempt: None,
            last_line: lines.len() as u16,
            lines,
            ticket_fee: self.settings.fees.per_ticket,
            fees,
            total,
        };
        changes.push(Change::Held(summary.clone()));
        Ok(Verdict {
            changes,
            outcome: Outcome::Order(summary),
        })
    }

    /// The request itself: known, each once; answers how many places it asks for.
    pub(super) fn check_chosen(
        &self,
        seats: &[SeatIx],
        areas: &[(AreaIx, u16)],
    ) -> Result<usize, Refusal> {
        let mut seen = HashSet::with_capacity(seats.len());
        for seat in seats {
            if seat.at() >= self.claims.len() {
                return Err(Refusal::UnknownSeat {
                    seat: u64::from(seat.0),
                });
            }
            if !seen.insert(*seat) {
                return Err(Refusal::DoubledSeat { seat: *seat });
            }
        }
        let mut places = seats.len();
        let mut seen = HashSet::new();
        for (area, count) in areas {
            if area.at() >= self.area_taken.len() {
                return Err(Refusal::UnknownArea { area: *area });
            }
            if !seen.insert(*area) {
                return Err(Refusal::BadField {
                    field: "areas".into(),
                    detail: "the same area twice: one entry with the sum".into(),
                });
            }
            places += usize::from(*count);
        }
        Ok(places)
    }

    pub(super) fn check_window(&self, now: Millis) -> Result<(), Refusal> {
        if self.settings.paused {
            return Err(Refusal::SalePaused);
        }
        if now < self.settings.opens_at {
            return Err(Refusal::SaleNotOpen {
                opens_at: self.settings.opens_at,
            });
        }
        if now >= self.settings.closes_at {
            return Err(Refusal::SaleClosed);
        }
        Ok(())
    }

    /// Limits of `count` more places for `buyer`, in `order` if it exists already.
    pub(super) fn check_limits(
        &self,
        buyer: BuyerId,
        order: Option<&OrderSummary>,
        count: usize,
        now: Millis,
    ) -> Result<(), Refusal> {
        let max = self.settings.per_order_max.min(SEATS_PER_ORDER_MAX);
        let in_order = order.map_or(0, |order| order.lines.len());
        if in_order + count > max as usize {
            return Err(Refusal::LimitPerOrder { max });
        }
        let max = self.settings.per_buyer_max;
        if self.places_of(buyer, now) + count > max as usize {
            return Err(Refusal::LimitPerBuyer { max });
        }
        Ok(())
    }

    /// Places that `buyer` holds or has paid; holds past their deadline do not count.
    fn places_of(&self, buyer: BuyerId, now: Millis) -> usize {
        let orders = self.by_buyer.get(&buyer).map_or(&[][..], Vec::as_slice);
        orders
            .iter()
            .filter(|order| !self.is_due(**order, now))
            .map(|order| self.orders[order].summary.lines.len())
            .sum()
    }

    /// A hold past its deadline is free for the next command. Paying orders keep their seats
    /// while the provider is asked.
    pub(super) fn is_due(&self, order: OrderId, now: Millis) -> bool {
        self.orders.get(&order).is_some_and(|entry| {
            entry.summary.state == OrderState::Held && entry.summary.deadline <= now
        })
    }

    pub(super) fn is_free(&self, seat: SeatIx, now: Millis) -> bool {
        match self.claims[seat.at()] {
            Claim::Free => true,
            Claim::Blocked => false,
            Claim::Order(order) => self.is_due(order, now),
        }
    }

    /// All of them free, or the list of those that are not.
    pub(super) fn find_chosen(
        &self,
        seats: &[SeatIx],
        areas: &[(AreaIx, u16)],
        now: Millis,
    ) -> Result<Vec<Wanted>, Refusal> {
        let taken: Vec<SeatIx> = seats
            .iter()
            .copied()
            .filter(|seat| !self.is_free(*seat, now))
            .collect();
        if !taken.is_empty() {
            return Err(Refusal::SeatsTaken { seats: taken });
        }
        let mut wanted: Vec<Wanted> = seats
            .iter()
            .map(|seat| Wanted {
                place: Place::Seat(*seat),
                tier: self.plan.seat_tiers[seat.at()],
            })
            .collect();
        for (area, count) in areas {
            let due = self.due_in_area(*area, now);
            let left = self.plan.area_capacity(*area) - self.area_taken[area.at()] + due;
            if u32::from(*count) > left {
                return Err(Refusal::AreaFull { area: *area, left });
            }
            wanted.extend((0..*count).map(|_| Wanted {
                place: Place::Area(*area),
                tier: self.plan.area_tiers[area.at()],
            }));
        }
        Ok(wanted)
    }

    fn due_in_area(&self, area: AreaIx, now: Millis) -> u32 {
        let due = self.deadlines.iter().take_while(|(at, _)| *at <= now);
        due.filter(|(_, order)| self.is_due(*order, now))
            .flat_map(|(_, order)| &self.orders[order].summary.lines)
            .filter(|line| line.place == Place::Area(area))
            .count() as u32
    }

    fn find_best(
        &self,
        count: u16,
        tier: Option<TierIx>,
        now: Millis,
    ) -> Result<Vec<Wanted>, Refusal> {
        let none = Refusal::NoneLeft {
            wanted: u32::from(count),
        };
        let free = |seat: SeatIx| self.is_free(seat, now);
        let seats = self.plan.best(free, count, tier).ok_or(none)?;
        self.find_chosen(&seats, &[], now)
    }

    /// Ends the orders past their deadline that stand in the way of `wanted`: whole orders, in
    /// the same commit.
    pub(super) fn expire_at_use(&self, wanted: &[Wanted], now: Millis) -> Vec<Change> {
        let mut due = BTreeMap::new();
        let mut areas = HashSet::new();
        for want in wanted {
            match want.place {
                Place::Seat(seat) => {
                    if let Claim::Order(order) = self.claims[seat.at()] {
                        due.insert(order, ());
                    }
                }
                Place::Area(area) => {
                    areas.insert(area);
                }
            }
        }
        // Places of an area are alike: all due orders in it go, so that the count is right.
        for (_, order) in self.deadlines.iter().take_while(|(at, _)| *at <= now) {
            let lines = &self.orders[order].summary.lines;
            let in_areas = |line: &Line| matches!(line.place, Place::Area(a) if areas.contains(&a));
            if self.is_due(*order, now) && lines.iter().any(in_areas) {
                due.insert(*order, ());
            }
        }
        due.into_keys()
            .map(|order| Change::Expired {
                order: ended(&self.orders[&order].summary, OrderState::Expired),
            })
            .collect()
    }

    /// Lines for `wanted`, numbered after `last_line`, at today's prices.
    pub(super) fn make_lines(&self, wanted: &[Wanted], last_line: u16) -> Vec<Line> {
        let numbers = last_line + 1..;
        numbers
            .zip(wanted)
            .map(|(no, want)| Line {
                no,
                place: want.place,
                tier: want.tier,
                price: self.settings.tiers[want.tier.at()].price,
            })
            .collect()
    }
}

/// The order as it ends.
pub(super) fn ended(order: &OrderSummary, state: OrderState) -> OrderSummary {
    OrderSummary {
        state,
        attempt: None,
        ..order.clone()
    }
}
