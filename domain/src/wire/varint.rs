//! LEB128 numbers and a reader that never goes past its bytes: what the codecs of [`super`]
//! are made of.

use std::fmt;

/// Bytes that are not what the codec writes. The bytes are not echoed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a valid encoding")
    }
}

impl std::error::Error for Malformed {}

/// Appends `value`, seven bits a byte, lowest first.
pub(super) fn put(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// What is left to read.
pub(super) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn byte(&mut self) -> Result<u8, Malformed> {
        let (&first, rest) = self.0.split_first().ok_or(Malformed)?;
        self.0 = rest;
        Ok(first)
    }

    /// One number. Spellings longer than needed are refused: one value, one encoding.
    pub fn number(&mut self) -> Result<u64, Malformed> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return Err(Malformed);
            }
            value |= bits << shift;
            if byte < 0x80 {
                return if byte == 0 && shift > 0 {
                    Err(Malformed)
                } else {
                    Ok(value)
                };
            }
        }
        Err(Malformed)
    }

    pub fn small(&mut self) -> Result<u32, Malformed> {
        self.number()?.try_into().map_err(|_| Malformed)
    }

    /// A count of items that take at least one byte each: whoever allocates for it allocates
    /// no more than a fixed multiple of the bytes at hand.
    pub fn count(&mut self, max: usize) -> Result<usize, Malformed> {
        let count = usize::try_from(self.number()?).map_err(|_| Malformed)?;
        if count > max || count > self.0.len() {
            Err(Malformed)
        } else {
            Ok(count)
        }
    }

    /// Counted small numbers.
    pub fn list(&mut self, max: usize) -> Result<Vec<u32>, Malformed> {
        (0..self.count(max)?).map(|_| self.small()).collect()
    }

    pub fn end(&self) -> Result<(), Malformed> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(Malformed)
        }
    }
}

/// Appends a count and the numbers.
pub(super) fn put_list(bytes: &mut Vec<u8>, numbers: &[u32]) {
    put(bytes, numbers.len() as u64);
    for &number in numbers {
        put(bytes, number.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_spelling_and_do_not_overflow() {
        for value in [
            0,
            1,
            127,
            128,
            16_383,
            16_384,
            u64::from(u32::MAX),
            u64::MAX,
        ] {
            let mut bytes = Vec::new();
            put(&mut bytes, value);
            let mut reader = Reader(&bytes);
            assert_eq!(reader.number(), Ok(value));
            assert_eq!(reader.end(), Ok(()));
        }
        let refused: [&[u8]; 4] = [
            &[],
            &[0x80],
            &[0x80, 0x00],
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02],
        ];
        for bytes in refused {
            assert_eq!(Reader(bytes).number(), Err(Malformed), "{bytes:x?}");
        }
    }

    #[test]
    fn counts_never_exceed_the_bytes_at_hand() {
        assert_eq!(Reader(&[3, 0, 0, 0]).count(10), Ok(3));
        assert_eq!(Reader(&[4, 0, 0, 0]).count(10), Err(Malformed));
        assert_eq!(Reader(&[3, 0, 0, 0]).count(2), Err(Malformed));
    }
}
