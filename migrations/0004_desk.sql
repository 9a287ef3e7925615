-- The sale: who has what in a show, and what was paid for it. Every table here is written by one
-- function, desk_commit, called by a show's desk; opening a desk adds the rows that it needs, the
-- purge removes old answers and the outbox's workers mark what they did. All but the outbox lead
-- with show_id, so that the shows of one event can live together on any machine.

-- The fence: number of the last commit of each show. A commit names the number it builds on and
-- finds no row when another process wrote first. Narrow, and with room for in-page updates.
create table show_seq (
    show_id bigint constraint show_seq_pkey primary key
        constraint show_seq_show_fkey references show,
    seq bigint not null constraint show_seq_not_negative check (seq >= 0)
) with (fillfactor = 50);

-- What decides besides seats: prices, window, limits. Changed only by a Configure command.
create table show_settings (
    show_id bigint constraint show_settings_pkey primary key
        constraint show_settings_show_fkey references show,
    -- The commit that set them.
    seq bigint not null,
    settings jsonb not null
);

-- The log: what each commit did, complete in itself, nothing personal. Never updated.
create table show_delta (
    show_id bigint not null,
    seq bigint not null constraint show_delta_counts_from_one check (seq > 0),
    at timestamptz not null,
    -- wire::log encoding, first byte its version.
    changes bytea not null,
    -- SHA-256 over the chain value of the commit before (nothing for the first), show, seq, Unix
    -- milliseconds (8 bytes each, big end first) and changes: no row can be changed or taken out
    -- without every later one saying so.
    chain bytea not null constraint show_delta_chain_is_sha256 check (octet_length(chain) = 32),
    constraint show_delta_pkey primary key (show_id, seq)
);

-- A row exists exactly while a seat is held, sold or blocked; no row means free. The primary key
-- is the last guard against selling a seat twice. No history here: uniqueness must not count the dead.
create table seat_claim (
    show_id bigint not null,
    seat_ix integer not null constraint seat_claim_seat_not_negative check (seat_ix >= 0),
    -- 1 held, 2 sold, 3 blocked: the codes of snapshots.
    state smallint not null constraint seat_claim_state_known check (state between 1 and 3),
    -- Whose it is; house holds have no order.
    order_id bigint,
    -- Why the house keeps it, for staff.
    reason text,
    constraint seat_claim_pkey primary key (show_id, seat_ix),
    constraint seat_claim_blocked_has_no_order check ((state = 3) = (order_id is null))
) with (fillfactor = 80);

-- Standing areas: places taken, never more than there are.
create table area_stock (
    show_id bigint not null,
    area_ix smallint not null,
    capacity integer not null,
    taken integer not null default 0,
    constraint area_stock_pkey primary key (show_id, area_ix),
    constraint area_stock_within_capacity check (taken between 0 and capacity)
);

-- Where an order stands; transitions are domain::order's.
create type order_state as enum ('held', 'paying', 'paid', 'expired', 'cancelled');

-- An order, from hold to ticket. Total and fees are frozen here, never computed again.
create table orders (
    show_id bigint not null,
    order_id bigint not null,
    buyer_id uuid not null,
    state order_state not null,
    created_at timestamptz not null,
    -- When the seats go back: the hold's own deadline, or the pushed one while paying.
    deadline timestamptz not null,
    hold_deadline timestamptz not null,
    currency text not null constraint orders_currency_is_iso check (currency ~ '^[A-Z]{3}$'),
    -- Minor units, all three; of the fees, what each ticket adds.
    ticket_fee bigint not null constraint orders_ticket_fee_not_negative check (ticket_fee >= 0),
    fees bigint not null constraint orders_fees_not_negative check (fees >= 0),
    total bigint not null constraint orders_total_not_negative check (total >= 0),
    -- The last line number given: numbers are never used again.
    last_line smallint not null,
    -- The attempt the buyer is at, while paying.
    attempt uuid,
    -- Where tickets go; known from pay-start on.
    contact_name text,
    contact_email text,
    locale text,
    paid_at timestamptz,
    -- Why a payment of this order waits for a person.
    parked text,
    constraint orders_pkey primary key (show_id, order_id)
) with (fillfactor = 80);

-- An order is found by its number alone, on every page that shows it.
create unique index orders_order_id_key on orders (order_id);
-- "My orders".
create index orders_buyer_idx on orders (buyer_id, order_id);
-- The sweep: what still holds seats by a deadline.
create index orders_deadline_idx on orders (deadline) where state in ('held', 'paying');
-- What the provider is asked about.
create index orders_paying_idx on orders (order_id) where state = 'paying';

-- One seat or one place of an order with its frozen price. Dropped lines are deleted; ended
-- orders keep theirs, so that their pages can say what they were.
create table order_line (
    show_id bigint not null,
    order_id bigint not null,
    line_no smallint not null,
    seat_ix integer,
    area_ix smallint,
    tier smallint not null,
    -- Minor units.
    price bigint not null constraint order_line_price_not_negative check (price >= 0),
    constraint order_line_pkey primary key (show_id, order_id, line_no),
    constraint order_line_seat_xor_area check ((seat_ix is null) <> (area_ix is null))
);

-- A ticket of a paid line. The code people carry is a signature over these columns.
create table ticket (
    show_id bigint not null,
    order_id bigint not null,
    line_no smallint not null,
    seat_ix integer,
    area_ix smallint,
    -- Counts up when a ticket is issued again; older codes are void.
    issue smallint not null default 1,
    issued_at timestamptz not null,
    void boolean not null default false,
    constraint ticket_pkey primary key (show_id, order_id, line_no)
);

-- A seat has at most one valid ticket. Void ones do not count, or a seat could not be sold again.
create unique index ticket_seat_key on ticket (show_id, seat_ix) where not void and seat_ix is not null;

-- An attempt to pay, written before the provider is called; the id is the provider's
-- idempotency key. It stays `started` until the provider has said its last word about it, even
-- when its order has ended.
create table payment_attempt (
    show_id bigint not null,
    order_id bigint not null,
    attempt uuid not null,
    state text not null constraint payment_attempt_state_known
        check (state in ('started', 'declined', 'captured', 'ended')),
    started_at timestamptz not null,
    ended_at timestamptz,
    constraint payment_attempt_pkey primary key (show_id, order_id, attempt)
);
-- Attempts that may still bring money.
create index payment_attempt_open_idx on payment_attempt (order_id) where state = 'started';

-- Money a provider took, once for ever by its name for it.
create table payment (
    show_id bigint not null,
    provider text not null,
    payment_id text not null,
    order_id bigint not null,
    -- Minor units.
    amount bigint not null,
    currency text not null,
    captured_at timestamptz not null,
    -- Null: it made the order paid. Otherwise why it waits for a person.
    parked text constraint payment_parked_known
        check (parked in ('amount_differs', 'order_ended', 'surplus')),
    constraint payment_pkey primary key (show_id, provider, payment_id)
);
create index payment_order_idx on payment (show_id, order_id);

-- What commands answered, so that a repeated id gets the same answer. Only effects are here: a
-- refusal is decided afresh. Kept for 48 hours.
create table command_outcome (
    show_id bigint not null,
    -- Buyer, or staff and system as small numbers.
    actor uuid not null,
    command_id uuid not null,
    -- Hash of the request: the same id with another body is refused.
    fingerprint bigint not null,
    outcome bytea not null,
    at timestamptz not null,
    constraint command_outcome_pkey primary key (show_id, actor, command_id)
);
-- The purge. Rows come in the order of time, so a few bytes per block of them are enough.
create index command_outcome_at_idx on command_outcome using brin (at);

-- Side effects that leave with a commit: mail now, more kinds later. Workers take rows with
-- skip locked.
create table outbox (
    outbox_id bigint generated always as identity constraint outbox_pkey primary key,
    -- `order_paid`.
    kind text not null,
    show_id bigint not null,
    order_id bigint not null,
    created_at timestamptz not null,
    attempts integer not null default 0,
    -- Not before.
    next_at timestamptz not null,
    done_at timestamptz,
    last_error text,
    -- One effect of a kind per order.
    constraint outbox_effect_key unique (kind, show_id, order_id)
);
create index outbox_due_idx on outbox (next_at) where done_at is null;
