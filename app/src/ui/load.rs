//! A page's data: waiting, there, or not to be had.

use leptos::prelude::*;

use super::missing::Problem;
use crate::api::ApiResult;
use crate::i18n::{messages as m, use_lang};

/// Shows `page` of what `resource` brings. While it is asked again the old page stays.
pub fn load<T>(
    resource: Resource<ApiResult<T>>,
    page: impl Fn(T) -> AnyView + Copy + Send + 'static,
) -> impl IntoView
where
    T: Clone + Send + Sync + 'static,
{
    view! {
        <Transition fallback=Waiting>
            {move || Suspend::new(async move {
                match resource.await {
                    Ok(value) => page(value),
                    Err(error) => view! { <Problem error/> }.into_any(),
                }
            })}
        </Transition>
    }
}

#[component]
fn Waiting() -> impl IntoView {
    view! { <p class="waiting" role="status">{use_lang().say(m::LOADING)}</p> }
}
