//! The task that runs one show's desk: it takes what waits in the inbox, drives
//! [`domain::desk::Desk`] against Postgres, answers, and feeds the hub. There is one per show and
//! process; it is begun by [`super::Desks::house`] and ends with the process.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use domain::board::command::{Actor, Command, Envelope, Outcome};
use domain::desk::{
    BATCH_COMMANDS_MAX, Desk, Done, EXPIRIES_PER_BATCH_MAX, Input, Output, Token,
};
use domain::ids::{CommandId, OrderId, ShowId};
use domain::refusal::Refusal;
use domain::time::Millis;
use sqlx::PgPool;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::house::House;
use super::ledger::{self, Written};
use super::meters::Meters;
use crate::clock::Clock;
use crate::error::{Error, Result};

/// How often the log is read while somebody watches or buys.
const FOLLOW_EVERY: Duration = Duration::from_millis(250);
/// The same while nobody does.
const FOLLOW_IDLE_EVERY: Duration = Duration::from_secs(2);
/// Commands keep a show awake for this long.
const AWAKE_FOR_MS: i64 = 10_000;
/// Times a single command is tried before it fails alone.
const TRIES_MAX: u32 = 2;
/// Pauses between attempts to load the board again.
const RELOAD_PAUSES: [Duration; 5] = [
    Duration::from_millis(0),
    Duration::from_millis(50),
    Duration::from_millis(200),
    Duration::from_millis(500),
    Duration::from_millis(1000),
];

/// A command with the place where its answer is awaited.
pub(super) struct Job {
    pub envelope: Envelope,
    pub reply: oneshot::Sender<Result<Outcome>>,
    pub arrived: Millis,
}

pub(super) struct Runner {
    pub db: PgPool,
    pub clock: Clock,
    pub show: ShowId,
    pub house: Arc<House>,
    pub desk: Desk,
    pub inbox: mpsc::Receiver<Job>,
    pub cancel: CancellationToken,
    pub meters: Meters,
    pub waiting: HashMap<Token, Job2>,
    pub next_token: Token,
    pub last_command: Millis,
}

/// Where an answer goes.
pub(super) struct Job2 {
    reply: oneshot::Sender<Result<Outcome>>,
}
