//! Server functions: what pages ask the server, under `/sf/<name>`. They are public POST endpoints;
//! each takes the backend of its request from context before it first waits.
//!
//! Questions are JSON, answers postcard: its decoders are a fifth of the size of JSON's, and the
//! browser carries one for every type.

use domain::refusal::Refusal;
use leptos::server_fn::error::{FromServerFnError, ServerFnErrorErr};
use serde::{Deserialize, Serialize};

pub mod events;
pub mod orders;
mod packed;
#[cfg(feature = "ssr")]
mod seat_list;
pub mod shows;
pub mod staff;

use packed::{Answer, Packed};
pub use packed::{Asked, AskedBytes, ask, unpack};

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApiError {
    /// An expected no, with what people need to know about it.
    Refusal(Refusal),
    /// The house's own trouble; staff find it by the reference.
    Fault { reference: String },
    /// The browser could not reach the server.
    Unreachable,
    /// The framework could not read the arguments; the edge makes a refusal of it before it leaves.
    #[cfg(feature = "ssr")]
    Misread { detail: String },
}

pub type ApiResult<T> = Result<T, ApiError>;

impl ApiError {
    /// The HTTP status of this answer.
    pub fn status(&self) -> u16 {
        match self {
            Self::Refusal(refusal) => refusal.status(),
            Self::Fault { .. } => 500,
            Self::Unreachable => 503,
            #[cfg(feature = "ssr")]
            Self::Misread { .. } => 400,
        }
    }
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refusal(refusal) => refusal.fmt(f),
            Self::Fault { reference } => write!(f, "fault {reference}"),
            Self::Unreachable => f.write_str("unreachable"),
            #[cfg(feature = "ssr")]
            Self::Misread { detail } => write!(f, "misread: {detail}"),
        }
    }
}

impl std::error::Error for ApiError {}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        Self::Refusal(refusal)
    }
}

#[cfg(feature = "ssr")]
impl From<crate::backend::Failure> for ApiError {
    fn from(failure: crate::backend::Failure) -> Self {
        match failure {
            crate::backend::Failure::Refusal(refusal) => Self::Refusal(refusal),
            crate::backend::Failure::Fault { reference } => Self::Fault { reference },
        }
    }
}

impl FromServerFnError for ApiError {
    type Encoder = Packed;

    /// What the framework itself found wrong: arguments that do not parse are the caller's, a
    /// broken connection is nobody's, the rest is ours.
    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            ServerFnErrorErr::Args(detail) | ServerFnErrorErr::MissingArg(detail) => {
                misread(detail)
            }
            ServerFnErrorErr::Request(_) | ServerFnErrorErr::Response(_) => Self::Unreachable,
            // On the server this is a body that did not arrive whole; in the browser, an answer
            // that is not ours, from a proxy for instance.
            ServerFnErrorErr::Deserialization(detail) if cfg!(feature = "ssr") => misread(detail),
            ServerFnErrorErr::Deserialization(_) => Self::Unreachable,
            other => Self::Fault {
                reference: other.to_string(),
            },
        }
    }
}

#[cfg(feature = "ssr")]
fn misread(detail: String) -> ApiError {
    ApiError::Misread { detail }
}

#[cfg(not(feature = "ssr"))]
fn misread(detail: String) -> ApiError {
    Refusal::Malformed { detail }.into()
}

/// The backend of this request; call before the first await, context is gone after it.
#[cfg(feature = "ssr")]
pub(crate) fn backend() -> ApiResult<crate::backend::SharedBackend> {
    leptos::prelude::use_context().ok_or_else(|| ApiError::Fault {
        reference: "no backend in context".into(),
    })
}
