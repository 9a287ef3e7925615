//! After a conflict: seats like those that went, as near to them as can be.

use domain::ids::SeatIx;
use domain::seat_map::{Point, SeatFlags};

use super::scene::Scene;

/// As many free seats as `wanted`, of the tier of the first: neighbours in a row if there are
/// such, else single seats, those nearest to the middle of `wanted`; ascending. `None` when the tier has
/// fewer.
pub fn like(
    scene: &Scene,
    wanted: &[SeatIx],
    free: impl Fn(SeatIx) -> bool,
) -> Option<Vec<SeatIx>> {
    let first = *wanted.first()?;
    let tier = scene.tier_of(first);
    let middle = middle(scene, wanted)?;
    let fits = |ix: SeatIx| {
        free(ix) && scene.tier_of(ix) == tier && scene.map.seat(ix).is_some_and(ordinary)
    };
    together(scene, wanted.len(), middle, &fits)
        .or_else(|| single(scene, wanted.len(), middle, &fits))
}

/// Seats for wheelchairs and companions are offered to those who ask for them.
fn ordinary(seat: &domain::seat_map::Seat) -> bool {
    !seat.flags.has(SeatFlags::ACCESSIBLE) && !seat.flags.has(SeatFlags::COMPANION)
}

fn middle(scene: &Scene, seats: &[SeatIx]) -> Option<Point> {
    scene.around(seats).map(|rect| rect.center())
}

fn together(
    scene: &Scene,
    count: usize,
    middle: Point,
    fits: &impl Fn(SeatIx) -> bool,
) -> Option<Vec<SeatIx>> {
    let mut best: Option<(f32, u32)> = None;
    for band in &scene.bands {
        // First seat of the present run of neighbours.
        let mut begin = band.first;
        for ix in band.first..band.end {
            if !fits(SeatIx(ix)) {
                begin = ix + 1;
                continue;
            }
            if (ix + 1 - begin) as usize >= count {
                let start = ix + 1 - count as u32;
                let (a, b) = (
                    scene.map.seats[start as usize].at,
                    scene.map.seats[ix as usize].at,
                );
                let at = Point {
                    x: (a.x + b.x) / 2.0,
                    y: (a.y + b.y) / 2.0,
                };
                let distance = at.distance(middle);
                if best.is_none_or(|(least, _)| distance < least) {
                    best = Some((distance, start));
                }
            }
            if scene.map.seats[ix as usize].flags.has(SeatFlags::GAP_AFTER) {
                begin = ix + 1;
            }
        }
    }
    best.map(|(_, start)| (start..start + count as u32).map(SeatIx).collect())
}

fn single(
    scene: &Scene,
    count: usize,
    middle: Point,
    fits: &impl Fn(SeatIx) -> bool,
) -> Option<Vec<SeatIx>> {
    let mut seats: Vec<(f32, SeatIx)> = (0..scene.spots.len() as u32)
        .map(SeatIx)
        .filter(|&ix| fits(ix))
        .map(|ix| (scene.map.seats[ix.at()].at.distance(middle), ix))
        .collect();
    if seats.len() < count {
        return None;
    }
    seats.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut nearest: Vec<SeatIx> = seats.into_iter().take(count).map(|(_, ix)| ix).collect();
    nearest.sort_unstable();
    Some(nearest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seat_map::testing;

    fn near(wanted: &[u32], taken: &[u32]) -> Option<Vec<u32>> {
        let scene = testing::scene();
        let wanted: Vec<SeatIx> = wanted.iter().copied().map(SeatIx).collect();
        let found = like(&scene, &wanted, |ix| !taken.contains(&ix.0));
        found.map(|seats| seats.into_iter().map(|ix| ix.0).collect())
    }

    #[test]
    fn the_nearest_pair_of_the_same_tier_is_found() {
        // Rows of 12: seats 5 and 6 of the first row go; the row behind has two at the same place.
        assert_eq!(near(&[5, 6], &[5, 6]), Some(vec![17, 18]));
        // One of them alone: a neighbour will do.
        assert_eq!(near(&[5], &[5, 6]), Some(vec![4]));
    }

    #[test]
    fn no_pair_goes_over_the_end_of_a_row() {
        let taken: Vec<u32> = (0..192).filter(|ix| ![11, 12].contains(ix)).collect();
        // 11 ends a row and 12 begins the next: not neighbours, but all that is left.
        assert_eq!(near(&[0, 1], &taken), Some(vec![11, 12]));
        let taken: Vec<u32> = (0..192).collect();
        assert_eq!(near(&[0, 1], &taken), None, "another tier is not the same");
    }
}
