//! What the buyer means to buy, before the desk was asked, and the names of the commands that
//! ask. Pure: the page shows it, the server decides.

use domain::ids::{AreaIx, CommandId, SeatIx, ShowId};
use domain::wire::view::{AreaWanted, BestWanted, HoldRequest};

/// Seats and places in areas, at most as many as one order may hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cart {
    seats: Vec<SeatIx>,
    areas: Vec<(AreaIx, u16)>,
}

/// What a tap on a seat did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toggled {
    Added,
    Removed,
    /// The order is full; nothing changed.
    Full,
}

impl Cart {
    /// In the order in which they were chosen.
    pub fn seats(&self) -> &[SeatIx] {
        &self.seats
    }

    pub fn areas(&self) -> &[(AreaIx, u16)] {
        &self.areas
    }

    pub fn in_area(&self, area: AreaIx) -> u16 {
        self.areas
            .iter()
            .find(|(other, _)| *other == area)
            .map_or(0, |(_, count)| *count)
    }

    /// Seats and places together.
    pub fn places(&self) -> u32 {
        self.seats.len() as u32
            + self
                .areas
                .iter()
                .map(|(_, count)| u32::from(*count))
                .sum::<u32>()
    }

    pub fn is_empty(&self) -> bool {
        self.places() == 0
    }

    pub fn has(&self, seat: SeatIx) -> bool {
        self.seats.contains(&seat)
    }

    /// Chooses a seat or gives it back; an order holds `max` places.
    pub fn toggle(&mut self, seat: SeatIx, max: u32) -> Toggled {
        if self.has(seat) {
            self.seats.retain(|other| *other != seat);
            Toggled::Removed
        } else if self.places() >= max {
            Toggled::Full
        } else {
            self.seats.push(seat);
            Toggled::Added
        }
    }

    /// Chooses these as well, as far as they fit.
    pub fn take(&mut self, seats: &[SeatIx], max: u32) {
        for &seat in seats {
            if !self.has(seat) && self.places() < max {
                self.seats.push(seat);
            }
        }
    }

    /// Wants `count` places in an area, or as many as fit.
    pub fn set_area(&mut self, area: AreaIx, count: u16, max: u32) {
        self.areas.retain(|(other, _)| *other != area);
        let room = max.saturating_sub(self.places());
        let count = u32::from(count).min(room) as u16;
        if count > 0 {
            let at = self.areas.partition_point(|(other, _)| *other < area);
            self.areas.insert(at, (area, count));
        }
    }

    /// Gives up what cannot be had any more; answers those that were chosen.
    pub fn drop_seats(&mut self, seats: &[SeatIx]) -> Vec<SeatIx> {
        let (gone, kept) = self.seats.iter().partition(|seat| seats.contains(seat));
        self.seats = kept;
        gone
    }

    /// What to ask the desk for.
    pub fn request(&self, show: ShowId) -> HoldRequest {
        HoldRequest {
            show_id: show,
            seats: self.seats.iter().map(|seat| seat.0).collect(),
            areas: self
                .areas
                .iter()
                .map(|&(area, count)| AreaWanted { area, count })
                .collect(),
            best: None,
        }
    }
}

/// The request of those who leave the choice to the desk.
pub fn best_request(show: ShowId, best: BestWanted) -> HoldRequest {
    HoldRequest {
        show_id: show,
        seats: vec![],
        areas: vec![],
        best: Some(best),
    }
}

/// Names for commands. A name is made before the command is sent and used again while nobody
/// knows what became of it: the same wish twice holds once.
#[derive(Debug, Default)]
pub struct CommandNames {
    open: Option<(HoldRequest, CommandId)>,
}

impl CommandNames {
    /// The name for `request`: that of the last try, while its outcome is unknown and the
    /// request is the same; otherwise a `fresh` one.
    pub fn name(&mut self, request: &HoldRequest, fresh: impl FnOnce() -> CommandId) -> CommandId {
        if let Some((last, id)) = &self.open
            && last == request
        {
            return *id;
        }
        let id = fresh();
        self.open = Some((request.clone(), id));
        id
    }

    /// The desk has answered: the next wish is a new command.
    pub fn answered(&mut self) {
        self.open = None;
    }
}

/// A random name.
#[cfg(feature = "hydrate")]
pub fn fresh_command_id() -> CommandId {
    let mut bytes = [0; 16];
    // Every browser that runs WebAssembly has it, also without a secure origin.
    let filled = web_sys::window()
        .and_then(|window| window.crypto().ok())
        .is_some_and(|crypto| crypto.get_random_values_with_u8_array(&mut bytes).is_ok());
    if !filled {
        for byte in &mut bytes {
            *byte = (js_sys::Math::random() * 256.0) as u8;
        }
    }
    CommandId(u128::from_be_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_and_places_share_one_limit() {
        let mut cart = Cart::default();
        assert_eq!(cart.toggle(SeatIx(7), 4), Toggled::Added);
        cart.set_area(AreaIx(0), 9, 4);
        assert_eq!(cart.in_area(AreaIx(0)), 3);
        assert_eq!(cart.toggle(SeatIx(8), 4), Toggled::Full);
        assert_eq!(cart.toggle(SeatIx(7), 4), Toggled::Removed);
        cart.set_area(AreaIx(0), 0, 4);
        assert!(cart.is_empty());
        cart.take(&[SeatIx(1), SeatIx(2), SeatIx(3)], 2);
        assert_eq!(cart.seats(), [SeatIx(1), SeatIx(2)]);
    }

    #[test]
    fn what_is_gone_is_given_up_and_named() {
        let mut cart = Cart::default();
        cart.take(&[SeatIx(4), SeatIx(2), SeatIx(9)], 8);
        assert_eq!(cart.drop_seats(&[SeatIx(2), SeatIx(5)]), [SeatIx(2)]);
        assert_eq!(cart.seats(), [SeatIx(4), SeatIx(9)]);
    }

    #[test]
    fn a_wish_keeps_its_name_until_it_is_answered() {
        let mut next = 0;
        let mut fresh = || {
            next += 1;
            CommandId(next)
        };
        let mut names = CommandNames::default();
        let mut cart = Cart::default();
        cart.take(&[SeatIx(1)], 8);
        let one = cart.request(ShowId(5));
        assert_eq!(names.name(&one, &mut fresh), CommandId(1));
        assert_eq!(names.name(&one, &mut fresh), CommandId(1));
        cart.take(&[SeatIx(2)], 8);
        assert_eq!(
            names.name(&cart.request(ShowId(5)), &mut fresh),
            CommandId(2)
        );
        names.answered();
        assert_eq!(
            names.name(&cart.request(ShowId(5)), &mut fresh),
            CommandId(3)
        );
    }
}
