//! What the house does: keeps seats back, gives them free, changes the rules of the sale.

use super::change::Change;
use super::command::Outcome;
use super::decide::Verdict;
use super::settings::{Settings, TIERS_MAX};
use super::{Board, Claim};
use crate::ids::SeatIx;
use crate::refusal::Refusal;
use crate::time::Millis;

/// Seats of one block or unblock.
const SEATS_PER_BLOCK_MAX: usize = 5_000;

impl Board {
    pub(super) fn block(
        &self,
        seats: &[SeatIx],
        reason: &str,
        now: Millis,
    ) -> Result<Verdict, Refusal> {
        self.check_house_list(seats)?;
        let wanted = self.find_chosen(seats, &[], now)?;
        let mut changes = self.expire_at_use(&wanted, now);
        changes.push(Change::Blocked {
            seats: seats.to_vec(),
            reason: reason.to_owned(),
        });
        Ok(Verdict {
            changes,
            outcome: Outcome::Done,
        })
    }

    pub(super) fn unblock(&self, seats: &[SeatIx]) -> Result<Verdict, Refusal> {
        self.check_house_list(seats)?;
        if let Some(seat) = seats
            .iter()
            .find(|seat| self.claims[seat.at()] != Claim::Blocked)
        {
            return Err(Refusal::SeatNotHere { seat: *seat });
        }
        let change = Change::Unblocked {
            seats: seats.to_vec(),
        };
        Ok(Verdict::one(change, Outcome::Done))
    }

    /// Every place keeps a tier with a price.
    pub(super) fn configure(&self, settings: &Settings) -> Result<Verdict, Refusal> {
        let tiers = settings.tiers.len();
        let used = self
            .plan
            .seat_tiers
            .iter()
            .chain(self.plan.area_tiers.iter());
        if tiers > TIERS_MAX
            || used
                .map(|tier| tier.at())
                .max()
                .is_some_and(|max| max >= tiers)
        {
            return Err(Refusal::BadField {
                field: "tiers".into(),
                detail: "one tier for every tier of the plan, at most 32".into(),
            });
        }
        // Prices, fees and orders are in the currency of the first settings; orders keep no other.
        let begun = !self.settings.tiers.is_empty();
        if begun && settings.currency != self.settings.currency {
            return Err(Refusal::BadField {
                field: "currency".into(),
                detail: "stays what it was when the show was made".into(),
            });
        }
        let change = Change::Configured(settings.clone());
        Ok(Verdict::one(change, Outcome::Done))
    }

    fn check_house_list(&self, seats: &[SeatIx]) -> Result<(), Refusal> {
        match self.check_chosen(seats, &[])? {
            0 => Err(Refusal::EmptySelection),
            n if n > SEATS_PER_BLOCK_MAX => Err(Refusal::LimitPerOrder {
                max: SEATS_PER_BLOCK_MAX as u32,
            }),
            _ => Ok(()),
        }
    }
}
