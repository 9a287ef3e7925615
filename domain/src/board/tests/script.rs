//! How the tables of the tests are read: an action a line, carried out on a small house.

use std::sync::Arc;

use crate::board::change::Delta;
use crate::board::command::{Actor, Captured, Command, Contact, Envelope, Want};
use crate::board::settings::{Fees, Settings, Tier};
use crate::board::{Board, Plan};
use crate::ids::{AreaIx, AttemptId, BuyerId, CommandId, OrderId, SeatIx, StaffId, TierIx};
use crate::money::{Currency, Minor};
use crate::seat_map::testing::{block, row_of};
use crate::seat_map::{Area, Point};
use crate::time::{Millis, Span};
use crate::wire::snapshot::SeatState;

const TTL: Span = Span::minutes(10);

pub(crate) fn settings() -> Settings {
    Settings {
        currency: Currency::EUR,
        tiers: vec![Tier {
            name: "A".into(),
            color: 0,
            price: Minor(4500),
        }],
        fees: Fees {
            per_ticket: Minor(150),
            per_order: Minor(0),
        },
        opens_at: Millis(0),
        closes_at: Millis(100_000_000),
        paused: false,
        hold_ttl: TTL,
        per_order_max: 6,
        per_buyer_max: 8,
        choose_seats: true,
    }
}

/// Rows of seats side by side, and one area of three places.
pub(crate) fn board(rows: &[&str]) -> Board {
    let mut map = block(
        &(0..rows.len())
            .map(|n| {
                row_of(
                    &n.to_string(),
                    rows[n].len() as u32,
                    400.0,
                    50.0 + 20.0 * n as f64,
                    10.0,
                )
            })
            .collect::<Vec<_>>(),
    );
    let corner = |x, y| Point { x, y };
    map.areas.push(Area {
        name: "Floor".into(),
        outline: vec![
            corner(0.0, 500.0),
            corner(100.0, 500.0),
            corner(100.0, 600.0),
        ],
        label_at: corner(50.0, 550.0),
        capacity: 3,
        category: 0,
    });
    let map = Arc::new(map);
    let seats = vec![TierIx(0); map.seats.len()];
    let plan = Plan::new(map, seats.into(), vec![TierIx(0)].into());
    Board::new(Arc::new(plan), settings())
}

pub(crate) fn buyer(name: &str) -> BuyerId {
    BuyerId(u128::from(name.as_bytes()[0]))
}

fn seats(words: &[&str]) -> Vec<SeatIx> {
    let numbers = words.iter().filter(|w| !w.starts_with('+'));
    numbers.map(|w| SeatIx(w.parse().unwrap())).collect()
}

fn areas(words: &[&str]) -> Vec<(AreaIx, u16)> {
    let counts = words.iter().filter_map(|w| w.strip_prefix('+'));
    counts.map(|n| (AreaIx(0), n.parse().unwrap())).collect()
}

pub(crate) fn paid(payment_id: &str, amount: i64) -> Captured {
    Captured {
        provider: "sandbox".into(),
        payment_id: payment_id.into(),
        amount: Minor(amount),
        currency: Currency::EUR,
    }
}

fn command(board: &Board, who: &str, words: &[&str]) -> Command {
    let order = || OrderId(words[1].parse().unwrap());
    let buyer = buyer(who);
    let attempt = |text: &str| AttemptId(text.parse().unwrap());
    match words[0] {
        "hold" => Command::Hold {
            order: order(),
            buyer,
            want: Want::Chosen {
                seats: seats(&words[2..]),
                areas: areas(&words[2..]),
            },
        },
        "best" => Command::Hold {
            order: order(),
            buyer,
            want: Want::Best {
                count: words[2].parse().unwrap(),
                tier: None,
            },
        },
        "add" => Command::Add {
            order: order(),
            buyer,
            seats: seats(&words[2..]),
            areas: areas(&words[2..]),
        },
        "drop" => Command::Drop {
            order: order(),
            buyer,
            lines: words[2..].iter().map(|w| w.parse().unwrap()).collect(),
        },
        "pay" => Command::PayStart {
            order: order(),
            buyer,
            attempt: attempt(words[2]),
            contact: Contact {
                name: "A".into(),
                email: "a@example.org".into(),
                locale: "en".into(),
            },
        },
        "settle" => Command::Settle {
            order: order(),
            attempt: AttemptId(1),
            payment: paid(words[2], words[3].parse().unwrap()),
            ended: None,
        },
        "decline" => Command::Decline {
            order: order(),
            attempt: attempt(words[2]),
        },
        "expire" => Command::Expire {
            order: order(),
            attempt: words.get(2).map(|w| attempt(w)),
        },
        "cancel" => Command::Cancel {
            order: order(),
            buyer,
        },
        "block" => Command::Block {
            seats: seats(&words[1..]),
            reason: "sound desk".into(),
        },
        "unblock" => Command::Unblock {
            seats: seats(&words[1..]),
        },
        "close" => Command::CloseAttempt {
            order: order(),
            attempt: attempt(words[2]),
        },
        rule => Command::Configure(ruled(board.settings(), rule)),
    }
}

/// The settings after a word of the staff.
fn ruled(settings: &Settings, word: &str) -> Settings {
    let settings = settings.clone();
    match word {
        "pause" => Settings {
            paused: true,
            ..settings
        },
        "best_only" => Settings {
            choose_seats: false,
            ..settings
        },
        "dearer" => Settings {
            fees: Fees {
                per_ticket: Minor(999),
                per_order: Minor(500),
            },
            ..settings
        },
        "dollars" => Settings {
            currency: Currency::new("USD").unwrap(),
            ..settings
        },
        other => panic!("no such action: {other}"),
    }
}

pub(crate) fn picture(board: &Board) -> String {
    (0..board.plan().seat_tiers.len())
        .map(|ix| match board.seat_state(SeatIx(ix as u32)) {
            SeatState::Free => '.',
            SeatState::Held => 'h',
            SeatState::Sold => 's',
            SeatState::Blocked => 'b',
        })
        .collect()
}

/// Runs `script` and checks that a second board which only reads the log ends equal, and that
/// taking back a step restores the board.
pub(crate) fn check(rows: &[&str], script: &str) -> Board {
    let mut board = board(rows);
    let mut reader = board.clone();
    for (line, text) in script.lines().map(str::trim).enumerate() {
        if text.is_empty() {
            continue;
        }
        let (action, expected) = text.split_once("=>").unwrap();
        let words: Vec<&str> = action.split_whitespace().collect();
        let now = Millis(words[0].parse::<i64>().unwrap() * 1000);
        let actor = match words[1] {
            "staff" => Actor::Staff(StaffId(1)),
            "system" => Actor::System,
            who => Actor::Buyer(self::buyer(who)),
        };
        let envelope = Envelope {
            id: CommandId(line as u128),
            actor,
            fingerprint: 0,
            command: command(&board, words[1], &words[2..]),
        };
        let before = board.snapshot();
        board.mark();
        let answer = board.apply(&envelope, now);
        board.rollback();
        assert_eq!(board.snapshot(), before, "taken back: {text}");
        board.mark();
        let again = board.apply(&envelope, now);
        assert_eq!(again, answer, "the same decision twice: {text}");
        let seen = match answer {
            Err(refusal) => {
                board.rollback();
                refusal.code().to_owned()
            }
            Ok(verdict) => {
                let delta = Delta {
                    seq: board.seq().next(),
                    at: board.not_before(now),
                    commands: vec![envelope.key()],
                    changes: verdict.changes,
                };
                board.keep(&delta);
                assert_eq!(reader.follow(&delta), board.frame(&delta), "{text}");
                picture(&board)
            }
        };
        assert_eq!(seen, expected.trim(), "{text}");
        assert_eq!(reader.snapshot(), board.snapshot(), "{text}");
    }
    board
}
