//! What a feed hears and what it asks for.

use domain::ids::{SeatIx, Seq};
use domain::wire::frame::{Frame, Resync};
use domain::wire::snapshot::{Epoch, Position, SeatState, Snapshot};

/// What people may be told about the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LiveStatus {
    /// Nothing is known yet.
    #[default]
    Connecting,
    /// Changes show within a second.
    Live,
    /// What is shown may be old; trying again.
    Reconnecting,
    /// The browser says that there is no network.
    Offline,
}

/// What happened outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    Start,
    /// The stream is open, or that of another tab was joined: every frame after this place will
    /// be heard.
    Opened {
        at: Position,
    },
    /// A frame with the place it leads to.
    Frame {
        to: Position,
        frame: Frame,
    },
    Resync(Resync),
    /// The stream lives.
    Beat,
    /// Words that make no sense: as good as a gap.
    Garbage,
    /// The stream broke; connecting again is up to this feed.
    Cut,
    /// The stream broke in another tab, which connects again for all.
    Lost,
    /// This tab is to open the stream for all tabs.
    Elected,
    Fetched(Option<(Epoch, Snapshot)>),
    /// The wait with this number is over.
    Waited(u32),
    /// From time to time.
    Tick,
    /// The page is seen again.
    InView,
    /// The page goes away, perhaps to come back.
    Away,
    Offline,
    Online,
}

/// What is to be done outside, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Open or join the stream, from this place on.
    Connect {
        after: Option<Position>,
    },
    /// Close or leave the stream.
    Close,
    /// The stream is silent: open it anew, or take it over from the tab that has it.
    Revive {
        after: Option<Position>,
    },
    /// Get a snapshot at `min` or later after `delay_ms`; answer with `Fetched`.
    Fetch {
        min: Option<Seq>,
        delay_ms: u32,
    },
    /// Answer with `Waited(number)`.
    Wait {
        number: u32,
        delay_ms: u32,
    },
    /// The snapshot has moved on; these seats look different now, ascending.
    Changed(Vec<(SeatIx, SeatState)>),
    Status(LiveStatus),
}
