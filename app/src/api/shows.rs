//! Shows and what of them is left.

use domain::ids::{AreaIx, CommandId, SeatIx, SectionIx, ShowId, TierIx};
use domain::money::Minor;
use domain::wire::view::ShowPage;
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use serde::{Deserialize, Serialize};

use super::{Answer, ApiResult};

/// The list view of a show: all of its sections, and the seats of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatListing {
    pub show: ShowPage,
    pub sections: Vec<SectionEntry>,
    pub areas: Vec<AreaEntry>,
    /// The section that was asked for.
    pub opened: Option<OpenedSection>,
    /// Names the hold that this page's forms may make, so that sending twice holds once.
    pub command_id: CommandId,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionEntry {
    pub section: SectionIx,
    pub name: String,
    pub free: u32,
    pub seats: u32,
    /// Lowest and highest price in the section, minor units of the show's currency.
    pub price_from: Minor,
    pub price_to: Minor,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AreaEntry {
    pub area: AreaIx,
    pub name: String,
    pub free: u32,
    pub capacity: u32,
    pub price: Minor,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenedSection {
    pub section: SectionIx,
    pub name: String,
    pub rows: Vec<RowEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowEntry {
    pub label: String,
    /// In the order in which people sit.
    pub seats: Vec<SeatEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatEntry {
    pub seat: SeatIx,
    pub label: String,
    pub state: Availability,
    pub tier: TierIx,
    /// Flags of [`domain::seat_map::SeatFlags`].
    pub flags: u8,
}

/// What a buyer may know of a seat in words; a house hold reads as sold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Availability {
    Free,
    Held,
    Gone,
}

/// One show.
#[server(prefix = "/sf", endpoint = "show", input = Json, output = Answer)]
pub async fn show(show: ShowId) -> ApiResult<ShowPage> {
    let backend = super::backend()?;
    Ok(backend.show(show).await?)
}

/// The list view of a show, with the seats of `section` when one is named.
#[server(prefix = "/sf", endpoint = "seat-list", input = Json, output = Answer)]
pub async fn seat_list(show: ShowId, section: Option<SectionIx>) -> ApiResult<SeatListing> {
    let backend = super::backend()?;
    let page = backend.show(show).await?;
    let house = backend.house(show).await?;
    super::seat_list::build(page, &house, section)
}
