//! What a tap means at a place: a seat only where seats are drawn large enough for a finger.

use domain::ids::{AreaIx, SeatIx, SectionIx};

use super::camera::{Camera, Px, TAP_DIAMETER_MIN};
use super::scene::{Level, Scene};

/// A finger may miss a disc by this many CSS pixels; the nearest seat is meant.
const SLACK: f64 = 4.0;

/// What is under a tap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// This seat, large enough to be meant.
    Seat(SeatIx),
    Area(AreaIx),
    /// From afar: go to this section.
    Section(SectionIx),
    /// Too small to tell apart: go closer.
    Closer,
    Nothing,
}

/// What a tap at `at` is about.
pub fn target(scene: &Scene, camera: &Camera, at: Px) -> Target {
    if let Some(seat) = seat_at(scene, camera, at)
        && diameter(scene, camera, seat) >= TAP_DIAMETER_MIN
    {
        return Target::Seat(seat);
    }
    let point = camera.plan_point(at);
    if let Some(area) = scene.grid.area_at(&scene.map, point) {
        return Target::Area(area);
    }
    if camera.seat_diameter() >= TAP_DIAMETER_MIN {
        return Target::Nothing;
    }
    match scene.section_at(point) {
        Some(section) if Level::of(camera.seat_diameter()) == Level::House => {
            Target::Section(section)
        }
        _ => Target::Closer,
    }
}

/// The seat drawn at `at`, whatever its size: for pointers that only look.
pub fn seat_at(scene: &Scene, camera: &Camera, at: Px) -> Option<SeatIx> {
    let slack = (SLACK / camera.pose().scale) as f32;
    // No more than half a seat, or from afar everything would be near.
    scene
        .grid
        .hit(camera.plan_point(at), slack.min(scene.seat_diameter / 2.0))
}

/// Drawn diameter of this very seat, CSS pixels.
pub fn diameter(scene: &Scene, camera: &Camera, seat: SeatIx) -> f64 {
    2.0 * f64::from(scene.radius(seat)) * camera.pose().scale
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seat_map::testing;

    fn camera(scene: &Scene, width: f64, height: f64) -> Camera {
        let mut camera = Camera::new(scene.map.width, scene.map.height, scene.seat_diameter);
        camera.resize(width, height);
        camera
    }

    #[test]
    fn f43_wherever_seats_are_large_enough_the_seat_tapped_is_the_seat_chosen() {
        let scene = testing::scene();
        for (width, height) in [(390.0, 560.0), (1280.0, 800.0), (733.5, 412.25)] {
            let mut camera = camera(&scene, width, height);
            camera.zoom(Px::new(width / 3.0, height / 3.0), 7.0);
            assert!(camera.seat_diameter() >= TAP_DIAMETER_MIN);
            let mut tapped = 0;
            for (ix, seat) in scene.map.seats.iter().enumerate() {
                let at = camera.css(seat.at);
                let reach = f64::from(seat.radius) * camera.pose().scale * 0.9;
                for (dx, dy) in [
                    (0.0, 0.0),
                    (reach, 0.0),
                    (-reach, 0.0),
                    (0.0, reach),
                    (0.0, -reach),
                ] {
                    let at = Px::new(at.x + dx, at.y + dy);
                    assert_eq!(target(&scene, &camera, at), Target::Seat(SeatIx(ix as u32)));
                    tapped += 1;
                }
            }
            assert_eq!(tapped, scene.map.seats.len() * 5);
        }
    }

    #[test]
    fn f43_below_that_size_a_tap_never_chooses() {
        let scene = testing::scene();
        let mut camera = camera(&scene, 390.0, 560.0);
        while camera.seat_diameter() < TAP_DIAMETER_MIN {
            for seat in &scene.map.seats {
                let target = target(&scene, &camera, camera.css(seat.at));
                assert!(
                    matches!(target, Target::Closer | Target::Section(_)),
                    "{target:?}"
                );
            }
            camera.zoom(Px::new(195.0, 280.0), 1.05);
        }
    }

    #[test]
    fn from_afar_a_tap_goes_to_the_section_or_means_the_area() {
        let scene = testing::scene_of(testing::arena());
        let camera = camera(&scene, 390.0, 560.0);
        let section = &scene.map.sections[7];
        assert_eq!(
            target(&scene, &camera, camera.css(section.label_at)),
            Target::Section(SectionIx(7))
        );
        let area = &scene.map.areas[0];
        assert_eq!(
            target(&scene, &camera, camera.css(area.label_at)),
            Target::Area(AreaIx(0))
        );
    }

    #[test]
    fn between_seats_nothing_is_meant() {
        let scene = testing::scene();
        let mut camera = camera(&scene, 1280.0, 800.0);
        camera.zoom(Px::new(640.0, 400.0), 8.0);
        assert_eq!(
            target(&scene, &camera, Px::new(640.0, 400.0)),
            Target::Nothing
        );
    }
}
