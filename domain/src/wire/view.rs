//! View models: what pages, server functions and the public API show. Ids are strings, money is
//! minor units with its currency, instants are Unix milliseconds beside the venue's own time.

use serde::{Deserialize, Serialize};

use crate::ids::{
    AreaIx, BuyerId, EventId, OrderId, SeatIx, SeatMapId, ShowId, StaffId, TierIx, VenueId,
};
use crate::money::{Currency, Minor, Money};
use crate::order::OrderState;
use crate::time::Millis;

/// An instant as clocks at the venue show it, computed by the server from the venue's time zone
/// so that the browser needs no zone tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VenueTime {
    pub at: Millis,
    pub year: i16,
    /// 1..=12
    pub month: u8,
    pub day: u8,
    /// 1 = Monday .. 7 = Sunday.
    pub weekday: u8,
    pub hour: u8,
    pub minute: u8,
    /// Zone abbreviation, `CET`.
    pub zone: String,
}

/// Where a show stands for buyers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShowStatus {
    /// Not published; staff only.
    Draft,
    /// Published, sale not open yet.
    Upcoming,
    OnSale,
    /// On sale with less than a tenth left.
    FewLeft,
    SoldOut,
    Paused,
    Closed,
}

/// A show in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShowCard {
    pub id: ShowId,
    pub starts: VenueTime,
    pub opens_at: Millis,
    /// `opens_at` on the venue's clocks.
    pub opens: VenueTime,
    pub status: ShowStatus,
    pub price_from: Option<Money>,
    pub price_to: Option<Money>,
    /// Seats and places not taken.
    pub free: u32,
    pub capacity: u32,
    pub venue: String,
    pub city: String,
}

/// An event in search results: the event with its next shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventCard {
    pub id: EventId,
    pub title: String,
    pub summary: String,
    /// Upcoming shows, soonest first, at most three.
    pub shows: Vec<ShowCard>,
}

/// What to look for. All empty: what is on next.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchQuery {
    #[serde(default)]
    pub q: String,
    #[serde(default)]
    pub city: String,
    /// First day, `YYYY-MM-DD`.
    #[serde(default)]
    pub from: String,
    /// Last day, `YYYY-MM-DD`.
    #[serde(default)]
    pub to: String,
    /// From 0.
    #[serde(default)]
    pub page: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchPage {
    pub events: Vec<EventCard>,
    pub page: u32,
    pub has_more: bool,
    /// Cities with upcoming shows, for the filter.
    pub cities: Vec<String>,
    pub server_now: Millis,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventPage {
    pub id: EventId,
    pub title: String,
    pub summary: String,
    pub description: String,
    pub shows: Vec<ShowCard>,
    pub server_now: Millis,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TierView {
    pub tier: TierIx,
    pub name: String,
    /// `0xRRGGBB`.
    pub color: u32,
    pub price: Minor,
    /// Seats and places not taken, when the page was made; frames carry it on.
    pub free: u32,
}

/// All that the seat map page needs besides geometry and snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShowPage {
    pub card: ShowCard,
    pub event: EventId,
    pub title: String,
    pub description: String,
    pub venue_zone: String,
    pub seat_map: SeatMapId,
    pub currency: Currency,
    pub tiers: Vec<TierView>,
    /// Tier of every area, by area.
    pub area_tiers: Vec<TierIx>,
    pub closes_at: Millis,
    pub per_order_max: u32,
    pub choose_seats: bool,
    pub server_now: Millis,
}

/// One line of an order in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineView {
    pub no: u16,
    /// `None` for a place in an area.
    pub seat: Option<SeatIx>,
    pub area: Option<AreaIx>,
    /// Section or area name.
    pub section: String,
    /// Empty for areas.
    pub row: String,
    pub label: String,
    pub tier: TierIx,
    pub tier_name: String,
    pub price: Minor,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketView {
    pub line: u16,
    /// What the QR code says.
    pub code: String,
    /// Inline SVG, dark on light whatever the theme.
    pub qr_svg: String,
    pub void: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderView {
    pub id: OrderId,
    /// Printed form with check character.
    pub number: String,
    pub state: OrderState,
    pub show: ShowId,
    pub title: String,
    pub venue: String,
    pub city: String,
    pub starts: VenueTime,
    pub lines: Vec<LineView>,
    pub currency: Currency,
    pub fees: Minor,
    pub total: Minor,
    /// While held or paying: when the seats go back.
    pub hold_expires_at: Option<Millis>,
    /// `hold_expires_at` on the venue's clocks.
    pub hold_until: Option<VenueTime>,
    pub server_now: Millis,
    /// Empty until paid.
    pub tickets: Vec<TicketView>,
    /// Where the tickets went; only for the owner.
    pub email: Option<String>,
    /// The last attempt to pay was declined and the hold goes on.
    pub declined: bool,
    /// A payment of this order waits for staff.
    pub parked: bool,
}

/// What is asked when seats are wanted. Fields beyond these are refused, so that nobody
/// believes a price or a buyer sent by a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HoldRequest {
    pub show_id: ShowId,
    #[serde(default)]
    pub seats: Vec<u32>,
    #[serde(default)]
    pub areas: Vec<AreaWanted>,
    #[serde(default)]
    pub best: Option<BestWanted>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AreaWanted {
    pub area: AreaIx,
    pub count: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BestWanted {
    pub count: u16,
    #[serde(default)]
    pub tier: Option<TierIx>,
}

/// Contact form of the checkout.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContactForm {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub email: String,
    #[serde(default)]
    pub locale: String,
}

/// A new anonymous buyer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewSession {
    pub token: String,
    pub buyer_id: BuyerId,
}

// -- staff

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaffView {
    pub id: StaffId,
    pub email: String,
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatMapCard {
    pub id: SeatMapId,
    pub venue: VenueId,
    pub venue_name: String,
    pub city: String,
    pub zone: String,
    pub name: String,
    pub seats: u32,
    pub area_places: u32,
    /// Empty in lists: they are read from the geometry.
    pub categories: Vec<CategoryView>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CategoryView {
    pub name: String,
    pub color: u32,
    /// Seats and area places of this category.
    pub places: u32,
}

/// A show in the console's list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaffShow {
    pub card: ShowCard,
    pub title: String,
    pub seat_map: SeatMapId,
    /// End of the sale.
    pub closes: VenueTime,
    pub held: u32,
    pub sold: u32,
    pub blocked: u32,
    /// Paid orders, minor units.
    pub revenue: Money,
}

/// The form that makes a show; times are the venue's own, `YYYY-MM-DDTHH:MM`. Empty `opens`: at
/// once; empty `closes`: when the show starts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewShow {
    /// The name of this command: sent twice it makes one show. Empty: it has none.
    #[serde(default)]
    pub command_id: String,
    pub seat_map: String,
    pub title: String,
    #[serde(default)]
    pub summary: String,
    #[serde(default)]
    pub description: String,
    pub starts: String,
    pub opens: String,
    pub closes: String,
    pub currency: String,
    /// One per category of the seat map, in its order: name and price in major units, `45.00`.
    pub tiers: Vec<NewTier>,
    #[serde(default)]
    pub fee_per_ticket: String,
    pub per_order_max: String,
    pub per_buyer_max: String,
    pub hold_minutes: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewTier {
    pub name: String,
    pub price: String,
}

/// An order in the console's list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaffOrder {
    pub id: OrderId,
    pub number: String,
    pub state: OrderState,
    pub show: ShowId,
    pub title: String,
    /// When it was made, on the venue's clocks.
    pub created: VenueTime,
    pub places: u32,
    pub total: Money,
    pub name: String,
    pub email: String,
    pub parked: bool,
}
