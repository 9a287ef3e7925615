-- What holds at rest, after anything: each row is one breach, named by its rule. Read in one
-- snapshot, without locks. A state on its way (an order being paid for) breaks a rule only when
-- it has been on its way for too long.

-- I1: every valid ticket's seat is claimed as sold by its own order.
select 'I1' as rule,
       format('show %s: the valid ticket of order %s line %s has no claim on seat %s',
              t.show_id, t.order_id, t.line_no, t.seat_ix) as breach
from ticket t
left join seat_claim c on c.show_id = t.show_id and c.seat_ix = t.seat_ix
where not t.void and t.seat_ix is not null
  and (c.order_id is distinct from t.order_id or c.state is distinct from 2)
union all
-- I1: no seat has two valid tickets.
select 'I1', format('show %s: seat %s has %s valid tickets', show_id, seat_ix, count(*))
from ticket
where not void and seat_ix is not null
group by show_id, seat_ix
having count(*) > 1
union all
-- I1: what is claimed as sold has a valid ticket.
select 'I1', format('show %s: seat %s is sold to order %s without a valid ticket',
                    c.show_id, c.seat_ix, c.order_id)
from seat_claim c
where c.state = 2
  and not exists (
    select from ticket t
    where t.show_id = c.show_id and t.order_id = c.order_id and t.seat_ix = c.seat_ix
      and not t.void)
union all
-- I2: every line of a paid order has a valid ticket for its own place.
select 'I2', format('show %s: line %s of paid order %s has no valid ticket',
                    l.show_id, l.line_no, l.order_id)
from order_line l
join orders o on o.show_id = l.show_id and o.order_id = l.order_id
where o.state = 'paid'
  and not exists (
    select from ticket t
    where t.show_id = l.show_id and t.order_id = l.order_id and t.line_no = l.line_no
      and t.seat_ix is not distinct from l.seat_ix
      and t.area_ix is not distinct from l.area_ix
      and not t.void)
union all
-- I2: a valid ticket belongs to a line of a paid order.
select 'I2', format('show %s: a valid ticket for line %s of order %s, which is not paid for',
                    t.show_id, t.line_no, t.order_id)
from ticket t
left join orders o on o.show_id = t.show_id and o.order_id = t.order_id
left join order_line l
  on l.show_id = t.show_id and l.order_id = t.order_id and l.line_no = t.line_no
where not t.void and (o.state is distinct from 'paid' or l.line_no is null)
union all
-- I2: money that is not parked made its order paid, once.
select 'I2', format('show %s: order %s is %s with %s payments that are not parked',
                    o.show_id, o.order_id, o.state, count(p.payment_id))
from orders o
left join payment p
  on p.show_id = o.show_id and p.order_id = o.order_id and p.parked is null and p.amount > 0
group by o.show_id, o.order_id, o.state, o.total
having count(p.payment_id) <> case when o.state = 'paid' and o.total > 0 then 1 else 0 end
union all
-- I3: money that we say the pretend provider took stands so in its own books, for the same order.
-- (The books of other providers are elsewhere, and nothing is paid back so far.)
select 'I3', format('show %s: payment %s of %s %s for order %s is %s in the provider''s books',
                    p.show_id, p.payment_id, p.amount, p.currency, p.order_id,
                    coalesce(format('%s %s for order %s of show %s',
                                    b.amount, b.currency, b.order_id, b.show_id), 'nowhere'))
from payment p
left join sandbox_session b on b.payment_id = p.payment_id
where p.provider = 'sandbox'
  and (b.show_id, b.order_id, b.amount, b.currency)
      is distinct from (p.show_id, p.order_id, p.amount, p.currency)
union all
-- I3: money that the pretend provider took is in our books, parked or not, soon after.
select 'I3', format('show %s: the provider took %s %s for order %s as %s, and we know nothing of it',
                    b.show_id, b.amount, b.currency, b.order_id, b.payment_id)
from sandbox_session b
where b.state = 'complete' and b.ended_at < now() - interval '5 minutes'
  and not exists (
    select from payment p
    where p.show_id = b.show_id and p.provider = 'sandbox' and p.payment_id = b.payment_id)
union all
-- I3: the provider is asked about every attempt until it has said its last word.
select 'I3', format('show %s: attempt %s of order %s is open since %s, and its order is %s',
                    a.show_id, a.attempt, a.order_id, a.started_at, o.state)
from payment_attempt a
join orders o on o.show_id = a.show_id and o.order_id = a.order_id
where a.state = 'started' and a.started_at < now() - interval '2 hours'
union all
-- I4: lines and fees are the total.
select 'I4', format('show %s: order %s asks %s for lines of %s and fees of %s',
                    o.show_id, o.order_id, o.total, coalesce(sum(l.price), 0), o.fees)
from orders o
left join order_line l on l.show_id = o.show_id and l.order_id = o.order_id
group by o.show_id, o.order_id, o.total, o.fees
having coalesce(sum(l.price), 0) + o.fees <> o.total
union all
-- I4: what was taken is what was asked.
select 'I4', format('show %s: payment %s took %s %s for order %s of %s %s', p.show_id,
                    p.payment_id, p.amount, p.currency, o.order_id, o.total, o.currency)
from payment p
join orders o on o.show_id = p.show_id and o.order_id = p.order_id
where p.parked is null and (p.amount <> o.total or p.currency <> o.currency)
union all
-- I5: no seat is kept for an order that has ended, or in another state than its order's.
select 'I5', format('show %s: seat %s is in state %s for order %s, which is %s',
                    c.show_id, c.seat_ix, c.state, c.order_id, coalesce(o.state::text, 'unknown'))
from seat_claim c
left join orders o on o.show_id = c.show_id and o.order_id = c.order_id
where c.state <> 3
  and c.state is distinct from case o.state
        when 'held' then 1 when 'paying' then 1 when 'paid' then 2 end
union all
-- I5: every seat of an order that has its seats is claimed by it, and nothing else is.
select 'I5', format('show %s: order %s, which is %s, has no claim on its seat %s',
                    l.show_id, l.order_id, o.state, l.seat_ix)
from order_line l
join orders o on o.show_id = l.show_id and o.order_id = l.order_id
left join seat_claim c on c.show_id = l.show_id and c.seat_ix = l.seat_ix
where o.state in ('held', 'paying', 'paid') and l.seat_ix is not null
  and c.order_id is distinct from l.order_id
union all
select 'I5', format('show %s: seat %s is kept for order %s, which has no such line',
                    c.show_id, c.seat_ix, c.order_id)
from seat_claim c
where c.order_id is not null
  and not exists (
    select from order_line l
    where l.show_id = c.show_id and l.order_id = c.order_id and l.seat_ix = c.seat_ix)
union all
-- I5: holds end by themselves.
select 'I5', format('show %s: order %s is %s since its deadline %s',
                    show_id, order_id, state, deadline)
from orders
where state = 'held' and deadline < now() - interval '60 seconds'
   or state = 'paying' and deadline < now() - interval '6 minutes'
union all
-- I7: nobody has more than the limit that stood when their last order was begun.
select 'I7', format('show %s: buyer %s has %s places of at most %s', o.show_id, o.buyer_id,
                    count(*), s.settings ->> 'per_buyer_max')
from orders o
join order_line l on l.show_id = o.show_id and l.order_id = o.order_id
join show_settings s on s.show_id = o.show_id
join show_delta d on d.show_id = s.show_id and d.seq = s.seq
where o.state in ('held', 'paying', 'paid')
group by o.show_id, o.buyer_id, s.settings, d.at
having max(o.created_at) > d.at and count(*) > (s.settings ->> 'per_buyer_max')::bigint
union all
-- I8: only seats of the seat map are claimed, so free + held + sold + blocked is their number.
select 'I8', format('show %s: seat %s is claimed, and the house has %s seats',
                    c.show_id, c.seat_ix, m.seats)
from seat_claim c
join show s on s.show_id = c.show_id
join seat_map m on m.seat_map_id = s.seat_map_id
where c.seat_ix >= m.seats
union all
-- I8: the places taken in an area are its live lines.
select 'I8', format('show %s: area %s counts %s places taken and has %s live lines',
                    a.show_id, a.area_ix, a.taken, count(o.order_id))
from area_stock a
left join order_line l on l.show_id = a.show_id and l.area_ix = a.area_ix
left join orders o
  on o.show_id = l.show_id and o.order_id = l.order_id and o.state in ('held', 'paying', 'paid')
group by a.show_id, a.area_ix, a.taken
having count(o.order_id) <> a.taken
union all
-- I8: a live line in an area has stock to count it.
select 'I8', format('show %s: order %s stands in area %s, which has no stock',
                    l.show_id, l.order_id, l.area_ix)
from order_line l
join orders o on o.show_id = l.show_id and o.order_id = l.order_id
left join area_stock a on a.show_id = l.show_id and a.area_ix = l.area_ix
where l.area_ix is not null and o.state in ('held', 'paying', 'paid') and a.area_ix is null
union all
-- I9: one confirmation for every paid order, and none for any other.
select 'I9', format('show %s: order %s is %s with %s confirmations',
                    o.show_id, o.order_id, o.state, count(x.outbox_id))
from orders o
left join outbox x
  on x.show_id = o.show_id and x.order_id = o.order_id and x.kind = 'order_paid'
group by o.show_id, o.order_id, o.state
having count(x.outbox_id) <> case when o.state = 'paid' then 1 else 0 end
union all
-- I10: the log counts from 1 to the fence without gaps.
select 'I10', format('show %s: the fence stands at %s and the log has %s commits up to %s',
                     q.show_id, q.seq, count(d.seq), coalesce(max(d.seq), 0))
from show_seq q
left join show_delta d on d.show_id = q.show_id
group by q.show_id, q.seq
having count(d.seq) <> q.seq or coalesce(max(d.seq), 0) <> q.seq;
