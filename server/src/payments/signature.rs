//! The signature on a provider's webhook, in Stripe's scheme: header `t=<unix>,v1=<hex>[,v1=…]`,
//! signed text `"{t}.{raw body}"`, HMAC-SHA256 under the endpoint's secret as it stands.
//!
//! Always over the raw bytes, before anybody parses them: JSON written again is another text.

use hmac::{Hmac, Mac};
use sha2::Sha256;

/// How far the stamp may lie from now, either way.
const TOLERANCE_S: i64 = 300;
/// Signatures of one header that are looked at: two in a rotation, some to spare.
const SIGNATURES_MAX: usize = 8;
/// Longest header that is read.
const HEADER_BYTES_MAX: usize = 1024;

/// The header does not prove that the body came from the provider. Which part failed is told to
/// nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadSignature;

/// The header for `body`, stamped `at` (Unix seconds).
pub fn sign(secret: &[u8], at: i64, body: &[u8]) -> String {
    let tag = mac(secret, at.to_string().as_bytes(), body)
        .finalize()
        .into_bytes();
    let hex: String = tag.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={at},v1={hex}")
}

/// Checks `header` against `body` under any of `secrets` (two while one is being replaced).
pub fn verify(
    header: &str,
    body: &[u8],
    secrets: &[Vec<u8>],
    now: i64,
) -> Result<(), BadSignature> {
    if header.len() > HEADER_BYTES_MAX {
        return Err(BadSignature);
    }
    let mut stamp = None;
    let mut tags: Vec<[u8; 32]> = Vec::new();
    for part in header.split(',') {
        match part.split_once('=') {
            Some(("t", text)) => stamp = Some(text),
            Some(("v1", text)) if tags.len() < SIGNATURES_MAX => tags.extend(hex(text)),
            _ => {}
        }
    }
    let stamp = stamp.ok_or(BadSignature)?;
    let at: i64 = stamp.parse().map_err(|_| BadSignature)?;
    if at.abs_diff(now) > TOLERANCE_S as u64 {
        return Err(BadSignature);
    }
    // The stamp's own characters are what was signed, not the number that they mean.
    let good = secrets.iter().any(|secret| {
        tags.iter().any(|tag| {
            mac(secret, stamp.as_bytes(), body)
                .verify_slice(tag)
                .is_ok()
        })
    });
    if good { Ok(()) } else { Err(BadSignature) }
}

fn mac(secret: &[u8], stamp: &[u8], body: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("HMAC takes keys of any length");
    mac.update(stamp);
    mac.update(b".");
    mac.update(body);
    mac
}

fn hex(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; 32];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[at * 2..at * 2 + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000;
    const BODY: &[u8] = br#"{"id":"evt_1"}"#;

    fn check(header: &str, body: &[u8], now: i64) -> Result<(), BadSignature> {
        verify(header, body, &[b"old".to_vec(), b"new".to_vec()], now)
    }

    #[test]
    fn agrees_with_a_tag_computed_elsewhere() {
        // printf '1800000000.{"id":"evt_1"}' | openssl dgst -sha256 -hmac new
        assert_eq!(
            sign(b"new", NOW, BODY),
            "t=1800000000,v1=695612b1d40619ffceebca63974955cd00ea779f2b6a67804bcf777faa5095a2"
        );
    }

    #[test]
    fn good_headers_pass_for_both_secrets_of_a_rotation() {
        let new = sign(b"new", NOW, BODY);
        assert_eq!(check(&new, BODY, NOW), Ok(()));
        assert_eq!(check(&sign(b"old", NOW, BODY), BODY, NOW), Ok(()));
        let twice = format!("{new},v1={}", "0".repeat(64));
        assert_eq!(check(&twice, BODY, NOW), Ok(()));
        let wrong_first = new.replace("v1=", &format!("v1={},v1=", "0".repeat(64)));
        assert_eq!(check(&wrong_first, BODY, NOW), Ok(()));
        assert_eq!(check(&new, BODY, NOW + 300), Ok(()));
    }

    #[test]
    fn anything_else_is_refused() {
        let header = sign(b"new", NOW, BODY);
        assert_eq!(check(&header, BODY, NOW + 301), Err(BadSignature));
        assert_eq!(check(&header, BODY, NOW - 301), Err(BadSignature));
        assert_eq!(check(&header, br#"{"id":"evt_2"}"#, NOW), Err(BadSignature));
        let other = sign(b"other", NOW, BODY);
        assert_eq!(check(&other, BODY, NOW), Err(BadSignature));
        assert_eq!(check("", BODY, NOW), Err(BadSignature));
        assert_eq!(check("t=,v1=", BODY, NOW), Err(BadSignature));
        assert_eq!(
            check(&header.replace("v1", "v0"), BODY, NOW),
            Err(BadSignature)
        );
        let later = header.replace("t=1800000000", "t=1800000001");
        assert_eq!(check(&later, BODY, NOW), Err(BadSignature));
        assert_eq!(check(&"t=1,".repeat(5000), BODY, NOW), Err(BadSignature));
    }
}
