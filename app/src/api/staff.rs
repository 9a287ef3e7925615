//! What the console's pages ask. Changes are plain forms; only reading goes this way.

use domain::board::settings::Settings;
use domain::ids::{CommandId, SeatMapId, SectionIx, ShowId};
use domain::new_show::Returned;
use domain::wire::staff::StaffSeats;
use domain::wire::view::{SeatMapCard, StaffOrder, StaffShow, StaffView};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use serde::{Deserialize, Serialize};

use super::{Answer, ApiResult};

/// One show with what decides about it and who has what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HousePage {
    pub show: StaffShow,
    pub settings: Settings,
    pub seats: StaffSeats,
}

/// What the form that makes a show begins with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum NewShowPage {
    /// No seat map yet: choose one of these.
    Choose(Vec<SeatMapCard>),
    Form {
        /// The name of the command that the form gives.
        command_id: CommandId,
        seat_map: Box<SeatMapCard>,
        /// What was typed before, with what is wrong with it.
        returned: Option<Box<Returned>>,
    },
    /// What was typed for a seat map that is not there, and those that are.
    Astray {
        returned: Box<Returned>,
        seat_maps: Vec<SeatMapCard>,
    },
}

/// Who is signed in.
#[server(prefix = "/sf", endpoint = "staff-me", input = Json, output = Answer)]
pub async fn me() -> ApiResult<StaffView> {
    let backend = super::backend()?;
    Ok(backend.staff_me().await?)
}

/// Shows, those to come first.
#[server(prefix = "/sf", endpoint = "staff-shows", input = Json, output = Answer)]
pub async fn shows() -> ApiResult<Vec<StaffShow>> {
    let backend = super::backend()?;
    Ok(backend.staff_shows().await?)
}

/// One show, with the seats of `section` when one is named.
#[server(prefix = "/sf", endpoint = "staff-show", input = Json, output = Answer)]
pub async fn show(show: ShowId, section: Option<SectionIx>) -> ApiResult<HousePage> {
    let backend = super::backend()?;
    let (found, settings) = backend.staff_show(show).await?;
    Ok(HousePage {
        show: found,
        settings,
        seats: backend.staff_seats(show, section).await?,
    })
}

/// Seat maps to choose from, or the form for `seat_map`; one that comes back keeps what was typed.
#[server(prefix = "/sf", endpoint = "staff-new-show", input = Json, output = Answer)]
pub async fn new_show(seat_map: Option<SeatMapId>) -> ApiResult<NewShowPage> {
    let backend = super::backend()?;
    // There only when a form was sent and refused.
    let returned = use_context::<Returned>();
    if let Some(returned) = returned.as_ref().filter(|returned| returned.is_astray()) {
        return Ok(NewShowPage::Astray {
            returned: Box::new(returned.clone()),
            seat_maps: backend.staff_seat_maps().await?,
        });
    }
    let typed = returned.as_ref().map(|returned| &returned.form);
    let Some(id) = typed
        .and_then(|form| form.seat_map.parse().ok())
        .or(seat_map)
    else {
        return Ok(NewShowPage::Choose(backend.staff_seat_maps().await?));
    };
    let command_id = typed.and_then(|form| form.command_id.parse().ok());
    Ok(NewShowPage::Form {
        command_id: command_id.unwrap_or_else(|| CommandId(uuid::Uuid::new_v4().as_u128())),
        seat_map: Box::new(backend.staff_seat_map(id).await?),
        returned: returned.map(Box::new),
    })
}

/// Orders, newest first, of one show or of all; `text` matches number, name or mail.
#[server(prefix = "/sf", endpoint = "staff-orders", input = Json, output = Answer)]
pub async fn orders(show: Option<ShowId>, text: String) -> ApiResult<Vec<StaffOrder>> {
    let backend = super::backend()?;
    Ok(backend.staff_orders(show, text).await?)
}
