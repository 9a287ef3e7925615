//! Makes the list view from a show's geometry and state.

use domain::ids::{AreaIx, CommandId, SeatIx, SectionIx, TierIx};
use domain::money::Minor;
use domain::refusal::Refusal;
use domain::seat_map::{SeatMap, Section};
use domain::wire::snapshot::SeatState;
use domain::wire::view::ShowPage;

use super::ApiResult;
use super::shows::{
    AreaEntry, Availability, OpenedSection, RowEntry, SeatEntry, SeatListing, SectionEntry,
};
use crate::backend::House;

pub(super) fn build(
    show: ShowPage,
    house: &House,
    section: Option<SectionIx>,
) -> ApiResult<SeatListing> {
    let map = &house.seat_map;
    let opened = match section {
        None => None,
        Some(section) => {
            let found = map.sections.get(section.at()).ok_or(Refusal::NotFound)?;
            Some(open(house, section, found))
        }
    };
    let sections = map.sections.iter().enumerate();
    let sections = sections
        .map(|(at, section)| entry(&show, house, SectionIx(at as u16), section))
        .collect();
    let areas = map.areas.iter().enumerate().map(|(at, area)| {
        let area_ix = AreaIx(at as u16);
        let taken = house.snapshot.area_taken.get(at).copied().unwrap_or(0);
        AreaEntry {
            area: area_ix,
            name: area.name.clone(),
            free: area.capacity.saturating_sub(taken),
            capacity: area.capacity,
            price: house
                .area_tiers
                .get(at)
                .map_or(Minor(0), |tier| price(&show, *tier)),
        }
    });
    let areas = areas.collect();
    let command_id = CommandId(uuid::Uuid::new_v4().as_u128());
    Ok(SeatListing {
        show,
        sections,
        areas,
        opened,
        command_id,
    })
}

fn entry(show: &ShowPage, house: &House, ix: SectionIx, section: &Section) -> SectionEntry {
    let (mut free, mut all) = (0, 0);
    let (mut low, mut high) = (i64::MAX, 0);
    for seat in seats_of(&house.seat_map, section) {
        all += 1;
        free += u32::from(state(house, seat) == Availability::Free);
        let price = house
            .seat_tiers
            .get(seat.at())
            .map_or(0, |tier| price(show, *tier).0);
        (low, high) = (low.min(price), high.max(price));
    }
    SectionEntry {
        section: ix,
        name: section.name.clone(),
        free,
        seats: all,
        price_from: Minor(low.min(high)),
        price_to: Minor(high),
    }
}

fn open(house: &House, ix: SectionIx, section: &Section) -> OpenedSection {
    let map = &house.seat_map;
    let rows = rows_of(map, section).map(|row| RowEntry {
        label: row.label.clone(),
        seats: (row.first_seat.0..row.first_seat.0 + row.seats)
            .map(SeatIx)
            .filter_map(|seat| {
                let found = map.seat(seat)?;
                Some(SeatEntry {
                    seat,
                    label: found.label.clone(),
                    state: state(house, seat),
                    tier: house
                        .seat_tiers
                        .get(seat.at())
                        .copied()
                        .unwrap_or(TierIx(0)),
                    flags: found.flags.0,
                })
            })
            .collect(),
    });
    OpenedSection {
        section: ix,
        name: section.name.clone(),
        rows: rows.collect(),
    }
}

fn rows_of<'a>(
    map: &'a SeatMap,
    section: &Section,
) -> impl Iterator<Item = &'a domain::seat_map::Row> {
    let first = section.first_row.at();
    map.rows[first..first + section.rows as usize].iter()
}

fn seats_of(map: &SeatMap, section: &Section) -> impl Iterator<Item = SeatIx> {
    rows_of(map, section)
        .flat_map(|row| (row.first_seat.0..row.first_seat.0 + row.seats).map(SeatIx))
}

fn state(house: &House, seat: SeatIx) -> Availability {
    match house.snapshot.get(seat) {
        SeatState::Free => Availability::Free,
        SeatState::Held => Availability::Held,
        SeatState::Sold | SeatState::Blocked => Availability::Gone,
    }
}

fn price(show: &ShowPage, tier: TierIx) -> Minor {
    show.tiers
        .get(tier.at())
        .map_or(Minor(0), |tier| tier.price)
}
