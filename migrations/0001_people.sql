-- People: who works here, and the keys that prove who a visitor is.
--
-- Buyers have no table: an anonymous buyer is a signed token in a cookie, and the first trace
-- of one is an order.

-- Keys that all processes on this database share, so that a token signed by one is believed by
-- the others. Made at first use, never changed in place.
create table app_key (
    name text not null,
    secret bytea not null,
    created_at timestamptz not null default now(),
    -- One key a purpose; two processes that start at once agree on the first one stored.
    constraint app_key_pk primary key (name),
    -- 256 bits, as HMAC-SHA256 and Ed25519 want them.
    constraint app_key_secret_length check (octet_length(secret) = 32)
);

-- A member of staff. Never deleted, since what they did stays attributed to them.
create table staff (
    staff_id bigint generated always as identity,
    email text not null,
    name text not null,
    -- Argon2id in PHC form.
    password_hash text not null,
    created_at timestamptz not null default now(),
    constraint staff_pk primary key (staff_id),
    constraint staff_email_length check (length(email) between 3 and 254),
    constraint staff_name_length check (length(name) between 1 and 200)
);

-- One account an address, however it is capitalised.
create unique index staff_email_unique on staff (lower(email));

-- A signed-in browser. The cookie holds a random token; only its hash is kept, so that who
-- reads this table cannot sign in with it.
create table staff_session (
    token_hash bytea not null,
    staff_id bigint not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    constraint staff_session_pk primary key (token_hash),
    -- A session is somebody's.
    constraint staff_session_staff_fk foreign key (staff_id) references staff (staff_id),
    -- SHA-256.
    constraint staff_session_token_hash_length check (octet_length(token_hash) = 32)
);

-- The hourly removal of ended sessions.
create index staff_session_expires_at on staff_session (expires_at);
