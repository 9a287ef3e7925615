//! What clients send: one JSON object.

use std::fmt;
use std::marker::PhantomData;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use domain::refusal::Refusal;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

use crate::error::{Error, Result};
use crate::http::limits::BODY_BYTES_MAX;

/// A body that does not fit is malformed, whichever way it does not.
pub type Body<T> = std::result::Result<Json<Object<T>>, JsonRejection>;

/// A `T` that was written as an object: by itself serde would take its fields as an array too.
pub struct Object<T>(T);

/// The body, or why it cannot be taken.
pub fn body<T>(body: Body<T>) -> Result<T> {
    match body {
        Ok(Json(Object(body))) => Ok(body),
        Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            Err(Error::Refusal(Refusal::BodyTooLarge {
                bytes_max: BODY_BYTES_MAX as u64,
            }))
        }
        Err(rejection) => Err(Error::Refusal(Refusal::Malformed {
            detail: rejection.body_text(),
        })),
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields(PhantomData))
    }
}

struct Fields<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Object<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(fields)).map(Object)
    }
}
