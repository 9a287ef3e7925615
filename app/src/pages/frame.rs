use leptos::prelude::*;

#[component]
pub fn Frame(children: Children) -> impl IntoView {
    view! { <main id="main">{children()}</main> }
}
