//! A page's data: waiting, there, or not to be had.

use std::sync::Arc;

use leptos::prelude::*;
use serde::de::DeserializeOwned;

use super::missing::Problem;
use crate::api::{Asked, AskedBytes, unpack};
use crate::i18n::{messages as m, use_lang};

/// Shows `page` of what was `asked`. While it is asked again the old page stays.
pub fn load<T: DeserializeOwned>(
    asked: Asked<T>,
    page: impl Fn(T) -> AnyView + Send + Sync + 'static,
) -> AnyView {
    load_bytes(asked.bytes, Arc::new(move |bytes| page(unpack(bytes))))
}

type Page = Arc<dyn Fn(&[u8]) -> AnyView + Send + Sync>;

fn load_bytes(asked: AskedBytes, page: Page) -> AnyView {
    view! {
        <Transition fallback=Waiting>
            {move || {
                let page = page.clone();
                Suspend::new(async move {
                    match asked.await {
                        Ok(bytes) => page(&bytes),
                        Err(error) => view! { <Problem error/> }.into_any(),
                    }
                })
            }}
        </Transition>
    }
    .into_any()
}

#[component]
fn Waiting() -> impl IntoView {
    view! { <p class="waiting" role="status">{use_lang().say(m::LOADING)}</p> }
}
