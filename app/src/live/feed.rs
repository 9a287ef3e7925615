//! The client's side of a show's channel as a state machine: events in, effects out. The clock
//! and the dice are arguments, so that everything here is tested without a browser.
//!
//! A feed holds one snapshot. It moves only forward within an epoch: by frames that continue
//! it, or by a fetched snapshot that stands later. Frames that arrive while a snapshot is being
//! fetched are merged into one and applied on top. In doubt it fetches.

use domain::ids::Seq;
use domain::wire::frame::Frame;
use domain::wire::snapshot::{Applied, Epoch, Position, Snapshot};

mod words;

pub use words::{Effect, Event, LiveStatus};

/// Silence after which a stream counts as dead; the server says something every 12 s.
pub const SILENCE_MAX_MS: f64 = 30_000.0;
/// The same when the page comes back into view: a stream that lives has been heard since.
pub const SILENCE_IN_VIEW_MAX_MS: f64 = 15_000.0;
/// First and longest wait before trying again; doubled each time, less a random half.
pub const RETRY_MIN_MS: f64 = 1_000.0;
pub const RETRY_MAX_MS: f64 = 30_000.0;
/// Fetches in a row that did not reach what the stream spoke of, before the stream is doubted.
const MISSES_MAX: u32 = 4;
/// Longest wait that a server may ask for before a fetch.
const FETCH_WITHIN_MAX_MS: u32 = 10_000;

/// See the module. Begins with nothing; [`Event::Start`] sets it going.
#[derive(Debug, Default)]
pub struct Feed {
    house: Option<(Epoch, Snapshot)>,
    /// Heard while a snapshot is fetched, or before the first one.
    pending: Option<(Epoch, Frame)>,
    /// A fetch is under way or waits for its turn.
    fetching: bool,
    /// The snapshot must stand here at least; the fetch under way may have asked for less.
    min: Option<Seq>,
    asked: Option<Seq>,
    link: Link,
    status: LiveStatus,
    heard_ms: f64,
    /// Tries that failed since the last success: of the stream, of the fetch.
    cuts: u32,
    misses: u32,
    /// Number of the newest wait; older ones are void.
    wait: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Link {
    /// Not wanted: not started, or the page is away.
    #[default]
    Closed,
    Opening,
    Open,
    /// Broken; a wait is on, or another tab is at it.
    Broken,
    /// No network.
    Offline,
}

impl Feed {
    /// The house as far as it is known.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        self.house.as_ref().map(|(_, snapshot)| snapshot)
    }

    pub fn position(&self) -> Option<Position> {
        let (epoch, snapshot) = self.house.as_ref()?;
        Some(Position {
            epoch: *epoch,
            seq: snapshot.seq,
        })
    }

    pub fn status(&self) -> LiveStatus {
        self.status
    }

    /// Takes an event. `now_ms` never goes back; `dice` is random in `0.0..1.0`.
    pub fn step(&mut self, event: Event, now_ms: f64, dice: f64) -> Vec<Effect> {
        let mut effects = Vec::new();
        match event {
            Event::Start | Event::Online if self.is_down() => self.begin(now_ms, &mut effects),
            Event::InView if self.link == Link::Closed => self.begin(now_ms, &mut effects),
            Event::InView => self.check(SILENCE_IN_VIEW_MAX_MS, now_ms, &mut effects),
            Event::Tick => self.check(SILENCE_MAX_MS, now_ms, &mut effects),
            Event::Elected if !self.is_down() => self.connect(now_ms, &mut effects),
            Event::Away => self.close(Link::Closed, &mut effects),
            Event::Offline if self.link != Link::Closed => self.close(Link::Offline, &mut effects),
            Event::Fetched(answer) => self.fetched(answer, now_ms, dice, &mut effects),
            // What a stream said before it was closed may still come in, and counts for nothing.
            _ if self.is_down() => {}
            Event::Cut => self.cut(dice, &mut effects),
            Event::Lost => self.link = Link::Broken,
            Event::Waited(number) if number == self.wait && self.link == Link::Broken => {
                self.connect(now_ms, &mut effects);
            }
            Event::Opened { at } => self.opened(at, now_ms, &mut effects),
            Event::Frame { to, frame } => {
                self.heard(now_ms);
                self.frame(to.epoch, frame, &mut effects);
            }
            Event::Resync(resync) => {
                self.heard(now_ms);
                // What was heard before may belong to another history.
                self.pending = None;
                let within = resync.within_ms.min(FETCH_WITHIN_MAX_MS);
                self.want(
                    Some(resync.min),
                    (f64::from(within) * dice) as u32,
                    &mut effects,
                );
            }
            Event::Beat => self.heard(now_ms),
            Event::Garbage => self.want(self.min, 0, &mut effects),
            Event::Start | Event::Online | Event::Offline | Event::Elected | Event::Waited(_) => {}
        }
        self.tell(&mut effects);
        effects
    }

    fn is_down(&self) -> bool {
        matches!(self.link, Link::Closed | Link::Offline)
    }

    /// The stream continues a house that is known, so the first snapshot comes before it.
    fn begin(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        self.cuts = 0;
        if self.house.is_some() {
            self.connect(now_ms, effects);
        } else {
            self.link = Link::Opening;
            self.heard_ms = now_ms;
            self.want(None, 0, effects);
        }
    }

    fn connect(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        let after = self.open_anew(now_ms);
        effects.push(Effect::Connect { after });
    }

    /// What an earlier stream said beyond the house, or wanted, is void: the new one says it
    /// again.
    fn open_anew(&mut self, now_ms: f64) -> Option<Position> {
        self.link = Link::Opening;
        self.heard_ms = now_ms;
        self.pending = None;
        self.min = None;
        self.position()
    }

    fn close(&mut self, link: Link, effects: &mut Vec<Effect>) {
        self.link = link;
        self.pending = None;
        effects.push(Effect::Close);
    }

    fn cut(&mut self, dice: f64, effects: &mut Vec<Effect>) {
        self.link = Link::Broken;
        self.wait = self.wait.wrapping_add(1);
        let delay_ms = back_off_ms(self.cuts, dice);
        self.cuts += 1;
        effects.push(Effect::Wait {
            number: self.wait,
            delay_ms,
        });
    }

    fn check(&mut self, silence_max_ms: f64, now_ms: f64, effects: &mut Vec<Effect>) {
        let expected = matches!(self.link, Link::Opening | Link::Open);
        // A tab that waits for another one to reconnect must not wait for ever either; one that
        // waits by itself has its timer.
        let silent = now_ms - self.heard_ms > silence_max_ms;
        if silent && (expected || self.link == Link::Broken) {
            let after = self.open_anew(now_ms);
            effects.push(Effect::Revive { after });
        }
    }

    fn heard(&mut self, now_ms: f64) {
        self.link = Link::Open;
        self.heard_ms = now_ms;
        self.cuts = 0;
    }

    fn opened(&mut self, at: Position, now_ms: f64, effects: &mut Vec<Effect>) {
        self.heard(now_ms);
        let continues = self
            .position()
            .is_some_and(|mine| mine.epoch == at.epoch && mine.seq >= at.seq);
        if !continues {
            self.want(Some(at.seq), 0, effects);
        }
    }

    fn frame(&mut self, epoch: Epoch, frame: Frame, effects: &mut Vec<Effect>) {
        let from = frame.from;
        if !self.fetching && self.apply(epoch, &frame, effects) {
            return;
        }
        match &mut self.pending {
            Some((other, pending)) if *other == epoch => {
                if pending.merge(frame.clone()).is_err() {
                    *pending = frame;
                }
            }
            pending => *pending = Some((epoch, frame)),
        }
        if !self.fetching {
            self.want(Some(from), 0, effects);
        }
    }

    /// True when the house is at the end of the frame, or was already.
    fn apply(&mut self, epoch: Epoch, frame: &Frame, effects: &mut Vec<Effect>) -> bool {
        let Some((_, house)) = self.house.as_mut().filter(|(mine, _)| *mine == epoch) else {
            return false;
        };
        let changed: Vec<_> = frame
            .seats
            .iter()
            .copied()
            .filter(|&(seat, state)| house.get(seat) != state)
            .collect();
        match house.apply(frame) {
            Ok(Applied::Forward) => effects.push(Effect::Changed(changed)),
            Ok(Applied::Known) => {}
            Err(_) => return false,
        }
        true
    }

    /// A snapshot is needed, at `min` if that is more than what was asked already.
    fn want(&mut self, min: Option<Seq>, delay_ms: u32, effects: &mut Vec<Effect>) {
        self.min = min;
        if !self.fetching {
            self.fetching = true;
            self.asked = min;
            effects.push(Effect::Fetch { min, delay_ms });
        }
    }

    fn fetched(
        &mut self,
        answer: Option<(Epoch, Snapshot)>,
        now_ms: f64,
        dice: f64,
        effects: &mut Vec<Effect>,
    ) {
        self.fetching = false;
        let reached = answer
            .as_ref()
            .is_some_and(|(_, new)| Some(new.seq) >= self.min);
        let asked_for_less = answer.is_some() && self.asked < self.min;
        if let Some((epoch, new)) = answer {
            let first = self.house.is_none();
            self.take(epoch, new, effects);
            if first && self.link == Link::Opening {
                self.connect(now_ms, effects);
            }
        }
        if reached {
            self.misses = 0;
            self.min = None;
            self.catch_up(effects);
        } else if asked_for_less {
            self.want(self.min, 0, effects);
        } else if self.misses >= MISSES_MAX && self.link == Link::Open {
            // Nobody serves what the stream spoke of; a new one tells where the house stands.
            self.misses = 0;
            let after = self.open_anew(now_ms);
            effects.push(Effect::Revive { after });
        } else {
            let delay_ms = back_off_ms(self.misses, dice);
            self.misses += 1;
            self.want(self.min, delay_ms, effects);
        }
    }

    /// Applies what was heard while the snapshot was on its way.
    fn catch_up(&mut self, effects: &mut Vec<Effect>) {
        if let Some((epoch, frame)) = self.pending.take()
            && !self.apply(epoch, &frame, effects)
        {
            let from = frame.from;
            self.pending = Some((epoch, frame));
            self.want(Some(from), 0, effects);
        }
    }

    /// A snapshot that stands behind in the same epoch comes from a cache and is no news.
    fn take(&mut self, epoch: Epoch, new: Snapshot, effects: &mut Vec<Effect>) {
        let changed = match &self.house {
            Some((mine, old)) if *mine == epoch && new.seq <= old.seq => return,
            Some((_, old)) => old.diff(&new),
            None => new.iter().collect(),
        };
        self.house = Some((epoch, new));
        effects.push(Effect::Changed(changed));
    }

    fn tell(&mut self, effects: &mut Vec<Effect>) {
        let status = match self.link {
            Link::Offline => LiveStatus::Offline,
            Link::Broken => LiveStatus::Reconnecting,
            _ if self.cuts > 0 || self.misses > 0 => LiveStatus::Reconnecting,
            _ if self.house.is_none() => LiveStatus::Connecting,
            Link::Open => LiveStatus::Live,
            Link::Opening if self.status == LiveStatus::Offline => LiveStatus::Reconnecting,
            Link::Opening | Link::Closed => self.status,
        };
        if status != self.status {
            self.status = status;
            effects.push(Effect::Status(status));
        }
    }
}

/// Doubled with each failure, up to a maximum; a random half is left out so that clients who
/// failed together do not come back together.
fn back_off_ms(failures: u32, dice: f64) -> u32 {
    let whole = (RETRY_MIN_MS * f64::from(1u32 << failures.min(10))).min(RETRY_MAX_MS);
    (whole * (0.5 + dice / 2.0)) as u32
}

#[cfg(test)]
#[path = "feed_tests.rs"]
mod tests;
