//! Order numbers: 64-bit time-ordered ids (41 bits of milliseconds since 2025-01-01, 10 bits of
//! node, 12 bits of sequence), printed for people in groups with a check character.

use crate::ids::OrderId;
use crate::time::Millis;

/// 2025-01-01T00:00:00Z in Unix milliseconds.
const EPOCH: i64 = 1_735_689_600_000;

/// Orders of one node within one millisecond.
pub const SEQUENCE_MAX: u16 = (1 << 12) - 1;

/// Crockford's base 32: no I, L, O, U.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The id made by `node` (10 bits) as its `sequence`-th (12 bits) of the millisecond `at`.
pub fn compose(at: Millis, node: u16, sequence: u16) -> OrderId {
    assert!(node < 1 << 10, "a node number has 10 bits");
    assert!(sequence <= SEQUENCE_MAX, "a sequence number has 12 bits");
    let elapsed = (at.0 - EPOCH).clamp(0, (1 << 41) - 1);
    OrderId(elapsed << 22 | i64::from(node) << 12 | i64::from(sequence))
}

/// `4F2K-9T0C-X7M3-Q5`: thirteen digits and a check digit, in groups of four.
pub fn print(order: OrderId) -> String {
    let value = order.0 as u64;
    let mut digits: Vec<u8> = (0..13)
        .rev()
        .map(|group| DIGITS[(value >> (group * 5)) as usize & 31])
        .collect();
    digits.push(check(&digits));
    let groups: Vec<&str> = digits
        .chunks(4)
        .map(|group| std::str::from_utf8(group).expect("ASCII digits"))
        .collect();
    groups.join("-")
}

/// The order printed as `text`; spaces, hyphens and case do not matter, `O` reads as 0 and `I`,
/// `L` as 1. `None` for anything else, a wrong check digit included.
pub fn parse(text: &str) -> Option<OrderId> {
    let mut digits = Vec::with_capacity(14);
    for byte in text.bytes().map(|b| b.to_ascii_uppercase()) {
        match byte {
            b'-' | b' ' => continue,
            b'O' => digits.push(b'0'),
            b'I' | b'L' => digits.push(b'1'),
            b if DIGITS.contains(&b) => digits.push(b),
            _ => return None,
        }
        if digits.len() > 14 {
            return None;
        }
    }
    let (last, body) = digits.split_last()?;
    if body.len() != 13 || check(body) != *last {
        return None;
    }
    let value = body.iter().try_fold(0u64, |value, digit| {
        value.checked_mul(32)?.checked_add(index_of(*digit) as u64)
    })?;
    i64::try_from(value).ok().map(OrderId)
}

fn index_of(digit: u8) -> usize {
    DIGITS
        .iter()
        .position(|d| *d == digit)
        .expect("checked digit")
}

/// Weighted sum modulo 31: finds every single wrong digit and every swap of neighbours that
/// differ by less than 31.
fn check(digits: &[u8]) -> u8 {
    let sum: usize = digits
        .iter()
        .enumerate()
        .map(|(position, digit)| (position + 1) * index_of(*digit))
        .sum();
    DIGITS[sum % 31]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_numbers_read_back_and_mistypes_do_not() {
        let order = compose(Millis(EPOCH + 60_000_000_000), 7, 99);
        let text = print(order);
        assert_eq!(text.len(), 17);
        assert_eq!(parse(&text), Some(order));
        assert_eq!(parse(&text.to_lowercase().replace('-', " ")), Some(order));
        let mut wrong = 0;
        for position in 0..13 {
            let mut digits: Vec<u8> = text.bytes().filter(|b| *b != b'-').collect();
            digits[position] = if digits[position] == b'7' { b'8' } else { b'7' };
            if parse(std::str::from_utf8(&digits).unwrap()) == Some(order) {
                wrong += 1;
            }
        }
        assert_eq!(wrong, 0);
    }

    #[test]
    fn later_orders_have_greater_numbers() {
        assert!(compose(Millis(EPOCH + 2), 0, 0) > compose(Millis(EPOCH + 1), 1023, 4095));
    }
}
