-- Venues: places, and the geometry of their houses. The venues slice alone writes these tables.

-- A venue is a place where people sit or stand before a stage.
create table venue (
    venue_id bigint generated always as identity,
    name text not null,
    city text not null,
    -- ISO 3166-1 alpha-2, `ZZ` while unknown.
    country text not null,
    -- IANA name: times of shows are the venue's own.
    zone text not null,
    created_at timestamptz not null default now(),

    -- Shows and seat maps name their venue by number.
    constraint venue_pk primary key (venue_id),
    -- Importing for the same place again adds a seat map, not a second venue.
    constraint venue_name_city_unique unique (name, city),
    -- Names are there and fit one line.
    constraint venue_name_length check (char_length(name) between 1 and 200),
    -- Cities are there, since people filter by them.
    constraint venue_city_length check (char_length(city) between 1 and 100),
    -- Two capital letters.
    constraint venue_country_form check (country ~ '^[A-Z]{2}$'),
    -- Zones were looked up before they came here.
    constraint venue_zone_length check (char_length(zone) between 1 and 64)
);

-- A seat map is one version of a venue's geometry. It never changes: another version is
-- another seat map, and shows go on with the one they were made with.
create table seat_map (
    -- First half of the SHA-256 of `geometry`.
    seat_map_id bytea not null,
    venue_id bigint not null,
    name text not null,
    -- The compact binary form that browsers fetch.
    geometry bytea not null,
    seats integer not null,
    -- Places of all standing areas together.
    area_places integer not null,
    -- What was read from which kind of file, and what was odd; null for generated houses.
    report jsonb,
    created_at timestamptz not null default now(),

    -- The same bytes are the same seat map, however often they are imported.
    constraint seat_map_pk primary key (seat_map_id),
    -- A seat map is of a venue.
    constraint seat_map_venue_fk foreign key (venue_id) references venue (venue_id),
    -- Half a SHA-256.
    constraint seat_map_id_length check (octet_length(seat_map_id) = 16),
    -- Something can be sold.
    constraint seat_map_places check (seats >= 0 and area_places >= 0 and seats + area_places > 0)
);

-- The seat maps of a venue, newest first.
create index seat_map_of_venue on seat_map (venue_id, created_at desc);
