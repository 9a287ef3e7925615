//! Choosing: what a tap, a key, a suggestion or somebody else's purchase does to the cart.

use domain::ids::SeatIx;
use domain::money::Minor;
use domain::wire::snapshot::SeatState;
use leptos::prelude::*;

use super::super::state::{HoverCard, Notice as NoticeText, SeatInWords, Suggestion};
use super::super::words;
use super::Session;
use crate::cart::Toggled;
use crate::i18n::messages as m;
use crate::seat_map::camera::Px;
use crate::seat_map::frame::{Marks, Notice};
use crate::seat_map::near;
use crate::seat_map::scene::Filter;

impl Session {
    /// What people did on the map.
    pub(super) fn heard(&self, notice: Notice) {
        match notice {
            Notice::Toggle(seat) => self.toggle(seat),
            Notice::Over(over) => {
                self.over.set(over);
                self.show_card();
            }
            Notice::Focused(seat) => {
                let said = self.t.fill(
                    m::MAP_SAID_FOCUS,
                    &[
                        ("seat", &self.seat_words(seat)),
                        ("price", &self.money(self.price(seat))),
                        ("state", self.state_words(seat)),
                    ],
                );
                self.state.spoken.set(said);
            }
            Notice::Zoom { whole, nearest } => self.state.zoom.set((whole, nearest)),
        }
    }

    fn toggle(&self, seat: SeatIx) {
        if !self.page.choose_seats {
            self.tell(self.t.refusal("choosing_not_allowed").to_owned());
            return;
        }
        let chosen = self.state.cart.read_untracked().has(seat);
        let standing = self.state_of(seat);
        if !chosen && standing != SeatState::Free {
            let message = if standing == SeatState::Held {
                m::MAP_HELD_SEAT
            } else {
                m::MAP_GONE_SEAT
            };
            self.tell(self.t.fill(message, &[("seat", &self.seat_words(seat))]));
            return;
        }
        let mut toggled = Toggled::Full;
        self.state
            .cart
            .update(|cart| toggled = cart.toggle(seat, self.page.per_order_max));
        let message = match toggled {
            Toggled::Full => {
                let max = self.page.per_order_max.to_string();
                self.tell(self.t.fill(m::MAP_FULL, &[("n", &max)]));
                return;
            }
            Toggled::Added => m::MAP_SAID_ADDED,
            Toggled::Removed => m::MAP_SAID_REMOVED,
        };
        self.state.notice.set(None);
        self.state.gone.set(vec![]);
        self.show_card();
        let (count, total) = self.sum();
        let words = self.seat_words(seat);
        let values = [
            ("seat", words.as_str()),
            ("price", &self.money(self.price(seat))),
            ("n", &count.to_string()),
            ("total", &self.money(total)),
        ];
        self.state.spoken.set(self.t.fill(message, &values));
    }

    /// Says what went wrong, once, to eyes and ears.
    pub(super) fn tell(&self, text: String) {
        self.state.notice.set(Some(NoticeText {
            text,
            instead: None,
        }));
    }

    /// The cart in words, and forgets nothing that is still chosen.
    pub(super) fn say_chosen(&self) {
        let cart = self.state.cart.get_untracked();
        let house = self.house.borrow();
        let Some(house) = &*house else { return };
        let in_words = |&seat: &SeatIx| {
            let tier = house.tiers.get(seat.at()).copied()?;
            Some(SeatInWords {
                seat,
                words: words::seat(self.t, &house.map, seat),
                tier,
                price: words::price(&self.page, tier),
            })
        };
        self.state
            .chosen
            .set(cart.seats().iter().filter_map(in_words).collect());
    }

    /// Keeps the suggestion while its seats are free; picks anew at once when one goes.
    pub(super) fn suggest(&self) {
        let state = self.state;
        let (count, only) = (state.wanted.get_untracked(), state.only.get_untracked());
        let house = self.house.borrow();
        let Some(house) = &*house else { return };
        if !self.page.choose_seats || !state.cart.read_untracked().is_empty() {
            state.suggestion.set(None);
            return;
        }
        let passed = self.passed.borrow();
        let found = self.live.with(|snapshot| {
            let free =
                |seat: SeatIx| snapshot.get(seat) == SeatState::Free && !passed.contains(&seat);
            let kept = state.suggestion.get_untracked().filter(|suggestion| {
                suggestion.seats.len() == usize::from(count)
                    && suggestion.seats.iter().all(|&seat| free(seat))
                    && only.is_none_or(|only| {
                        suggestion
                            .seats
                            .iter()
                            .all(|seat| house.tiers[seat.at()] == only)
                    })
            });
            kept.map(|kept| kept.seats).or_else(|| {
                house
                    .picker
                    .best(&house.map, &house.tiers, free, count, only)
            })
        });
        let suggestion = found.flatten().map(|seats| {
            let total = Minor(
                seats
                    .iter()
                    .map(|seat| words::price(&self.page, house.tiers[seat.at()]).0)
                    .sum(),
            );
            Suggestion {
                words: words::seats(self.t, &house.map, &seats),
                total,
                seats,
            }
        });
        if state
            .suggestion
            .with_untracked(|known| *known != suggestion)
        {
            state.suggestion.set(suggestion);
        }
    }

    /// Another suggestion; from the beginning again when there is none further.
    pub(super) fn pass_over(&self) {
        let Some(suggestion) = self.state.suggestion.get_untracked() else {
            return;
        };
        self.passed.borrow_mut().extend(&suggestion.seats);
        self.suggest();
        if self.state.suggestion.read_untracked().is_none() {
            self.passed.borrow_mut().clear();
            self.suggest();
        }
        if let Some(suggestion) = self.state.suggestion.get_untracked() {
            self.with_view(|view| view.show(&suggestion.seats));
        }
    }

    pub(super) fn take(&self, seats: &[SeatIx]) {
        self.state.notice.set(None);
        self.state.gone.set(vec![]);
        self.state
            .cart
            .update(|cart| cart.take(seats, self.page.per_order_max));
        self.with_view(|view| view.show(seats));
    }

    pub(super) fn mark(&self) {
        let state = self.state;
        let suggestion = state.suggestion.get_untracked();
        let marks = Marks {
            chosen: state.cart.read_untracked().seats().to_vec(),
            suggested: suggestion
                .map(|suggestion| suggestion.seats)
                .unwrap_or_default(),
            gone: state.gone.get_untracked(),
            filter: state
                .only
                .get_untracked()
                .map_or(Filter::EVERYTHING, Filter::only),
        };
        self.with_view(|view| view.mark(marks));
    }

    /// Chosen seats that somebody else got meanwhile leave the cart, in one sentence.
    pub(super) fn drop_what_went(&self, changed: &[(SeatIx, SeatState)]) {
        // While the desk is asked, its answer decides.
        if self.is_held.get() || self.state.holding.get_untracked() {
            return;
        }
        let cart = self.state.cart.get_untracked();
        let went = changed
            .iter()
            .filter(|(seat, state)| *state != SeatState::Free && cart.has(*seat));
        let went: Vec<SeatIx> = went.map(|(seat, _)| *seat).collect();
        if !went.is_empty() {
            self.conflict(&went);
        }
    }

    /// These seats are somebody else's: marked, given up, named, with the nearest equal ones.
    pub(super) fn conflict(&self, went: &[SeatIx]) {
        let state = self.state;
        state.cart.update(|cart| {
            cart.drop_seats(went);
        });
        state.gone.set(went.to_vec());
        let house = self.house.borrow();
        let Some(house) = &*house else { return };
        let names = words::seats(self.t, &house.map, went);
        let message = if went.len() == 1 {
            m::MAP_CONFLICT_ONE
        } else {
            m::MAP_CONFLICT_MANY
        };
        let cart = state.cart.get_untracked();
        let instead = house.view.with_scene(|scene, snapshot| {
            let free = |seat: SeatIx| {
                snapshot.get(seat) == SeatState::Free && !cart.has(seat) && !went.contains(&seat)
            };
            near::like(scene, went, free)
        });
        let instead = instead.map(|seats| {
            let words = words::seats(self.t, &house.map, &seats);
            (seats, words)
        });
        let text = if message == m::MAP_CONFLICT_ONE {
            self.t.fill(message, &[("seats", &names)])
        } else {
            self.t.fill(
                message,
                &[("n", &went.len().to_string()), ("seats", &names)],
            )
        };
        state.notice.set(Some(NoticeText { text, instead }));
    }

    /// The card of the seat under the pointer, as it stands now.
    pub(super) fn show_card(&self) {
        let over = self.over.get();
        self.state
            .card
            .set(over.and_then(|(seat, at)| self.card(seat, at)));
    }

    fn card(&self, seat: SeatIx, at: Px) -> Option<HoverCard> {
        Some(HoverCard {
            x: at.x,
            y: at.y,
            words: self.seat_words(seat),
            price: self.money(self.price(seat)),
            state: self.state_words(seat),
        })
    }

    fn seat_words(&self, seat: SeatIx) -> String {
        self.house
            .borrow()
            .as_ref()
            .map_or_else(String::new, |house| words::seat(self.t, &house.map, seat))
    }

    fn price(&self, seat: SeatIx) -> Minor {
        let tier = self
            .house
            .borrow()
            .as_ref()
            .and_then(|house| house.tiers.get(seat.at()).copied());
        tier.map_or(Minor(0), |tier| words::price(&self.page, tier))
    }

    fn state_of(&self, seat: SeatIx) -> SeatState {
        self.live
            .with(|snapshot| snapshot.get(seat))
            .unwrap_or(SeatState::Blocked)
    }

    fn state_words(&self, seat: SeatIx) -> &'static str {
        let message = if self.state.cart.read_untracked().has(seat) {
            m::MAP_STATE_CHOSEN
        } else {
            match self.state_of(seat) {
                SeatState::Free => m::MAP_STATE_FREE,
                SeatState::Held => m::MAP_STATE_HELD,
                SeatState::Sold | SeatState::Blocked => m::MAP_STATE_TAKEN,
            }
        };
        self.t.say(message)
    }

    pub(super) fn money(&self, amount: Minor) -> String {
        self.t.money(amount, self.page.currency)
    }

    /// Places in the cart and what they cost.
    fn sum(&self) -> (u32, Minor) {
        let cart = self.state.cart.get_untracked();
        let seats: i64 = cart.seats().iter().map(|&seat| self.price(seat).0).sum();
        let areas: i64 = cart
            .areas()
            .iter()
            .map(|&(area, count)| {
                let tier = self.page.area_tiers.get(area.at()).copied();
                tier.map_or(0, |tier| words::price(&self.page, tier).0) * i64::from(count)
            })
            .sum();
        (cart.places(), Minor(seats + areas))
    }
}
