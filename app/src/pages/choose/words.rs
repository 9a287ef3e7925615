//! Seats, sums and lists in words.

use domain::ids::{SeatIx, TierIx};
use domain::money::Minor;
use domain::seat_map::SeatMap;
use domain::wire::view::ShowPage;

use crate::i18n::{Lang, messages as m};

/// Seats named one by one in a sentence; beyond, the rest is left out.
const NAMED_MAX: usize = 4;

/// `Stalls, row C, seat 12`.
pub fn seat(t: Lang, map: &SeatMap, seat: SeatIx) -> String {
    let Some(words) = map.words(seat) else {
        return String::new();
    };
    t.fill(
        m::SEAT_WORDS,
        &[
            ("section", words.section),
            ("row", words.row),
            ("seat", words.seat),
        ],
    )
}

/// The seats of one row together, `Stalls, row C, seat 12–14`, several rows one after the other.
pub fn seats(t: Lang, map: &SeatMap, seats: &[SeatIx]) -> String {
    let mut sorted = seats.to_vec();
    sorted.sort_unstable();
    let mut parts: Vec<(SeatIx, SeatIx)> = Vec::new();
    for ix in sorted {
        let row_of = |seat: SeatIx| map.seat(seat).map(|seat| seat.row);
        match parts.last_mut() {
            Some((_, last)) if last.0 + 1 == ix.0 && row_of(*last) == row_of(ix) => *last = ix,
            _ => parts.push((ix, ix)),
        }
    }
    let more = parts.len() > NAMED_MAX;
    let named = parts
        .into_iter()
        .take(NAMED_MAX)
        .filter_map(|(first, last)| {
            let words = map.words(first)?;
            let label = map
                .seat(last)
                .filter(|_| first != last)
                .map(|last| format!("{}–{}", words.seat, last.label));
            let label = label.as_deref().unwrap_or(words.seat);
            Some(t.fill(
                m::SEAT_WORDS,
                &[
                    ("section", words.section),
                    ("row", words.row),
                    ("seat", label),
                ],
            ))
        });
    let mut text = named.collect::<Vec<_>>().join(" · ");
    if more {
        text.push_str(" …");
    }
    text
}

pub fn price(page: &ShowPage, tier: TierIx) -> Minor {
    page.tiers
        .get(tier.at())
        .map_or(Minor(0), |tier| tier.price)
}
