//! How well a seat sees: its distance to the focal point, more the further it is to the side.

use crate::seat_map::{SeatFlags, SeatMap};

/// What sitting fully to the side costs, in parts of the distance.
const SIDE_COST: f32 = 0.5;
/// What a restricted view costs, in parts of the distance.
const RESTRICTED_COST: f32 = 0.5;

/// By seat: lower is better. Square roots and the four operations only: they give the same
/// result on every machine.
pub(super) fn costs(map: &SeatMap) -> Vec<f32> {
    let offset = |ix: usize| {
        let at = map.seats[ix].at;
        (at.x - map.focal.x, at.y - map.focal.y)
    };
    let count = map.seats.len();
    let (mut axis_x, mut axis_y, mut distances) = (0.0, 0.0, 0.0);
    for ix in 0..count {
        let (x, y) = offset(ix);
        axis_x += f64::from(x);
        axis_y += f64::from(y);
        distances += (f64::from(x) * f64::from(x) + f64::from(y) * f64::from(y)).sqrt();
    }
    let axis = (axis_x * axis_x + axis_y * axis_y).sqrt();
    // 1: everybody sits on one side of the focal point; 0: all around it, and no side is worse.
    let facing = if distances > 0.0 {
        axis / distances
    } else {
        0.0
    };
    let (unit_x, unit_y) = if axis > 0.0 {
        ((axis_x / axis) as f32, (axis_y / axis) as f32)
    } else {
        (0.0, 0.0)
    };
    (0..count)
        .map(|ix| {
            let (x, y) = offset(ix);
            let distance = (x * x + y * y).sqrt();
            // Distance times (1 - cosine of the angle to the axis).
            let aside = distance - (x * unit_x + y * unit_y);
            let restricted = map.seats[ix].flags.has(SeatFlags::RESTRICTED_VIEW);
            let restricted = if restricted { RESTRICTED_COST } else { 0.0 };
            distance * (1.0 + restricted) + aside.max(0.0) * SIDE_COST * facing as f32
        })
        .collect()
}
