//! From keys to proposals, and the way from seat to seat. The map is one stop of the Tab key;
//! inside it the arrows move from seat to seat.

use domain::ids::SeatIx;
use domain::seat_map::Point;

use super::scene::Scene;

/// How much more a step to the side costs than a step ahead.
const ASIDE: f32 = 2.5;

/// Where an arrow points on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Left,
    Right,
    Up,
    Down,
}

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyProposal {
    /// To the next seat that way; to any seat when none has the focus.
    Step(Way),
    /// To the first or last seat of the row.
    RowStart,
    RowEnd,
    /// Choose the seat with the focus, or give it back.
    Toggle,
    ZoomIn,
    ZoomOut,
    Whole,
    /// Away from seats; the map keeps the keyboard.
    Leave,
}

/// What the key named `key` asks for (names as browsers give them); with a control or command
/// key held down, keys are the browser's.
pub fn proposal(key: &str, with_control: bool) -> Option<KeyProposal> {
    if with_control {
        return None;
    }
    Some(match key {
        "ArrowLeft" => KeyProposal::Step(Way::Left),
        "ArrowRight" => KeyProposal::Step(Way::Right),
        "ArrowUp" => KeyProposal::Step(Way::Up),
        "ArrowDown" => KeyProposal::Step(Way::Down),
        "Home" => KeyProposal::RowStart,
        "End" => KeyProposal::RowEnd,
        "Enter" | " " => KeyProposal::Toggle,
        "+" | "=" => KeyProposal::ZoomIn,
        "-" | "_" => KeyProposal::ZoomOut,
        "0" => KeyProposal::Whole,
        "Escape" => KeyProposal::Leave,
        _ => return None,
    })
}

/// The seat an arrow leads to from `from`: along the row where the row runs that way, else the
/// nearest seat ahead. `None` at the edge of the house.
pub fn next(scene: &Scene, from: SeatIx, way: Way) -> Option<SeatIx> {
    let seat = scene.map.seat(from)?;
    let row = scene.map.rows.get(seat.row.at())?;
    let beside = [from.0.checked_sub(1), from.0.checked_add(1)];
    let in_row = beside
        .into_iter()
        .flatten()
        .filter(|ix| (row.first_seat.0..row.first_seat.0 + row.seats).contains(ix))
        .map(SeatIx)
        .find(|&other| {
            let (ahead, aside) = offset(seat.at, scene.map.seats[other.at()].at, way);
            ahead > 0.0 && aside <= ahead
        });
    in_row.or_else(|| nearest_ahead(scene, from, seat.at, way))
}

/// The seat nearest to `at`: where the keyboard begins.
pub fn nearest(scene: &Scene, at: Point) -> Option<SeatIx> {
    let distance = |spot: &super::scene::Spot| (spot.x - at.x).hypot(spot.y - at.y);
    let best = scene
        .spots
        .iter()
        .enumerate()
        .min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)));
    best.map(|(ix, _)| SeatIx(ix as u32))
}

/// First or last seat of the row of `from`, as seen from the left.
pub fn row_end(scene: &Scene, from: SeatIx, right: bool) -> Option<SeatIx> {
    let seat = scene.map.seat(from)?;
    let row = scene.map.rows.get(seat.row.at())?;
    let (first, last) = (
        row.first_seat,
        SeatIx(row.first_seat.0 + row.seats.saturating_sub(1)),
    );
    let rising = scene.map.seat(first)?.at.x <= scene.map.seat(last)?.at.x;
    Some(if rising == right { last } else { first })
}

fn nearest_ahead(scene: &Scene, from: SeatIx, at: Point, way: Way) -> Option<SeatIx> {
    let mut best = None;
    let mut least = f32::INFINITY;
    for (ix, spot) in scene.spots.iter().enumerate() {
        let (ahead, aside) = offset(
            at,
            Point {
                x: spot.x,
                y: spot.y,
            },
            way,
        );
        // Half a seat ahead at least, or a curved row would lead back and forth.
        if ahead < scene.seat_diameter * 0.25 || ix == from.at() {
            continue;
        }
        let cost = ahead + ASIDE * aside;
        if cost < least {
            (best, least) = (Some(SeatIx(ix as u32)), cost);
        }
    }
    best
}

/// How far `to` is ahead of `from`, and how far aside.
fn offset(from: Point, to: Point, way: Way) -> (f32, f32) {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    match way {
        Way::Left => (-dx, dy.abs()),
        Way::Right => (dx, dy.abs()),
        Way::Up => (-dy, dx.abs()),
        Way::Down => (dy, dx.abs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seat_map::testing;

    /// Walks by letters `l r u d` and says which seat is reached.
    fn walk(from: u32, way: &str) -> Option<u32> {
        let scene = testing::scene();
        let mut at = SeatIx(from);
        for letter in way.chars() {
            let way = match letter {
                'l' => Way::Left,
                'r' => Way::Right,
                'u' => Way::Up,
                _ => Way::Down,
            };
            at = next(&scene, at, way)?;
        }
        Some(at.0)
    }

    #[test]
    fn arrows_lead_along_the_row_and_to_the_row_behind() {
        // Blocks have 8 rows of 12; block "Right" begins with seat 96.
        assert_eq!(walk(0, "rrr"), Some(3));
        assert_eq!(walk(3, "l"), Some(2));
        assert_eq!(walk(3, "dd"), Some(27));
        assert_eq!(walk(27, "u"), Some(15));
        assert_eq!(
            walk(11, "r"),
            Some(96),
            "over the aisle into the next block"
        );
        assert_eq!(walk(84, "d"), Some(192), "into the block behind");
        assert_eq!(walk(0, "l"), None);
        assert_eq!(walk(0, "u"), None);
    }

    #[test]
    fn every_seat_can_be_reached_from_the_first() {
        for scene in [testing::scene(), testing::scene_of(testing::arena())] {
            let mut reached = vec![false; scene.spots.len()];
            let mut open = vec![SeatIx(0)];
            reached[0] = true;
            // In the large house the first rings of the search are enough to see that it works.
            let enough = reached.len().min(600);
            let mut count = 1;
            while let Some(seat) = open.pop() {
                if count >= enough {
                    break;
                }
                for way in [Way::Left, Way::Right, Way::Up, Way::Down] {
                    if let Some(other) = next(&scene, seat, way)
                        && !reached[other.at()]
                    {
                        reached[other.at()] = true;
                        count += 1;
                        open.push(other);
                    }
                }
            }
            assert!(count >= enough, "{count} of {enough}");
        }
    }

    #[test]
    fn the_ends_of_a_row_are_those_seen() {
        let scene = testing::scene();
        assert_eq!(row_end(&scene, SeatIx(5), false), Some(SeatIx(0)));
        assert_eq!(row_end(&scene, SeatIx(5), true), Some(SeatIx(11)));
    }

    #[test]
    fn keys_of_the_browser_stay_with_the_browser() {
        assert_eq!(proposal("+", true), None);
        assert_eq!(proposal("Tab", false), None);
        assert_eq!(proposal(" ", false), Some(KeyProposal::Toggle));
    }
}
