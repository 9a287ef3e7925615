//! What tests share: real Postgres and Redis, real HTTP on loopback, a database per test.

mod app;
mod cluster;
mod houses;
mod people;
mod process;
pub mod staff;

pub use app::{TestApp, client};
pub use cluster::{cluster, scratch};
pub use houses::{FEE_PER_TICKET, House, HouseSpec, PRICES};
pub use people::{Answer, Buyer};
pub use process::ServerProcess;
