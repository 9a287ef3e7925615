//! The file as it is written: schema 0.0.1 and the older files of 2019. Members that carry
//! nothing for us are not read; numbers may be floats where the schema says integer, and
//! labels may be numbers where it says string.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, de};

use super::super::super::json::Length;

#[derive(Deserialize)]
pub(super) struct Plan {
    pub name: Label,
    pub categories: Vec<PlanCategory>,
    pub zones: Vec<Zone>,
    #[serde(default)]
    pub size: Option<Size>,
}

#[derive(Deserialize)]
pub(super) struct Size {
    pub width: Length,
    pub height: Length,
}

#[derive(Deserialize)]
pub(super) struct PlanCategory {
    pub name: Label,
    #[serde(default)]
    pub color: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Zone {
    pub name: Label,
    #[serde(default)]
    pub zone_id: Option<Label>,
    pub position: Position,
    pub rows: Vec<ZoneRow>,
    #[serde(default)]
    pub areas: Option<Vec<PlanArea>>,
}

#[derive(Deserialize)]
pub(super) struct ZoneRow {
    #[serde(default)]
    pub row_number: Option<Label>,
    /// Template, `Row %s`.
    #[serde(default)]
    pub row_label: Option<String>,
    #[serde(default)]
    pub seat_label: Option<String>,
    #[serde(default)]
    pub position: Option<Position>,
    pub seats: Vec<RowSeat>,
}

#[derive(Deserialize)]
pub(super) struct RowSeat {
    pub seat_guid: Label,
    pub seat_number: Label,
    pub position: Position,
    pub category: Label,
    #[serde(default)]
    pub radius: Option<Length>,
}

#[derive(Deserialize)]
pub(super) struct PlanArea {
    pub shape: String,
    #[serde(default)]
    pub color: Option<String>,
    /// Degrees clockwise around the position.
    #[serde(default)]
    pub rotation: Option<Length>,
    #[serde(default)]
    pub position: Option<Position>,
    #[serde(default)]
    pub text: Option<AreaText>,
    #[serde(default)]
    pub polygon: Option<Polygon>,
    #[serde(default)]
    pub rectangle: Option<Size>,
    #[serde(default)]
    pub ellipse: Option<Ellipse>,
    #[serde(default)]
    pub circle: Option<Circle>,
    /// Files of 2019.
    #[serde(default)]
    pub width: Option<Length>,
    #[serde(default)]
    pub height: Option<Length>,
}

#[derive(Deserialize)]
pub(super) struct Polygon {
    pub points: Vec<Position>,
}

#[derive(Deserialize)]
pub(super) struct Ellipse {
    pub radius: Position,
}

#[derive(Deserialize)]
pub(super) struct Circle {
    pub radius: Length,
}

/// An object, or in files of 2019 the text itself.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum AreaText {
    Placed {
        #[serde(default)]
        text: Option<String>,
        #[serde(default)]
        position: Option<Position>,
    },
    Plain(String),
}

#[derive(Clone, Copy, Deserialize)]
pub(super) struct Position {
    pub x: Length,
    pub y: Length,
}

/// A text that may have been written as a number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Label(pub String);

impl<'de> Deserialize<'de> for Label {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Label;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a text or a number")
            }
            fn visit_str<E>(self, text: &str) -> Result<Label, E> {
                Ok(Label(text.to_owned()))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Label, E> {
                Ok(Label(number.to_string()))
            }
            fn visit_i64<E>(self, number: i64) -> Result<Label, E> {
                Ok(Label(number.to_string()))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Label, E> {
                Ok(Label(number.to_string()))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl Label {
    /// Without control characters and outer space; whether anything was replaced.
    pub fn clean(&self) -> (Cow<'_, str>, bool) {
        let text = self.0.trim();
        if !text.contains(char::is_control) {
            return (Cow::Borrowed(text), false);
        }
        let spaced = text.replace(char::is_control, " ");
        (Cow::Owned(spaced.trim().to_owned()), true)
    }
}
