//! Money in minor units. No floating point anywhere; the exponent comes from ISO 4217.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An amount in the currency's minor units (cents, fen, yen).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Minor(pub i64);

impl Minor {
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }
}

impl std::iter::Sum for Minor {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        // Totals are bounded by SEATS_PER_ORDER_MAX x PRICE_MAX, far below i64.
        Self(amounts.map(|m| m.0).sum())
    }
}

/// Highest price of one line, in minor units: keeps every total far from overflow.
pub const PRICE_MAX: Minor = Minor(1_000_000_000_000);

/// An ISO 4217 currency code, three capital letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Currency([u8; 3]);

impl Currency {
    pub const EUR: Self = Self(*b"EUR");

    /// `None` unless `code` is three capital letters.
    pub fn new(code: &str) -> Option<Self> {
        let bytes: [u8; 3] = code.as_bytes().try_into().ok()?;
        bytes
            .iter()
            .all(u8::is_ascii_uppercase)
            .then_some(Self(bytes))
    }

    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).expect("three ASCII letters by construction")
    }

    /// Digits after the decimal sign (ISO 4217 list one; currencies not named there use 2).
    pub fn exponent(&self) -> u32 {
        match &self.0 {
            b"BIF" | b"CLP" | b"DJF" | b"GNF" | b"ISK" | b"JPY" | b"KMF" | b"KRW" | b"PYG"
            | b"RWF" | b"UGX" | b"UYI" | b"VND" | b"VUV" | b"XAF" | b"XOF" | b"XPF" => 0,
            b"BHD" | b"IQD" | b"JOD" | b"KWD" | b"LYD" | b"OMR" | b"TND" => 3,
            _ => 2,
        }
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Serialize for Currency {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Self::new(&text).ok_or_else(|| serde::de::Error::custom("not an ISO 4217 code"))
    }
}

/// An amount with its currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Money {
    /// Minor units.
    pub amount: Minor,
    pub currency: Currency,
}

impl fmt::Display for Money {
    /// Plain form, `12.50 EUR`: for logs and reports; screens format by locale.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {}",
            decimal(self.amount, self.currency),
            self.currency
        )
    }
}

/// The amount in major units with the currency's digits, `.` as decimal sign, no grouping.
pub fn decimal(amount: Minor, currency: Currency) -> String {
    let exponent = currency.exponent() as usize;
    let sign = if amount.0 < 0 { "-" } else { "" };
    let digits = format!("{:0width$}", amount.0.unsigned_abs(), width = exponent + 1);
    let (major, minor) = digits.split_at(digits.len() - exponent);
    if minor.is_empty() {
        format!("{sign}{major}")
    } else {
        format!("{sign}{major}.{minor}")
    }
}

/// The amount that a person typed: digits, and after a `.` at most as many as the currency has.
/// Exact, without sign or grouping; `None` for anything else and above [`PRICE_MAX`].
pub fn parse(text: &str, currency: Currency) -> Option<Minor> {
    let exponent = currency.exponent() as usize;
    let (major, minor) = match text.split_once('.') {
        Some((major, minor)) if !minor.is_empty() => (major, minor),
        Some(_) => return None,
        None => (text, ""),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if major.is_empty() || !digits(major) || !digits(minor) || minor.len() > exponent {
        return None;
    }
    let amount = format!("{major}{minor:0<exponent$}").parse().ok()?;
    (amount <= PRICE_MAX.0).then_some(Minor(amount))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_amounts_are_exact_or_refused() {
        let check = |text, code, expect: Option<i64>| {
            let currency = Currency::new(code).unwrap();
            assert_eq!(parse(text, currency), expect.map(Minor), "{text:?} {code}");
        };
        check("45", "EUR", Some(4500));
        check("45.5", "EUR", Some(4550));
        check("0.07", "EUR", Some(7));
        check("1234", "JPY", Some(1234));
        check("1.234", "KWD", Some(1234));
        for text in [
            "", ".5", "5.", "-1", "+1", "1,50", "1 000", "1e3", "٣", "45.505",
        ] {
            check(text, "EUR", None);
        }
        check("5.0", "JPY", None);
        check("10000000000.01", "EUR", None);
        check("99999999999999999999", "EUR", None);
    }

    #[test]
    fn digits_follow_the_currency() {
        let text = |amount, code| decimal(Minor(amount), Currency::new(code).unwrap());
        assert_eq!(text(1250, "EUR"), "12.50");
        assert_eq!(text(5, "USD"), "0.05");
        assert_eq!(text(500, "JPY"), "500");
        assert_eq!(text(1234, "KWD"), "1.234");
        assert_eq!(text(-5, "CNY"), "-0.05");
    }
}
