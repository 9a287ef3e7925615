-- Payments: what providers tell us, and the pretend provider of demonstrations and tests. What a
-- payment does to an order is the desk's and in its tables; here are only the words of others.

-- Secrets under which a provider signs its webhooks. Several may be good at once, so that one can
-- be replaced without losing an event.
create table provider_secret (
    provider text not null,
    secret text not null,
    created_at timestamptz not null default now(),
    -- From then on it proves nothing any more.
    retired_at timestamptz,

    -- The same secret is listed once.
    constraint provider_secret_pk primary key (provider, secret)
);

-- Every event whose signature was good, as it came. Written by the webhook, never changed but for
-- `handled_at`; events that match no order stay open for people to look at.
create table provider_event (
    provider text not null,
    event_id text not null,
    kind text not null,
    -- The raw bytes that were signed.
    body bytea not null,
    -- What the event says it is about; null when it names no attempt of ours.
    show_id bigint,
    order_id bigint,
    attempt uuid,
    received_at timestamptz not null,
    -- When its effect, if any, was in the books.
    handled_at timestamptz,
    tries integer not null default 0,
    -- Not looked at before.
    next_at timestamptz not null,

    -- An event is one row, however often it is delivered.
    constraint provider_event_pk primary key (provider, event_id),
    -- An attempt is named whole or not at all.
    constraint provider_event_names_attempt check (
        (show_id is null) = (order_id is null) and (order_id is null) = (attempt is null)
    )
);

-- Events that still wait for their effect.
create index provider_event_open on provider_event (next_at)
    where handled_at is null and attempt is not null;

-- Node numbers of order ids: one per process start, round and round, so that processes which run
-- together have different ones.
create sequence order_node as integer minvalue 0 maxvalue 1023 cycle;

-- The pretend provider's own books, apart from ours as a real provider's are: what it was asked
-- for and what became of it.
create table sandbox_session (
    session_id text not null,
    -- Ours to give: asked twice with one key it is one session.
    idempotency_key text not null,
    show_id bigint not null,
    order_id bigint not null,
    -- Minor units.
    amount bigint not null,
    currency text not null,
    locale text not null,
    -- Where the browser goes afterwards.
    return_url text not null,
    state text not null default 'open',
    -- The pretend charge.
    payment_id text,
    created_at timestamptz not null,
    ended_at timestamptz,

    constraint sandbox_session_pk primary key (session_id),
    -- One key, one session, one charge.
    constraint sandbox_session_key unique (idempotency_key),
    -- Charges have names of their own.
    constraint sandbox_session_payment unique (payment_id),
    -- A provider takes no nothing.
    constraint sandbox_session_amount check (amount > 0),
    constraint sandbox_session_state check (state in ('open', 'complete', 'declined', 'expired')),
    -- Money was taken exactly when the session is complete.
    constraint sandbox_session_charged check ((state = 'complete') = (payment_id is not null)),
    constraint sandbox_session_ended check ((state = 'open') = (ended_at is null))
);

-- What the pretend provider wants to tell us by webhook, until we answer 2xx.
create table sandbox_event (
    event_id text not null,
    session_id text not null,
    kind text not null,
    -- The exact text that is signed and sent.
    body text not null,
    created_at timestamptz not null,
    tries integer not null default 0,
    -- Not before.
    next_at timestamptz not null,
    delivered_at timestamptz,

    constraint sandbox_event_pk primary key (event_id),
    constraint sandbox_event_session foreign key (session_id)
        references sandbox_session (session_id)
);

-- Events that wait to be sent.
create index sandbox_event_due on sandbox_event (next_at) where delivered_at is null;

-- How badly the pretend provider behaves; one row, changed by tests and demonstrations.
create table sandbox_behaviour (
    only_one boolean not null default true,
    -- Waits so long before answering us, in milliseconds.
    answer_delay_ms integer not null default 0,
    -- Sends its events so much later, in milliseconds.
    webhook_delay_ms integer not null default 0,
    -- Sends each event so many times; 0 loses them all.
    webhook_copies integer not null default 1,
    -- Signs with a secret that is not ours.
    mis_sign boolean not null default false,

    constraint sandbox_behaviour_pk primary key (only_one),
    constraint sandbox_behaviour_is_one_row check (only_one),
    constraint sandbox_behaviour_bounds check (
        answer_delay_ms between 0 and 60000
        and webhook_delay_ms between 0 and 600000
        and webhook_copies between 0 and 50
    )
);
insert into sandbox_behaviour default values;
