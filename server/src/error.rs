//! Three failures, three places: a refusal is an expected no (4xx, never logged as an error), a
//! fault is the house's own trouble (context added on the way, logged once at the edge, 500 or
//! 503), a bug is an assert.

use domain::refusal::Refusal;

#[derive(Debug)]
pub enum Error {
    Refusal(Refusal),
    Fault(anyhow::Error),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refusal(refusal)
    }
}

impl From<anyhow::Error> for Error {
    fn from(fault: anyhow::Error) -> Self {
        Self::Fault(fault)
    }
}

impl From<sqlx::Error> for Error {
    fn from(fault: sqlx::Error) -> Self {
        match fault {
            // Not broken, but more than we can do now: whoever asks may come back.
            sqlx::Error::PoolTimedOut => Refusal::Busy { retry_after_s: 1 }.into(),
            fault => Self::Fault(fault.into()),
        }
    }
}

impl Error {
    /// For commands and loops, where nobody is there to be refused.
    pub fn into_fault(self) -> anyhow::Error {
        match self {
            Self::Refusal(refusal) => anyhow::anyhow!("refused: {refusal:?}"),
            Self::Fault(fault) => fault,
        }
    }
}
