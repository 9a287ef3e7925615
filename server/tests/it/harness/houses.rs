//! Small houses on sale, made as an organiser would: stored geometry, a show, and its settings
//! by a command to the desk.

use domain::board::command::{Actor, Command, Envelope};
use domain::board::settings::{Fees, Settings, Tier};
use domain::ids::{CommandId, ShowId, StaffId, VenueId};
use domain::money::{Currency, Minor};
use domain::seat_map::{Area, Builder, Point, SeatFlags, SeatMap};
use domain::time::Span;
use server::venues;

use super::TestApp;

/// What a test wants to sell; the rest does not matter to it.
#[derive(Debug, Clone)]
pub struct HouseSpec {
    pub rows: u32,
    pub seats_per_row: u32,
    /// Capacities of standing areas.
    pub areas: Vec<u32>,
    pub hold_ttl: Span,
    pub per_order_max: u32,
    pub per_buyer_max: u32,
    /// From now.
    pub opens_in: Span,
    /// From now.
    pub closes_in: Span,
    pub paused: bool,
    pub choose_seats: bool,
    pub published: bool,
}

impl Default for HouseSpec {
    fn default() -> Self {
        Self {
            rows: 10,
            seats_per_row: 20,
            areas: Vec::new(),
            hold_ttl: Span::minutes(10),
            per_order_max: 10,
            per_buyer_max: 20,
            opens_in: Span::minutes(-60),
            closes_in: Span::minutes(60),
            paused: false,
            choose_seats: true,
            published: true,
        }
    }
}

/// A show on sale. Even rows are tier 0, odd ones tier 1.
#[derive(Debug, Clone)]
pub struct House {
    pub show: ShowId,
    pub seats: u32,
    pub settings: Settings,
}

pub const PRICES: [i64; 2] = [4_500, 2_950];
pub const FEE_PER_TICKET: i64 = 150;

impl HouseSpec {
    pub async fn build(&self, app: &TestApp) -> House {
        let map = self.map();
        let mut tx = app.db().begin().await.expect("Postgres runs");
        let venue: i64 = sqlx::query_scalar(
            "insert into venue (name, city, country, zone)
             values ('Test house', 'Testville', 'DE', 'Europe/Berlin')
             on conflict on constraint venue_name_city_unique do update set city = excluded.city
             returning venue_id",
        )
        .fetch_one(&mut *tx)
        .await
        .expect("a venue");
        let id = venues::store(&mut tx, VenueId(venue), &map)
            .await
            .expect("a stored map");
        let event: i64 = sqlx::query_scalar(
            "insert into event (title, summary, description, search_text)
             values ('The Test', '', '', 'the test') returning event_id",
        )
        .fetch_one(&mut *tx)
        .await
        .expect("an event");
        let tiers: Vec<u8> = map
            .seats
            .iter()
            .map(|seat| (seat.row.0 % 2) as u8)
            .collect();
        let show: i64 = sqlx::query_scalar(
            "insert into show (event_id, venue_id, seat_map_id, starts_at, starts_on, published,
                               seat_tiers, area_tiers)
             values ($1, $2, $3, now() + interval '1 day', current_date + 1, $4, $5, $6)
             returning show_id",
        )
        .bind(event)
        .bind(venue)
        .bind(&id.0[..])
        .bind(self.published)
        .bind(&tiers)
        .bind(vec![1_u8; self.areas.len()])
        .fetch_one(&mut *tx)
        .await
        .expect("a show");
        tx.commit().await.expect("committed");
        let settings = self.settings(app);
        let house = House {
            show: ShowId(show),
            seats: map.seats.len() as u32,
            settings,
        };
        house.configure(app, house.settings.clone()).await;
        house
    }

    fn settings(&self, app: &TestApp) -> Settings {
        let now = app.parts().clock.now();
        let tier = |name: &str, price: i64| Tier {
            name: name.to_owned(),
            color: 0x33_66_99,
            price: Minor(price),
        };
        Settings {
            currency: Currency::EUR,
            tiers: vec![tier("Front", PRICES[0]), tier("Back", PRICES[1])],
            fees: Fees {
                per_ticket: Minor(FEE_PER_TICKET),
                per_order: Minor(0),
            },
            opens_at: now + self.opens_in,
            closes_at: now + self.closes_in,
            paused: self.paused,
            hold_ttl: self.hold_ttl,
            per_order_max: self.per_order_max,
            per_buyer_max: self.per_buyer_max,
            choose_seats: self.choose_seats,
        }
    }

    fn map(&self) -> SeatMap {
        const PITCH: f32 = 10.0;
        let width = PITCH * (self.seats_per_row as f32 + 1.0);
        let height = PITCH * (self.rows as f32 + 8.0);
        let mut house = Builder::new(
            "Test house",
            width,
            height,
            Point {
                x: width / 2.0,
                y: 0.0,
            },
        );
        house.category("All", 0x33_66_99);
        house.section("Stalls", 0, Vec::new());
        for row in 0..self.rows {
            house.row(&(row + 1).to_string());
            for seat in 0..self.seats_per_row {
                let at = Point {
                    x: PITCH * (seat as f32 + 1.0),
                    y: PITCH * (row as f32 + 6.0),
                };
                house.seat((seat + 1).to_string(), at, 4.0, 0, SeatFlags::default());
            }
        }
        for (ix, capacity) in self.areas.iter().enumerate() {
            let corner = |x: f32, y: f32| Point { x, y };
            house.map().areas.push(Area {
                name: format!("Floor {ix}"),
                outline: vec![
                    corner(1.0, 10.0),
                    corner(9.0, 10.0),
                    corner(9.0, 30.0),
                    corner(1.0, 30.0),
                ],
                label_at: corner(5.0, 20.0),
                capacity: *capacity,
                category: 0,
            });
        }
        house.finish().expect("a sound seat map")
    }
}

impl House {
    /// Sets the show's settings, as the console does.
    pub async fn configure(&self, app: &TestApp, settings: Settings) {
        let envelope = Envelope {
            id: CommandId(rand::random()),
            actor: Actor::Staff(StaffId(1)),
            fingerprint: rand::random(),
            command: Command::Configure(settings),
        };
        app.parts()
            .desks
            .submit(self.show, envelope)
            .await
            .expect("configured");
    }

    /// Number of the last commit.
    pub async fn seq(&self, app: &TestApp) -> i64 {
        let query = sqlx::query_scalar("select seq from show_seq where show_id = $1");
        query
            .bind(self.show.0)
            .fetch_one(app.db())
            .await
            .expect("an opened show")
    }

    /// How many seats are held, sold or blocked, as the table says.
    pub async fn claimed(&self, app: &TestApp) -> i64 {
        let query = sqlx::query_scalar("select count(*) from seat_claim where show_id = $1");
        query
            .bind(self.show.0)
            .fetch_one(app.db())
            .await
            .expect("Postgres runs")
    }
}
