use domain::ids::SeatIx;

use super::*;
use crate::seat_map::camera::{Camera, Px};
use crate::seat_map::testing;

const RED: Rgb = [200, 30, 30];
const BLUE: Rgb = [20, 60, 220];
const GREY: Rgb = [120, 120, 120];

struct Drawn {
    raster: Raster,
    camera: Camera,
    backing: Backing,
    scene: Scene,
}

impl Drawn {
    fn of(scene: Scene, snapshot: &Snapshot, zoom: f64, ratio: f64, filter: Filter) -> Self {
        let mut camera = Camera::new(scene.map.width, scene.map.height, scene.seat_diameter);
        camera.resize(390.0, 500.0);
        camera.zoom(Px::new(120.0, 220.0), zoom);
        let backing = Backing::of(camera.view(), ratio);
        let palette = Palette {
            tiers: vec![RED, BLUE, RED, BLUE, RED],
            muted: GREY,
        };
        let look = Look {
            pose: camera.pose(),
            backing,
            visible: camera.visible(),
            filter,
            palette: &palette,
        };
        let mut raster = Raster::default();
        raster.draw(&scene, snapshot, &look);
        Self {
            raster,
            camera,
            backing,
            scene,
        }
    }

    /// RGBA at `dx`, `dy` CSS pixels from the middle of a seat; `None` outside the canvas.
    fn pixel(&self, seat: SeatIx, dx: f64, dy: f64) -> Option<[u8; 4]> {
        let at = self
            .camera
            .css(self.scene.map.seat(seat).expect("of this house").at);
        let x = ((at.x + dx) * self.backing.ratio.0).floor();
        let y = ((at.y + dy) * self.backing.ratio.1).floor();
        let inside = x >= 0.0
            && y >= 0.0
            && x < self.raster.width() as f64
            && y < self.raster.height() as f64;
        inside.then(|| self.raster.pixels()[y as usize * self.raster.width() + x as usize])
    }

    fn radius(&self) -> f64 {
        self.camera.seat_diameter() / 2.0
    }
}

#[test]
fn every_state_has_its_own_shape() {
    for ratio in [1.0, 1.5, 2.0, 3.0] {
        let scene = testing::scene();
        let mut snapshot = testing::untouched(&scene);
        let seats = [SeatIx(40), SeatIx(41), SeatIx(42), SeatIx(43)];
        let states = [
            SeatState::Free,
            SeatState::Held,
            SeatState::Sold,
            SeatState::Blocked,
        ];
        for (seat, state) in seats.into_iter().zip(states) {
            snapshot.set(seat, state);
        }
        let drawn = Drawn::of(scene, &snapshot, 3.0, ratio, Filter::EVERYTHING);
        let r = drawn.radius();
        let look = |seat: SeatIx, dx: f64, dy: f64| {
            let [red, green, blue, alpha] = drawn.pixel(seat, dx * r, dy * r).expect("in view");
            ([red, green, blue], alpha)
        };
        let (middle, edge, corner, beyond) = ((0.0, 0.0), (0.78, 0.0), (0.36, 0.36), (1.25, 0.0));
        let at = |seat: usize, (dx, dy): (f64, f64)| look(seats[seat], dx, dy);
        assert_eq!(at(0, middle), (RED, 255), "free is solid");
        assert_eq!(at(0, edge), (RED, 255), "free is solid to its edge");
        assert_eq!(at(1, middle).1, 0, "held is hollow");
        assert_eq!(at(1, edge).0, RED, "held is a ring");
        assert_eq!(at(2, middle).0, GREY, "sold is a cross");
        assert_eq!(at(2, corner).0, GREY, "sold is a cross");
        assert_eq!(at(2, edge).1, 0, "sold is a cross");
        assert_eq!(at(3, middle).0, GREY, "blocked is a dot");
        assert_eq!(at(3, corner).1, 0, "blocked is a small dot");
        assert_eq!(
            look(seats[0], beyond.0, beyond.1).1,
            0,
            "nothing is drawn between seats"
        );
    }
}

#[test]
fn a_tier_switched_off_steps_back() {
    let scene = testing::scene();
    let snapshot = testing::untouched(&scene);
    let other = Filter::only(domain::ids::TierIx(1));
    let drawn = Drawn::of(scene, &snapshot, 3.0, 2.0, other);
    let [.., alpha] = drawn.pixel(SeatIx(40), 0.0, 0.0).expect("in view");
    assert!(alpha > 0 && alpha < 160);
}

#[test]
fn every_seat_of_a_whole_house_leaves_a_mark() {
    let scene = testing::scene_of(testing::arena());
    let snapshot = testing::untouched(&scene);
    let drawn = Drawn::of(scene, &snapshot, 1.0, 3.0, Filter::EVERYTHING);
    for ix in 0..snapshot.seats {
        let near = [(0.0, 0.0), (0.3, 0.0), (-0.3, 0.0), (0.0, 0.3), (0.0, -0.3)];
        let alpha = near
            .iter()
            .filter_map(|&(dx, dy)| drawn.pixel(SeatIx(ix), dx, dy))
            .map(|p| p[3])
            .max();
        assert!(alpha.expect("in view") > 40, "seat {ix}");
    }
}

#[test]
fn what_is_cut_off_by_the_border_stays_inside_the_buffer() {
    let scene = testing::scene();
    let snapshot = testing::half_sold(&scene);
    let mut raster = Raster::default();
    let palette = Palette {
        tiers: vec![RED],
        muted: GREY,
    };
    let mut camera = Camera::new(scene.map.width, scene.map.height, scene.seat_diameter);
    for (width, height) in [(1.0, 1.0), (3.0, 200.0), (77.7, 41.3), (390.0, 2.0)] {
        camera.resize(width, height);
        for step in 0..60 {
            camera.zoom(
                Px::new(width * f64::from(step % 3) / 2.0, height * 0.7),
                1.13,
            );
            let backing = Backing::of(camera.view(), 1.0 + f64::from(step % 4) * 0.5);
            let look = Look {
                pose: camera.pose(),
                backing,
                visible: camera.visible(),
                filter: Filter::EVERYTHING,
                palette: &palette,
            };
            raster.draw(&scene, &snapshot, &look);
            assert_eq!(
                raster.pixels().len(),
                (backing.width * backing.height) as usize
            );
        }
        camera.go_whole(None);
    }
}
