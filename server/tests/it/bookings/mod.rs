//! `/api/v1/bookings`: holds and what becomes of them.

mod bad_input;
mod races;
mod recovery;
mod two_processes;
