//! Names of things. Sized integers on every boundary; in JSON every 64-bit and wider id is a
//! string, because JavaScript numbers lose digits beyond 2^53.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// An id that did not parse; the text is not echoed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadId;

impl fmt::Display for BadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a valid id")
    }
}

impl std::error::Error for BadId {}

/// Dense index within one seat map (or one show's tiers): a plain number in JSON too.
macro_rules! index {
    ($(#[$doc:meta])* $name:ident($int:ty)) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $int);

        impl $name {
            /// The index as a position in a slice.
            pub const fn at(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

index!(
    /// A seat, numbered densely within its seat map from 0, section by section, row by row.
    SeatIx(u32)
);
index!(
    /// A section of a seat map.
    SectionIx(u16)
);
index!(
    /// A row of a seat map, numbered over all sections.
    RowIx(u32)
);
index!(
    /// A standing area of a seat map.
    AreaIx(u16)
);
index!(
    /// A price level of a show.
    TierIx(u8)
);

/// A database id: `i64` in Postgres, a decimal string in JSON, compact in binary logs.
macro_rules! number_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = BadId;

            fn from_str(text: &str) -> Result<Self, BadId> {
                // One spelling per id: no sign, no leading zero, nothing above i64.
                let plain = text.len() <= 19
                    && !text.is_empty()
                    && text.bytes().all(|b| b.is_ascii_digit())
                    && (text == "0" || !text.starts_with('0'));
                if !plain {
                    return Err(BadId);
                }
                text.parse().map($name).map_err(|_| BadId)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.collect_str(self)
                } else {
                    serializer.serialize_i64(self.0)
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
                    text.parse().map_err(de::Error::custom)
                } else {
                    i64::deserialize(deserializer).map($name)
                }
            }
        }
    };
}

number_id!(
    /// A place with seat maps.
    VenueId
);
number_id!(
    /// What is performed.
    EventId
);
number_id!(
    /// One performance at a venue at a time: the unit of inventory and of on-sale.
    ShowId
);
number_id!(
    /// An order, from hold to refund. Time-ordered 64-bit; see [`crate::order::number`].
    OrderId
);
number_id!(
    /// A member of staff.
    StaffId
);

/// A 128-bit random name chosen outside the domain, written as 32 lower-case hex digits;
/// hyphens of the UUID form are accepted.
macro_rules! wide_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u128);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:032x}", self.0)
            }
        }

        impl FromStr for $name {
            type Err = BadId;

            fn from_str(text: &str) -> Result<Self, BadId> {
                let hyphens = match text.len() {
                    32 => 0,
                    36 => 4,
                    _ => return Err(BadId),
                };
                let mut value = 0u128;
                let mut seen = 0;
                for byte in text.bytes() {
                    match (byte as char).to_digit(16) {
                        Some(digit) => value = value << 4 | u128::from(digit),
                        None if byte == b'-' && hyphens > 0 => seen += 1,
                        None => return Err(BadId),
                    }
                }
                if seen == hyphens { Ok($name(value)) } else { Err(BadId) }
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.collect_str(self)
                } else {
                    serializer.serialize_u128(self.0)
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
                    text.parse().map_err(de::Error::custom)
                } else {
                    u128::deserialize(deserializer).map($name)
                }
            }
        }
    };
}

wide_id!(
    /// A buyer: anonymous session or account.
    BuyerId
);
wide_id!(
    /// The client's name for one command, repeated on retry.
    CommandId
);
wide_id!(
    /// One attempt to pay an order; also the provider's idempotency key.
    AttemptId
);

/// One immutable version of a seat map: the first half of the SHA-256 of its encoded bytes,
/// written as 32 lower-case hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SeatMapId(pub [u8; 16]);

impl SeatMapId {
    /// The id of the seat map encoded as `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        use sha2::Digest;
        let hash = sha2::Sha256::digest(bytes);
        let mut id = [0; 16];
        id.copy_from_slice(&hash[..16]);
        Self(id)
    }
}

impl fmt::Display for SeatMapId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl FromStr for SeatMapId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        if text.len() != 32 || !text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(BadId);
        }
        u128::from_str_radix(text, 16)
            .map(|v| Self(v.to_be_bytes()))
            .map_err(|_| BadId)
    }
}

impl Serialize for SeatMapId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SeatMapId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

/// Number of the last commit of a show's board; the first commit is 1, an untouched board is 0.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Seq(pub u64);

impl Seq {
    /// The number of the next commit.
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_ids_have_one_spelling() {
        assert_eq!("17".parse(), Ok(ShowId(17)));
        for text in [
            "",
            "017",
            "+1",
            "-1",
            "1.0",
            " 1",
            "9223372036854775808",
            "٣",
        ] {
            assert_eq!(text.parse::<ShowId>(), Err(BadId), "{text:?}");
        }
    }

    #[test]
    fn wide_ids_take_both_uuid_spellings() {
        let hyphenated = "0188d7a2-1b2c-7def-8abc-0123456789ab";
        let id: CommandId = hyphenated.parse().unwrap();
        assert_eq!(id.to_string(), hyphenated.replace('-', ""));
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!("zz".parse::<CommandId>(), Err(BadId));
    }

    #[test]
    fn ids_are_strings_in_json_and_numbers_in_binary() {
        assert_eq!(serde_json::to_string(&OrderId(5)).unwrap(), "\"5\"");
        let bytes = postcard::to_allocvec(&OrderId(5)).unwrap();
        assert_eq!(postcard::from_bytes::<OrderId>(&bytes), Ok(OrderId(5)));
    }
}
