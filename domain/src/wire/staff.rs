//! View models of the console's seats: who has what, and why the house keeps some.

use serde::{Deserialize, Serialize};

use crate::ids::{RowIx, SeatIx, SectionIx};

/// The house of one show as staff see it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaffSeats {
    pub sections: Vec<StaffSection>,
    pub areas: Vec<StaffArea>,
    /// The section that was asked for.
    pub opened: Option<StaffOpened>,
    /// House holds, in the order of the house.
    pub blocked: Vec<BlockedRun>,
    /// There are more house holds than are listed.
    pub blocked_more: bool,
}

/// A section in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaffSection {
    pub section: SectionIx,
    pub name: String,
    pub free: u32,
    pub held: u32,
    pub sold: u32,
    pub blocked: u32,
}

/// A standing area in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaffArea {
    pub name: String,
    pub taken: u32,
    pub capacity: u32,
}

/// A section row by row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaffOpened {
    pub section: SectionIx,
    pub name: String,
    pub rows: Vec<StaffRow>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaffRow {
    pub row: RowIx,
    pub label: String,
    pub seats: Vec<StaffSeat>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaffSeat {
    pub seat: SeatIx,
    pub label: String,
    /// The two bits of a snapshot: 0 free, 1 held, 2 sold, 3 blocked.
    pub state: u8,
}

/// Neighbouring seats of one row that the house keeps for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockedRun {
    pub section: String,
    pub row: String,
    /// Printed label of the first and the last seat.
    pub from: String,
    pub to: String,
    pub seats: Vec<SeatIx>,
    pub reason: String,
}
