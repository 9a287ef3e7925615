//! Tickets: the code that a paid line shows at the door, as text and as a QR picture.
//!
//! Owns no table: tickets are rows of the desk. Sends out no facts. Invariants:
//! - A code is a signature over a ticket's row, the same each time; nothing personal is in it.
//! - A void ticket has no code to show.

/// QR codes as pictures.
pub mod qr;

use domain::ticket::{TicketName, parse};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

/// Number of the key that signs now; codes name theirs, so that another can follow.
const KEY: u8 = 0;

/// The key that signs codes, shared by all processes on one database.
pub struct Signatory {
    key: SigningKey,
}

impl Signatory {
    /// From the seed that all processes share.
    pub fn new(seed: &[u8; 32]) -> Self {
        Self {
            key: SigningKey::from_bytes(seed),
        }
    }

    /// What scanners need: it verifies and cannot sign.
    pub fn public(&self) -> VerifyingKey {
        self.key.verifying_key()
    }

    /// The code of an issued ticket.
    pub fn code(&self, show: i64, order: i64, line: u16, issue: u16) -> String {
        let name = TicketName {
            key: KEY,
            show: domain::ids::ShowId(show),
            order: domain::ids::OrderId(order),
            line,
            issue,
        };
        name.code(&self.key.sign(&name.body()).to_bytes())
    }
}

/// The ticket that `code` proves under `key`; `None` for every other text. Whether the ticket is
/// valid still is the gate's question.
pub fn verify(key: &VerifyingKey, code: &str) -> Option<TicketName> {
    let parts = parse(code)?;
    let signature = Signature::from_bytes(&parts.signature);
    // Strict: a signature has one form, so a code cannot be bent into a second one.
    let good = parts.name.key == KEY && key.verify_strict(&parts.body, &signature).is_ok();
    good.then_some(parts.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f54_no_mutation_of_a_code_is_accepted() {
        let signatory = Signatory::new(&[7; 32]);
        let key = signatory.public();
        let code = signatory.code(17, 123_456_789_012, 3, 1);
        assert_eq!(code, signatory.code(17, 123_456_789_012, 3, 1));
        let name = verify(&key, &code).unwrap();
        assert_eq!((name.show.0, name.order.0), (17, 123_456_789_012));
        assert_eq!((name.line, name.issue), (3, 1));

        let digits = b"0123456789ABCDEFGHJKMNPQRSTVWXYZabcilou-_=";
        let mut tried = 0;
        for position in 0..code.len() {
            for digit in digits {
                let mut other = code.clone().into_bytes();
                if other[position] == *digit {
                    continue;
                }
                other[position] = *digit;
                let other = String::from_utf8(other).unwrap();
                assert_eq!(verify(&key, &other), None, "{other}");
                tried += 1;
            }
            for end in [
                &code[..position],
                &format!("{}{code}", &code[..position + 1]),
            ] {
                assert_eq!(verify(&key, end), None, "{end}");
                tried += 1;
            }
        }
        let mut seed = 1u64;
        while tried < 10_000 {
            let mut other = code.clone().into_bytes();
            for _ in 0..3 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let position = (seed >> 33) as usize % other.len();
                other[position] = digits[(seed >> 20) as usize % 32];
            }
            let other = String::from_utf8(other).unwrap();
            assert!(other == code || verify(&key, &other).is_none(), "{other}");
            tried += 1;
        }
        let stranger = Signatory::new(&[8; 32]);
        assert_eq!(verify(&stranger.public(), &code), None);
    }
}
