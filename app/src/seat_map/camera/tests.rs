use super::*;

fn camera() -> Camera {
    let mut camera = Camera::new(1000.0, 500.0, 4.0);
    camera.resize(432.0, 632.0);
    camera
}

fn near(a: Px, b: Px) -> bool {
    a.distance(b) < 1e-6
}

#[test]
fn the_whole_house_is_centred_with_its_margin() {
    let camera = camera();
    assert_eq!(camera.pose().scale, 0.4);
    assert!(near(
        camera.css(Point { x: 0.0, y: 0.0 }),
        Px::new(16.0, 216.0)
    ));
    assert!(near(
        camera.css(Point {
            x: 1000.0,
            y: 500.0
        }),
        Px::new(416.0, 416.0)
    ));
    assert!(camera.is_whole());
}

#[test]
fn css_and_plan_are_inverse() {
    let mut camera = camera();
    camera.zoom(Px::new(100.0, 300.0), 7.3);
    let (x, y) = camera.plan(Px::new(17.0, 401.0));
    let back = camera.css(Point {
        x: x as f32,
        y: y as f32,
    });
    assert!(back.distance(Px::new(17.0, 401.0)) < 1e-3);
}

#[test]
fn zooming_in_on_the_house_keeps_the_point_under_the_pointer() {
    for at in [
        Px::new(16.0, 216.0),
        Px::new(416.0, 416.0),
        Px::new(300.0, 230.0),
    ] {
        let mut camera = camera();
        let before = camera.plan(at);
        for _ in 0..9 {
            camera.zoom(at, wheel_factor(-100.0));
            let after = camera.plan(at);
            assert!((before.0 - after.0).abs() < 1e-6 && (before.1 - after.1).abs() < 1e-6);
        }
    }
}

#[test]
fn zooming_out_again_ends_at_the_whole_house() {
    let mut camera = camera();
    let whole = camera.pose();
    camera.zoom(Px::new(20.0, 220.0), 9.0);
    camera.pan(-333.0, 77.0);
    camera.zoom(Px::new(400.0, 600.0), 0.001);
    assert!((camera.pose().scale - whole.scale).abs() < 1e-9);
    assert!(near(camera.pose().origin, whole.origin));
}

#[test]
fn steps_double_about_the_centre_also_while_moving() {
    let mut camera = camera();
    camera.go_step(STEP, Some(0.0));
    assert!(camera.advance(50.0));
    camera.go_step(STEP, Some(50.0));
    while camera.advance(1000.0) {}
    assert!((camera.pose().scale - 1.6).abs() < 1e-9);
    assert!(near(
        camera.css(Point { x: 500.0, y: 250.0 }),
        Px::new(216.0, 316.0)
    ));
}

#[test]
fn an_animated_zoom_keeps_its_fixed_point() {
    let mut camera = camera();
    let at = Px::new(380.0, 300.0);
    let before = camera.plan(at);
    camera.go_near(at, Some(0.0));
    for now in [16.0, 60.0, 130.0, 219.0, 230.0] {
        camera.advance(now);
        let after = camera.plan(at);
        assert!((before.0 - after.0).abs() < 1e-6 && (before.1 - after.1).abs() < 1e-6);
    }
    assert!((camera.seat_diameter() - SEAT_DIAMETER_NEAR).abs() < 1e-9);
    assert!(!camera.is_moving());
}

#[test]
fn the_house_cannot_be_lost() {
    let mut camera = camera();
    camera.zoom(Px::new(216.0, 316.0), 10.0);
    camera.pan(1e9, -1e9);
    assert!(camera.css(Point { x: 0.0, y: 0.0 }).x <= 16.0 + 1e-6);
    assert!(
        camera
            .css(Point {
                x: 1000.0,
                y: 500.0
            })
            .y
            >= 416.0 - 1e-6
    );
    camera.fling(Px::new(-900.0, 900.0), 0.0);
    while camera.advance(5000.0) {}
    assert!(
        camera
            .css(Point {
                x: 1000.0,
                y: 500.0
            })
            .x
            >= 416.0 - 1e-6
    );
    assert!(camera.css(Point { x: 0.0, y: 0.0 }).y <= 216.0 + 1e-6);
}

#[test]
fn a_resize_keeps_the_middle_and_a_whole_view_stays_whole() {
    let mut camera = camera();
    camera.resize(832.0, 400.0);
    assert_eq!(camera.pose().scale, 0.736);
    camera.zoom(Px::new(500.0, 200.0), 4.0);
    let middle = camera.plan(Px::new(416.0, 200.0));
    camera.resize(400.0, 832.0);
    let after = camera.plan(Px::new(200.0, 416.0));
    assert!((middle.0 - after.0).abs() < 1e-6 && (middle.1 - after.1).abs() < 1e-6);
}

#[test]
fn showing_what_is_seen_moves_nothing() {
    let mut camera = camera();
    camera.go_near(Px::new(216.0, 316.0), None);
    let around = |x: f32, y: f32| Rect {
        min: Point {
            x: x - 2.0,
            y: y - 2.0,
        },
        max: Point {
            x: x + 2.0,
            y: y + 2.0,
        },
    };
    let seen = camera.plan_point(Px::new(100.0, 100.0));
    let pose = camera.pose();
    camera.go_show(around(seen.x, seen.y), None);
    assert_eq!(camera.pose(), pose);
    camera.go_show(around(4.0, 4.0), None);
    let seen = camera.css(Point { x: 4.0, y: 4.0 });
    assert!(seen.x > 0.0 && seen.y > 0.0 && seen.x < 432.0 && seen.y < 632.0);
}

#[test]
fn f46_the_backing_store_is_bounded() {
    let phone = Backing::of((390.0, 600.0), 3.0);
    assert_eq!((phone.width, phone.height), (1170, 1800));
    for (view, ratio) in [
        ((1366.0, 1024.0), 4.0),
        ((3840.0, 2160.0), 3.0),
        ((5000.0, 10.5), 8.0),
    ] {
        let backing = Backing::of(view, ratio);
        assert!(f64::from(backing.width) * f64::from(backing.height) <= BACKING_PIXELS_MAX);
        assert!((backing.ratio.0 / backing.ratio.1 - 1.0).abs() < 0.02);
    }
}
