//! Links in mails. `/orders/{id}?t=<token>` opens one order, to look at, for whoever has it: a
//! ticket bought by one is often carried by another.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::ids::OrderId;
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// Binds the signature to this use of the key.
const PURPOSE: &[u8] = b"rowlock order link 1";
/// Bytes of the signature that are sent: enough against guessing, short enough for a mail.
const TAG_BYTES: usize = 16;

fn mac(key: &[u8; 32], order: OrderId) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(PURPOSE);
    mac.update(&order.0.to_be_bytes());
    mac
}

/// The token that opens `order`.
pub fn token(key: &[u8; 32], order: OrderId) -> String {
    URL_SAFE_NO_PAD.encode(&mac(key, order).finalize().into_bytes()[..TAG_BYTES])
}

/// `token` opens `order`.
pub fn opens(key: &[u8; 32], order: OrderId, token: &str) -> bool {
    let Ok(tag) = URL_SAFE_NO_PAD.decode(token) else {
        return false;
    };
    // Compares in constant time; a shorter tag would be easier to guess.
    tag.len() == TAG_BYTES && mac(key, order).verify_truncated_left(&tag).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_opens_its_own_order_and_nothing_else() {
        let key = [9; 32];
        let good = token(&key, OrderId(5));
        assert!(opens(&key, OrderId(5), &good));
        assert!(!opens(&key, OrderId(6), &good));
        assert!(!opens(&[8; 32], OrderId(5), &good));
        for bad in ["", "A", &good[..21], &format!("{good}A"), "ä"] {
            assert!(!opens(&key, OrderId(5), bad), "{bad:?}");
        }
    }
}
