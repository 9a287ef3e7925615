//! What a ticket's code says, and how it is laid out. Signing and checking the signature is the
//! server's and the scanner's part; this page decides which bytes are signed.
//!
//! A code is 85 bytes in 136 characters of Crockford's base 32, all of them capital letters and
//! digits, so that a QR code can use its compact alphanumeric mode:
//!
//! | bytes | what |
//! | --- | --- |
//! | 1 | version in the upper four bits, number of the signing key in the lower four |
//! | 8 | show, big-endian |
//! | 8 | order, big-endian |
//! | 2 | line, big-endian |
//! | 2 | issue, big-endian |
//! | 64 | Ed25519 signature over the 21 bytes before |
//!
//! 85 bytes fill 136 characters exactly, so there are no spare bits in which two spellings of
//! one code could differ.

use crate::ids::{OrderId, ShowId};

/// The only layout so far.
const VERSION: u8 = 1;
/// Bytes that are signed.
pub const BODY_BYTES: usize = 21;
/// Bytes of an Ed25519 signature.
pub const SIGNATURE_BYTES: usize = 64;
/// Characters of a code.
pub const CODE_CHARACTERS: usize = (BODY_BYTES + SIGNATURE_BYTES) * 8 / 5;
/// Signing keys that can be told apart.
pub const KEYS_MAX: u8 = 16;

const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Names one issued ticket. Nothing about people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TicketName {
    /// Which key signed, below [`KEYS_MAX`].
    pub key: u8,
    pub show: ShowId,
    pub order: OrderId,
    pub line: u16,
    /// Counts up each time a ticket of this line is issued anew; older issues are void.
    pub issue: u16,
}

/// A code taken apart; nothing is verified yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    pub name: TicketName,
    /// What the signature is over.
    pub body: [u8; BODY_BYTES],
    pub signature: [u8; SIGNATURE_BYTES],
}

impl TicketName {
    /// The bytes to sign.
    pub fn body(&self) -> [u8; BODY_BYTES] {
        assert!(self.key < KEYS_MAX, "a key number has four bits");
        let mut body = [0; BODY_BYTES];
        body[0] = VERSION << 4 | self.key;
        body[1..9].copy_from_slice(&self.show.0.to_be_bytes());
        body[9..17].copy_from_slice(&self.order.0.to_be_bytes());
        body[17..19].copy_from_slice(&self.line.to_be_bytes());
        body[19..21].copy_from_slice(&self.issue.to_be_bytes());
        body
    }

    /// The code of this ticket under `signature`.
    pub fn code(&self, signature: &[u8; SIGNATURE_BYTES]) -> String {
        let mut code = String::with_capacity(CODE_CHARACTERS);
        let (mut bits, mut waiting) = (0u32, 0);
        for byte in self.body().iter().chain(signature) {
            bits = bits << 8 | u32::from(*byte);
            waiting += 8;
            while waiting >= 5 {
                waiting -= 5;
                code.push(char::from(DIGITS[(bits >> waiting & 31) as usize]));
            }
            bits &= (1 << waiting) - 1;
        }
        code
    }
}

/// Takes a code apart. `None` for anything that this version does not write, down to the case of
/// a letter.
pub fn parse(code: &str) -> Option<Parts> {
    if code.len() != CODE_CHARACTERS {
        return None;
    }
    let mut bytes = [0; BODY_BYTES + SIGNATURE_BYTES];
    let (mut bits, mut waiting, mut written) = (0u32, 0, 0);
    for character in code.bytes() {
        let digit = DIGITS.iter().position(|d| *d == character)?;
        bits = bits << 5 | digit as u32;
        waiting += 5;
        if waiting >= 8 {
            waiting -= 8;
            bytes[written] = (bits >> waiting) as u8;
            written += 1;
            bits &= (1 << waiting) - 1;
        }
    }
    let (body, signature) = bytes.split_at(BODY_BYTES);
    let body: [u8; BODY_BYTES] = body.try_into().expect("split there");
    if body[0] >> 4 != VERSION {
        return None;
    }
    let number = |at: usize| {
        let bytes: [u8; 8] = body[at..at + 8].try_into().expect("eight bytes");
        i64::from_be_bytes(bytes)
    };
    Some(Parts {
        name: TicketName {
            key: body[0] & 15,
            show: ShowId(number(1)),
            order: OrderId(number(9)),
            line: u16::from_be_bytes([body[17], body[18]]),
            issue: u16::from_be_bytes([body[19], body[20]]),
        },
        body,
        signature: signature.try_into().expect("split there"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name() -> TicketName {
        TicketName {
            key: 3,
            show: ShowId(17),
            order: OrderId(i64::MAX - 5),
            line: 50,
            issue: 2,
        }
    }

    #[test]
    fn codes_read_back() {
        let signature = std::array::from_fn(|i| (i * 37) as u8);
        let code = name().code(&signature);
        assert_eq!(code.len(), CODE_CHARACTERS);
        let parts = parse(&code).unwrap();
        assert_eq!(parts.name, name());
        assert_eq!(parts.body, name().body());
        assert_eq!(parts.signature, signature);
    }

    #[test]
    fn one_code_has_one_spelling() {
        let code = name().code(&[0xa5; SIGNATURE_BYTES]);
        assert_eq!(parse(&code.to_lowercase()), None);
        assert_eq!(parse(&format!("{code}0")), None);
        assert_eq!(parse(&code[1..]), None);
        // Letters that people's numbers forgive and codes do not.
        assert_eq!(parse(&format!("{}O", &code[..CODE_CHARACTERS - 1])), None);
        assert_eq!(parse(""), None);
        // Another version.
        assert_eq!(parse(&format!("G{}", &code[1..])), None);
    }

    #[test]
    fn every_character_counts() {
        let code = name().code(&[0xa5; SIGNATURE_BYTES]);
        let original = parse(&code).unwrap();
        for position in 0..CODE_CHARACTERS {
            let mut other = code.clone().into_bytes();
            other[position] = if other[position] == b'Z' { b'0' } else { b'Z' };
            let other = String::from_utf8(other).unwrap();
            assert_ne!(parse(&other), Some(original), "position {position}");
        }
    }
}
