//! What is held against the rules at every step.

use super::*;

impl World {
    /// One commit: the rules hold.
    pub(super) fn note(&mut self, changes: &[Change], outcomes: &[crate::desk::Stored]) {
        self.tally.commits += 1;
        check::rows(&self.store);
        for stored in outcomes {
            self.committed_at.insert(stored.key.1.0, self.now);
        }
        let snapshot = self.store.history.last().expect("it was just written");
        for seat in 0..self.seats as usize {
            let free = snapshot.states[seat / 4] >> (seat % 4 * 2) & 3 == 0;
            match (free, self.free_since[seat]) {
                (true, None) => self.free_since[seat] = Some(self.now),
                (false, Some(_)) => self.free_since[seat] = None,
                _ => {}
            }
        }
        for change in changes {
            let count = match change {
                Change::Expired { .. } => &mut self.tally.expired,
                Change::Cancelled { .. } => &mut self.tally.cancelled,
                Change::Blocked { .. } => &mut self.tally.blocked,
                Change::Configured(_) => &mut self.tally.configured,
                Change::Declined { .. } => &mut self.tally.declined,
                Change::Settled { retaken: true, .. } => &mut self.tally.retaken,
                Change::Settled { .. } => &mut self.tally.paid,
                Change::Parked { reason, .. } => match reason {
                    ParkReason::OrderEnded => &mut self.tally.late_parked,
                    ParkReason::Surplus => &mut self.tally.surplus,
                    ParkReason::AmountDiffers => &mut self.tally.wrong_amounts,
                },
                _ => continue,
            };
            *count += 1;
        }
    }

    /// What a process shows is what the rows were at its seq, read by frames or afresh.
    pub(super) fn publish(&mut self, process: usize, frames: Vec<crate::wire::frame::Frame>) {
        let (seq, states) = &mut self.readers[process];
        for frame in frames {
            assert_eq!(frame.from, *seq, "frames leave no gap");
            for (seat, state) in &frame.seats {
                states[seat.at()] = *state;
            }
            *seq = frame.to;
        }
        let board = self.processes[process].desk.board();
        assert_eq!(board.seq(), *seq, "a reader is as far as the board");
        let history = &self.store.history[seq.0 as usize];
        assert_eq!(
            board.snapshot(),
            *history,
            "the board is the rows at {seq:?}"
        );
        let seen = (0..self.seats).map(|seat| board.seat_state(SeatIx(seat)));
        assert!(seen.eq(states.iter().copied()), "a reader sees the board");
    }

    /// What may never be said, whoever hears it.
    pub(super) fn check_answer(&mut self, client: Client, answer: &Result<Outcome, Refusal>) {
        let Client::Fan { fan, call } = client else {
            return;
        };
        let (fan, call) = (&self.fans[fan], &self.fans[fan].calls[call]);
        let key = (Actor::Buyer(fan.buyer), call.id);
        let stored = self.store.outcomes.get(&key);
        match answer {
            Ok(outcome) => {
                let stored = stored.expect("what is answered is durable");
                assert_eq!(stored.outcome, *outcome, "an effect has one answer");
                self.tally.repeats += u64::from(call.answered);
            }
            Err(Refusal::Busy { .. }) => {}
            Err(refusal) => {
                let long = |since: Millis| self.now - since > STALE;
                let since = self.committed_at.get(&call.id.0);
                assert!(
                    !since.is_some_and(|at| long(*at)) || *refusal == Refusal::IdempotencyMismatch,
                    "carried out long ago, now {refusal:?}"
                );
                self.tally.mismatches += u64::from(*refusal == Refusal::IdempotencyMismatch);
                if let Refusal::SeatsTaken { seats } = refusal {
                    self.tally.conflicts += 1;
                    for seat in seats {
                        let free = self.free_since[seat.at()].is_some_and(long);
                        assert!(!free, "seat {} was free all along", seat.0);
                    }
                }
            }
        }
    }

    /// Long after the last fan: nothing hangs, nothing is lost.
    pub(super) fn at_rest(&self) {
        let last = self.store.seq();
        for (process, at) in self.processes.iter().enumerate() {
            assert!(
                at.alive && at.inbox.is_empty(),
                "process {process} is at rest"
            );
            assert_eq!(at.desk.board().seq(), last, "process {process} read it all");
        }
        for (order, row) in &self.store.orders {
            let state = row.summary.state;
            assert!(
                !matches!(state, OrderState::Held | OrderState::Paying),
                "{order} is {state:?} for ever, until {:?} + {PAYING_EXTENSION:?}",
                row.summary.deadline
            );
        }
        for (payment, order) in &self.captured {
            let row = self.store.payments.get(payment);
            assert_eq!(
                row.map(|row| row.order),
                Some(*order),
                "{payment} is on record"
            );
        }
        for fan in &self.fans {
            let hangs = |call: &Call| !call.answered && call.tries <= CALL_TRIES_MAX;
            assert!(!fan.calls.iter().any(hangs), "{} waits for ever", fan.buyer);
        }
    }
}
