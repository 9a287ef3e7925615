//! What buyers want: they rush for the same seats, change their minds, walk away, pay late or
//! twice, and send again when nobody answers.

use super::random::Random;
use crate::board::command::{Command, Contact, Outcome, Want};
use crate::ids::{AreaIx, AttemptId, BuyerId, CommandId, OrderId, SeatIx};
use crate::order::{OrderState, OrderSummary};
use crate::time::Millis;

/// What a fan asks for, without the ids that the server mints when it arrives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    Hold(Want),
    Add(OrderId, Vec<SeatIx>),
    Drop(OrderId, u16),
    Pay(OrderId),
    Cancel(OrderId),
}

impl Body {
    pub fn command(&self, buyer: BuyerId, minted: i64) -> Command {
        match self.clone() {
            Self::Hold(want) => Command::Hold {
                order: OrderId(minted),
                buyer,
                want,
            },
            Self::Add(order, seats) => Command::Add {
                order,
                buyer,
                seats,
                areas: Vec::new(),
            },
            Self::Drop(order, line) => Command::Drop {
                order,
                buyer,
                lines: vec![line],
            },
            Self::Pay(order) => Command::PayStart {
                order,
                buyer,
                attempt: AttemptId(minted as u128),
                contact: Contact {
                    name: String::new(),
                    email: String::new(),
                    locale: "en".into(),
                },
            },
            Self::Cancel(order) => Command::Cancel { order, buyer },
        }
    }

    /// As the server makes one: of the request alone.
    pub fn fingerprint(&self) -> u64 {
        super::world::hash(format!("{self:?}").as_bytes())
    }
}

/// One command with its name, sent until it is answered.
pub struct Call {
    pub id: CommandId,
    pub body: Body,
    pub tries: u32,
    pub answered: bool,
    pub outcome: Option<Outcome>,
}

pub struct Fan {
    pub buyer: BuyerId,
    pub order: Option<OrderSummary>,
    pub calls: Vec<Call>,
    pub thoughts: u32,
}

impl Fan {
    pub fn new(number: usize, thoughts: u32) -> Self {
        Self {
            buyer: BuyerId(number as u128 + 1),
            order: None,
            calls: Vec::new(),
            thoughts,
        }
    }

    /// What the fan does next, if anything.
    pub fn think(&self, random: &mut Random, seats: u32, now: Millis) -> Option<Body> {
        let holding = self
            .order
            .as_ref()
            .filter(|order| order.state == OrderState::Held);
        let Some(order) = holding else {
            return Some(Body::Hold(want(random, seats)));
        };
        // Now and then somebody acts on a hold whose time is over.
        if order.deadline < now && !random.permille(300) {
            return Some(Body::Hold(want(random, seats)));
        }
        Some(match random.below(100) {
            0..10 => Body::Add(order.order, some_seats(random, seats, 2)),
            10..22 => Body::Drop(order.order, random.pick(&order.lines).no),
            22..32 => Body::Cancel(order.order),
            32..80 => Body::Pay(order.order),
            // Walks away; the seats come back by themselves.
            _ => return None,
        })
    }
}

fn want(random: &mut Random, seats: u32) -> Want {
    match random.below(100) {
        0..70 => Want::Chosen {
            seats: some_seats(random, seats, 4),
            areas: Vec::new(),
        },
        70..85 => Want::Best {
            count: random.between(1, 4) as u16,
            tier: None,
        },
        85..95 => Want::Chosen {
            seats: Vec::new(),
            areas: vec![(AreaIx(0), random.between(1, 2) as u16)],
        },
        _ => Want::Chosen {
            seats: some_seats(random, seats, 2),
            areas: vec![(AreaIx(0), 1)],
        },
    }
}

/// Neighbours, oftener at the front.
fn some_seats(random: &mut Random, seats: u32, most: u64) -> Vec<SeatIx> {
    let front = u64::from(seats).min(12);
    let first = if random.permille(600) {
        random.below(front)
    } else {
        random.below(u64::from(seats))
    };
    let count = random.between(1, most);
    (first..first + count)
        .filter(|seat| *seat < u64::from(seats))
        .map(|seat| SeatIx(seat as u32))
        .collect()
}
