-- The one function that writes the sale. A desk decided a batch in memory; this carries it out,
-- all or nothing, in one call. Answers:
--   known   some of these commands were carried out before: nothing written, look them up
--   behind  another process wrote first: nothing written, read the log
--   done
-- and raises when what it finds is not what the desk decided on: then nobody may be answered
-- before the board was loaded again. Instants are Unix milliseconds.
create function desk_commit(
    p_show bigint, p_expected bigint, p_at bigint, p_changes bytea,
    -- outcomes of the commands, by actor and id
    p_actors uuid[], p_commands uuid[], p_fingerprints bigint[], p_outcomes bytea[],
    -- seats given back, by their order (0 for a house hold), then seats taken
    p_free_seats integer[], p_free_orders bigint[],
    p_take_seats integer[], p_take_orders bigint[], p_take_states smallint[], p_take_reasons text[],
    -- places of areas: how many more are taken
    p_areas smallint[], p_area_steps integer[],
    -- orders begun
    p_new_orders bigint[], p_new_buyers uuid[], p_new_states text[], p_new_deadlines bigint[],
    p_new_hold_deadlines bigint[], p_new_ticket_fees bigint[], p_new_fees bigint[], p_new_totals bigint[],
    p_new_last_lines smallint[], p_new_attempts uuid[], p_currency text,
    -- lines begun
    p_line_orders bigint[], p_line_nos smallint[], p_line_seats integer[], p_line_areas smallint[],
    p_line_tiers smallint[], p_line_prices bigint[],
    -- orders changed: from one of these states (comma between) to this one; null leaves a value
    p_set_orders bigint[], p_set_from text[], p_set_states text[], p_set_deadlines bigint[],
    p_set_fees bigint[], p_set_totals bigint[], p_set_last_lines smallint[], p_set_attempts uuid[],
    -- what comes with single orders: null when nothing does (see rows.rs, More)
    p_more jsonb
) returns text
language plpgsql
-- Rows are found one by one through their primary keys, whatever the planner believes about
-- tables that were empty a minute ago: a sequential scan per seat would stop the sale. Hence the
-- laterals with `offset 0`, which keep the order of the joins. The fence keeps others away between
-- finding a row and changing it.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
    v_epoch constant timestamptz := timestamptz 'epoch';
    v_at constant timestamptz := v_epoch + p_at * interval '1 millisecond';
    v_seq bigint;
    v_rows bigint;
begin
    if cardinality(p_commands) > 0 and exists (
        select from unnest(p_actors, p_commands) as mine (actor, command_id)
        join command_outcome as theirs using (actor, command_id)
        where theirs.show_id = p_show
    ) then
        return 'known';
    end if;

    update show_seq set seq = seq + 1
    where show_id = p_show and seq = p_expected
    returning seq into v_seq;
    if v_seq is null then
        return 'behind';
    end if;

    if cardinality(p_free_seats) > 0 then
        delete from seat_claim as claim
        using unnest(p_free_seats, p_free_orders) as gone (seat_ix, order_id)
        cross join lateral (
            select c.ctid as place from seat_claim c
            where c.show_id = p_show and c.seat_ix = gone.seat_ix
                and coalesce(c.order_id, 0) = gone.order_id
            offset 0
        ) as found
        where claim.ctid = found.place;
        get diagnostics v_rows = row_count;
        perform desk_expect('seats given back', cardinality(p_free_seats), v_rows);
    end if;

    if cardinality(p_take_seats) > 0 then
        insert into seat_claim (show_id, seat_ix, order_id, state, reason)
        select p_show, seat_ix, nullif(order_id, 0), state, reason
        from unnest(p_take_seats, p_take_orders, p_take_states, p_take_reasons)
            as taken (seat_ix, order_id, state, reason);
    end if;

    if cardinality(p_areas) > 0 then
        update area_stock as stock set taken = stock.taken + step.places
        from unnest(p_areas, p_area_steps) as step (area_ix, places)
        where stock.show_id = p_show and stock.area_ix = step.area_ix;
        get diagnostics v_rows = row_count;
        perform desk_expect('areas', cardinality(p_areas), v_rows);
    end if;

    if cardinality(p_new_orders) > 0 then
        insert into orders (show_id, order_id, buyer_id, state, created_at, deadline,
            hold_deadline, currency, ticket_fee, fees, total, last_line, attempt)
        select p_show, order_id, buyer_id, state::order_state, v_at,
            v_epoch + deadline * interval '1 millisecond',
            v_epoch + hold_deadline * interval '1 millisecond',
            p_currency, ticket_fee, fees, total, last_line, attempt
        from unnest(p_new_orders, p_new_buyers, p_new_states, p_new_deadlines,
            p_new_hold_deadlines, p_new_ticket_fees, p_new_fees, p_new_totals, p_new_last_lines,
            p_new_attempts)
            as begun (order_id, buyer_id, state, deadline, hold_deadline, ticket_fee, fees, total,
                last_line, attempt);
    end if;

    if cardinality(p_line_orders) > 0 then
        insert into order_line (show_id, order_id, line_no, seat_ix, area_ix, tier, price)
        select p_show, line.* from unnest(p_line_orders, p_line_nos, p_line_seats, p_line_areas,
            p_line_tiers, p_line_prices) as line;
    end if;

    if cardinality(p_set_orders) > 0 then
        update orders as o set
            state = s.state::order_state,
            deadline = coalesce(v_epoch + s.deadline * interval '1 millisecond', o.deadline),
            fees = coalesce(s.fees, o.fees),
            total = coalesce(s.total, o.total),
            last_line = coalesce(s.last_line, o.last_line),
            attempt = coalesce(s.attempt, o.attempt),
            paid_at = case when s.state = 'paid' then v_at else o.paid_at end
        from unnest(p_set_orders, p_set_from, p_set_states, p_set_deadlines, p_set_fees,
            p_set_totals, p_set_last_lines, p_set_attempts)
            as s (order_id, was, state, deadline, fees, total, last_line, attempt)
        cross join lateral (
            select c.ctid as place from orders c
            where c.show_id = p_show and c.order_id = s.order_id
                and c.state::text = any (string_to_array(s.was, ','))
            offset 0
        ) as found
        where o.ctid = found.place;
        get diagnostics v_rows = row_count;
        perform desk_expect('orders changed', cardinality(p_set_orders), v_rows);
    end if;

    if p_more is not null then
        perform desk_commit_more(p_show, v_at, v_seq, p_more);
    end if;

    insert into command_outcome (show_id, actor, command_id, fingerprint, outcome, at)
    select p_show, done.*, v_at
    from unnest(p_actors, p_commands, p_fingerprints, p_outcomes) as done;

    insert into show_delta (show_id, seq, at, changes, chain)
    select p_show, v_seq, v_at, p_changes, sha256(
        coalesce((select chain from show_delta where show_id = p_show and seq = v_seq - 1), '')
        || int8send(p_show) || int8send(v_seq) || int8send(p_at) || p_changes);
    return 'done';
end
$$;

-- Rows affected are checked against what was decided: a difference undoes the whole batch.
create function desk_expect(p_what text, p_decided bigint, p_found bigint) returns void
language plpgsql as $$
begin
    if p_decided <> p_found then
        raise exception 'desk decided % %, found %', p_decided, p_what, p_found
            using errcode = 'RL001';
    end if;
end
$$;

-- The part of a commit that only some batches have: payments, tickets, contacts, settings.
create function desk_commit_more(p_show bigint, p_at timestamptz, p_seq bigint, p_more jsonb)
returns void
language plpgsql as $$
declare
    v_rows bigint;
begin
    delete from order_line as line
    using jsonb_to_recordset(p_more -> 'dropped') as gone ("order" bigint, line smallint)
    where line.show_id = p_show and line.order_id = gone."order" and line.line_no = gone.line;
    get diagnostics v_rows = row_count;
    perform desk_expect('lines dropped', jsonb_array_length(p_more -> 'dropped'), v_rows);

    update seat_claim as claim set state = 2
    from jsonb_to_recordset(p_more -> 'sold') as sold (seat integer, "order" bigint)
    cross join lateral (
        select c.ctid as place from seat_claim c
        where c.show_id = p_show and c.seat_ix = sold.seat
            and c.order_id = sold."order" and c.state = 1
        offset 0
    ) as found
    where claim.ctid = found.place;
    get diagnostics v_rows = row_count;
    perform desk_expect('seats sold', jsonb_array_length(p_more -> 'sold'), v_rows);

    update orders as o
    set contact_name = c.name, contact_email = c.email, locale = c.locale
    from jsonb_to_recordset(p_more -> 'contacts') as c ("order" bigint, name text, email text, locale text)
    where o.show_id = p_show and o.order_id = c."order";

    insert into payment_attempt (show_id, order_id, attempt, state, started_at)
    select p_show, a."order", a.attempt, 'started', p_at
    from jsonb_to_recordset(p_more -> 'attempts') as a ("order" bigint, attempt uuid);

    -- Money may come for an attempt that was declined before; nothing else comes after the end.
    update payment_attempt as a set state = e.state, ended_at = p_at
    from jsonb_to_recordset(p_more -> 'attempts_ended') as e ("order" bigint, attempt uuid, state text)
    where a.show_id = p_show and a.order_id = e."order" and a.attempt = e.attempt
        and (a.state = 'started' or e.state = 'captured');

    insert into payment (show_id, provider, payment_id, order_id, amount, currency, captured_at, parked)
    select p_show, p.provider, p.payment_id, p."order", p.amount, p.currency, p_at, p.parked
    from jsonb_to_recordset(p_more -> 'payments')
        as p (provider text, payment_id text, "order" bigint, amount bigint, currency text, parked text)
    on conflict on constraint payment_pkey do nothing;

    update orders as o set parked = p.parked
    from jsonb_to_recordset(p_more -> 'payments') as p ("order" bigint, parked text)
    where o.show_id = p_show and o.order_id = p."order" and p.parked is not null;

    insert into ticket (show_id, order_id, line_no, seat_ix, area_ix, issued_at)
    select p_show, t."order", t.line, t.seat, t.area, p_at
    from jsonb_to_recordset(p_more -> 'tickets')
        as t ("order" bigint, line smallint, seat integer, area smallint);

    insert into outbox (kind, show_id, order_id, created_at, next_at)
    select e.kind, p_show, e."order", p_at, p_at
    from jsonb_to_recordset(p_more -> 'outbox') as e (kind text, "order" bigint);

    if p_more ? 'settings' and p_more -> 'settings' <> 'null'::jsonb then
        insert into show_settings (show_id, seq, settings)
        values (p_show, p_seq, p_more -> 'settings')
        on conflict on constraint show_settings_pkey
        do update set seq = excluded.seq, settings = excluded.settings;
    end if;
end
$$;
