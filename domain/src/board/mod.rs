//! Who has what in one show: the state that decides, in memory.
//!
//! [`Board::decide`] answers what a command would do and changes nothing; [`Board::absorb`]
//! carries a change out. [`Board::apply`] is both, so that a board that decided and a board that
//! only read the log end equal. Everything applied since [`Board::mark`] can be taken back with
//! [`Board::rollback`], for a commit that another process overtook.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::ids::{AreaIx, BuyerId, OrderId, SeatIx, Seq, TierIx};
use crate::order::{OrderState, OrderSummary, Place};
use crate::time::Millis;
use crate::wire::snapshot::{SeatState, Snapshot};

/// The numbered record of what a command did.
pub mod change;
/// What may be asked.
pub mod command;
/// What decides besides seats.
pub mod settings;

mod absorb;
mod decide;
mod decide_house;
mod decide_order;
mod decide_payment;
mod plan;
#[cfg(test)]
pub(crate) mod tests;

pub use decide::Verdict;
pub use plan::Plan;

use change::Delta;
use settings::Settings;

/// Who has a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    Free,
    /// House hold.
    Blocked,
    /// The order's state says whether the seat is held or sold.
    Order(OrderId),
}

/// An order on the board: live orders only (held, paying, paid).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardOrder {
    pub summary: OrderSummary,
    /// `provider:payment id` that made it paid: the same payment again is no surplus.
    pub paid_by: Option<String>,
}

/// The board of one show.
#[derive(Debug, Clone)]
pub struct Board {
    plan: Arc<Plan>,
    settings: Arc<Settings>,
    seq: Seq,
    /// When the last delta was decided: time never goes back.
    last_at: Millis,
    claims: Vec<Claim>,
    blocked: HashMap<SeatIx, String>,
    area_taken: Vec<u32>,
    /// Seats and area places not taken, by tier.
    tier_free: Vec<u32>,
    orders: HashMap<OrderId, BoardOrder>,
    by_buyer: HashMap<BuyerId, Vec<OrderId>>,
    /// Orders that still hold, by deadline.
    deadlines: BTreeSet<(Millis, OrderId)>,
    journal: Option<Vec<Undo>>,
}

/// One overwritten value.
#[derive(Debug, Clone)]
enum Undo {
    Claim(SeatIx, Claim),
    Reason(SeatIx, Option<String>),
    Area(AreaIx, u32),
    Order(OrderId, Option<Box<BoardOrder>>),
    Settings(Arc<Settings>),
}

/// A board as Postgres has it at one seq.
#[derive(Debug, Clone)]
pub struct Stored {
    pub seq: Seq,
    pub last_at: Millis,
    pub settings: Settings,
    pub orders: Vec<BoardOrder>,
    /// Blocked seats with their reasons.
    pub blocked: Vec<(SeatIx, String)>,
}

impl Board {
    /// An untouched board.
    pub fn new(plan: Arc<Plan>, settings: Settings) -> Self {
        let mut tier_free = vec![0; settings.tiers.len()];
        for (tier, places) in plan.places_by_tier() {
            if let Some(free) = tier_free.get_mut(tier.at()) {
                *free += places;
            }
        }
        Self {
            claims: vec![Claim::Free; plan.seat_tiers.len()],
            area_taken: vec![0; plan.area_tiers.len()],
            plan,
            settings: Arc::new(settings),
            seq: Seq(0),
            last_at: Millis(0),
            blocked: HashMap::new(),
            tier_free,
            orders: HashMap::new(),
            by_buyer: HashMap::new(),
            deadlines: BTreeSet::new(),
            journal: None,
        }
    }

    /// The board that `stored` describes. Claims follow from orders and blocked seats: they are
    /// one truth, not two.
    pub fn load(plan: Arc<Plan>, stored: Stored) -> Self {
        let mut board = Self::new(plan, stored.settings);
        board.seq = stored.seq;
        board.last_at = stored.last_at;
        for order in stored.orders {
            board.take_places(&order.summary.lines, order.summary.order);
            board.put_order(order.summary.order, Some(order));
        }
        for (seat, reason) in stored.blocked {
            board.put_reason(seat, Some(reason));
            board.put_claim(seat, Claim::Blocked);
        }
        board
    }

    pub fn seq(&self) -> Seq {
        self.seq
    }

    pub fn settings(&self) -> &Arc<Settings> {
        &self.settings
    }

    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// `now`, but never before the last delta.
    pub fn not_before(&self, now: Millis) -> Millis {
        now.max(self.last_at)
    }

    /// The live order of that number.
    pub fn order(&self, order: OrderId) -> Option<&OrderSummary> {
        self.orders.get(&order).map(|entry| &entry.summary)
    }

    /// House holds with their reasons, by seat.
    pub fn blocked(&self) -> Vec<(SeatIx, &str)> {
        let mut blocked: Vec<_> = self
            .blocked
            .iter()
            .map(|(seat, reason)| (*seat, reason.as_str()))
            .collect();
        blocked.sort_unstable();
        blocked
    }

    /// The earliest deadline after `now` of an order that holds or pays.
    pub fn next_deadline(&self, now: Millis) -> Option<Millis> {
        let after = (Millis(now.0 + 1), OrderId(i64::MIN));
        let mut later = self.deadlines.range(after..);
        later.next().map(|(deadline, _)| *deadline)
    }

    /// Orders that end by time at `now`, earliest first, at most `max`: holds past their deadline,
    /// and paying orders of which nobody heard for as long again as paying may take.
    pub fn due(&self, now: Millis, max: usize) -> Vec<OrderId> {
        self.deadlines
            .iter()
            .take_while(|(deadline, _)| *deadline <= now)
            .filter(|(deadline, order)| {
                self.is_due(*order, now) || *deadline + settings::PAYING_EXTENSION <= now
            })
            .take(max)
            .map(|(_, order)| *order)
            .collect()
    }

    /// What anybody may know about a seat.
    pub fn seat_state(&self, seat: SeatIx) -> SeatState {
        match self.claims[seat.at()] {
            Claim::Free => SeatState::Free,
            Claim::Blocked => SeatState::Blocked,
            Claim::Order(order) => match self.orders.get(&order).map(|o| o.summary.state) {
                Some(OrderState::Paid) => SeatState::Sold,
                _ => SeatState::Held,
            },
        }
    }

    /// The public state of the whole show.
    pub fn snapshot(&self) -> Snapshot {
        let mut states = vec![0u8; self.claims.len().div_ceil(4)];
        for ix in 0..self.claims.len() {
            let bits = self.seat_state(SeatIx(ix as u32)) as u8;
            states[ix / 4] |= bits << (ix % 4 * 2);
        }
        Snapshot {
            seq: self.seq,
            seats: self.claims.len() as u32,
            states,
            area_taken: self.area_taken.clone(),
            tier_free: self.tier_free.clone(),
        }
    }

    // -- the only ways in which the board changes, each taken back by `rollback`

    /// Starts to remember, so that what follows can be taken back.
    pub fn mark(&mut self) {
        self.journal = Some(Vec::new());
    }

    /// Forgets how it was: what was applied since `mark` stands, as commit `delta`.
    pub fn keep(&mut self, delta: &Delta) {
        assert_eq!(delta.seq, self.seq.next(), "a commit follows the last one");
        self.journal = None;
        self.seq = delta.seq;
        self.last_at = delta.at;
    }

    /// Takes back all that was applied since `mark`.
    pub fn rollback(&mut self) {
        let Some(journal) = self.journal.take() else {
            return;
        };
        for undo in journal.into_iter().rev() {
            match undo {
                Undo::Claim(seat, claim) => self.put_claim(seat, claim),
                Undo::Reason(seat, reason) => self.put_reason(seat, reason),
                Undo::Area(area, taken) => self.put_area(area, taken),
                Undo::Order(order, entry) => self.put_order(order, entry.map(|entry| *entry)),
                Undo::Settings(settings) => self.put_settings(settings),
            }
        }
    }

    fn note(&mut self, undo: Undo) {
        if let Some(journal) = &mut self.journal {
            journal.push(undo);
        }
    }

    fn put_claim(&mut self, seat: SeatIx, claim: Claim) {
        let before = std::mem::replace(&mut self.claims[seat.at()], claim);
        let tier = self.plan.seat_tiers[seat.at()];
        match (before == Claim::Free, claim == Claim::Free) {
            (true, false) => self.count_free(tier, -1),
            (false, true) => self.count_free(tier, 1),
            _ => {}
        }
        self.note(Undo::Claim(seat, before));
    }

    fn put_reason(&mut self, seat: SeatIx, reason: Option<String>) {
        let before = match reason {
            Some(reason) => self.blocked.insert(seat, reason),
            None => self.blocked.remove(&seat),
        };
        self.note(Undo::Reason(seat, before));
    }

    fn put_area(&mut self, area: AreaIx, taken: u32) {
        let before = std::mem::replace(&mut self.area_taken[area.at()], taken);
        let tier = self.plan.area_tiers[area.at()];
        self.count_free(tier, i64::from(before) - i64::from(taken));
        self.note(Undo::Area(area, before));
    }

    fn put_order(&mut self, order: OrderId, entry: Option<BoardOrder>) {
        let after = entry
            .as_ref()
            .map(|e| (e.summary.buyer, holds_until(&e.summary)));
        let before = match entry {
            Some(entry) => self.orders.insert(order, entry),
            None => self.orders.remove(&order),
        };
        if let Some(before) = &before {
            if let Some(deadline) = holds_until(&before.summary) {
                self.deadlines.remove(&(deadline, order));
            }
            if let Some(orders) = self.by_buyer.get_mut(&before.summary.buyer) {
                orders.retain(|other| *other != order);
                if orders.is_empty() {
                    self.by_buyer.remove(&before.summary.buyer);
                }
            }
        }
        if let Some((buyer, deadline)) = after {
            self.by_buyer.entry(buyer).or_default().push(order);
            if let Some(deadline) = deadline {
                self.deadlines.insert((deadline, order));
            }
        }
        self.note(Undo::Order(order, before.map(Box::new)));
    }

    fn put_settings(&mut self, settings: Arc<Settings>) {
        // Tiers may be added or renamed; free counts of new ones start from the plan.
        self.tier_free = self.recount_free(settings.tiers.len());
        let before = std::mem::replace(&mut self.settings, settings);
        self.note(Undo::Settings(before));
    }

    fn count_free(&mut self, tier: TierIx, by: i64) {
        if let Some(free) = self.tier_free.get_mut(tier.at()) {
            *free =
                u32::try_from(i64::from(*free) + by).expect("free counts stay within the house");
        }
    }

    fn recount_free(&self, tiers: usize) -> Vec<u32> {
        let mut free = vec![0; tiers];
        for (claim, tier) in self.claims.iter().zip(self.plan.seat_tiers.iter()) {
            if let (Claim::Free, Some(count)) = (claim, free.get_mut(tier.at())) {
                *count += 1;
            }
        }
        for (area, tier) in self.plan.area_tiers.iter().enumerate() {
            let left = self.plan.area_capacity(AreaIx(area as u16)) - self.area_taken[area];
            if let Some(count) = free.get_mut(tier.at()) {
                *count += left;
            }
        }
        free
    }

    fn take_places(&mut self, lines: &[crate::order::Line], order: OrderId) {
        for line in lines {
            match line.place {
                Place::Seat(seat) => self.put_claim(seat, Claim::Order(order)),
                Place::Area(area) => self.put_area(area, self.area_taken[area.at()] + 1),
            }
        }
    }

    fn free_places(&mut self, lines: &[crate::order::Line]) {
        for line in lines {
            match line.place {
                Place::Seat(seat) => self.put_claim(seat, Claim::Free),
                Place::Area(area) => self.put_area(area, self.area_taken[area.at()] - 1),
            }
        }
    }
}

/// The deadline by which the order's seats come back, if they do by themselves.
fn holds_until(order: &OrderSummary) -> Option<Millis> {
    matches!(order.state, OrderState::Held | OrderState::Paying).then_some(order.deadline)
}
