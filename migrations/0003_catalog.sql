-- What is performed, and when: the catalog slice alone writes these tables. Prices, window and
-- limits of a show are not here: they are the settings of its desk.

-- Substring and typo-tolerant search by trigrams.
create extension if not exists pg_trgm;

-- An event is what is performed; its shows are the performances.
create table event (
    event_id bigint generated always as identity,
    title text not null,
    -- One or two sentences for lists.
    summary text not null,
    -- Plain text with line breaks, shown as it is: never markup.
    description text not null,
    -- Title, summary, and the venues and cities of the shows, folded (compatibility forms
    -- unified, lower case) by the server, which folds what is searched for in the same way.
    search_text text not null,
    created_at timestamptz not null default now(),

    -- Events are named by number in addresses.
    constraint event_pk primary key (event_id),
    -- A title is there and fits one line of a list.
    constraint event_title_length check (char_length(title) between 1 and 200),
    -- Summaries fit a card.
    constraint event_summary_length check (char_length(summary) <= 500),
    -- Descriptions are bounded, as everything that people type.
    constraint event_description_length check (char_length(description) <= 20000)
);

-- Finds parts of words and misspelt words without reading every event.
create index event_search on event using gin (search_text gin_trgm_ops);

-- A show is one performance of an event at a venue: the unit of inventory and of on-sale.
create table show (
    show_id bigint generated always as identity,
    event_id bigint not null,
    venue_id bigint not null,
    -- The one version of the geometry that this show is sold on, for ever.
    seat_map_id bytea not null,
    starts_at timestamptz not null,
    -- The day of `starts_at` at the venue: what people mean when they search by date.
    starts_on date not null,
    -- Until published only staff see the show and nobody can buy.
    published boolean not null default false,
    -- Tier of every seat, one byte each, in the order of the seat map.
    seat_tiers bytea not null,
    -- Tier of every standing area, one byte each, in the order of the seat map.
    area_tiers bytea not null,
    created_at timestamptz not null default now(),

    -- Shows are named by number in addresses; all sale tables lead with it.
    constraint show_pk primary key (show_id),
    -- A show performs an event; events with shows stay.
    constraint show_event_fk foreign key (event_id) references event (event_id),
    -- A show happens at a venue; venues with shows stay.
    constraint show_venue_fk foreign key (venue_id) references venue (venue_id),
    -- A show is sold on a seat map that is stored; seat maps in use stay.
    constraint show_seat_map_fk foreign key (seat_map_id) references seat_map (seat_map_id)
);

-- What is on next, soonest first.
create index show_upcoming on show (starts_at, show_id) where published;
-- The shows of an event, soonest first.
create index show_of_event on show (event_id, starts_at);
-- The shows at a venue, for the list of cities.
create index show_at_venue on show (venue_id, starts_at) where published;
