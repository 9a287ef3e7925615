//! What Postgres is to a desk: rows, keys, the fence, the log and the outcomes. It knows nothing
//! of the board; it carries typed changes out on rows of its own and says when a key or a count
//! is not what the change claims.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::board::change::{Change, Delta};
use crate::board::command::{Captured, ParkReason};
use crate::board::{Board, BoardOrder, Plan, Stored as StoredBoard};
use crate::desk::{Batch, Key, Stored};
use crate::ids::{AreaIx, OrderId, SeatIx, Seq};
use crate::order::{Line, OrderState, OrderSummary, Place};
use crate::time::Millis;
use crate::wire::snapshot::{SeatState, Snapshot};

use crate::board::settings::Settings;

/// A row of `seat_claim`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    Order(OrderId),
    House,
}

/// A row of `orders` with what made it paid.
#[derive(Debug, Clone)]
pub struct OrderRow {
    pub summary: OrderSummary,
    pub paid_by: Option<String>,
}

/// A row of `payment`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentRow {
    pub order: OrderId,
    pub parked: Option<ParkReason>,
}

/// What became of a batch.
pub enum Written {
    Done,
    Known(Vec<Stored>),
    Behind(Vec<Delta>),
}

/// A guard of the database that a correct desk never meets.
#[derive(Debug)]
pub struct Guard(pub String);

pub struct Store {
    plan: Arc<Plan>,
    pub settings: Settings,
    pub log: Vec<Delta>,
    pub outcomes: HashMap<Key, Stored>,
    pub claims: BTreeMap<SeatIx, Holder>,
    reasons: BTreeMap<SeatIx, String>,
    pub area_taken: Vec<u32>,
    pub orders: BTreeMap<OrderId, OrderRow>,
    pub payments: BTreeMap<String, PaymentRow>,
    /// What the public saw at each seq.
    pub history: Vec<Snapshot>,
}

impl Store {
    pub fn new(plan: Arc<Plan>, settings: Settings) -> Self {
        let mut store = Self {
            area_taken: vec![0; plan.area_tiers.len()],
            plan,
            settings,
            log: Vec::new(),
            outcomes: HashMap::new(),
            claims: BTreeMap::new(),
            reasons: BTreeMap::new(),
            orders: BTreeMap::new(),
            payments: BTreeMap::new(),
            history: Vec::new(),
        };
        store.history.push(store.snapshot());
        store
    }

    pub fn seq(&self) -> Seq {
        Seq(self.log.len() as u64)
    }

    pub fn deltas_after(&self, seq: Seq) -> Vec<Delta> {
        self.log[seq.0 as usize..].to_vec()
    }

    /// Keys of all outcomes that are kept.
    pub fn keys(&self) -> Vec<Key> {
        self.outcomes.keys().copied().collect()
    }

    pub fn known(&self, keys: &[Key]) -> Vec<Stored> {
        keys.iter()
            .filter_map(|key| self.outcomes.get(key).cloned())
            .collect()
    }

    /// The board as a process that starts reads it.
    pub fn load(&self) -> Board {
        let live = |row: &&OrderRow| row.summary.state.has_seats();
        let orders = self.orders.values().filter(live).map(|row| BoardOrder {
            summary: row.summary.clone(),
            paid_by: row.paid_by.clone(),
        });
        Board::load(
            Arc::clone(&self.plan),
            StoredBoard {
                seq: self.seq(),
                last_at: self.log.last().map_or(Millis(0), |delta| delta.at),
                settings: self.settings.clone(),
                orders: orders.collect(),
                blocked: self.reasons.clone().into_iter().collect(),
            },
        )
    }

    /// The batch function: ids known already, the fence, then the rows.
    pub fn commit(&mut self, batch: &Batch) -> Result<Written, Guard> {
        let keys: Vec<Key> = batch.outcomes.iter().map(|stored| stored.key).collect();
        let known = self.known(&keys);
        if !known.is_empty() {
            return Ok(Written::Known(known));
        }
        if batch.expected != self.seq() {
            return Ok(Written::Behind(self.deltas_after(batch.expected)));
        }
        for change in &batch.delta.changes {
            self.carry_out(change)?;
        }
        for stored in &batch.outcomes {
            self.outcomes.insert(stored.key, stored.clone());
        }
        self.log.push(batch.delta.clone());
        self.history.push(self.snapshot());
        Ok(Written::Done)
    }

    fn carry_out(&mut self, change: &Change) -> Result<(), Guard> {
        match change {
            Change::Held(order) => {
                self.take(order.order, &order.lines)?;
                self.insert(order)
            }
            Change::Added { order, lines } => {
                self.take(order.order, lines)?;
                self.update(order, &[OrderState::Held])
            }
            Change::Dropped { order, lines } => {
                self.release(order.order, lines)?;
                self.update(order, &[OrderState::Held])
            }
            Change::PayStarted {
                order,
                attempt,
                deadline,
            } => {
                let row = self.row(*order, &[OrderState::Held])?;
                row.state = OrderState::Paying;
                row.attempt = Some(*attempt);
                row.deadline = *deadline;
                Ok(())
            }
            Change::Declined {
                order,
                attempt,
                deadline,
            } => {
                let row = self.row(*order, &[OrderState::Paying])?;
                if row.attempt != Some(*attempt) {
                    return Err(Guard(format!("{order} declined by another attempt")));
                }
                row.state = OrderState::Held;
                row.attempt = None;
                row.deadline = *deadline;
                Ok(())
            }
            Change::Settled {
                order,
                payment,
                retaken,
            } => {
                let name = self.pay(order.order, payment, None)?;
                if *retaken {
                    self.take(order.order, &order.lines)?;
                    self.update(order, &[OrderState::Expired])?;
                } else {
                    self.update(order, &[OrderState::Held, OrderState::Paying])?;
                }
                let row = self.orders.get_mut(&order.order).expect("it was updated");
                row.paid_by = Some(name);
                Ok(())
            }
            Change::Parked {
                order,
                payment,
                reason,
            } => self.pay(*order, payment, Some(*reason)).map(drop),
            Change::AttemptOver { .. } => Ok(()),
            Change::Expired { order } => self.end(order, &[OrderState::Held, OrderState::Paying]),
            Change::Cancelled { order } => self.end(order, &[OrderState::Held]),
            Change::Blocked { .. } | Change::Unblocked { .. } | Change::Configured(_) => {
                self.carry_out_for_the_house(change)
            }
        }
    }

    fn carry_out_for_the_house(&mut self, change: &Change) -> Result<(), Guard> {
        match change {
            Change::Blocked { seats, reason } => {
                for seat in seats {
                    self.claim(*seat, Holder::House)?;
                    self.reasons.insert(*seat, reason.clone());
                }
                Ok(())
            }
            Change::Unblocked { seats } => {
                for seat in seats {
                    self.unclaim(*seat, Holder::House)?;
                    self.reasons.remove(seat);
                }
                Ok(())
            }
            Change::Configured(settings) => {
                self.settings = settings.clone();
                Ok(())
            }
            _ => unreachable!("fans' changes are carried out above"),
        }
    }

    fn end(&mut self, order: &OrderSummary, from: &[OrderState]) -> Result<(), Guard> {
        self.release(order.order, &order.lines)?;
        self.update(order, from)
    }

    fn insert(&mut self, order: &OrderSummary) -> Result<(), Guard> {
        let row = OrderRow {
            summary: order.clone(),
            paid_by: None,
        };
        match self.orders.insert(order.order, row) {
            None => Ok(()),
            Some(_) => Err(Guard(format!("order {} is there", order.order))),
        }
    }

    fn update(&mut self, order: &OrderSummary, from: &[OrderState]) -> Result<(), Guard> {
        *self.row(order.order, from)? = order.clone();
        Ok(())
    }

    fn row(&mut self, order: OrderId, from: &[OrderState]) -> Result<&mut OrderSummary, Guard> {
        let row = self.orders.get_mut(&order);
        let row = row.ok_or_else(|| Guard(format!("no order {order}")))?;
        if !from.contains(&row.summary.state) {
            return Err(Guard(format!("order {order} is {:?}", row.summary.state)));
        }
        Ok(&mut row.summary)
    }

    fn pay(
        &mut self,
        order: OrderId,
        payment: &Captured,
        parked: Option<ParkReason>,
    ) -> Result<String, Guard> {
        let name = format!("{}:{}", payment.provider, payment.payment_id);
        let row = PaymentRow { order, parked };
        match self.payments.insert(name.clone(), row) {
            None => Ok(name),
            Some(_) => Err(Guard(format!("payment {name} is there"))),
        }
    }

    fn take(&mut self, order: OrderId, lines: &[Line]) -> Result<(), Guard> {
        for line in lines {
            match line.place {
                Place::Seat(seat) => self.claim(seat, Holder::Order(order))?,
                Place::Area(area) => self.stock(area, 1)?,
            }
        }
        Ok(())
    }

    fn release(&mut self, order: OrderId, lines: &[Line]) -> Result<(), Guard> {
        for line in lines {
            match line.place {
                Place::Seat(seat) => self.unclaim(seat, Holder::Order(order))?,
                Place::Area(area) => self.stock(area, -1)?,
            }
        }
        Ok(())
    }

    fn claim(&mut self, seat: SeatIx, holder: Holder) -> Result<(), Guard> {
        match self.claims.insert(seat, holder) {
            None => Ok(()),
            Some(other) => Err(Guard(format!("seat {} has {other:?}", seat.0))),
        }
    }

    fn unclaim(&mut self, seat: SeatIx, holder: Holder) -> Result<(), Guard> {
        match self.claims.remove(&seat) {
            Some(found) if found == holder => Ok(()),
            other => Err(Guard(format!("seat {} had {other:?}", seat.0))),
        }
    }

    fn stock(&mut self, area: AreaIx, by: i64) -> Result<(), Guard> {
        let after = i64::from(self.area_taken[area.at()]) + by;
        if !(0..=i64::from(self.plan.area_capacity(area))).contains(&after) {
            return Err(Guard(format!("area {} at {after}", area.0)));
        }
        self.area_taken[area.at()] = after as u32;
        Ok(())
    }

    /// What anybody may know, from the rows alone.
    pub fn snapshot(&self) -> Snapshot {
        let seats = self.plan.seat_tiers.len();
        let mut states = vec![0u8; seats.div_ceil(4)];
        for (seat, holder) in &self.claims {
            let state = match holder {
                Holder::House => SeatState::Blocked,
                Holder::Order(order) => match self.orders.get(order) {
                    Some(row) if row.summary.state == OrderState::Paid => SeatState::Sold,
                    _ => SeatState::Held,
                },
            };
            states[seat.at() / 4] |= state.bits() << (seat.at() % 4 * 2);
        }
        let mut tier_free = vec![0u32; self.settings.tiers.len()];
        for (ix, tier) in self.plan.seat_tiers.iter().enumerate() {
            if !self.claims.contains_key(&SeatIx(ix as u32)) {
                tier_free[tier.at()] += 1;
            }
        }
        for (ix, tier) in self.plan.area_tiers.iter().enumerate() {
            let area = AreaIx(ix as u16);
            tier_free[tier.at()] += self.plan.area_capacity(area) - self.area_taken[ix];
        }
        Snapshot {
            seq: self.seq(),
            seats: seats as u32,
            states,
            area_taken: self.area_taken.clone(),
            tier_free,
        }
    }
}
