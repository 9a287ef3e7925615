//! Named limits of the HTTP edge. Limits of purchase are the show's settings; limits per buyer
//! and network address will stand here, in front of the commands, where `http::assemble` adds
//! its layers.

/// Longest body of a request, bytes; a longer one is answered 413 with this number.
pub const BODY_BYTES_MAX: usize = 64 * 1024;

/// Text of a framework error that is carried on in a problem document.
pub const PROBLEM_DETAIL_BYTES_MAX: usize = 4 * 1024;

/// Problem document that is shown as a page.
pub const PROBLEM_BYTES_MAX: usize = 256 * 1024;

/// Error of a server function whose status is read from its body.
pub const SERVER_FUNCTION_ERROR_BYTES_MAX: usize = 256 * 1024;

/// Longest `Authorization` or cookie value that is looked at.
pub const TOKEN_BYTES_MAX: usize = 256;

/// Wrong passwords for one mail address from one network in [`GUESS_WINDOW_S`].
pub const GUESSES_PER_ADDRESS_MAX: u32 = 10;

/// Wrong passwords from one network in [`GUESS_WINDOW_S`], whatever the address.
pub const GUESSES_PER_NETWORK_MAX: u32 = 50;

/// Window of the two above, seconds.
pub const GUESS_WINDOW_S: u32 = 300;

/// Networks, and addresses within them, whose guesses are remembered at once.
pub const GUESS_COUNTS_MAX: usize = 100_000;

/// Passwords that are hashed at once: each takes a core and 19 MiB.
pub const PASSWORD_HASHES_AT_ONCE: usize = 2;

/// Longest password that is hashed, bytes.
pub const PASSWORD_BYTES_MAX: usize = 512;
