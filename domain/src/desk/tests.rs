use super::*;
use crate::board::command::Want;
use crate::board::tests::{board, buyer, picture};
use crate::ids::SeatIx;

fn hold(id: u128, who: &str, order: i64, seats: &[u32]) -> Envelope {
    Envelope {
        id: CommandId(id),
        actor: Actor::Buyer(buyer(who)),
        fingerprint: seats.iter().map(|s| u64::from(*s) + 1).sum(),
        command: Command::Hold {
            order: OrderId(order),
            buyer: buyer(who),
            want: Want::Chosen {
                seats: seats.iter().copied().map(SeatIx).collect(),
                areas: Vec::new(),
            },
        },
    }
}

fn desk() -> Desk {
    Desk::new(board(&["....", "...."]), [], Millis(0))
}

fn written(output: Output) -> Batch {
    match output {
        Output::Write(batch) => batch,
        other => panic!("a batch was expected: {other:?}"),
    }
}

fn done(output: Output) -> Vec<(Token, Result<Outcome, Refusal>)> {
    match output {
        Output::Done(done) => done.replies,
        other => panic!("an end was expected: {other:?}"),
    }
}

fn code(answer: &Result<Outcome, Refusal>) -> &'static str {
    match answer {
        Ok(_) => "ok",
        Err(refusal) => refusal.code(),
    }
}

#[test]
fn one_batch_decides_a_rush_on_one_seat() {
    let mut desk = desk();
    let rush = (0..500)
        .map(|n| (n, hold(u128::from(n), "a", n as i64 + 1, &[0])))
        .collect();
    let batch = written(desk.step(Input::Commands(rush), Millis(1)));
    assert_eq!(batch.delta.changes.len(), 1, "losers never reach Postgres");
    let replies = done(desk.step(Input::Committed, Millis(2)));
    assert_eq!(replies.iter().filter(|(_, a)| a.is_ok()).count(), 1);
    assert!(
        replies
            .iter()
            .skip(1)
            .all(|(_, a)| code(a) == "seats_taken")
    );
}

#[test]
fn nothing_is_answered_before_it_is_durable_and_nothing_stays_when_overtaken() {
    let mut ours = desk();
    let mut theirs = desk();
    let theirs_batch =
        written(theirs.step(Input::Commands(vec![(1, hold(1, "b", 1, &[0]))]), Millis(1)));
    done(theirs.step(Input::Committed, Millis(1)));
    written(ours.step(
        Input::Commands(vec![(5, hold(2, "a", 2, &[0])), (6, hold(3, "a", 3, &[1]))]),
        Millis(1),
    ));
    let batch = written(ours.step(Input::Behind(vec![theirs_batch.delta]), Millis(2)));
    assert_eq!(batch.expected, Seq(1));
    let replies = done(ours.step(Input::Committed, Millis(2)));
    assert_eq!(code(&replies[0].1), "seats_taken");
    assert_eq!(code(&replies[1].1), "ok");
    assert_eq!(picture(ours.board()), "hh......");
}

#[test]
fn a_repeated_command_is_answered_as_before() {
    let mut desk = desk();
    let twice = vec![
        (1, hold(9, "a", 1, &[0])),
        (2, hold(9, "a", 2, &[0])),
        (3, hold(9, "a", 3, &[1])),
    ];
    written(desk.step(Input::Commands(twice), Millis(1)));
    let replies = done(desk.step(Input::Committed, Millis(1)));
    assert_eq!(replies[0].1, replies[1].1);
    assert_eq!(code(&replies[2].1), "idempotency_mismatch");
    let again = vec![(4, hold(9, "a", 4, &[0]))];
    assert_eq!(
        done(desk.step(Input::Commands(again), Millis(2)))[0].1,
        replies[0].1
    );
}

#[test]
fn an_id_of_another_process_is_looked_up_before_it_is_refused() {
    let mut theirs = desk();
    let batch = written(theirs.step(Input::Commands(vec![(1, hold(9, "a", 1, &[0]))]), Millis(1)));
    let stored = batch.outcomes.clone();
    let mut ours = desk();
    assert!(matches!(
        ours.step(Input::Commands(vec![(1, hold(8, "a", 2, &[0]))]), Millis(1)),
        Output::Write(_)
    ));
    // Overtaken, while the buyer's retry of the other process's command waits with it.
    done(
        match ours.step(Input::Behind(vec![batch.delta]), Millis(1)) {
            Output::Done(done) => Output::Done(done),
            other => panic!("{other:?}"),
        },
    );
    let retry = vec![(2, hold(9, "a", 3, &[0]))];
    assert!(matches!(
        ours.step(Input::Commands(retry), Millis(2)),
        Output::LookUp(keys) if keys.len() == 1
    ));
    let replies = done(ours.step(Input::LookedUp(stored.clone()), Millis(2)));
    assert_eq!(replies, vec![(2, Ok(stored[0].outcome.clone()))]);
}

#[test]
fn a_stale_board_confirms_before_it_refuses() {
    let mut desk = desk();
    written(desk.step(Input::Commands(vec![(1, hold(1, "a", 1, &[0]))]), Millis(1)));
    done(desk.step(Input::Committed, Millis(1)));
    let late = Millis(1 + CONFIRM_AFTER.0 + 1);
    let refused = vec![(2, hold(2, "b", 2, &[0]))];
    assert!(matches!(
        desk.step(Input::Commands(refused), late),
        Output::Confirm
    ));
    assert_eq!(
        code(&done(desk.step(Input::Confirmed, late))[0].1),
        "seats_taken"
    );
}

#[test]
fn after_doubt_commands_that_got_through_are_not_done_again() {
    let mut desk = desk();
    let commands = vec![(1, hold(1, "a", 1, &[0])), (2, hold(2, "b", 2, &[1]))];
    let batch = written(desk.step(Input::Commands(commands), Millis(1)));
    let back = desk.doubt();
    assert_eq!(back.len(), 2);
    assert_eq!(picture(desk.board()), "........");
    let mut fresh = board(&["....", "...."]);
    fresh.follow(&batch.delta);
    desk.reload(fresh, [], batch.outcomes, Millis(2));
    let replies = done(desk.step(Input::Commands(back), Millis(2)));
    assert!(replies.iter().all(|(_, answer)| answer.is_ok()));
}

#[test]
fn what_a_fresh_board_holds_was_carried_out_under_names_that_stay_taken() {
    let mut theirs = desk();
    let batch = written(theirs.step(Input::Commands(vec![(1, hold(9, "a", 1, &[0]))]), Millis(1)));
    let mut fresh = board(&["....", "...."]);
    fresh.follow(&batch.delta);
    // Ours was in doubt about something else, and never read their commit.
    let mut ours = desk();
    ours.doubt();
    let known = batch.delta.commands.clone();
    ours.reload(fresh, known, Vec::new(), Millis(2));
    let repeat = vec![(2, hold(9, "a", 3, &[0]))];
    assert!(matches!(
        ours.step(Input::Commands(repeat), Millis(2)),
        Output::LookUp(keys) if keys == batch.delta.commands
    ));
    let replies = done(ours.step(Input::LookedUp(batch.outcomes.clone()), Millis(2)));
    assert_eq!(replies, vec![(2, Ok(batch.outcomes[0].outcome.clone()))]);
}

#[test]
fn nothing_is_decided_before_what_was_read() {
    let mut theirs = desk();
    // Their clock is ahead of ours.
    let batch = written(theirs.step(
        Input::Commands(vec![(1, hold(1, "b", 1, &[0]))]),
        Millis(900),
    ));
    let mut ours = desk();
    written(ours.step(Input::Commands(vec![(5, hold(2, "a", 2, &[1]))]), Millis(1)));
    let behind = Input::Behind(vec![batch.delta]);
    let second = written(ours.step(behind, Millis(2)));
    assert_eq!(second.delta.at, Millis(900));
}
