//! One action a line: time in seconds, who, what, `=>` the house afterwards or the refusal.
//! `.` free, `h` held, `s` sold, `b` blocked; seats are counted from 0.

use super::command::{Actor, Command, Envelope};
use crate::ids::{AttemptId, CommandId, OrderId, SeatIx};
use crate::money::Minor;
use crate::time::Millis;

mod script;

pub(crate) use script::{board, buyer, check, paid, picture, settings};

#[test]
fn a_hold_is_all_or_nothing() {
    check(
        &["....", "...."],
        "0 a hold 1 0 1    => hh......
         0 b hold 2 1 2    => seats_taken
         0 b hold 2 2 3    => hhhh....
         0 b hold 3        => empty_selection
         0 b hold 3 4 4    => doubled_seat
         0 b hold 3 8      => unknown_seat",
    );
}

#[test]
fn t2_a_seat_can_be_sold_again_after_every_end() {
    check(
        &["..", ".."],
        "0    a hold 1 0       => h...
         600  b hold 2 0       => h...
         600  b cancel 2       => ....
         600  c hold 3 0 1     => hh..
         600  c drop 3 1       => .h..
         600  c drop 3 2       => ....
         600  d hold 4 0       => h...
         600  d pay 4 7        => h...
         600  system decline 4 7 => h...
         1200 system expire 4  => ....
         1200 e hold 5 0       => h...",
    );
}

#[test]
fn f12_a_hold_past_its_deadline_is_free_for_the_next_command() {
    let board = check(
        &["...."],
        "0   a hold 1 0 1      => hh..
         599 b hold 2 1 2      => seats_taken
         600 b hold 2 1 2      => .hh.
         600 a pay 1 9         => not_found",
    );
    assert_eq!(board.due(Millis(10_000_000), 9), vec![OrderId(2)]);
}

#[test]
fn t5_a_paying_order_is_not_ended_by_time_alone() {
    check(
        &["...."],
        "0    a hold 1 0       => h...
         10   a pay 1 5        => h...
         10   a pay 1 6        => wrong_state
         900  b hold 2 0       => seats_taken
         900  system expire 1  => h...
         899  system expire 1 4 => h...
         900  system expire 1 5 => ....
         900  b hold 2 0       => h...
         910  b pay 2 8        => h...
         2099 system expire 2  => h...
         2100 system expire 2  => ....",
    );
}

#[test]
fn a_decline_leaves_the_hold_with_its_own_deadline() {
    check(
        &["...."],
        "0   a hold 1 0        => h...
         300 a pay 1 5         => h...
         310 system decline 1 4 => h...
         320 a drop 1 1        => wrong_state
         320 system decline 1 5 => h...
         325 a drop 1 1 1      => bad_field
         330 a pay 1 6         => h...
         330 system decline 1 6 => h...
         600 a pay 1 7         => hold_expired
         600 b hold 2 0        => h...",
    );
}

#[test]
fn money_makes_an_order_paid_once() {
    let board = check(
        &["...."],
        "0  a hold 1 0 1         => hh..
         1  a pay 1 5            => hh..
         2  system settle 1 p1 9299 => hh..
         2  system settle 1 p2 9300 => ss..
         2  system settle 1 p2 9300 => ss..
         3  system settle 1 p3 9300 => ss..
         3  a cancel 1           => wrong_state
         9999 b hold 2 1         => seats_taken
         9999 system settle 7 p4 10 => not_found",
    );
    assert_eq!(board.order(OrderId(1)).unwrap().total, Minor(9300));
}

#[test]
fn an_order_keeps_the_fees_under_which_it_was_begun() {
    let board = check(
        &["......"],
        "0 a hold 1 0 1 2 => hhh...
         1 staff dearer    => hhh...
         2 a drop 1 3      => hh....
         2 a add 1 4       => hh..h.
         2 b hold 2 5      => hh..hh
         3 staff dollars   => bad_field",
    );
    let order = board.order(OrderId(1)).unwrap();
    assert_eq!((order.fees, order.total), (Minor(450), Minor(13_950)));
    assert_eq!(board.order(OrderId(2)).unwrap().fees, Minor(1_499));
}

#[test]
fn an_attempt_is_closed_when_its_order_is_not_at_it_any_more() {
    let board = check(
        &["...."],
        "0 a hold 1 0        => h...
         1 a pay 1 5          => h...
         2 system close 1 5   => h...
         3 system decline 1 5 => h...
         4 system close 1 5   => h...",
    );
    let at = |id: u128, command| Envelope {
        id: CommandId(id),
        actor: Actor::System,
        fingerprint: 0,
        command,
    };
    let close = |attempt| Command::CloseAttempt {
        order: OrderId(1),
        attempt: AttemptId(attempt),
    };
    let left = board.decide(&at(90, close(5)), Millis(5_000)).unwrap();
    assert_eq!(left.changes.len(), 1, "the provider's last word is noted");
    let mut paying = board.clone();
    let pay = Command::PayStart {
        order: OrderId(1),
        buyer: buyer("a"),
        attempt: AttemptId(6),
        contact: super::command::Contact {
            name: "A".into(),
            email: "a@example.org".into(),
            locale: "en".into(),
        },
    };
    paying.apply(&at(91, pay), Millis(5_000)).unwrap();
    let current = paying.decide(&at(92, close(6)), Millis(5_000)).unwrap();
    assert!(current.changes.is_empty(), "the one under way stays open");
}

#[test]
fn standing_places_are_sold_where_seats_are_not_chosen() {
    check(
        &["...."],
        "0 staff best_only => ....
         0 a hold 1 +2      => ....
         0 a add 1 +1       => ....
         0 a add 1 0        => choosing_not_allowed
         0 b hold 2 0       => choosing_not_allowed",
    );
}

#[test]
fn limits_count_what_is_held_and_paid_together() {
    check(
        &["............"],
        "0 a hold 1 0 1 2 3 4 5 6  => limit_per_order
         0 a hold 1 0 1 2 3 4 5    => hhhhhh......
         0 a add 1 6               => limit_per_order
         0 a hold 2 6 7 8          => limit_per_buyer
         0 a hold 2 6 7            => hhhhhhhh....
         0 a hold 3 8              => limit_per_buyer
         600 a hold 3 8            => hhhhhhhhh...",
    );
}

#[test]
fn standing_places_are_counted() {
    let board = check(
        &[".."],
        "0 a hold 1 0 +2     => h.
         0 b hold 2 +2        => area_full
         0 b hold 2 +1        => h.
         0 a drop 1 2         => h.
         0 b add 2 +1         => h.
         0 b add 2 +1         => area_full
         600 c hold 3 +3      => ..",
    );
    assert_eq!(board.snapshot().area_taken, vec![3]);
    assert_eq!(board.snapshot().tier_free, vec![2]);
}

#[test]
fn the_house_keeps_seats_back_and_gives_them_free() {
    check(
        &["...."],
        "0 staff block 1 2     => .bb.
         0 a hold 1 2 3        => seats_taken
         0 staff block 0 1     => seats_taken
         0 staff unblock 1 3   => seat_not_here
         0 staff unblock 1     => ..b.
         0 a hold 1 1          => .hb.
         600 staff block 1     => .bb.",
    );
}

#[test]
fn f34_the_window_is_the_desks() {
    check(
        &["...."],
        "0 a hold 1 0              => h...
         99999 a hold 2 1          => hh..
         100000 a hold 3 2         => sale_closed
         100001 staff pause        => hh..
         100001 a hold 3 2         => sale_paused",
    );
}

#[test]
fn best_never_refuses_while_enough_are_free() {
    check(
        &["....", "...."],
        "0 staff block 0 1 4 5    => bb..bb..
         0 a best 1 2             => bbhhbb..
         0 b best 2 2             => bbhhbbhh
         0 c best 3 1             => none_left",
    );
}

#[test]
fn a_late_payment_takes_its_seats_again_or_waits_for_a_person() {
    let mut board = check(
        &["...."],
        "0   a hold 1 0 1      => hh..
         600 b hold 2 1        => .h..",
    );
    let old = super::decide::ended(
        &crate::order::OrderSummary {
            order: OrderId(1),
            ..board.order(OrderId(2)).unwrap().clone()
        },
        crate::order::OrderState::Expired,
    );
    let late = |seat: u32| {
        let mut ended = old.clone();
        ended.buyer = buyer("a");
        ended.lines[0].place = crate::order::Place::Seat(SeatIx(seat));
        Envelope {
            id: CommandId(77),
            actor: Actor::System,
            fingerprint: 0,
            command: Command::Settle {
                order: OrderId(1),
                attempt: AttemptId(1),
                payment: paid("p", ended.total.0),
                ended: Some(ended),
            },
        }
    };
    board.apply(&late(1), Millis(700_000)).unwrap();
    assert_eq!(picture(&board), ".h..", "b keeps the seat");
    board.apply(&late(0), Millis(700_000)).unwrap();
    assert_eq!(picture(&board), "sh..");
}
