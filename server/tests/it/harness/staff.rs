//! A member of staff with a browser, and a small house to make shows from.

use domain::ids::{SeatMapId, ShowId};
use domain::seat_map::{Area, Builder, Point, SeatFlags};
use server::venues::{self, NewVenue};

use super::{Answer, TestApp};

/// Signed in; forms go out as a browser sends them.
pub struct Organiser<'a> {
    app: &'a TestApp,
    cookie: String,
}

/// Seats of [`house`]: Stalls rows A and B, Balcony row C, ten each, and a floor of twenty.
pub const SEATS: u32 = 30;
pub const FLOOR: u32 = 20;

impl<'a> Organiser<'a> {
    pub async fn sign_in(app: &'a TestApp) -> Self {
        let (email, password) = ("ann@rowlock.example", "correct horse");
        server::people::staff::put(app.db(), email, "Ann", password)
            .await
            .expect("a member of staff");
        let form = [("email", email), ("password", password)];
        let answer = Answer::of(app.client.post(app.url("/staff/login")).form(&form)).await;
        let cookie = answer.header("set-cookie").split(';').next();
        Self {
            app,
            cookie: cookie.expect("a cookie").to_owned(),
        }
    }

    /// As a browser sends it.
    pub fn cookie(&self) -> &str {
        &self.cookie
    }

    pub async fn get(&self, path: &str) -> Answer {
        let request = self.app.client.get(self.app.url(path));
        Answer::of(request.header("cookie", &self.cookie)).await
    }

    pub async fn post(&self, path: &str, form: &[(&str, &str)]) -> Answer {
        let request = self.app.client.post(self.app.url(path));
        Answer::of(request.header("cookie", &self.cookie).form(form)).await
    }

    /// Asks a server function.
    pub async fn ask(&self, name: &str, arguments: &serde_json::Value) -> Answer {
        let request = self.app.client.post(self.app.url(&format!("/sf/{name}")));
        Answer::of(request.header("cookie", &self.cookie).json(arguments)).await
    }

    /// Sends a form that stands on a page of another site.
    pub async fn post_from(&self, origin: &str, path: &str, form: &[(&str, &str)]) -> Answer {
        let request = self.app.client.post(self.app.url(path));
        let request = request
            .header("cookie", &self.cookie)
            .header("origin", origin);
        Answer::of(request.form(form)).await
    }

    /// Sends a form and fails unless it leads to `location`.
    #[track_caller]
    pub fn post_to<'b>(
        &'b self,
        path: &'b str,
        form: &'b [(&'b str, &'b str)],
        location: &'b str,
    ) -> impl Future<Output = ()> + 'b {
        let caller = std::panic::Location::caller();
        async move {
            let answer = self.post(path, form).await;
            let went = (answer.status.as_u16(), answer.header("location"));
            assert_eq!(went, (303, location), "{caller}: {answer:?}");
        }
    }

    /// Makes a draft in `seat_map`, on sale at once.
    pub async fn draft(&self, seat_map: SeatMapId) -> ShowId {
        let seat_map = seat_map.to_string();
        let answer = self.post("/staff/shows", &form(&seat_map)).await;
        assert_eq!(answer.status, 303, "{answer:?}");
        let location = answer.header("location");
        let show = location.strip_prefix("/staff/shows/").expect(location);
        show.parse().expect(location)
    }

    /// Makes a show that fans may buy from at once.
    pub async fn on_sale(&self, seat_map: SeatMapId) -> ShowId {
        let show = self.draft(seat_map).await;
        let page = format!("/staff/shows/{show}");
        self.post_to(&format!("{page}/publish"), &[], &page).await;
        show
    }
}

/// A form that can be taken.
pub fn form(seat_map: &str) -> Vec<(&str, &str)> {
    vec![
        ("seat_map", seat_map),
        ("title", "Hamlet"),
        ("summary", "The prince comes home."),
        ("description", "Five acts.\r\nOne pause."),
        ("starts", "2099-06-01T19:30"),
        ("opens", ""),
        ("closes", ""),
        ("currency", "EUR"),
        ("tier-0-name", "Stalls"),
        ("tier-0-price", "45.50"),
        ("tier-1-name", "Balcony and floor"),
        ("tier-1-price", "20"),
        ("fee_per_ticket", "1.5"),
        ("per_order_max", "8"),
        ("per_buyer_max", "8"),
        ("hold_minutes", "10"),
    ]
}

/// A small house in `city`, stored as an import stores it.
pub async fn house(app: &TestApp, city: &str, zone: &str) -> SeatMapId {
    let mut map = Builder::new("Main hall", 200.0, 200.0, Point { x: 100.0, y: 10.0 });
    map.category("Stalls", 0x33_66_99);
    map.category("Balcony", 0x99_66_33);
    let mut rows = 0_u8;
    for (section, category, labels) in
        [("Stalls", 0, ["A", "B"].as_slice()), ("Balcony", 1, &["C"])]
    {
        map.section(section, category, Vec::new());
        for label in labels {
            map.row(label);
            rows += 1;
            for seat in 0..10_u8 {
                let at = Point {
                    x: 20.0 + 10.0 * f32::from(seat),
                    y: 40.0 + 20.0 * f32::from(rows),
                };
                map.seat(
                    (seat + 1).to_string(),
                    at,
                    4.0,
                    category,
                    SeatFlags::default(),
                );
            }
        }
    }
    let corner = |x: f32, y: f32| Point { x, y };
    map.map().areas.push(Area {
        name: format!("Floor of {city}"),
        outline: vec![
            corner(130.0, 130.0),
            corner(190.0, 130.0),
            corner(190.0, 190.0),
            corner(130.0, 190.0),
        ],
        label_at: corner(160.0, 160.0),
        capacity: FLOOR,
        category: 1,
    });
    let map = map.finish().expect("a sound seat map");
    let venue = NewVenue {
        name: format!("Playhouse {city}"),
        city: city.to_owned(),
        country: "DE".to_owned(),
        zone: zone.to_owned(),
    };
    let mut conn = app.db().acquire().await.expect("Postgres runs");
    let venue = venues::put_venue(&mut conn, &venue).await.expect("a venue");
    venues::store(&mut conn, venue, &map)
        .await
        .expect("a stored map")
}
