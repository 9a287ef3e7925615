//! Console: what staff do with shows. Each use-case is one visible step; whatever touches seats
//! or what decides about them is a command to the show's desk.
//!
//! Owns no table: events and shows are written through the catalog, the rest by desks. Sends out
//! no facts. Invariants:
//! - Every route asks for a staff session before it looks at anything else.
//! - A show is made as a draft, and publishing is for ever: fans keep links.
//! - A form that makes a show makes one, however often it is sent.

/// Forms of the staff pages: urlencoded in, 303 out.
pub mod forms;
/// Making a show from a seat map.
pub mod new_show;
/// Orders, found by number, mail or name.
pub mod orders;
/// House holds.
pub mod seats;
/// Seat maps to make shows from.
pub mod seat_maps;
/// Lists, publishing, pausing.
pub mod shows;

use domain::board::command::{Actor, Command, Envelope};
use domain::ids::{CommandId, ShowId, StaffId};

use crate::app::App;
use crate::error::Result;

/// Puts a command of a member of staff before the show's desk. Each call is a command of its
/// own: sending a form twice asks twice, and the second finds the seats already kept.
async fn submit(app: &App, staff: StaffId, show: ShowId, command: Command) -> Result<()> {
    submit_named(app, staff, show, Name::fresh(), command).await
}

/// What a command is known by when it comes again.
#[derive(Debug, Clone, Copy)]
struct Name {
    id: CommandId,
    /// Of the request that gave the command.
    fingerprint: u64,
}

impl Name {
    fn fresh() -> Self {
        Self {
            id: CommandId(uuid::Uuid::new_v4().as_u128()),
            fingerprint: 0,
        }
    }
}

/// The same for a command that may come again under its name.
async fn submit_named(
    app: &App,
    staff: StaffId,
    show: ShowId,
    name: Name,
    command: Command,
) -> Result<()> {
    let envelope = Envelope {
        id: name.id,
        actor: Actor::Staff(staff),
        fingerprint: name.fingerprint,
        command,
    };
    app.desks.submit(show, envelope).await?;
    Ok(())
}
