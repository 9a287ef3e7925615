//! Processes: what their desks ask, and what Postgres answers.

use super::*;

impl World {
    pub(super) fn begin(&mut self, process: usize) {
        self.read_again(process);
        let life = self.processes[process].life;
        self.after(Span(100), Event::Wake { process, life });
    }

    /// A reader that asks for the snapshot.
    pub(super) fn read_again(&mut self, process: usize) {
        let board = self.processes[process].desk.board();
        let states = (0..self.seats).map(|seat| board.seat_state(SeatIx(seat)));
        self.readers[process] = (board.seq(), states.collect());
    }

    pub(super) fn wake(&mut self, process: usize) {
        let life = self.processes[process].life;
        let pause = Span(self.random.between(200, 400) as i64);
        self.after(pause, Event::Wake { process, life });
        if !matches!(self.processes[process].busy, Busy::Idle) {
            return;
        }
        let now = self.clock(process);
        let due = self.processes[process]
            .desk
            .board()
            .due(now, EXPIRIES_PER_BATCH_MAX);
        if due.is_empty() {
            self.processes[process].busy = Busy::Following;
            return self.ask(process, Ask::Follow);
        }
        let mut commands = Vec::new();
        for order in due {
            let envelope = self.envelope(
                Actor::System,
                Command::Expire {
                    order,
                    attempt: None,
                },
            );
            let token = self.processes[process].token(Client::Nobody);
            commands.push((token, envelope));
        }
        self.drive(process, commands, 0);
    }

    pub(super) fn envelope(&mut self, actor: Actor, command: Command) -> Envelope {
        Envelope {
            id: CommandId(u128::from(self.random.next()) << 64 | u128::from(self.random.next())),
            actor,
            fingerprint: 0,
            command,
        }
    }

    /// Whatever waits next: a half of a doubtful batch, or the backlog.
    pub(super) fn go_on(&mut self, process: usize) {
        let at = &mut self.processes[process];
        if !matches!(at.busy, Busy::Idle) {
            return;
        }
        if let Some((commands, tries)) = at.work.pop() {
            return self.drive(process, commands, tries);
        }
        let mut commands = Vec::new();
        while commands.len() < BATCH_COMMANDS_MAX {
            let Some((envelope, client)) = at.inbox.pop_front() else {
                break;
            };
            commands.push((at.token(client), envelope));
        }
        if !commands.is_empty() {
            self.drive(process, commands, 0);
        }
    }

    pub(super) fn drive(&mut self, process: usize, commands: Commands, tries: u32) {
        self.processes[process].tries = tries;
        self.processes[process].busy = Busy::Driving;
        self.step(process, Input::Commands(commands));
    }

    pub(super) fn step(&mut self, process: usize, input: Input) {
        let now = self.clock(process);
        match self.processes[process].desk.step(input, now) {
            Output::LookUp(keys) => {
                self.tally.looked_up += 1;
                self.ask(process, Ask::LookUp(keys));
            }
            Output::Write(batch) => self.ask(process, Ask::Write(Box::new(batch))),
            Output::Confirm => self.ask(process, Ask::Confirm),
            Output::Done(done) => self.finish(process, done),
        }
    }

    pub(super) fn ask(&mut self, process: usize, ask: Ask) {
        let at = &mut self.processes[process];
        at.question += 1;
        let (life, question) = (at.life, at.question);
        if !self.lost() {
            let (way, lost) = (self.way(), self.lost());
            self.after(
                way,
                Event::Execute {
                    process,
                    life,
                    question,
                    ask,
                    lost,
                },
            );
        }
        self.after(
            STATEMENT_TIMEOUT,
            Event::Answer {
                process,
                life,
                question,
                answer: Answer::Doubt,
            },
        );
    }

    /// At Postgres. A statement runs whether or not anybody still waits for it.
    pub(super) fn execute(
        &mut self,
        process: usize,
        life: u32,
        question: u32,
        ask: Ask,
        lost: bool,
    ) {
        let at = &self.processes[process];
        let awaited = at.alive && at.life == life && at.question == question;
        let answer = match ask {
            Ask::LookUp(keys) => Answer::LookedUp(self.store.known(&keys)),
            Ask::Confirm => self.confirm(process),
            Ask::Load(keys) => Answer::Loaded(
                Box::new(self.store.load()),
                self.store.keys(),
                self.store.known(&keys),
            ),
            Ask::Follow if !awaited => return,
            Ask::Follow => {
                let seq = self.processes[process].desk.board().seq();
                Answer::Log(self.store.deltas_after(seq))
            }
            Ask::Write(batch) => {
                let written = self
                    .store
                    .commit(&batch)
                    .unwrap_or_else(|guard| panic!("a guard of the database was met: {}", guard.0));
                match written {
                    Written::Done => {
                        self.tally.zombies += u64::from(!awaited);
                        self.note(&batch.delta.changes, &batch.outcomes);
                        Answer::Done
                    }
                    Written::Known(stored) => Answer::Known(stored),
                    Written::Behind(deltas) => Answer::Behind(deltas),
                }
            }
        };
        if !lost {
            let way = self.way();
            self.after(
                way,
                Event::Answer {
                    process,
                    life,
                    question,
                    answer,
                },
            );
        }
    }

    pub(super) fn confirm(&self, process: usize) -> Answer {
        let seq = self.processes[process].desk.board().seq();
        if seq == self.store.seq() {
            Answer::Confirmed
        } else if seq < self.store.seq() {
            Answer::Behind(self.store.deltas_after(seq))
        } else {
            // A new life reads what an old one asked: nobody waits for it.
            Answer::Doubt
        }
    }

    pub(super) fn answered(&mut self, process: usize, answer: Answer) {
        // Nothing that comes later belongs to this question.
        self.processes[process].question += 1;
        let busy = std::mem::replace(&mut self.processes[process].busy, Busy::Driving);
        match (busy, answer) {
            (Busy::Driving, Answer::LookedUp(stored)) => {
                self.step(process, Input::LookedUp(stored))
            }
            (Busy::Driving, Answer::Done) => self.step(process, Input::Committed),
            (Busy::Driving, Answer::Known(stored)) => {
                self.tally.known += 1;
                self.step(process, Input::Known(stored));
            }
            (Busy::Driving, Answer::Behind(deltas)) => {
                self.tally.overtaken += 1;
                self.step(process, Input::Behind(deltas));
            }
            (Busy::Driving, Answer::Confirmed) => {
                self.tally.confirmed += 1;
                self.step(process, Input::Confirmed);
            }
            (Busy::Driving, Answer::Doubt) => {
                self.tally.doubts += 1;
                let back = self.processes[process].desk.doubt();
                let tries = self.processes[process].tries;
                self.load(process, back, tries);
            }
            (Busy::Loading(back, tries), Answer::Loaded(board, known, stored)) => {
                let now = self.clock(process);
                let at = &mut self.processes[process];
                at.desk.reload(*board, known, stored, now);
                if back.len() > 1 {
                    let (first, second) = back.split_at(back.len() / 2);
                    at.work.push((second.to_vec(), tries));
                    at.work.push((first.to_vec(), tries));
                } else if tries + 1 < TRIES_MAX {
                    at.work.push((back, tries + 1));
                } else {
                    // It fails alone: whoever asked hears of a fault, and asks again.
                    for (token, _) in back {
                        at.client_of(token);
                    }
                }
                self.read_again(process);
                self.idle(process);
            }
            (Busy::Loading(back, tries), _) => self.load(process, back, tries),
            (Busy::Following, Answer::Log(deltas)) => {
                let now = self.clock(process);
                let frames = self.processes[process].desk.catch_up(&deltas, now);
                self.publish(process, frames);
                self.idle(process);
            }
            (Busy::Following, _) => self.idle(process),
            (Busy::Driving | Busy::Idle, _) => unreachable!("one question, one answer"),
        }
    }

    pub(super) fn load(&mut self, process: usize, back: Commands, tries: u32) {
        let keys = back.iter().map(|(_, envelope)| envelope.key()).collect();
        self.processes[process].busy = Busy::Loading(back, tries);
        self.ask(process, Ask::Load(keys));
    }

    pub(super) fn idle(&mut self, process: usize) {
        self.processes[process].busy = Busy::Idle;
        self.go_on(process);
    }

    pub(super) fn finish(&mut self, process: usize, done: Done) {
        self.publish(process, done.frames);
        for (token, answer) in done.replies {
            let Some(client) = self.processes[process].client_of(token) else {
                continue;
            };
            self.check_answer(client, &answer);
            if !self.lost() {
                let way = self.way();
                self.after(way, Event::Hear { client, answer });
            }
        }
        self.idle(process);
    }
}
