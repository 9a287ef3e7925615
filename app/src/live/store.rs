//! The live house for pages. Signals may be made anywhere, on the server too; the store itself
//! lives in the browser, made inside an effect and never sent anywhere.

use domain::ids::Seq;
use leptos::prelude::*;

use super::feed::LiveStatus;

/// What the page shows of the feed besides seats. Copied freely.
#[derive(Clone, Copy)]
pub struct LiveSignals {
    tier_free: RwSignal<Vec<u32>>,
    seq: RwSignal<Seq>,
    status: RwSignal<LiveStatus>,
}

impl LiveSignals {
    /// `tier_free` is what the server rendered the page with.
    pub fn new(tier_free: Vec<u32>) -> Self {
        Self {
            tier_free: RwSignal::new(tier_free),
            seq: RwSignal::new(Seq(0)),
            status: RwSignal::new(LiveStatus::default()),
        }
    }

    /// Seats and area places still free, by tier.
    pub fn tier_free(&self) -> ReadSignal<Vec<u32>> {
        self.tier_free.read_only()
    }

    /// Where the house stands; 0 until it is known.
    pub fn seq(&self) -> ReadSignal<Seq> {
        self.seq.read_only()
    }

    pub fn status(&self) -> ReadSignal<LiveStatus> {
        self.status.read_only()
    }
}

#[cfg(feature = "hydrate")]
pub use browser::LiveStore;

#[cfg(feature = "hydrate")]
mod browser {
    use std::cell::{Cell, RefCell};
    use std::rc::{Rc, Weak};
    use std::time::Duration;

    use domain::ids::{SeatIx, Seq, ShowId};
    use domain::wire::snapshot::{Epoch, SeatState, Snapshot};
    use leptos::prelude::*;

    use super::LiveSignals;
    use crate::live::feed::{Effect, Event, Feed, LiveStatus};
    use crate::live::source::{self, Source};

    /// How often a feed looks whether its stream is silent for too long.
    const LOOK_EVERY: Duration = Duration::from_secs(5);

    type OnChange = Rc<dyn Fn(&[(SeatIx, SeatState)])>;

    /// The live house of one show. Clones are the same store; it closes its stream when the
    /// last clone is dropped.
    #[derive(Clone)]
    pub struct LiveStore(Rc<Inner>);

    struct Inner {
        show: ShowId,
        feed: RefCell<Feed>,
        source: Source,
        signals: LiveSignals,
        callbacks: RefCell<Vec<OnChange>>,
        look: Cell<Option<IntervalHandle>>,
    }

    impl LiveStore {
        /// Fetches the house and follows it, from within an effect.
        pub fn start(show: ShowId) -> Self {
            Self::start_with(show, LiveSignals::new(Vec::new()))
        }

        /// The same, with signals that a view was built on before.
        pub fn start_with(show: ShowId, signals: LiveSignals) -> Self {
            let inner = Rc::new_cyclic(|weak: &Weak<Inner>| Inner {
                show,
                feed: RefCell::default(),
                source: Source::new(show, sink(weak)),
                signals,
                callbacks: RefCell::default(),
                look: Cell::new(None),
            });
            let tell = sink(&Rc::downgrade(&inner));
            inner
                .look
                .set(set_interval_with_handle(move || tell(Event::Tick), LOOK_EVERY).ok());
            inner.tell(Event::Start);
            Self(inner)
        }

        /// The house as it is now; `None` until the first snapshot is there. Not to be called
        /// from within itself by anything that tells the store something.
        pub fn with<R>(&self, read: impl FnOnce(&Snapshot) -> R) -> Option<R> {
            self.0.feed.borrow().snapshot().map(read)
        }

        /// `callback` hears which seats look different now, ascending, once the store has
        /// them: all seats with the first snapshot. It may read the store.
        pub fn on_change(&self, callback: impl Fn(&[(SeatIx, SeatState)]) + 'static) {
            self.0.callbacks.borrow_mut().push(Rc::new(callback));
        }

        pub fn signals(&self) -> LiveSignals {
            self.0.signals
        }

        pub fn tier_free(&self) -> ReadSignal<Vec<u32>> {
            self.0.signals.tier_free()
        }

        pub fn seq(&self) -> ReadSignal<Seq> {
            self.0.signals.seq()
        }

        pub fn status(&self) -> ReadSignal<LiveStatus> {
            self.0.signals.status()
        }
    }

    /// How the outside tells a store something, as long as there is one.
    fn sink(store: &Weak<Inner>) -> impl Fn(Event) + Clone + 'static {
        let store = store.clone();
        move |event| {
            if let Some(store) = store.upgrade() {
                store.tell(event);
            }
        }
    }

    impl Inner {
        fn tell(self: &Rc<Self>, event: Event) {
            let effects = self
                .feed
                .borrow_mut()
                .step(event, source::now_ms(), source::dice());
            for effect in effects {
                self.carry_out(effect);
            }
        }

        fn carry_out(self: &Rc<Self>, effect: Effect) {
            match effect {
                Effect::Connect { after } => self.source.connect(after),
                Effect::Revive { after } => self.source.revive(after),
                Effect::Close => self.source.close(),
                Effect::Fetch { min, delay_ms } => self.fetch(min, delay_ms),
                Effect::Wait { number, delay_ms } => {
                    let tell = sink(&Rc::downgrade(self));
                    let delay = Duration::from_millis(delay_ms.into());
                    set_timeout(move || tell(Event::Waited(number)), delay);
                }
                Effect::Changed(seats) => self.changed(&seats),
                Effect::Status(status) => {
                    self.signals.status.try_set(status);
                }
            }
        }

        fn fetch(self: &Rc<Self>, min: Option<Seq>, delay_ms: u32) {
            let (show, tell) = (self.show, sink(&Rc::downgrade(self)));
            let fetch = move || {
                leptos::task::spawn_local(async move {
                    tell(Event::Fetched(fetch_snapshot(show, min).await));
                });
            };
            match delay_ms {
                0 => fetch(),
                _ => set_timeout(fetch, Duration::from_millis(delay_ms.into())),
            }
        }

        fn changed(&self, seats: &[(SeatIx, SeatState)]) {
            let known = self
                .feed
                .borrow()
                .snapshot()
                .map(|house| (house.seq, house.tier_free.clone()));
            if let Some((seq, tier_free)) = known {
                self.signals.seq.try_set(seq);
                if self
                    .signals
                    .tier_free
                    .with_untracked(|old| *old != tier_free)
                {
                    self.signals.tier_free.try_set(tier_free);
                }
            }
            // A callback may add callbacks.
            let callbacks = self.callbacks.borrow().clone();
            for callback in callbacks {
                callback(seats);
            }
        }
    }

    impl Drop for Inner {
        fn drop(&mut self) {
            if let Some(look) = self.look.take() {
                look.clear();
            }
            self.source.close();
        }
    }

    /// `None` whatever went wrong: the feed tries again.
    async fn fetch_snapshot(show: ShowId, min: Option<Seq>) -> Option<(Epoch, Snapshot)> {
        let query = min.map(|min| format!("?min={min}")).unwrap_or_default();
        let url = format!("/api/v1/shows/{show}/seats{query}");
        let answer = gloo_net::http::Request::get(&url).send().await.ok()?;
        if !answer.ok() {
            return None;
        }
        Snapshot::decode(&answer.binary().await.ok()?).ok()
    }
}
