//! Finding events by word, city and date.
//!
//! A word is found as a part of the text, so that one or two Chinese characters are enough; a
//! longer word is also found misspelt, by trigrams. Every word must be found. Without words the
//! answer is what is on next, read from the index of upcoming shows in order, so that the first
//! page costs the same however many events there are.

use domain::ids::{EventId, ShowId};
use domain::refusal::Refusal;
use domain::time::Millis;
use domain::wire::view::{EventCard, SearchPage, SearchQuery};
use sqlx::{PgConnection, Postgres, QueryBuilder};
use unicode_normalization::UnicodeNormalization;

use super::cards::{self, ShowFacts};
use super::venue_time;
use crate::app::App;
use crate::error::Result;

/// Events on one page.
pub const PAGE_EVENTS: u32 = 20;
/// Pages that can be turned to; whoever needs more narrows the search.
pub const PAGES_MAX: u32 = 50;
/// Characters of what is searched for, before folding.
pub const QUERY_CHARS_MAX: usize = 200;
/// Words that count; the rest of a long query is ignored.
const WORDS_MAX: usize = 6;
/// Shows listed with an event.
const SHOWS_PER_CARD_MAX: i64 = 3;
/// Cities offered by the filter.
const CITIES_MAX: i64 = 200;
/// Words from this length on are also found misspelt.
const FUZZY_CHARS_MIN: usize = 4;
/// Share of a word's trigrams that must be there: two swapped letters of six pass.
const FUZZY_SIMILARITY: &str = "0.5";

/// One spelling for what people write in several: compatibility forms unified (full-width
/// letters, ligatures), lower case, control characters and runs of white space as one space.
pub fn fold(text: &str) -> String {
    let folded: String = text
        .nfkc()
        .flat_map(char::to_lowercase)
        .nfkc()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is looked for, checked.
struct Filter {
    words: Vec<String>,
    /// Folded; empty: anywhere.
    city: String,
    from: Option<String>,
    to: Option<String>,
    page: u32,
    now: Millis,
}

impl Filter {
    fn check(query: &SearchQuery, now: Millis) -> Result<Self, Refusal> {
        let bad = |field: &str, detail: &str| Refusal::BadField {
            field: field.into(),
            detail: detail.into(),
        };
        for (field, text) in [("q", &query.q), ("city", &query.city)] {
            if text.chars().count() > QUERY_CHARS_MAX {
                return Err(bad(field, "too long"));
            }
        }
        let day = |field: &str, text: &str| match text {
            "" => Ok(None),
            text => match venue_time::day(text) {
                // Postgres' calendar has no year 0.
                Some(day) if day.year() > 0 => Ok(Some(day.to_string())),
                _ => Err(bad(field, "not a day, YYYY-MM-DD")),
            },
        };
        let (from, to) = (day("from", &query.from)?, day("to", &query.to)?);
        if let (Some(from), Some(to)) = (&from, &to)
            && from > to
        {
            return Err(bad("to", "before from"));
        }
        if query.page >= PAGES_MAX {
            return Err(bad("page", "too far"));
        }
        let folded = fold(&query.q);
        Ok(Self {
            words: folded
                .split(' ')
                .filter(|word| !word.is_empty())
                .take(WORDS_MAX)
                .map(str::to_owned)
                .collect(),
            city: fold(&query.city),
            from,
            to,
            page: query.page,
            now,
        })
    }
}

/// One page of events that have upcoming shows, best matches first, then soonest first.
pub async fn search(app: &App, query: &SearchQuery) -> Result<SearchPage> {
    let filter = Filter::check(query, app.clock.now())?;
    let mut transaction = app.db.begin().await?;
    let mut events = find(&mut transaction, &filter).await?;
    let has_more = events.len() > PAGE_EVENTS as usize && filter.page + 1 < PAGES_MAX;
    events.truncate(PAGE_EVENTS as usize);
    let shows = next_shows(&mut transaction, &filter, &events).await?;
    let facts = cards::facts(&mut transaction, &shows).await?;
    let words = words(&mut transaction, &events).await?;
    let cities = cities(&mut transaction, filter.now).await?;
    transaction.commit().await?;

    let cards = cards::cards(app, &facts).await?;
    let events = words
        .into_iter()
        .map(|(id, title, summary)| EventCard {
            id,
            title,
            summary,
            shows: shows_of(id, &facts, &cards),
        })
        .collect();
    Ok(SearchPage {
        events,
        page: filter.page,
        has_more,
        cities,
        server_now: filter.now,
    })
}

fn shows_of(
    event: EventId,
    facts: &[ShowFacts],
    cards: &[domain::wire::view::ShowCard],
) -> Vec<domain::wire::view::ShowCard> {
    let pairs = facts.iter().zip(cards);
    pairs
        .filter(|(fact, _)| fact.event == event)
        .map(|(_, card)| card.clone())
        .collect()
}

/// Events of the page asked for and one more, in order.
async fn find(conn: &mut PgConnection, filter: &Filter) -> Result<Vec<EventId>> {
    if !filter.words.is_empty() {
        // Ends with the transaction.
        sqlx::query("select set_config('pg_trgm.word_similarity_threshold', $1, true)")
            .bind(FUZZY_SIMILARITY)
            .execute(&mut *conn)
            .await?;
    }
    let mut sql = QueryBuilder::new("select s.event_id from show s");
    sql.push(" join venue v using (venue_id) join event e using (event_id) where ");
    push_show_filter(&mut sql, "s", "v", filter);
    // Each event once, by the soonest of its shows that fit.
    sql.push(" and not exists (select from show t join venue w using (venue_id) where t.event_id = s.event_id and (t.starts_at, t.show_id) < (s.starts_at, s.show_id) and ");
    push_show_filter(&mut sql, "t", "w", filter);
    sql.push(")");
    for word in &filter.words {
        sql.push(" and (e.search_text like ")
            .push_bind(pattern(word));
        if word.chars().count() >= FUZZY_CHARS_MIN {
            sql.push(" or ")
                .push_bind(word.clone())
                .push(" <% e.search_text");
        }
        sql.push(")");
    }
    sql.push(" order by ");
    if !filter.words.is_empty() {
        // Those that say exactly what was typed come first.
        sql.push("not (true");
        for word in &filter.words {
            sql.push(" and e.search_text like ")
                .push_bind(pattern(word));
        }
        sql.push("), ");
    }
    sql.push("s.starts_at, s.show_id limit ");
    sql.push_bind(i64::from(PAGE_EVENTS) + 1).push(" offset ");
    sql.push_bind(i64::from(filter.page) * i64::from(PAGE_EVENTS));
    let events: Vec<i64> = sql.build_query_scalar().fetch_all(conn).await?;
    Ok(events.into_iter().map(EventId).collect())
}

/// Published, to come, in the city, on the days.
fn push_show_filter(sql: &mut QueryBuilder<Postgres>, show: &str, venue: &str, filter: &Filter) {
    sql.push(format!(
        "{show}.published and {show}.starts_at >= to_timestamp("
    ));
    sql.push_bind(filter.now.0).push("::bigint / 1000.0)");
    if !filter.city.is_empty() {
        sql.push(format!(" and lower({venue}.city) = "))
            .push_bind(filter.city.clone());
    }
    if let Some(from) = &filter.from {
        sql.push(format!(" and {show}.starts_on >= "))
            .push_bind(from.clone())
            .push("::text::date");
    }
    if let Some(to) = &filter.to {
        sql.push(format!(" and {show}.starts_on <= "))
            .push_bind(to.clone())
            .push("::text::date");
    }
}

/// `word` as a part of a text, for `like`.
fn pattern(word: &str) -> String {
    let mut pattern = String::from("%");
    for c in word.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

/// The soonest shows of each event that fit the filter, at most [`SHOWS_PER_CARD_MAX`] each.
async fn next_shows(
    conn: &mut PgConnection,
    filter: &Filter,
    events: &[EventId],
) -> Result<Vec<ShowId>> {
    let ids: Vec<i64> = events.iter().map(|event| event.0).collect();
    let mut sql = QueryBuilder::new("select next.show_id from unnest(");
    sql.push_bind(ids)
        .push("::bigint[]) e(event_id) cross join lateral (");
    sql.push("select s.show_id from show s join venue v using (venue_id) where s.event_id = e.event_id and ");
    push_show_filter(&mut sql, "s", "v", filter);
    sql.push(" order by s.starts_at, s.show_id limit ")
        .push_bind(SHOWS_PER_CARD_MAX)
        .push(") next");
    let shows: Vec<i64> = sql.build_query_scalar().fetch_all(conn).await?;
    Ok(shows.into_iter().map(ShowId).collect())
}

/// Title and summary of `events`, in their order.
async fn words(
    conn: &mut PgConnection,
    events: &[EventId],
) -> Result<Vec<(EventId, String, String)>> {
    let ids: Vec<i64> = events.iter().map(|event| event.0).collect();
    let rows: Vec<(i64, String, String)> = sqlx::query_as(
        "select e.event_id, e.title, e.summary
         from unnest($1::bigint[]) with ordinality as asked (event_id, place)
         join event e using (event_id) order by asked.place",
    )
    .bind(ids)
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|(id, title, summary)| (EventId(id), title, summary))
        .collect())
}

/// Cities with upcoming shows, by name.
async fn cities(conn: &mut PgConnection, now: Millis) -> Result<Vec<String>> {
    let cities = sqlx::query_scalar(
        "select distinct v.city from venue v
         where exists (select from show s where s.venue_id = v.venue_id and s.published
                       and s.starts_at >= to_timestamp($1::bigint / 1000.0))
         order by v.city limit $2",
    )
    .bind(now.0)
    .bind(CITIES_MAX)
    .fetch_all(conn)
    .await?;
    Ok(cities)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f68_spellings_fold_to_one() {
        assert_eq!(fold("  Ｈａｍｌｅｔ\u{3000}北京 "), "hamlet 北京");
        assert_eq!(fold("STRASSE ﬁnale\0x"), "strasse finale x");
    }

    #[test]
    fn a_pattern_matches_its_word_only() {
        assert_eq!(pattern("50%_a\\"), "%50\\%\\_a\\\\%");
    }

    #[test]
    fn what_cannot_be_searched_for_is_refused_by_field() {
        let check = |query: SearchQuery| match Filter::check(&query, Millis(0)) {
            Err(Refusal::BadField { field, .. }) => field,
            _ => "none".into(),
        };
        let query = SearchQuery::default;
        assert_eq!(
            check(SearchQuery {
                q: "字".repeat(201),
                ..query()
            }),
            "q"
        );
        assert_eq!(
            check(SearchQuery {
                from: "0000-01-01".into(),
                ..query()
            }),
            "from"
        );
        assert_eq!(
            check(SearchQuery {
                to: "2027-02-30".into(),
                ..query()
            }),
            "to"
        );
        let (from, to) = ("2027-03-02".into(), "2027-03-01".into());
        assert_eq!(
            check(SearchQuery {
                from,
                to,
                ..query()
            }),
            "to"
        );
        assert_eq!(
            check(SearchQuery {
                page: 50,
                ..query()
            }),
            "page"
        );
        assert_eq!(
            check(SearchQuery {
                q: "北京".into(),
                ..query()
            }),
            "none"
        );
    }
}
