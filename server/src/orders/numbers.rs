//! Order numbers of this process: time, node, sequence. See [`domain::order::number`].

use std::sync::Mutex;

use anyhow::Context;
use domain::ids::OrderId;
use domain::order::number::{SEQUENCE_MAX, compose};
use domain::time::Millis;
use sqlx::PgPool;

use crate::error::Result;

/// Makes numbers that no other process on the database makes.
pub struct Numbers {
    node: u16,
    /// The millisecond and sequence given last. Never goes back, whatever the clock does.
    last: Mutex<(i64, u16)>,
}

impl Numbers {
    /// Takes a node number for this process.
    pub async fn open(db: &PgPool) -> Result<Self> {
        let node: i64 = sqlx::query_scalar("select nextval('order_node')")
            .fetch_one(db)
            .await?;
        let node = u16::try_from(node).context("a node number")?;
        Ok(Self::of_node(node))
    }

    fn of_node(node: u16) -> Self {
        Self {
            node,
            last: Mutex::new((0, 0)),
        }
    }

    /// A number that was never given before. More than 4,096 in one millisecond borrow from the
    /// next.
    pub fn next(&self, now: Millis) -> OrderId {
        let mut last = self.last.lock().expect("no panic while counting");
        let (at, sequence) = *last;
        *last = if now.0 > at {
            (now.0, 0)
        } else if sequence < SEQUENCE_MAX {
            (at, sequence + 1)
        } else {
            (at + 1, 0)
        };
        compose(Millis(last.0), self.node, last.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_rise_even_when_the_clock_stands_or_goes_back() {
        let numbers = Numbers::of_node(3);
        let start = 1_800_000_000_000;
        let mut last = numbers.next(Millis(start));
        for turn in 0..10_000 {
            let next = numbers.next(Millis(start - turn % 7));
            assert!(next > last);
            last = next;
        }
    }
}
