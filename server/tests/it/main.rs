//! Rowlock's tests through its public interface. One binary; modules mirror the routes.

mod bookings;
mod desk;
mod catalog;
mod console;
mod embedded;
mod harness;
mod live;
mod ops;
mod sessions;
