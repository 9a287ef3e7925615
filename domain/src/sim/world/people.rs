//! Fans, the provider and staff.

use super::*;

impl World {
    pub(super) fn someone(&mut self) -> usize {
        self.random.below(self.processes.len() as u64) as usize
    }

    pub(super) fn fan_thinks(&mut self, fan: usize) {
        if !self.faulty || self.fans[fan].thoughts == 0 {
            return;
        }
        self.fans[fan].thoughts -= 1;
        let body = self.fans[fan].think(&mut self.random, self.seats, self.now);
        let Some(body) = body else {
            let later = Span(self.random.between(1_000, 90_000) as i64);
            return self.after(later, Event::Fan(fan));
        };
        let id = CommandId(u128::from(self.random.next()));
        let calls = &mut self.fans[fan].calls;
        calls.push(Call {
            id,
            body,
            tries: 0,
            answered: false,
            outcome: None,
        });
        let call = calls.len() - 1;
        self.send_call(fan, call);
    }

    pub(super) fn send_call(&mut self, fan: usize, call: usize) {
        let at = &mut self.fans[fan].calls[call];
        at.tries += 1;
        let tries = at.tries;
        if tries > CALL_TRIES_MAX {
            return;
        }
        self.post_call(fan, call);
        if self.faulty && self.random.permille(60) {
            self.post_call(fan, call);
        }
        self.after(PATIENCE, Event::Impatience { fan, call, tries });
    }

    /// On its way to some process, perhaps for ever.
    pub(super) fn post_call(&mut self, fan: usize, call: usize) {
        let minted = self.random.next() as i64 & i64::MAX;
        let (buyer, at) = (self.fans[fan].buyer, &self.fans[fan].calls[call]);
        let (mut fingerprint, mut command) =
            (at.body.fingerprint(), at.body.command(buyer, minted));
        let id = at.id;
        // A broken client: the same name for something else.
        if self.faulty && self.random.permille(10) {
            let other = Body::Cancel(OrderId(1));
            (fingerprint, command) = (other.fingerprint(), other.command(buyer, minted));
        }
        let envelope = Envelope {
            id,
            actor: Actor::Buyer(buyer),
            fingerprint,
            command,
        };
        self.post(envelope, Client::Fan { fan, call });
    }

    pub(super) fn post(&mut self, envelope: Envelope, client: Client) {
        let process = self.someone();
        if !self.lost() {
            let (way, envelope) = (self.way(), Box::new(envelope));
            self.after(
                way,
                Event::Arrive {
                    process,
                    envelope,
                    client,
                },
            );
        }
    }

    pub(super) fn hear(&mut self, client: Client, answer: Result<Outcome, Refusal>) {
        match client {
            Client::Nobody => {}
            Client::Provider { event } => match answer {
                Ok(_) => self.told[event].heard = true,
                Err(Refusal::NotFound | Refusal::Busy { .. }) => {}
                Err(other) => panic!("money was refused: {other:?}"),
            },
            Client::Fan { fan, call } => {
                let at = &mut self.fans[fan].calls[call];
                if matches!(answer, Err(Refusal::Busy { .. })) {
                    return;
                }
                let first = !std::mem::replace(&mut at.answered, true);
                if let Ok(outcome) = answer {
                    if let Some(before) = &at.outcome {
                        assert_eq!(*before, outcome, "asked twice, answered twice the same");
                        return;
                    }
                    at.outcome = Some(outcome.clone());
                    if let Outcome::Order(order) = outcome {
                        self.learn(fan, order);
                    }
                }
                if first {
                    let later = Span(self.random.between(50, 40_000) as i64);
                    self.after(later, Event::Fan(fan));
                }
            }
        }
    }

    pub(super) fn learn(&mut self, fan: usize, order: OrderSummary) {
        if order.state == OrderState::Paying {
            self.go_to_provider(&order);
        }
        self.fans[fan].order = Some(order);
    }

    pub(super) fn go_to_provider(&mut self, order: &OrderSummary) {
        let attempt = order.attempt.expect("who pays is at an attempt");
        let soon = self.random.between(500, 50_000);
        // After the deadline and all its extensions.
        let late = self.random.between(60_000, 900_000);
        match self.random.below(100) {
            0..55 => self.capture(order, order.total, soon),
            55..70 => self.capture(order, order.total, late),
            70..73 => self.capture(order, Minor(order.total.0 - 1), soon),
            73..78 => {
                self.capture(order, order.total, soon);
                self.capture(order, order.total, late);
            }
            78..92 => {
                let kind = Told::Declined(attempt);
                self.report(order.order, kind, soon);
            }
            _ => {}
        }
    }

    pub(super) fn capture(&mut self, order: &OrderSummary, amount: Minor, after: u64) {
        let payment = Captured {
            provider: "model".into(),
            payment_id: format!("p{}", self.captured.len()),
            amount,
            currency: Currency::EUR,
        };
        let name = format!("model:{}", payment.payment_id);
        self.captured.insert(name, order.order);
        let attempt = order.attempt.expect("who pays is at an attempt");
        self.report(order.order, Told::Paid(attempt, payment), after);
    }

    /// Told several times, in no order.
    pub(super) fn report(&mut self, order: OrderId, kind: Told, after: u64) {
        self.told.push(ProviderEvent {
            order,
            kind,
            heard: false,
        });
        let event = self.told.len() - 1;
        for _ in 0..self.random.between(1, 3) {
            let more = self.random.below(20_000);
            self.after(Span((after + more) as i64), Event::Tell { event });
        }
    }

    pub(super) fn tell(&mut self, event: usize) {
        let (order, kind) = (self.told[event].order, self.told[event].kind.clone());
        let id = CommandId(u128::from(hash(&event.to_le_bytes())));
        let command = match kind {
            Told::Paid(attempt, payment) => {
                let row = self.store.orders.get(&order);
                let ended = row.map(|row| row.summary.clone());
                Command::Settle {
                    order,
                    attempt,
                    payment,
                    ended: ended.filter(|order| !order.state.has_seats()),
                }
            }
            Told::Declined(attempt) => Command::Decline { order, attempt },
        };
        let envelope = Envelope {
            id,
            actor: Actor::System,
            fingerprint: 0,
            command,
        };
        self.post(envelope, Client::Provider { event });
        if !self.told[event].heard {
            let again = Span(self.random.between(5_000, 30_000) as i64);
            self.after(again, Event::Tell { event });
        }
    }

    /// Holds of processes that died, and paying orders whose provider said nothing.
    pub(super) fn sweep(&mut self) {
        self.after(SWEEP_EVERY, Event::Sweep);
        let mut over = Vec::new();
        for (id, row) in &self.store.orders {
            let order = &row.summary;
            match order.state {
                OrderState::Held if order.deadline <= self.now => over.push((*id, None)),
                OrderState::Paying if order.deadline <= self.now => over.push((*id, order.attempt)),
                _ => {}
            }
        }
        for (order, attempt) in over {
            // The provider's session is not always known to be over.
            let known = self.random.permille(400);
            let attempt = attempt.filter(|_| known);
            let envelope = self.envelope(Actor::System, Command::Expire { order, attempt });
            self.post(envelope, Client::Nobody);
        }
    }

    pub(super) fn staff_acts(&mut self) {
        let next = Span(self.random.between(5_000, 40_000) as i64);
        self.after(next, Event::Staff);
        let blocked = self.store.claims.iter();
        let blocked = blocked.filter(|(_, holder)| **holder == crate::sim::store::Holder::House);
        let blocked: Vec<SeatIx> = blocked.map(|(seat, _)| *seat).collect();
        let command = if !self.faulty && self.store.settings.paused {
            Command::Configure(Settings {
                paused: false,
                ..self.store.settings.clone()
            })
        } else if !self.faulty {
            return;
        } else if self.random.permille(150) || self.store.settings.paused {
            let paused = !self.store.settings.paused;
            Command::Configure(Settings {
                paused,
                ..self.store.settings.clone()
            })
        } else if !blocked.is_empty() && self.random.permille(600) {
            Command::Unblock {
                seats: vec![self.random.pick(&blocked)],
            }
        } else {
            Command::Block {
                seats: vec![SeatIx(self.random.below(u64::from(self.seats)) as u32)],
                reason: "sound desk".into(),
            }
        };
        let envelope = self.envelope(Actor::Staff(StaffId(1)), command);
        self.post(envelope, Client::Nobody);
    }
}
