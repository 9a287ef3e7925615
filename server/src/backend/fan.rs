//! The fan's half.

use app::backend::House;
use axum::http::header::REFERER;
use domain::ids::{BuyerId, CommandId, OrderId, ShowId};
use domain::refusal::Refusal;
use domain::wire::view::{ContactForm, HoldRequest, OrderView};

use super::RequestBackend;
use crate::error::{Error, Result};
use crate::orders::pay::{self, Begun};
use crate::orders::read::{self, Viewer};
use crate::orders::{Ask, cancel, change, link, place};

impl RequestBackend {
    pub(super) async fn house_now(&self, show: ShowId) -> Result<House> {
        self.app.published.check(&self.app.db, show).await?;
        let house = self.app.desks.house(show).await?;
        Ok(House {
            seat_map: house.plan.seat_map.clone(),
            seat_tiers: house.plan.seat_tiers.clone(),
            area_tiers: house.plan.area_tiers.clone(),
            snapshot: house.snapshot(),
        })
    }

    pub(super) async fn one_order(&self, order: OrderId) -> Result<OrderView> {
        let stored = read::stored(&self.app.db, order).await?;
        let stored = stored.ok_or(Error::Refusal(Refusal::NotFound))?;
        let viewer = if self.buyer == Some(stored.summary.buyer) {
            Viewer::Owner
        } else if self.has_link_to(order) {
            Viewer::Link
        } else {
            return Err(Error::Refusal(Refusal::NotFound));
        };
        read::view(&self.app, &stored, viewer).await
    }

    /// The mail's token stands in the address of the page; a server function called from that page
    /// has it in its referrer, which browsers send whole to their own site.
    fn has_link_to(&self, order: OrderId) -> bool {
        let page = self.request.headers.get(REFERER);
        let page = page.and_then(|page| page.to_str().ok());
        let page = page.and_then(|page| page.split_once('?'));
        let queries = [self.request.uri.query(), page.map(|(_, query)| query)];
        let tokens = queries
            .into_iter()
            .flatten()
            .flat_map(|query| query.split('&'));
        tokens
            .filter_map(|pair| pair.strip_prefix("t="))
            .any(|token| link::opens(&self.app.keys.link, order, token))
    }

    pub(super) async fn own_orders(&self) -> Result<Vec<OrderView>> {
        match self.buyer {
            Some(buyer) => read::of_buyer(&self.app, buyer).await,
            None => Ok(Vec::new()),
        }
    }

    pub(super) async fn hold_seats(&self, id: CommandId, wanted: HoldRequest) -> Result<OrderView> {
        let buyer = self.buyer_or_begin()?;
        let order = place::hold(&self.app, Ask { buyer, id }, &wanted).await?;
        self.own_order(order).await
    }

    pub(super) async fn add_to(
        &self,
        id: CommandId,
        order: OrderId,
        seats: &[u32],
    ) -> Result<OrderView> {
        change::add(&self.app, self.ask(id)?, order, seats, &[]).await?;
        self.own_order(order).await
    }

    pub(super) async fn drop_from(
        &self,
        id: CommandId,
        order: OrderId,
        lines: &[u16],
    ) -> Result<OrderView> {
        change::drop_lines(&self.app, self.ask(id)?, order, lines).await?;
        self.own_order(order).await
    }

    pub(super) async fn cancel_order(&self, id: CommandId, order: OrderId) -> Result<OrderView> {
        cancel::cancel(&self.app, self.ask(id)?, order).await?;
        self.own_order(order).await
    }

    pub(super) async fn begin_to_pay(
        &self,
        id: CommandId,
        order: OrderId,
        form: &ContactForm,
    ) -> Result<String> {
        let contact = pay::contact(form, true)?;
        match pay::redirect(&self.app, self.ask(id)?, order, &contact).await? {
            Begun::Redirect(url) => Ok(url),
            Begun::Done => Ok(format!("/orders/{order}")),
        }
    }

    fn known_buyer(&self) -> Result<BuyerId> {
        self.buyer.ok_or(Error::Refusal(Refusal::NoSession))
    }

    fn ask(&self, id: CommandId) -> Result<Ask> {
        let buyer = self.known_buyer()?;
        Ok(Ask { buyer, id })
    }

    /// The order after a command that its buyer gave.
    async fn own_order(&self, order: OrderId) -> Result<OrderView> {
        let stored = read::stored(&self.app.db, order).await?;
        let stored = stored.ok_or(Error::Refusal(Refusal::NotFound))?;
        read::view(&self.app, &stored, Viewer::Owner).await
    }
}
