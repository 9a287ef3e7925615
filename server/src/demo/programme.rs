//! What is on: everything here is invented.

/// What a venue's house is generated as.
#[derive(Clone, Copy)]
pub(super) enum House {
    Arena,
    Theatre,
}

pub(super) struct PlannedVenue {
    pub name: &'static str,
    pub city: &'static str,
    pub country: &'static str,
    pub zone: &'static str,
    pub currency: &'static str,
    pub house: House,
    /// Words of the generated house in the venue's own language.
    pub words: &'static [(&'static str, &'static str)],
}

pub(super) struct PlannedEvent {
    pub title: &'static str,
    pub summary: &'static str,
    pub description: &'static str,
    /// Index into [`VENUES`].
    pub venue: usize,
    /// By category of the house, minor units.
    pub prices: &'static [i64],
    /// Per ticket, minor units.
    pub fee: i64,
    pub shows: &'static [PlannedShow],
}

pub(super) struct PlannedShow {
    /// Days from the day of seeding.
    pub in_days: i64,
    /// `HH:MM` at the venue.
    pub at: &'static str,
    pub window: Window,
    pub sold_percent: u32,
}

#[derive(Clone, Copy)]
pub(super) enum Window {
    /// On sale since a few days.
    Open,
    /// Minutes from seeding.
    OpensIn(i64),
}

const fn show(in_days: i64, at: &'static str, window: Window, sold_percent: u32) -> PlannedShow {
    PlannedShow {
        in_days,
        at,
        window,
        sold_percent,
    }
}

pub(super) const VENUES: &[PlannedVenue] = &[
    PlannedVenue {
        name: "Spreebogen Arena",
        city: "Berlin",
        country: "DE",
        zone: "Europe/Berlin",
        currency: "EUR",
        house: House::Arena,
        words: &[],
    },
    PlannedVenue {
        name: "Theater am Wiental",
        city: "Vienna",
        country: "AT",
        zone: "Europe/Vienna",
        currency: "EUR",
        house: House::Theatre,
        words: &[],
    },
    PlannedVenue {
        name: "申江大剧院",
        city: "上海",
        country: "CN",
        zone: "Asia/Shanghai",
        currency: "CNY",
        house: House::Theatre,
        words: &[
            ("Stalls front", "池座前区"),
            ("Stalls", "池座"),
            ("Dress circle", "一层楼座"),
            ("Balcony", "二层楼座"),
            ("Boxes", "包厢"),
            ("Box", "包厢"),
            ("Stage", "舞台"),
            ("Left entrance", "左入口"),
            ("Right entrance", "右入口"),
        ],
    },
];

pub(super) const EVENTS: &[PlannedEvent] = &[
    PlannedEvent {
        title: "Night Atlas: The Longest Day Tour",
        summary: "Four voices, forty synthesizers and one enormous moon.",
        description: "Night Atlas bring the whole of The Longest Day to the arena, with the \
                      moon that rises over the standing floor and does not set before midnight.\n\n\
                      Doors open two hours before the show.",
        venue: 0,
        prices: &[14_900, 9_900, 8_400, 6_900, 4_900],
        fee: 350,
        shows: &[show(24, "20:00", Window::Open, 60)],
    },
    PlannedEvent {
        title: "Saffron Skies",
        summary: "The comeback nobody had dared to hope for, for one night.",
        description: "After eleven years Saffron Skies play together again: the first album from \
                      beginning to end, then whatever the evening asks for.",
        venue: 0,
        prices: &[18_900, 12_900, 10_900, 8_900, 5_900],
        fee: 350,
        shows: &[show(45, "19:30", Window::OpensIn(15), 0)],
    },
    PlannedEvent {
        title: "The Winter Cartographer",
        summary: "A play about maps, snow and the last honest postmaster.",
        description: "In a valley that no map shows, a stranger begins to draw. A comedy in three \
                      acts, with one interval.",
        venue: 1,
        prices: &[7_900, 6_400, 5_900, 3_400, 8_900],
        fee: 200,
        shows: &[
            show(9, "19:30", Window::Open, 45),
            show(10, "19:30", Window::Open, 100),
            show(11, "15:00", Window::Open, 20),
        ],
    },
    PlannedEvent {
        title: "Brass at Midnight",
        summary: "Twelve trumpets, no amplifiers. Few seats left.",
        description: "The late concert of the season. The bar stays open until the last note.",
        venue: 1,
        prices: &[5_900, 4_900, 4_400, 2_900, 6_900],
        fee: 200,
        shows: &[show(16, "22:30", Window::Open, 95)],
    },
    PlannedEvent {
        title: "Tiny Giants",
        summary: "Puppets as tall as houses, for everybody from five years on.",
        description: "A puppet show without words. Children sit well in the stalls: the seats \
                      rise steeply from row D.",
        venue: 1,
        prices: &[3_900, 2_900, 2_400, 1_900, 4_400],
        fee: 100,
        shows: &[
            show(19, "11:00", Window::Open, 10),
            show(19, "15:00", Window::Open, 0),
        ],
    },
    PlannedEvent {
        title: "春江花月夜：民乐音乐会",
        summary: "古筝、琵琶与交响乐团，一夜听尽江南。",
        description: "上半场：传统曲目。下半场：为琵琶与乐队而作的新作首演。\n\n演出时长约一百分钟，含中场休息。",
        venue: 2,
        prices: &[88_000, 68_000, 58_000, 28_000, 98_000],
        fee: 0,
        shows: &[
            show(13, "19:30", Window::Open, 55),
            show(14, "19:30", Window::Open, 15),
        ],
    },
    PlannedEvent {
        title: "上海爵士之夜",
        summary: "Shanghai Jazz Night: three bands, one piano.",
        description: "三支乐队，一架钢琴，直到深夜。",
        venue: 2,
        prices: &[58_000, 48_000, 38_000, 18_000, 68_000],
        fee: 0,
        shows: &[show(30, "20:00", Window::OpensIn(3 * 24 * 60), 0)],
    },
    PlannedEvent {
        title: "Letters to the North Sea",
        summary: "An evening of songs for one voice and one accordion. Sold out.",
        description: "The author sings; the audience is asked to be quiet and usually is.",
        venue: 1,
        prices: &[6_900, 5_400, 4_900, 2_900, 7_900],
        fee: 200,
        shows: &[show(6, "20:00", Window::Open, 100)],
    },
];
