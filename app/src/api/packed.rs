//! Answers as postcard bytes: its decoders are a fifth of the size of JSON's.
//!
//! To the framework the answers of all pages are one type, bytes: whatever it does with an answer
//! is compiled once and not once for every page.

use std::marker::PhantomData;
use std::pin::Pin;

use leptos::prelude::Resource;
use leptos::server::codee::{Decoder, Encoder};
use leptos::server_fn::codec::Post;
use leptos::server_fn::{Bytes, ContentType, Decodes, Encodes, Format, FormatType};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::ApiResult;

/// The encoding of every answer; inside a page as base64.
pub struct Packed;

impl ContentType for Packed {
    const CONTENT_TYPE: &'static str = "application/x-postcard";
}

impl FormatType for Packed {
    const FORMAT_TYPE: Format = Format::Binary;
}

impl<T: Serialize> Encodes<T> for Packed {
    type Error = postcard::Error;

    fn encode(value: &T) -> Result<Bytes, postcard::Error> {
        postcard::to_allocvec(value).map(Bytes::from)
    }
}

impl<T: DeserializeOwned> Decodes<T> for Packed {
    type Error = postcard::Error;

    fn decode(bytes: Bytes) -> Result<T, postcard::Error> {
        postcard::from_bytes(&bytes)
    }
}

impl<T: Serialize> Encoder<T> for Packed {
    type Error = postcard::Error;
    type Encoded = Vec<u8>;

    fn encode(value: &T) -> Result<Vec<u8>, postcard::Error> {
        postcard::to_allocvec(value)
    }
}

impl<T: DeserializeOwned> Decoder<T> for Packed {
    type Error = postcard::Error;
    type Encoded = [u8];

    fn decode(bytes: &[u8]) -> Result<T, postcard::Error> {
        postcard::from_bytes(bytes)
    }
}

/// How a server function answers.
pub type Answer = Post<Packed>;

/// The bytes of what a page asked for.
pub type AskedBytes = Resource<ApiResult<Vec<u8>>, Packed>;

/// What a page asked the server for, a `T`.
pub struct Asked<T> {
    pub bytes: AskedBytes,
    kind: PhantomData<fn() -> T>,
}

type Question = Box<dyn Fn() -> Vec<u8> + Send + Sync>;
type Reply = Pin<Box<dyn Future<Output = ApiResult<Vec<u8>>> + Send>>;

/// Asks with `fetch`, now and whenever `source` gives something else.
pub fn ask<S, T, F>(
    source: impl Fn() -> S + Send + Sync + 'static,
    fetch: impl Fn(S) -> F + Send + Sync + 'static,
) -> Asked<T>
where
    S: Serialize + DeserializeOwned,
    T: Serialize,
    F: Future<Output = ApiResult<T>> + Send + 'static,
{
    let source: Question = Box::new(move || pack(&source()));
    let fetch: Box<dyn Fn(Vec<u8>) -> Reply + Send + Sync> = Box::new(move |source| {
        let reply = fetch(unpack(&source));
        Box::pin(async move { Ok(pack(&reply.await?)) })
    });
    Asked {
        bytes: Resource::new_with_options(source, fetch, false),
        kind: PhantomData,
    }
}

fn pack<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).expect("plain data can be packed")
}

/// What `pack` made.
pub fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> T {
    postcard::from_bytes(bytes).expect("this program packed it")
}
