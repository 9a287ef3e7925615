//! Rowlock's tests through its public interface. One binary; modules mirror the routes.

mod bookings;
mod desk;
mod catalog;
mod console;
mod embedded;
mod forms;
mod harness;
mod live;
mod openapi;
mod ops;
mod orders;
mod payments;
mod sessions;
