//! Asking the desk.

use std::rc::Rc;

use domain::refusal::Refusal;
use domain::wire::view::{BestWanted, HoldRequest};
use leptos::prelude::*;

use super::Session;
use crate::api::ApiError;
use crate::api::orders::hold;
use crate::cart::{best_request, fresh_command_id};
use crate::i18n::messages as m;

impl Session {
    /// Holds what is chosen, else what is suggested. A second click while the desk is asked does
    /// nothing; after a lost answer the same wish goes under the same name.
    pub(super) fn hold(self: &Rc<Self>) {
        let state = self.state;
        if state.holding.get_untracked() || self.is_held.get() {
            return;
        }
        let Some(request) = self.wish() else { return };
        state.holding.set(true);
        state.notice.set(None);
        let id = self.names.borrow_mut().name(&request, fresh_command_id);
        // The answer must find somebody even when the page has been left meanwhile.
        let session = self.clone();
        leptos::task::spawn_local(async move {
            let mut answer = hold(id, request.clone()).await;
            // The first command of a new buyer is answered with who they are from now on.
            if matches!(answer, Err(ApiError::Refusal(Refusal::NoSession))) {
                answer = hold(id, request).await;
            }
            session.state.holding.try_set(false);
            match answer {
                Ok(order) => {
                    session.names.borrow_mut().answered();
                    session.is_held.set(true);
                    (session.navigate)(&format!("/orders/{}", order.id));
                }
                Err(error) => session.refused(error),
            }
        });
    }

    fn wish(&self) -> Option<HoldRequest> {
        let state = self.state;
        let show = self.page.card.id;
        let cart = state.cart.get_untracked();
        if !cart.is_empty() {
            return Some(cart.request(show));
        }
        if !self.page.choose_seats {
            let best = BestWanted {
                count: state.wanted.get_untracked(),
                tier: state.only.get_untracked(),
            };
            return Some(best_request(show, best));
        }
        let suggestion = state.suggestion.get_untracked()?;
        // From now on they are chosen: a refusal leaves them in the tray.
        state
            .cart
            .update(|cart| cart.take(&suggestion.seats, self.page.per_order_max));
        Some(state.cart.read_untracked().request(show))
    }

    fn refused(&self, error: ApiError) {
        match error {
            ApiError::Refusal(Refusal::SeatsTaken { seats }) => {
                self.names.borrow_mut().answered();
                self.conflict(&seats);
            }
            ApiError::Refusal(refusal) => {
                self.names.borrow_mut().answered();
                self.tell(self.t.refusal(refusal.code()).to_owned());
            }
            // Whether it was held is not known: the name stays for the next try.
            ApiError::Unreachable => self.tell(self.t.say(m::ERROR_UNREACHABLE_TEXT).to_owned()),
            #[cfg(feature = "ssr")]
            ApiError::Misread { .. } => unreachable!("the edge made a refusal of it"),
            ApiError::Fault { reference } => {
                let reference = self
                    .t
                    .fill(m::ERROR_REFERENCE, &[("reference", &reference)]);
                self.tell(format!("{} {reference}", self.t.say(m::ERROR_FAULT_TEXT)));
            }
        }
    }
}
