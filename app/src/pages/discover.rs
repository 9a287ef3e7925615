//! Looking for something to go to. The form is a plain GET form; in the browser the results follow
//! the typing, and the address follows too, so that every search can be shared.

use domain::time::Millis;
use domain::wire::view::{EventCard, SearchPage, SearchQuery};
use leptos::prelude::*;
use leptos_meta::{Meta, Title};
use leptos_router::hooks::use_query_map;

use crate::api::ask;
use crate::api::events::search;
use crate::i18n::{Lang, messages as m, use_lang};
use crate::ui::load::load;
use crate::ui::show_row::ShowRow;
use crate::ui::title::title_text;

#[component]
pub fn DiscoverPage() -> impl IntoView {
    let t = use_lang();
    let query = query_from_address();
    let found = ask(move || query.get(), search);
    view! {
        <Title text=t.say(m::DISCOVER_PAGE_TITLE)/>
        <Meta name="description" content=t.say(m::DISCOVER_LEAD)/>
        <div class="hero">
            <h1>{t.say(m::DISCOVER_TITLE)}</h1>
            <p class="lead">{t.say(m::DISCOVER_LEAD)}</p>
        </div>
        <SearchForm query/>
        {load(found, move |page| view! { <Results page query=query.get_untracked()/> }.into_any())}
    }
}

/// The query of this address; anything odd in it is as if it were not there.
fn query_from_address() -> Memo<SearchQuery> {
    let parameters = use_query_map();
    Memo::new(move |_| {
        let parameters = parameters.read();
        let text = |name| parameters.get(name).unwrap_or_default();
        SearchQuery {
            q: text("q"),
            city: text("city"),
            from: text("from"),
            to: text("to"),
            page: text("page").parse().unwrap_or(0),
        }
    })
}

/// The address of a query; empty fields are left out.
fn address(query: &SearchQuery) -> String {
    let page = if query.page == 0 {
        String::new()
    } else {
        query.page.to_string()
    };
    let fields = [
        ("q", query.q.as_str()),
        ("city", query.city.as_str()),
        ("from", query.from.as_str()),
        ("to", query.to.as_str()),
        ("page", page.as_str()),
    ];
    let mut address = String::from("/");
    for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_empty()) {
        let sign = if address.len() == 1 { '?' } else { '&' };
        address.push_str(&format!(
            "{sign}{name}={}",
            leptos_router::location::Url::escape(value)
        ));
    }
    address
}

#[component]
fn SearchForm(query: Memo<SearchQuery>) -> impl IntoView {
    let t = use_lang();
    // Once shown, the fields belong to the person who types: they are read, never written again.
    let first = query.get_untracked();
    let (words, from, to) = (NodeRef::new(), NodeRef::new(), NodeRef::new());
    let follow = follow_typing(query, words, from, to);
    let now = move |_| follow(0);
    let soon = move |_| follow(TYPING_PAUSE_MS);
    view! {
        <form class="search" method="get" action="/" role="search">
            <label class="field grow">
                <span>{t.say(m::DISCOVER_WORDS)}</span>
                <input
                    type="search" name="q" value=first.q maxlength="100" autocomplete="off" enterkeyhint="search"
                    placeholder=t.say(m::DISCOVER_WORDS_HINT) node_ref=words on:input=soon
                />
            </label>
            <label class="field">
                <span>{t.say(m::DISCOVER_FROM)}</span>
                <input type="date" name="from" value=first.from node_ref=from on:change=now/>
            </label>
            <label class="field">
                <span>{t.say(m::DISCOVER_TO)}</span>
                <input type="date" name="to" value=first.to node_ref=to on:change=now/>
            </label>
            {move || {
                let city = query.read().city.clone();
                (!city.is_empty()).then(|| view! { <input type="hidden" name="city" value=city/> }.into_any())
            }}
            <button class="button">{t.say(m::DISCOVER_GO)}</button>
        </form>
    }
}

/// Long enough not to ask for every letter, short enough to feel like none.
const TYPING_PAUSE_MS: u64 = 150;

type InputRef = NodeRef<leptos::html::Input>;

/// Takes the fields into the address after a pause without typing.
#[cfg(feature = "hydrate")]
fn follow_typing(
    query: Memo<SearchQuery>,
    words: InputRef,
    from: InputRef,
    to: InputRef,
) -> impl Fn(u64) + Copy + 'static {
    use leptos_router::NavigateOptions;
    use leptos_router::hooks::use_navigate;

    let navigate = use_navigate();
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    let navigate = StoredValue::new_local(navigate);
    move |pause_ms| {
        if let Some(earlier) = waiting.get_value() {
            earlier.clear();
        }
        let go = move || {
            let text = |input: InputRef| {
                input
                    .get_untracked()
                    .map(|input| input.value())
                    .unwrap_or_default()
            };
            let city = query.get_untracked().city;
            let next = SearchQuery {
                q: text(words),
                city,
                from: text(from),
                to: text(to),
                page: 0,
            };
            let options = NavigateOptions {
                replace: true,
                scroll: false,
                ..Default::default()
            };
            navigate.with_value(|navigate| navigate(&address(&next), options));
        };
        let timer = set_timeout_with_handle(go, std::time::Duration::from_millis(pause_ms));
        waiting.set_value(timer.ok());
    }
}

#[cfg(not(feature = "hydrate"))]
fn follow_typing(
    _query: Memo<SearchQuery>,
    _words: InputRef,
    _from: InputRef,
    _to: InputRef,
) -> impl Fn(u64) + Copy + 'static {
    |_| ()
}

#[component]
fn Results(page: SearchPage, query: SearchQuery) -> impl IntoView {
    let t = use_lang();
    let now = page.server_now;
    let empty = page.events.is_empty();
    let cities = view! { <Cities cities=page.cities query=query.clone()/> };
    let cards = page
        .events
        .into_iter()
        .map(|event| view! { <Card event now/> }.into_any())
        .collect_view();
    let turned = |page| {
        address(&SearchQuery {
            page,
            ..query.clone()
        })
    };
    let earlier = page.page.checked_sub(1).map(turned);
    let later = page.has_more.then(|| turned(page.page + 1));
    view! {
        {cities}
        <section class="results" aria-label=t.say(m::DISCOVER_RESULTS)>
            {if empty {
                view! { <Nothing query=query.clone()/> }.into_any()
            } else {
                view! { <ul class="cards">{cards}</ul> }.into_any()
            }}
        </section>
        <nav class="pager" aria-label=t.say(m::DISCOVER_PAGES)>
            {earlier.map(|href| view! { <a class="button quiet" href=href>{t.say(m::DISCOVER_EARLIER)}</a> }.into_any())}
            {later.map(|href| view! { <a class="button quiet" href=href>{t.say(m::DISCOVER_LATER)}</a> }.into_any())}
        </nav>
    }
}

/// Cities as links: one tap on a phone, and no script needed.
#[component]
fn Cities(cities: Vec<String>, query: SearchQuery) -> impl IntoView {
    let t = use_lang();
    let link = |name: String, city: String| {
        let here = query.city == city;
        let href = address(&SearchQuery {
            city,
            page: 0,
            ..query.clone()
        });
        view! { <li><a class="chip" href=href aria-current=here.then_some("true")>{name}</a></li> }
    };
    (cities.len() > 1 || !query.city.is_empty()).then(|| {
        view! {
            <nav aria-label=t.say(m::DISCOVER_CITY)>
                <ul class="chips">
                    {link(t.say(m::DISCOVER_ANYWHERE).to_owned(), String::new())}
                    {cities.into_iter().map(|city| link(city.clone(), city)).collect_view()}
                </ul>
            </nav>
        }
    })
}

#[component]
fn Nothing(query: SearchQuery) -> impl IntoView {
    let t = use_lang();
    let asked = query != SearchQuery::default();
    let (title, text) = if asked {
        (m::DISCOVER_NOTHING_TITLE, m::DISCOVER_NOTHING_TEXT)
    } else {
        (m::DISCOVER_NO_SHOWS_TITLE, m::DISCOVER_NO_SHOWS_TEXT)
    };
    view! {
        <div class="empty">
            <h2>{t.say(title)}</h2>
            <p>{t.say(text)}</p>
            // The fields above are the visitor's own and stay filled unless the page is loaded anew.
            {asked.then(|| view! {
                <a class="button quiet" href="/" rel="external">{t.say(m::DISCOVER_ALL)}</a>
            }.into_any())}
        </div>
    }
}

#[component]
fn Card(event: EventCard, now: Millis) -> impl IntoView {
    let summary = (!event.summary.is_empty())
        .then(|| view! { <p class="muted">{event.summary.clone()}</p> }.into_any());
    let shows = event
        .shows
        .into_iter()
        .map(|card| view! { <li><ShowRow card now/></li> }.into_any())
        .collect_view();
    view! {
        <li class="card">
            <h2><a href=format!("/events/{}", event.id)>{event.title}</a></h2>
            {summary}
            <ul class="rows">{shows}</ul>
        </li>
    }
}

/// Paragraphs of an organiser's text: empty lines part them.
pub(super) fn paragraphs(text: &str) -> impl IntoView + use<> {
    text.split("\n\n")
        .map(str::trim)
        .filter(|paragraph| !paragraph.is_empty())
        .map(|paragraph| view! { <p>{paragraph.to_owned()}</p> }.into_any())
        .collect_view()
}

/// `Title · Rowlock`.
pub(super) fn page_title(t: Lang, title: &str) -> String {
    t.fill(m::FRAME_PAGE_TITLE, &[("title", &title_text(title))])
}
