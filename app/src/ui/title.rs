//! What stands in a window's title.

use std::borrow::Cow;

/// `text` as the `Title` component and a `textarea` need it: the server writes it into the page as it
/// is, so there it must not be able to end the element; the browser sets it as text.
#[cfg(feature = "ssr")]
pub fn title_text(text: &str) -> Cow<'_, str> {
    if text.contains(['&', '<']) {
        Cow::Owned(text.replace('&', "&amp;").replace('<', "&lt;"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(not(feature = "ssr"))]
pub fn title_text(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}
