//! The staff's half, and what everybody may look at. Each staff question first asks who asks.

use domain::board::settings::Settings;
use domain::ids::{EventId, SeatMapId, SectionIx, ShowId};
use domain::refusal::Refusal;
use domain::wire::staff::StaffSeats;
use domain::wire::view::{
    EventPage, SearchPage, SearchQuery, SeatMapCard, ShowPage, StaffOrder, StaffShow, StaffView,
};

use super::RequestBackend;
use crate::catalog;
use crate::console::{orders, seat_maps, seats, shows};
use crate::error::{Error, Result};
use crate::people::sessions;

impl RequestBackend {
    pub(super) async fn find_events(&self, query: SearchQuery) -> Result<SearchPage> {
        catalog::search::search(&self.app, &query).await
    }

    pub(super) async fn event_page(&self, event: EventId) -> Result<EventPage> {
        catalog::pages::event_page(&self.app, event).await
    }

    pub(super) async fn show_page(&self, show: ShowId) -> Result<ShowPage> {
        catalog::pages::show_page(&self.app, show).await
    }

    pub(super) async fn staff(&self) -> Result<StaffView> {
        let staff = sessions::of(&self.app, &self.request.headers).await?;
        staff.ok_or(Error::Refusal(Refusal::NoSession))
    }

    pub(super) async fn shows_of_house(&self) -> Result<Vec<StaffShow>> {
        self.staff().await?;
        shows::list(&self.app).await
    }

    pub(super) async fn show_of_house(&self, show: ShowId) -> Result<(StaffShow, Settings)> {
        self.staff().await?;
        shows::one(&self.app, show).await
    }

    pub(super) async fn seat_maps(&self) -> Result<Vec<SeatMapCard>> {
        self.staff().await?;
        seat_maps::list(&self.app).await
    }

    pub(super) async fn seat_map(&self, seat_map: SeatMapId) -> Result<SeatMapCard> {
        self.staff().await?;
        seat_maps::one(&self.app, seat_map).await
    }

    pub(super) async fn seats_of_house(
        &self,
        show: ShowId,
        section: Option<SectionIx>,
    ) -> Result<StaffSeats> {
        self.staff().await?;
        seats::overview(&self.app, show, section).await
    }

    pub(super) async fn orders_of_house(
        &self,
        show: Option<ShowId>,
        text: String,
    ) -> Result<Vec<StaffOrder>> {
        self.staff().await?;
        orders::list(&self.app, show, &text).await
    }
}
