//! House holds: seats that the house keeps, with a reason, and gives back.

use std::collections::BTreeSet;

use domain::board::command::Command;
use domain::ids::{RowIx, SeatIx, SectionIx, ShowId, StaffId};
use domain::new_show::is_blank;
use domain::refusal::Refusal;
use domain::seat_map::{Row, SeatMap};
use domain::wire::snapshot::{SeatState, Snapshot};
use domain::wire::staff::{
    BlockedRun, StaffArea, StaffOpened, StaffRow, StaffSeat, StaffSeats, StaffSection,
};

use super::submit;
use crate::app::App;
use crate::error::Result;

/// Seats of one form: a large section; the desk takes them in one commit.
pub const SEATS_PER_FORM_MAX: usize = 500;
/// Characters of a reason.
pub const REASON_CHARS_MAX: usize = 200;
/// Runs of house holds in the list.
pub const RUNS_LISTED_MAX: usize = 200;
/// Kept seats that the list looks at.
const BLOCKED_READ_MAX: i64 = 20_000;

/// Seats and whole rows that a form names.
#[derive(Debug, Default)]
pub struct Picked {
    pub seats: Vec<SeatIx>,
    /// Of these, the seats that are free.
    pub rows: Vec<RowIx>,
}

/// Keeps seats for the house: all of them or none. Of whole rows, what is free.
pub async fn block(
    app: &App,
    staff: StaffId,
    show: ShowId,
    picked: &Picked,
    reason: &str,
) -> Result<()> {
    let reason = reason.trim();
    let bad = |detail: &str| Refusal::BadField {
        field: "reason".into(),
        detail: detail.into(),
    };
    if is_blank(reason) {
        return Err(bad("required").into());
    }
    if reason.chars().count() > REASON_CHARS_MAX {
        return Err(bad("too_long").into());
    }
    if reason.chars().any(char::is_control) {
        return Err(bad("strange_characters").into());
    }
    let house = app.desks.house(show).await?;
    let snapshot = house.snapshot();
    let mut seats: BTreeSet<SeatIx> = picked.seats.iter().copied().collect();
    for row in &picked.rows {
        let row = house
            .plan
            .seat_map
            .rows
            .get(row.at())
            .ok_or(Refusal::NotFound)?;
        seats.extend(seats_of(row).filter(|seat| state(&snapshot, *seat) == SeatState::Free));
    }
    check_count(seats.len())?;
    let command = Command::Block {
        seats: seats.into_iter().collect(),
        reason: reason.to_owned(),
    };
    submit(app, staff, show, command).await
}

/// Gives kept seats back to the sale: all of them or none.
pub async fn unblock(app: &App, staff: StaffId, show: ShowId, seats: Vec<SeatIx>) -> Result<()> {
    check_count(seats.len())?;
    submit(app, staff, show, Command::Unblock { seats }).await
}

fn check_count(seats: usize) -> Result<(), Refusal> {
    match seats {
        0 => Err(Refusal::EmptySelection),
        1..=SEATS_PER_FORM_MAX => Ok(()),
        _ => Err(Refusal::BadField {
            field: "seats".into(),
            detail: "too_long".into(),
        }),
    }
}

/// The house in numbers, one section of it seat by seat, and what the house keeps.
pub async fn overview(app: &App, show: ShowId, section: Option<SectionIx>) -> Result<StaffSeats> {
    let house = app.desks.house(show).await?;
    let snapshot = house.snapshot();
    let map = &house.plan.seat_map;
    let opened = match section {
        None => None,
        Some(section) => Some(open(map, &snapshot, section)?),
    };
    let (blocked, blocked_more) = blocked(app, show, map).await?;
    let sections = (0..map.sections.len()).map(|at| count(map, &snapshot, SectionIx(at as u16)));
    let areas = map.areas.iter().enumerate().map(|(at, area)| StaffArea {
        name: area.name.clone(),
        taken: snapshot.area_taken.get(at).copied().unwrap_or(0),
        capacity: area.capacity,
    });
    Ok(StaffSeats {
        sections: sections.collect(),
        areas: areas.collect(),
        opened,
        blocked,
        blocked_more,
    })
}

fn state(snapshot: &Snapshot, seat: SeatIx) -> SeatState {
    let byte = snapshot.states.get(seat.at() / 4).copied().unwrap_or(0);
    SeatState::from_bits(byte >> (seat.at() % 4 * 2))
}

fn seats_of(row: &Row) -> impl Iterator<Item = SeatIx> + use<> {
    (row.first_seat.0..row.first_seat.0 + row.seats).map(SeatIx)
}

/// Rows of a section with their numbers in the seat map.
fn rows_of(map: &SeatMap, section: SectionIx) -> impl Iterator<Item = (RowIx, &Row)> {
    let section = &map.sections[section.at()];
    let first = section.first_row.0;
    (first..first + section.rows).map(|row| (RowIx(row), &map.rows[row as usize]))
}

fn count(map: &SeatMap, snapshot: &Snapshot, section: SectionIx) -> StaffSection {
    let mut by_state = [0u32; 4];
    for (_, row) in rows_of(map, section) {
        for seat in seats_of(row) {
            by_state[state(snapshot, seat) as usize] += 1;
        }
    }
    let [free, held, sold, blocked] = by_state;
    StaffSection {
        section,
        name: map.sections[section.at()].name.clone(),
        free,
        held,
        sold,
        blocked,
    }
}

fn open(map: &SeatMap, snapshot: &Snapshot, section: SectionIx) -> Result<StaffOpened> {
    let found = map.sections.get(section.at()).ok_or(Refusal::NotFound)?;
    let rows = rows_of(map, section).map(|(ix, row)| StaffRow {
        row: ix,
        label: row.label.clone(),
        seats: seats_of(row)
            .map(|seat| StaffSeat {
                seat,
                label: map.seats[seat.at()].label.clone(),
                state: state(snapshot, seat) as u8,
            })
            .collect(),
    });
    Ok(StaffOpened {
        section,
        name: found.name.clone(),
        rows: rows.collect(),
    })
}

/// Kept seats as runs of neighbours, and whether there are more.
async fn blocked(app: &App, show: ShowId, map: &SeatMap) -> Result<(Vec<BlockedRun>, bool)> {
    let claims: Vec<(i32, Option<String>)> = sqlx::query_as(
        "select seat_ix, reason from seat_claim where show_id = $1 and state = 3
         order by seat_ix limit $2",
    )
    .bind(show.0)
    .bind(BLOCKED_READ_MAX)
    .fetch_all(&app.db)
    .await?;
    let mut more = claims.len() as i64 == BLOCKED_READ_MAX;
    let claims = claims
        .into_iter()
        .map(|(seat, reason)| (SeatIx(seat as u32), reason.unwrap_or_default()));
    let mut runs = runs(map, claims);
    more |= runs.len() > RUNS_LISTED_MAX;
    runs.truncate(RUNS_LISTED_MAX);
    Ok((runs, more))
}

/// Puts seats that follow each other in one row and are kept for one reason together.
fn runs(map: &SeatMap, claims: impl Iterator<Item = (SeatIx, String)>) -> Vec<BlockedRun> {
    let mut runs: Vec<BlockedRun> = Vec::new();
    for (seat, reason) in claims {
        let Some(words) = map.words(seat) else {
            continue;
        };
        let row = map.seats[seat.at()].row;
        if let Some(run) = runs.last_mut()
            && let Some(last) = run.seats.last()
            && last.0 + 1 == seat.0
            && map.seats[last.at()].row == row
            && run.reason == reason
            && run.seats.len() < SEATS_PER_FORM_MAX
        {
            run.to = words.seat.to_owned();
            run.seats.push(seat);
            continue;
        }
        runs.push(BlockedRun {
            section: words.section.to_owned(),
            row: words.row.to_owned(),
            from: words.seat.to_owned(),
            to: words.seat.to_owned(),
            seats: vec![seat],
            reason,
        });
    }
    runs
}
