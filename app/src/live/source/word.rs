//! What a stream says, as the leader's tab repeats it to the others.

use domain::wire::frame::{Frame, Resync};

use crate::live::feed::Event;

/// What a stream says, and what tabs say to each other.
pub(super) enum Word<'a> {
    /// A tab joined and wants to know where the stream stands.
    Hello,
    /// Every frame after this place follows.
    At(&'a str),
    /// A place, and the frame that leads to it.
    Frame(&'a str, &'a str),
    Resync(&'a str),
    Beat,
    Cut,
}

impl<'a> Word<'a> {
    pub(super) fn to_text(&self) -> String {
        match self {
            Self::Hello => "h".to_owned(),
            Self::At(at) => format!("a{at}"),
            Self::Frame(at, frame) => format!("f{at} {frame}"),
            Self::Resync(data) => format!("r{data}"),
            Self::Beat => "b".to_owned(),
            Self::Cut => "c".to_owned(),
        }
    }

    pub(super) fn from_text(text: &'a str) -> Option<Self> {
        let kind = text.get(..1)?;
        let rest = &text[1..];
        Some(match kind {
            "h" => Self::Hello,
            "a" => Self::At(rest),
            "f" => {
                let (at, frame) = rest.split_once(' ')?;
                Self::Frame(at, frame)
            }
            "r" => Self::Resync(rest),
            "b" => Self::Beat,
            "c" => Self::Cut,
            _ => return None,
        })
    }

    pub(super) fn event(&self) -> Event {
        let event = match self {
            Self::Hello => None,
            Self::At(at) => at.parse().ok().map(|at| Event::Opened { at }),
            Self::Frame(at, frame) => at
                .parse()
                .ok()
                .zip(Frame::from_text(frame).ok())
                .map(|(to, frame)| Event::Frame { to, frame }),
            Self::Resync(data) => Resync::from_text(data).ok().map(Event::Resync),
            Self::Beat => Some(Event::Beat),
            Self::Cut => Some(Event::Cut),
        };
        event.unwrap_or(Event::Garbage)
    }
}
