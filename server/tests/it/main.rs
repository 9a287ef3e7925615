//! Rowlock's tests through its public interface. One binary; modules mirror the routes.

mod bookings;
mod catalog;
mod console;
mod desk;
mod embedded;
mod forms;
mod harness;
mod import_map;
mod live;
mod openapi;
mod ops;
mod orders;
mod pages;
mod payments;
mod sessions;
