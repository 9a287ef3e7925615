//! How often passwords were guessed lately. Guesses are counted by the network that asks, and by
//! network and mail address together; never by the address alone, or whoever knows it could keep
//! its owner out from anywhere.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Mutex;

use domain::refusal::Refusal;
use domain::time::Millis;

use crate::http::limits::{
    GUESS_COUNTS_MAX, GUESS_WINDOW_S, GUESSES_PER_ADDRESS_MAX, GUESSES_PER_NETWORK_MAX,
};
use crate::http::network::Network;

/// The guesses of the window that is running.
#[derive(Default)]
pub struct Guesses {
    recent: Mutex<Recent>,
    /// Addresses are kept as hashes under a key that nobody knows: small, and no two can be chosen
    /// to collide.
    hasher: RandomState,
}

#[derive(Default)]
struct Recent {
    window: i64,
    counts: HashMap<Key, u32>,
}

/// A whole network, or one mail address as guessed from it.
type Key = (Network, Option<u64>);

impl Guesses {
    /// Counts a guess before the password is looked at, so that guesses made at once count too.
    ///
    /// # Errors
    /// `TooManyRequests` until the window ends; such a guess is not counted.
    pub fn begin(&self, network: Network, email: &str, now: Millis) -> Result<(), Refusal> {
        let window_ms = i64::from(GUESS_WINDOW_S) * 1000;
        let window = now.0.div_euclid(window_ms);
        let mut recent = self.recent.lock().expect("no panic while counting");
        if recent.window != window {
            *recent = Recent {
                window,
                ..Recent::default()
            };
        }
        let limits = [
            ((network, None), GUESSES_PER_NETWORK_MAX),
            (self.of_address(network, email), GUESSES_PER_ADDRESS_MAX),
        ];
        let count = |key| recent.counts.get(key).copied().unwrap_or(0);
        if limits.iter().any(|(key, max)| count(key) >= *max) {
            let left_ms = window_ms - now.0.rem_euclid(window_ms);
            return Err(Refusal::TooManyRequests {
                retry_after_s: (left_ms / 1000 + 1) as u32,
            });
        }
        // Who has that many networks gains nothing by being counted anew.
        if recent.counts.len() + limits.len() > GUESS_COUNTS_MAX {
            recent.counts.clear();
        }
        for (key, _) in limits {
            *recent.counts.entry(key).or_default() += 1;
        }
        Ok(())
    }

    /// The password was right: it was no guess, and earlier slips are forgotten.
    pub fn was_right(&self, network: Network, email: &str) {
        let mut recent = self.recent.lock().expect("no panic while counting");
        recent.counts.remove(&self.of_address(network, email));
        if let Some(count) = recent.counts.get_mut(&(network, None)) {
            *count = count.saturating_sub(1);
        }
    }

    fn of_address(&self, network: Network, email: &str) -> Key {
        (network, Some(self.hasher.hash_one(email)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Millis = Millis(1_000);

    fn network(last: u8) -> Network {
        Network::of([192, 0, 2, last].into())
    }

    #[test]
    fn a_stranger_is_stopped_and_the_owner_is_not() {
        let guesses = Guesses::default();
        let guess = |from: u8, now: Millis| guesses.begin(network(from), "ann@x", now);
        for _ in 0..GUESSES_PER_ADDRESS_MAX {
            guess(1, NOW).unwrap();
        }
        let stopped = Refusal::TooManyRequests {
            retry_after_s: GUESS_WINDOW_S,
        };
        assert_eq!(guess(1, NOW), Err(stopped));
        assert_eq!(guess(2, NOW), Ok(()), "another network");
        assert_eq!(
            guesses.begin(network(1), "bob@x", NOW),
            Ok(()),
            "another address"
        );
        let later = Millis(i64::from(GUESS_WINDOW_S) * 1000);
        assert_eq!(guess(1, later), Ok(()), "the next window is empty");
    }

    #[test]
    fn a_network_that_tries_many_addresses_is_stopped() {
        let guesses = Guesses::default();
        for n in 0..GUESSES_PER_NETWORK_MAX {
            guesses.begin(network(1), &format!("{n}@x"), NOW).unwrap();
        }
        assert!(guesses.begin(network(1), "ann@x", NOW).is_err());
        assert!(guesses.begin(network(2), "ann@x", NOW).is_ok());
    }

    #[test]
    fn right_passwords_are_no_guesses() {
        let guesses = Guesses::default();
        for _ in 0..3 * GUESSES_PER_NETWORK_MAX {
            guesses.begin(network(1), "ann@x", NOW).unwrap();
            guesses.was_right(network(1), "ann@x");
        }
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let guesses = Guesses::default();
        for n in 0..GUESS_COUNTS_MAX as u32 {
            let network = Network::of(n.to_be_bytes().into());
            guesses.begin(network, "ann@x", NOW).unwrap();
        }
        assert!(guesses.recent.lock().unwrap().counts.len() <= GUESS_COUNTS_MAX);
    }
}
