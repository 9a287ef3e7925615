//! What never changes about a show: its seat map and which tier each place belongs to.

use std::sync::Arc;

use crate::ids::{AreaIx, SeatIx, TierIx};
use crate::pick::Picker;
use crate::seat_map::SeatMap;

/// Shared by all boards and readers of one show.
#[derive(Debug)]
pub struct Plan {
    pub seat_map: Arc<SeatMap>,
    /// By seat.
    pub seat_tiers: Arc<[TierIx]>,
    /// By area.
    pub area_tiers: Arc<[TierIx]>,
    picker: Picker,
}

impl Plan {
    /// # Panics
    /// If there is not one tier for every seat and every area.
    pub fn new(
        seat_map: Arc<SeatMap>,
        seat_tiers: Arc<[TierIx]>,
        area_tiers: Arc<[TierIx]>,
    ) -> Self {
        assert_eq!(seat_map.seats.len(), seat_tiers.len(), "one tier a seat");
        assert_eq!(seat_map.areas.len(), area_tiers.len(), "one tier an area");
        Self {
            picker: Picker::new(&seat_map),
            seat_map,
            seat_tiers,
            area_tiers,
        }
    }

    pub fn area_capacity(&self, area: AreaIx) -> u32 {
        self.seat_map.areas[area.at()].capacity
    }

    /// The best `count` seats for which `free` holds, of `tier` if given.
    pub fn best(
        &self,
        free: impl Fn(SeatIx) -> bool,
        count: u16,
        tier: Option<TierIx>,
    ) -> Option<Vec<SeatIx>> {
        self.picker
            .best(&self.seat_map, &self.seat_tiers, free, count, tier)
    }

    /// Seats and area places of each tier, in pieces: a tier may come more than once.
    pub(super) fn places_by_tier(&self) -> impl Iterator<Item = (TierIx, u32)> + '_ {
        let seats = self.seat_tiers.iter().map(|tier| (*tier, 1));
        let areas = self.area_tiers.iter().enumerate();
        seats.chain(areas.map(|(area, tier)| (*tier, self.area_capacity(AreaIx(area as u16)))))
    }
}
