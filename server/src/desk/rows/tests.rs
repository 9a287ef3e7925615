use super::*;
use domain::board::change::Delta;
use domain::ids::{BuyerId, Seq, TierIx};
use domain::money::Minor;

fn order(id: i64, state: OrderState, seats: &[u32]) -> OrderSummary {
    let lines = seats.iter().enumerate().map(|(ix, seat)| Line {
        no: ix as u16 + 1,
        place: Place::Seat(SeatIx(*seat)),
        tier: TierIx(0),
        price: Minor(100),
    });
    OrderSummary {
        order: OrderId(id),
        buyer: BuyerId(1),
        state,
        deadline: Millis(10),
        hold_deadline: Millis(10),
        attempt: None,
        lines: lines.collect(),
        last_line: seats.len() as u16,
        ticket_fee: Minor(0),
        fees: Minor(0),
        total: Minor(100 * seats.len() as i64),
    }
}

fn rows(changes: Vec<Change>) -> Rows {
    Rows::of(&Batch {
        expected: Seq(0),
        delta: Delta {
            seq: Seq(1),
            at: Millis(1),
            commands: Vec::new(),
            changes,
        },
        outcomes: Vec::new(),
        contacts: Vec::new(),
    })
}

#[test]
fn a_seat_that_changes_hands_is_given_back_and_taken() {
    let rows = rows(vec![
        Change::Expired {
            order: order(1, OrderState::Expired, &[7, 8]),
        },
        Change::Held(order(2, OrderState::Held, &[8])),
    ]);
    assert_eq!(rows.freed, vec![(SeatIx(7), 1), (SeatIx(8), 1)]);
    assert_eq!(rows.taken, vec![(SeatIx(8), 2, HELD, None)]);
    assert_eq!(rows.steps[&OrderId(1)].state, OrderState::Expired);
}

#[test]
fn an_order_begun_and_ended_in_one_batch_leaves_no_claim() {
    let rows = rows(vec![
        Change::Held(order(1, OrderState::Held, &[7])),
        Change::Cancelled {
            order: order(1, OrderState::Cancelled, &[7]),
        },
    ]);
    assert!(rows.freed.is_empty() && rows.taken.is_empty() && rows.steps.is_empty());
    assert_eq!(rows.begun[&OrderId(1)].state, OrderState::Cancelled);
    assert_eq!(rows.lines.len(), 1);
}

#[test]
fn a_dropped_line_of_this_batch_was_never_there() {
    let held = order(1, OrderState::Held, &[7, 8]);
    let mut left = held.clone();
    let gone = left.lines.split_off(1);
    let rows = rows(vec![
        Change::Held(held),
        Change::Dropped {
            order: left,
            lines: gone,
        },
    ]);
    assert_eq!(rows.lines.len(), 1);
    assert_eq!(rows.taken.len(), 1);
    assert!(rows.more.is_empty());
}
