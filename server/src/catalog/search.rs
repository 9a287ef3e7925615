//! Finding events by word, city and date.

use unicode_normalization::UnicodeNormalization;

/// One spelling for what people write in several: compatibility forms unified (full-width
/// letters, ligatures), lower case, runs of white space as one space.
pub fn fold(text: &str) -> String {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).nfkc().collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f68_spellings_fold_to_one() {
        assert_eq!(fold("  Ｈａｍｌｅｔ\u{3000}北京 "), "hamlet 北京");
        assert_eq!(fold("STRASSE ﬁnale"), "strasse finale");
    }
}
