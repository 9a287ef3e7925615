//! The backend of one request: every question of the pages, answered by the same use-cases as the
//! API and the forms. Made for each request, since it knows who asks.

use std::sync::Arc;

use app::backend::{Answer, Backend, Failure, House, SharedBackend};
use async_trait::async_trait;
use axum::http::header::SET_COOKIE;
use axum::http::request::Parts;
use domain::board::settings::Settings;
use domain::ids::{BuyerId, CommandId, EventId, OrderId, SeatMapId, SectionIx, ShowId};
use domain::refusal::Refusal;
use domain::wire::staff::StaffSeats;
use domain::wire::view::{
    ContactForm, EventPage, HoldRequest, OrderView, SearchPage, SearchQuery, SeatMapCard, ShowPage,
    StaffOrder, StaffShow, StaffView,
};
use leptos_axum::ResponseOptions;

use crate::app::App;
use crate::error::{Error, Result};
use crate::http::problem;
use crate::people::buyers;

/// Fans: looking, holding, paying.
mod fan;
/// Staff: making shows and selling them.
mod staff;

/// Who asks, and where an answer may leave a cookie.
pub struct RequestBackend {
    app: App,
    request: Parts,
    buyer: Option<BuyerId>,
    /// `None` outside server functions and pages.
    response: Option<ResponseOptions>,
}

/// The backend of the request with these `parts`. Cookies go to `response`; a page never sets one
/// on GET, and only commands begin a session.
pub fn of_request(app: &App, parts: &Parts, response: Option<ResponseOptions>) -> SharedBackend {
    Arc::new(RequestBackend {
        buyer: buyers::of(app, &parts.headers),
        app: app.clone(),
        request: parts.clone(),
        response,
    })
}

impl RequestBackend {
    /// The buyer who asks. Where there is none one is begun, and the command has to come again in
    /// their name: were it carried out and its answer lost, a repeat would be somebody else's.
    fn buyer_or_begin(&self) -> Result<BuyerId> {
        if let Some(buyer) = self.buyer {
            return Ok(buyer);
        }
        if let Some(response) = &self.response {
            let session = buyers::begin(&self.app);
            response.append_header(SET_COOKIE, buyers::set_cookie(&self.app, &session));
        }
        Err(Refusal::NoSession.into())
    }
}

/// Pages get refusals as they are, and of faults only the reference.
fn failure(error: Error) -> Failure {
    match error {
        Error::Refusal(refusal) => {
            problem::count(&refusal);
            Failure::Refusal(refusal)
        }
        Error::Fault(fault) => Failure::Fault {
            reference: problem::report(&fault),
        },
    }
}

#[async_trait]
impl Backend for RequestBackend {
    async fn search(&self, query: SearchQuery) -> Answer<SearchPage> {
        self.find_events(query).await.map_err(failure)
    }

    async fn event(&self, event: EventId) -> Answer<EventPage> {
        self.event_page(event).await.map_err(failure)
    }

    async fn show(&self, show: ShowId) -> Answer<ShowPage> {
        self.show_page(show).await.map_err(failure)
    }

    async fn house(&self, show: ShowId) -> Answer<House> {
        self.house_now(show).await.map_err(failure)
    }

    async fn order(&self, order: OrderId) -> Answer<OrderView> {
        self.one_order(order).await.map_err(failure)
    }

    async fn my_orders(&self) -> Answer<Vec<OrderView>> {
        self.own_orders().await.map_err(failure)
    }

    async fn hold(&self, id: CommandId, request: HoldRequest) -> Answer<OrderView> {
        self.hold_seats(id, request).await.map_err(failure)
    }

    async fn add_seats(&self, id: CommandId, order: OrderId, seats: Vec<u32>) -> Answer<OrderView> {
        self.add_to(id, order, &seats).await.map_err(failure)
    }

    async fn drop_lines(
        &self,
        id: CommandId,
        order: OrderId,
        lines: Vec<u16>,
    ) -> Answer<OrderView> {
        self.drop_from(id, order, &lines).await.map_err(failure)
    }

    async fn cancel(&self, id: CommandId, order: OrderId) -> Answer<OrderView> {
        self.cancel_order(id, order).await.map_err(failure)
    }

    async fn pay(&self, id: CommandId, order: OrderId, contact: ContactForm) -> Answer<String> {
        self.begin_to_pay(id, order, &contact)
            .await
            .map_err(failure)
    }

    async fn staff_me(&self) -> Answer<StaffView> {
        self.staff().await.map_err(failure)
    }

    async fn staff_shows(&self) -> Answer<Vec<StaffShow>> {
        self.shows_of_house().await.map_err(failure)
    }

    async fn staff_show(&self, show: ShowId) -> Answer<(StaffShow, Settings)> {
        self.show_of_house(show).await.map_err(failure)
    }

    async fn staff_seat_maps(&self) -> Answer<Vec<SeatMapCard>> {
        self.seat_maps().await.map_err(failure)
    }

    async fn staff_seat_map(&self, seat_map: SeatMapId) -> Answer<SeatMapCard> {
        self.seat_map(seat_map).await.map_err(failure)
    }

    async fn staff_seats(&self, show: ShowId, section: Option<SectionIx>) -> Answer<StaffSeats> {
        self.seats_of_house(show, section).await.map_err(failure)
    }

    async fn staff_orders(&self, show: Option<ShowId>, text: String) -> Answer<Vec<StaffOrder>> {
        self.orders_of_house(show, text).await.map_err(failure)
    }
}
