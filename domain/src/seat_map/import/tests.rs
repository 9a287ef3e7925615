use serde_json::{Value, json};

use super::super::{DecorationKind, Point, Row, SeatFlags, generate, json as own_json};
use super::report::Note;
use super::*;
use crate::ids::SeatIx;

fn read(plan: &Value) -> Imported {
    import(plan.to_string().as_bytes()).unwrap()
}

fn refused(text: &str) -> (u32, String) {
    match import(text.as_bytes()) {
        Err(Refusal::BrokenPlan { line, detail }) => (line, detail),
        other => panic!("{text:.200} gave {other:?}"),
    }
}

/// A pretix row of seats numbered as given, at these x.
fn row(label: &str, y: f64, seats: &[(&str, f64)]) -> Value {
    let seats: Vec<Value> = seats
        .iter()
        .map(|(number, x)| {
            json!({"seat_guid": format!("{label}-{number}"), "seat_number": number,
                   "position": {"x": x, "y": 0}, "category": "A"})
        })
        .collect();
    json!({"row_number": label, "position": {"x": 0, "y": y}, "seats": seats})
}

fn plan(rows: Vec<Value>) -> Value {
    json!({"name": "Plan", "size": {"width": 900, "height": 900},
           "categories": [{"name": "A", "color": "#336699"}],
           "zones": [{"name": "Zone", "position": {"x": 100, "y": 100}, "rows": rows}]})
}

fn labels(map: &SeatMap, row: &Row) -> String {
    let seats = map.seats_of(row).iter().map(|seat| {
        let gap = seat.flags.has(SeatFlags::GAP_AFTER);
        format!("{}{}", seat.label, if gap { "|" } else { " " })
    });
    seats.collect()
}

#[test]
fn f35_repeated_guids_are_reported_and_every_seat_is_its_own() {
    // Shaped as a stadium that organisers really use: 2 zones, 90 rows, 738 seats, 318 guids,
    // the same row labels again and again within one zone.
    let mut seat = 0;
    let mut zone = |name: &str, rows: u32, y: f64| {
        let rows: Vec<Value> = (0..rows)
            .map(|r| {
                let block = f64::from(r / 6);
                let wide = r % 30 >= 24 || rows == 18 && r >= 12;
                let label = ["A", "B", "C", "D", "E", "F"][r as usize % 6];
                let seats: Vec<Value> = (0..if wide { 13 } else { 7 })
                    .map(|n| {
                        seat += 1;
                        json!({"seat_guid": format!("seat-{}", seat % 318), "uuid": format!("u{seat}"),
                               "seat_number": (n + 1).to_string(), "category": "A",
                               "position": {"x": 25 * n, "y": 0}})
                    })
                    .collect();
                json!({"row_number": label,
                       "position": {"x": 400.0 * block, "y": f64::from(r % 6) * 25.0},
                       "seats": seats})
            })
            .collect();
        json!({"name": name, "zone_id": name, "position": {"x": 0, "y": y}, "rows": rows})
    };
    let zones = json!([
        zone("Ground floor", 72, 20.0),
        zone("First floor", 18, 800.0)
    ]);
    let mut file = plan(vec![]);
    file["zones"] = zones;
    let Imported { map, report } = read(&file);
    assert_eq!(map.seats.len(), 738);
    assert_eq!(map.rows.len(), 90);
    let repeated = report.notes.iter().find_map(|note| match note {
        Note::RepeatedGuids {
            seats,
            distinct,
            repeated,
        } => Some((*seats, *distinct, *repeated)),
        _ => None,
    });
    assert_eq!(repeated, Some((738, 318, 420)));
    // Every seat has its own place and, since blocks became sections, its own words.
    let mut words = std::collections::HashSet::new();
    for ix in 0..738 {
        assert!(words.insert(map.words(SeatIx(ix)).unwrap()), "{ix}");
    }
    assert_eq!(map.sections.len(), 15);
    assert_eq!(map.sections[0].name, "Ground floor 1");
}

#[test]
fn t3_rows_of_one_label_stay_apart() {
    let file = plan(vec![
        row("A", 0., &[("1", 0.), ("2", 25.)]),
        row("A", 0., &[("1", 400.), ("2", 425.)]),
        row("A", 0., &[("3", 75.), ("4", 100.)]),
        row("A", 30., &[("1", 0.), ("2", 25.)]),
        row("B", 0., &[("1", 400.), ("1", 425.)]),
    ]);
    let Imported { map, report } = read(&file);
    // Left: one row in two parts, numbers going on; a second row of the same words behind it
    // can only be told apart in a section of its own. Right: far away.
    let read: Vec<(&str, String)> = map
        .rows
        .iter()
        .map(|row| {
            let section = &map.sections[row.section.at()];
            (section.name.as_str(), labels(&map, row))
        })
        .collect();
    let expected = [
        ("Zone 1", "1 2|"),
        ("Zone 1", "3 4|"),
        ("Zone 2", "1 2|"),
        ("Zone 3", "1 2|"),
        ("Zone 3", "1 1|"),
    ];
    assert_eq!(read, expected.map(|(name, seats)| (name, seats.to_owned())));
    assert!(report.notes.contains(&Note::SameWords { seats: 2 }));
}

#[test]
fn t11_neighbours_are_who_sits_beside_not_who_counts_on() {
    let file = plan(vec![
        row(
            "A",
            0.,
            &[("11", 0.), ("12", 25.), ("13", 75.), ("14", 100.)],
        ),
        row("B", 25., &[("1", 0.), ("3", 25.), ("5", 50.), ("7", 75.)]),
        // Pairs with aisles between them: most steps are aisles.
        row("C", 50., &[("1", 0.), ("2", 60.), ("3", 85.), ("4", 145.)]),
        row("D", 75., &[("1", 0.), ("2", 60.)]),
        // Odd from the right, even from the left, as theatres number.
        row(
            "E",
            100.,
            &[("1", 75.), ("3", 100.), ("2", 50.), ("4", 25.), ("6", 0.)],
        ),
        // Wide seats all along.
        row("F", 125., &[("1", 0.), ("2", 45.), ("3", 90.), ("4", 135.)]),
    ]);
    let Imported { map, report } = read(&file);
    let seen: Vec<String> = map.rows.iter().map(|row| labels(&map, row)).collect();
    assert_eq!(
        seen,
        [
            "11 12|13 14|",
            "1 3 5 7|",
            "1|2 3|4|",
            "1|2|",
            "3 1 2 4 6|",
            "1 2 3 4|"
        ]
    );
    assert!(report.notes.contains(&Note::RowsReordered { rows: 1 }));
    assert_eq!(report.aisles, 4);
}

#[test]
fn t12_positions_add_up_and_never_accumulate() {
    let mut second = row("B", 30., &[("1", 5.)]);
    second["position"] = json!({"x": 7.5, "y": 30});
    let mut third = row("C", 0., &[("1", 5.)]);
    third.as_object_mut().unwrap().remove("position");
    let file = plan(vec![row("A", 10., &[("1", 5.)]), second, third]);
    let map = read(&file).map;
    let at: Vec<Point> = map.seats.iter().map(|seat| seat.at).collect();
    let point = |x, y| Point { x, y };
    assert_eq!(
        at,
        [point(105., 110.), point(112.5, 130.), point(105., 100.)]
    );
}

#[test]
fn areas_are_drawn_turned_and_labelled() {
    let mut file = plan(vec![row("A", 0., &[("1", 0.)])]);
    file["zones"][0]["areas"] = json!([
        {"shape": "rectangle", "rotation": 90, "position": {"x": 200, "y": 10}, "color": "#abc",
         "rectangle": {"width": 40, "height": 20}, "text": {"text": "Main STAGE", "position": {"x": 1, "y": 2}}},
        {"shape": "polygon", "rotation": 0, "position": {"x": 500, "y": 500},
         "polygon": {"points": [{"x": 0, "y": 0}, {"x": 10, "y": 0}, {"x": 0, "y": 10}]}, "text": null},
        // As written in 2019.
        {"shape": "rectangle", "position": {"x": 0, "y": 300}, "width": 30, "height": 10, "text": "Bar"},
        {"shape": "circle", "position": {"x": 50, "y": 350}, "circle": {"radius": 10}},
        {"shape": "text", "position": {"x": 60, "y": 360}, "text": {"text": "<img onerror>"}},
        {"shape": "blob"},
    ]);
    let Imported { map, report } = read(&file);
    let kinds: Vec<DecorationKind> = map.decorations.iter().map(|d| d.kind).collect();
    use DecorationKind::{Shape, Stage, Text};
    assert_eq!(kinds, [Stage, Shape, Shape, Shape, Text]);
    let stage = &map.decorations[0];
    let point = |x, y| Point { x, y };
    let turned = [(300., 110.), (300., 150.), (280., 150.), (280., 110.)];
    assert_eq!(stage.outline, turned.map(|(x, y)| point(x, y)));
    assert_eq!(stage.label_at, point(301., 112.));
    assert_eq!(stage.color, Some(0xaa_bb_cc));
    assert_eq!(map.focal, point(290., 130.));
    // Relative to the zone, not to the area.
    assert_eq!(map.decorations[1].outline[0], point(100., 100.));
    assert_eq!(map.decorations[4].text, "<img onerror>");
    for note in [
        Note::AreasDrawnOnly { count: 5 },
        Note::PolygonsFromZone { count: 1 },
        Note::UnknownShapes { count: 1 },
    ] {
        assert!(report.notes.contains(&note), "{note:?}");
    }
}

#[test]
fn odd_but_readable_plans_are_read_and_reported() {
    let mut file = plan(vec![
        row("A", 0., &[("1", -500.), ("2", -475.)]),
        row("B", 25., &[]),
    ]);
    file.as_object_mut().unwrap().remove("size");
    file["categories"] = json!([{"name": "A", "color": "red"}, {"name": "A", "color": "#000000"}]);
    file["zones"][0]["rows"][0]["seats"][1]["category"] = json!("Unlisted\u{7}");
    file["zones"][0]["rows"][0]["seats"][1]["seat_number"] = json!(2.0);
    let Imported { map, report } = read(&file);
    assert_eq!(map.seats[0].at, Point { x: 50.0, y: 50.0 });
    for note in [
        Note::Moved { x: 450, y: -50 },
        Note::EmptyRows { count: 1 },
        Note::UnknownColors { count: 1 },
        Note::RepeatedCategory { name: "A".into() },
        Note::UnlistedCategory {
            name: "Unlisted".into(),
        },
    ] {
        assert!(
            report.notes.contains(&note),
            "{note:?} in {:?}",
            report.notes
        );
    }
    assert!(report.to_string().contains("2 seats in 1 rows"));
}

#[test]
fn broken_plans_are_refused_with_their_line() {
    let good = serde_json::to_string_pretty(&plan(vec![row("A", 0., &[("1", 0.)])])).unwrap();
    let x = "\"x\": 0.0";
    assert!(good.contains(x));
    let line = |text: &str, bad: &str| 1 + text[..text.find(bad).unwrap()].matches('\n').count();
    for bad in [
        "\"x\": NaN",
        "\"x\": Infinity",
        "\"x\": 1e999",
        "\"x\": 1e9",
        "\"x\": -1e300",
        "\"x\": null",
        "\"x\": \"0\"",
        "\"x\": [",
    ] {
        let text = good.replacen(x, bad, 1);
        let (at, detail) = refused(&text);
        let expected = line(&text, bad);
        assert!(
            (expected..=expected + 2).contains(&(at as usize)),
            "{bad}: line {at}, expected {expected}: {detail}"
        );
    }
    for text in [
        "",
        "null",
        "[]",
        "{}",
        "{\"zones\": 1}",
        "{\"zones\": []}",
        "{\"name\": \"x\", \"categories\": [], \"zones\": []}",
        "{\"format\": \"other/2\"}",
        "\u{0}",
        &"[".repeat(100_000),
        &format!("{{\"zones\": {}", "[".repeat(100_000)),
    ] {
        refused(text);
    }
    assert!(matches!(
        import(&vec![b' '; PLAN_BYTES_MAX + 1]),
        Err(Refusal::BodyTooLarge { .. })
    ));
}

#[test]
fn damaged_files_never_panic() {
    let pretix = plan(vec![row("A", 0., &[("1", 0.), ("2", 25.)])]).to_string();
    let own = small_own();
    for text in [pretix, own] {
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            refused(&text[..end]);
        }
        for at in 0..text.len() {
            for byte in [b'0', b'"', b'{', b'-', 0xff] {
                let mut damaged = text.clone().into_bytes();
                damaged[at] = byte;
                if let Ok(imported) = import(&damaged) {
                    assert_eq!(imported.map.check(), Ok(()));
                }
            }
        }
    }
}

#[test]
fn limits_hold_before_memory_is_spent() {
    let mut file: Value = serde_json::from_str(&small_own()).unwrap();
    file["sections"][0]["rows"][0]["arc"]["count"] = json!(1_000_000_000);
    refused(&file.to_string());
    file["sections"][0]["rows"][0]["arc"]["count"] = json!(150_001);
    refused(&file.to_string());
    file["sections"][0]["rows"][0]["arc"]["count"] = json!(4);
    file["areas"][0]["capacity"] = json!(1_000_000_000);
    refused(&file.to_string());
    file["areas"][0]["capacity"] = json!(-1);
    refused(&file.to_string());
    file["areas"][0]["capacity"] = json!(80);
    for side in ["width", "height"] {
        let mut file = file.clone();
        for length in [-400.0, 0.0, 0.01, 1e9] {
            file[side] = json!(length);
            refused(&file.to_string());
        }
    }
}

/// A file as a person writes it: one curved row with an aisle, one listed row.
fn small_own() -> String {
    json!({
        "format": "rowlock-seat-map/1", "name": "Kleines Haus", "width": 400, "height": 300,
        "focal": [200, 0], "categories": [{"name": "One", "color": "#aabbcc"}, {"name": "Two", "color": "#000000"}],
        "sections": [{"name": "Parkett", "category": "One", "rows": [
            {"label": "1", "arc": {"center": [200, 0], "radius": 100, "from": 120, "to": 60, "count": 4,
                                   "first": 1, "step": 2, "gaps_after": [2], "accessible": [1],
                                   "companion": [2], "seat_radius": 8}},
            {"label": "2", "seats": [{"label": "1", "at": [190, 150]},
                                     {"label": "2", "at": [215, 150], "category": "Two", "restricted_view": true}]},
        ]}],
        "areas": [{"name": "Floor", "category": "Two", "capacity": 80, "outline": [[10, 200], [390, 200], [390, 290]]}],
        "decorations": [{"kind": "entrance", "label_at": [20, 20], "text": "Door"}],
    })
    .to_string()
}

#[test]
fn our_own_form_states_everything() {
    let Imported { map, report } = import(small_own().as_bytes()).unwrap();
    assert_eq!(labels(&map, &map.rows[0]), "1 3|5 7|");
    assert_eq!(
        map.seats[0].at,
        Point {
            x: 150.0,
            y: 86.625
        }
    );
    assert_eq!(
        map.seats[3].at,
        Point {
            x: 250.0,
            y: 86.625
        }
    );
    assert!(map.seats[0].flags.has(SeatFlags::ACCESSIBLE));
    assert!(map.seats[1].flags.has(SeatFlags::COMPANION));
    assert!(map.seats[5].flags.has(SeatFlags::RESTRICTED_VIEW));
    assert_eq!((map.seats[4].category, map.seats[5].category), (0, 1));
    assert_eq!((report.areas, report.area_places), (1, 80));
    let mut unlisted: Value = serde_json::from_str(&small_own()).unwrap();
    unlisted["sections"][0]["category"] = json!("Three");
    refused(&unlisted.to_string());
}

#[test]
fn what_we_write_we_read() {
    for map in [
        generate::theatre("Theatre"),
        generate::arena("Arena"),
        import(small_own().as_bytes()).unwrap().map,
    ] {
        let text = own_json::write(&map);
        assert_eq!(import(text.as_bytes()).unwrap().map, map);
    }
}
