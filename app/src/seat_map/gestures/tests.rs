use super::*;

/// Plays a script, one action a word, and says what was proposed. `d1:x,y@t` down, `m1:…`
/// move, `u1:…` up, `c1` cancel, `t@t` tick; `D` is a press on a moving map.
fn play(script: &str) -> String {
    let mut gestures = Gestures::default();
    let mut said = Vec::new();
    for word in script.split_whitespace() {
        if let Some(proposal) = gestures.step(parse(word)) {
            said.push(match proposal {
                Proposal::Tap { at, double: false } => format!("tap {},{}", at.x, at.y),
                Proposal::Tap { at, double: true } => format!("double {},{}", at.x, at.y),
                Proposal::Pan { dx, dy } => format!("pan {dx},{dy}"),
                Proposal::Pinch { factor, .. } => format!("pinch {factor}"),
                Proposal::Fling { .. } => "fling".to_owned(),
                Proposal::Card { at } => format!("card {},{}", at.x, at.y),
                Proposal::Hover { .. } => "hover".to_owned(),
                Proposal::HoverEnd => "hover end".to_owned(),
            });
        }
    }
    said.join(" | ")
}

fn parse(word: &str) -> Input {
    let (head, time) = word.split_once('@').unwrap_or((word, "0"));
    let time: f64 = time.parse().unwrap();
    let (name, place) = head.split_once(':').unwrap_or((head, "0,0"));
    let (x, y) = place.split_once(',').unwrap();
    let at = Px::new(x.parse().unwrap(), y.parse().unwrap());
    let id = name[1..].parse().unwrap_or(0);
    match name.as_bytes()[0] {
        b'd' => Input::Down {
            id,
            at,
            time,
            still: true,
        },
        b'D' => Input::Down {
            id,
            at,
            time,
            still: false,
        },
        b'm' => Input::Move { id, at, time },
        b'u' => Input::Up { id, at, time },
        b'c' => Input::Cancel { id },
        b't' => Input::Tick { time },
        other => panic!("no action {other}"),
    }
}

#[test]
fn f45_under_eight_pixels_is_a_tap_from_eight_a_pan() {
    assert_eq!(play("d1:50,50@0 u1:50,50@90"), "tap 50,50");
    assert_eq!(play("d1:50,50@0 m1:53,50@20 u1:53,50@90"), "tap 53,50");
    assert_eq!(play("d1:50,50@0 m1:55,54@20 u1:55,54@90"), "tap 55,54");
    assert_eq!(play("d1:50,50@0 m1:58,50@20 u1:58,50@200"), "pan 8,0");
    assert_eq!(
        play("d1:50,50@0 m1:60,50@20 m1:70,50@40 u1:70,50@200"),
        "pan 10,0 | pan 10,0"
    );
}

#[test]
fn f45_a_drag_that_comes_back_is_still_a_drag() {
    assert_eq!(
        play("d1:50,50@0 m1:62,50@20 m1:50,50@40 u1:50,50@300"),
        "pan 12,0 | pan -12,0"
    );
    // The whole way may come with the release.
    assert_eq!(play("d1:50,50@0 u1:70,50@300"), "pan 20,0");
}

#[test]
fn f45_a_pinch_never_taps_whichever_finger_goes_first() {
    let pinch = "d1:50,50@0 d2:150,50@10 m2:250,50@30";
    assert_eq!(
        play(&format!("{pinch} u1:50,50@40 u2:250,50@50")),
        "hover end | pinch 2 | pinch 1"
    );
    assert_eq!(
        play(&format!("{pinch} u2:250,50@40 u1:50,50@50")),
        "hover end | pinch 2 | pinch 1"
    );
    // A finger that stays down after a pinch neither pans nor taps, and the next tap is fine.
    assert_eq!(
        play("d1:50,50@0 d2:150,50@10 u2:150,50@20 m1:90,50@30 u1:90,50@40 d1:9,9@50 u1:9,9@60"),
        "hover end | pinch 1 | tap 9,9"
    );
}

#[test]
fn a_third_finger_is_ignored() {
    assert_eq!(
        play("d1:0,0@0 d2:10,0@0 d3:99,0@0 m3:50,0@9 u3:50,0@9 m2:20,0@9"),
        "hover end | pinch 2"
    );
}

#[test]
fn f45_a_long_press_shows_a_card_and_never_taps() {
    assert_eq!(play("d1:5,5@0 t@300 t@510 u1:5,5@700"), "card 5,5");
    // Also when no tick came in time.
    assert_eq!(play("d1:5,5@0 u1:5,5@700"), "");
}

#[test]
fn two_quick_taps_are_a_double_tap_three_are_not() {
    let taps = "d1:5,5@0 u1:5,5@50 d1:7,7@150 u1:7,7@200 d1:7,7@300 u1:7,7@350";
    assert_eq!(play(taps), "tap 5,5 | double 7,7 | tap 7,7");
    assert_eq!(
        play("d1:5,5@0 u1:5,5@50 d1:90,7@150 u1:90,7@200"),
        "tap 5,5 | tap 90,7"
    );
}

#[test]
fn a_press_that_stops_a_moving_map_taps_nothing() {
    assert_eq!(play("D1:5,5@0 u1:5,5@50"), "");
    assert_eq!(play("D1:5,5@0 m1:8,5@10 u1:8,5@300"), "pan 3,0");
}

#[test]
fn the_browser_may_take_the_pointer_away() {
    assert_eq!(play("d1:5,5@0 c1 d1:6,6@50 u1:6,6@60"), "tap 6,6");
    assert_eq!(
        play("d1:5,5@0 m1:50,5@10 c1 m1:60,5@20"),
        "pan 45,0 | hover"
    );
}

#[test]
fn only_a_pointer_in_motion_flings() {
    assert!(play("d1:0,0@0 m1:20,0@16 m1:40,0@32 u1:40,0@34").ends_with("fling"));
    assert!(!play("d1:0,0@0 m1:20,0@16 m1:40,0@32 u1:40,0@200").ends_with("fling"));
}

#[test]
fn a_turn_of_the_wheel_belongs_to_the_map_or_to_the_page_as_a_whole() {
    let mut gestures = Gestures::default();
    assert!(gestures.wheel(0.0, false));
    // Zooming out reached the whole house: the rest of this turn does not scroll the page.
    assert!(gestures.wheel(50.0, true));
    assert!(gestures.wheel(120.0, true));
    // A new turn does, and stays with the page.
    assert!(!gestures.wheel(900.0, true));
    assert!(!gestures.wheel(950.0, false));
    assert!(gestures.wheel(2000.0, false));
}
