//! Every question that the pages may ask. The server implements it once per request (it knows
//! who asks from the cookies) and hands it to server functions and pages by context.

use std::sync::Arc;

use async_trait::async_trait;
use domain::board::settings::Settings;
use domain::ids::{CommandId, OrderId, SeatMapId, SectionIx, ShowId};
use domain::refusal::Refusal;
use domain::seat_map::SeatMap;
use domain::wire::snapshot::Snapshot;
use domain::wire::staff::StaffSeats;
use domain::wire::view::{
    ContactForm, EventPage, HoldRequest, OrderView, SearchPage, SearchQuery, SeatMapCard, ShowPage,
    StaffOrder, StaffShow, StaffView,
};

/// No, or broken.
#[derive(Debug, Clone)]
pub enum Failure {
    Refusal(Refusal),
    /// Logged where it happened; people see an apology with this reference.
    Fault {
        reference: String,
    },
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refusal(refusal)
    }
}

pub type Answer<T> = Result<T, Failure>;

/// The backend of one request, as pages find it in context.
pub type SharedBackend = Arc<dyn Backend>;

#[async_trait]
pub trait Backend: Send + Sync {
    // -- fan: reading
    async fn search(&self, query: SearchQuery) -> Answer<SearchPage>;
    async fn event(&self, event: domain::ids::EventId) -> Answer<EventPage>;
    async fn show(&self, show: ShowId) -> Answer<ShowPage>;
    /// Geometry and state, for pages that list seats without a canvas. `seat_tiers` is by seat.
    async fn house(&self, show: ShowId) -> Answer<House>;
    /// An order of the buyer who asks; others get `NotFound`.
    async fn order(&self, order: OrderId) -> Answer<OrderView>;
    /// Orders of the buyer who asks, newest first.
    async fn my_orders(&self) -> Answer<Vec<OrderView>>;

    // -- fan: commands; a buyer session is begun where there is none
    async fn hold(&self, id: CommandId, request: HoldRequest) -> Answer<OrderView>;
    async fn add_seats(&self, id: CommandId, order: OrderId, seats: Vec<u32>) -> Answer<OrderView>;
    /// Drops lines by their numbers.
    async fn drop_lines(&self, id: CommandId, order: OrderId, lines: Vec<u16>)
    -> Answer<OrderView>;
    async fn cancel(&self, id: CommandId, order: OrderId) -> Answer<OrderView>;
    /// Begins to pay; answers where to send the browser.
    async fn pay(&self, id: CommandId, order: OrderId, contact: ContactForm) -> Answer<String>;

    // -- staff: reading, `NoSession` without a staff session; what they change goes by forms
    async fn staff_me(&self) -> Answer<StaffView>;
    async fn staff_shows(&self) -> Answer<Vec<StaffShow>>;
    async fn staff_show(&self, show: ShowId) -> Answer<(StaffShow, Settings)>;
    async fn staff_seat_maps(&self) -> Answer<Vec<SeatMapCard>>;
    async fn staff_seat_map(&self, seat_map: SeatMapId) -> Answer<SeatMapCard>;
    /// The house in numbers, `section` seat by seat, and what the house keeps.
    async fn staff_seats(&self, show: ShowId, section: Option<SectionIx>) -> Answer<StaffSeats>;
    /// Newest first, at most 100; `text` matches number, name or mail.
    async fn staff_orders(&self, show: Option<ShowId>, text: String) -> Answer<Vec<StaffOrder>>;
}

/// A show's geometry with its state, as the server holds them in memory.
#[derive(Clone)]
pub struct House {
    pub seat_map: Arc<SeatMap>,
    pub seat_tiers: Arc<[domain::ids::TierIx]>,
    pub area_tiers: Arc<[domain::ids::TierIx]>,
    pub snapshot: Snapshot,
}
