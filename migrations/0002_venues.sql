-- Places and their seat maps: the venues slice alone writes these tables.

-- A venue is a place where shows happen; its zone decides what clocks there say.
create table venue (
    venue_id bigint generated always as identity,
    name text not null,
    city text not null,
    country text not null,
    -- IANA name, `Europe/Berlin`.
    zone text not null,
    created_at timestamptz not null default now(),

    -- Venues are named by number.
    constraint venue_pk primary key (venue_id),
    -- A name is there and fits one line of a list.
    constraint venue_name_length check (char_length(name) between 1 and 200),
    -- One venue of a name per city: importing again finds it.
    constraint venue_name_key unique (name, city)
);

-- One immutable version of a venue's geometry, named by the hash of its bytes. Never updated: a
-- changed plan is another seat map.
create table seat_map (
    -- First half of the SHA-256 of `geometry`.
    seat_map_id bytea not null,
    venue_id bigint not null,
    name text not null,
    -- The binary form of domain::seat_map::codec.
    geometry bytea not null,
    seats integer not null,
    -- Places of all standing areas together.
    area_places integer not null,
    -- What import read and found odd; null for seat maps made here.
    report jsonb,
    created_at timestamptz not null default now(),

    -- Seat maps are named by their content.
    constraint seat_map_pk primary key (seat_map_id),
    -- A seat map is of a venue; venues with seat maps stay.
    constraint seat_map_venue_fk foreign key (venue_id) references venue (venue_id),
    -- The id is half a SHA-256.
    constraint seat_map_id_length check (octet_length(seat_map_id) = 16)
);
