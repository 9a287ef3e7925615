//! A browser without a browser: the feed that runs in WebAssembly, driven by real HTTP.

use std::time::Duration;

use app::live::feed::{Effect, Event, Feed};
use domain::ids::{Seq, ShowId};
use domain::wire::frame::{Frame, Resync};
use domain::wire::snapshot::{Epoch, Position, Snapshot};
use futures::StreamExt;
use reqwest::Client;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::Instant;

pub struct Follower {
    pub feed: Feed,
    /// Where the server is; may change, as after a restart.
    pub base: String,
    client: Client,
    show: ShowId,
    events: mpsc::UnboundedReceiver<(u32, Event)>,
    tell: mpsc::UnboundedSender<(u32, Event)>,
    stream: Option<JoinHandle<()>>,
    /// What older streams said is void.
    opened: u32,
    begun: Instant,
    /// How long this machine has slept, milliseconds.
    slept_ms: f64,
    pub resyncs: u32,
    pub frames: u32,
}

/// Events that do not come from a stream.
const OUTSIDE: u32 = 0;

impl Follower {
    /// Starts to follow a show.
    pub fn start(client: Client, base: &str, show: ShowId) -> Self {
        let (tell, events) = mpsc::unbounded_channel();
        let mut follower = Self {
            feed: Feed::default(),
            base: base.to_owned(),
            client,
            show,
            events,
            tell,
            stream: None,
            opened: OUTSIDE,
            begun: Instant::now(),
            slept_ms: 0.0,
            resyncs: 0,
            frames: 0,
        };
        follower.step(Event::Start);
        follower
    }

    /// The connection breaks.
    pub fn cut(&mut self) {
        self.drop_stream();
        self.step(Event::Cut);
    }

    /// The machine sleeps; the connection is gone and nobody says so.
    pub fn sleep(&mut self) {
        self.drop_stream();
        self.slept_ms += 60_000.0;
        self.step(Event::InView);
    }

    /// Takes in what comes until the house stands at `position`.
    pub async fn reach(&mut self, position: Position, within: Duration) {
        let deadline = Instant::now() + within;
        while self.feed.position() != Some(position) {
            let next = tokio::time::timeout_at(deadline, self.events.recv()).await;
            let Ok(Some((opened, event))) = next else {
                panic!(
                    "not at {position} within {within:?}: at {:?}, {:?}",
                    self.feed.position(),
                    self.feed.status()
                );
            };
            if opened == OUTSIDE || opened == self.opened {
                self.step(event);
            }
        }
    }

    pub fn step(&mut self, event: Event) {
        match event {
            Event::Resync(_) => self.resyncs += 1,
            Event::Frame { .. } => self.frames += 1,
            _ => {}
        }
        let now_ms = self.begun.elapsed().as_secs_f64() * 1_000.0 + self.slept_ms;
        for effect in self.feed.step(event, now_ms, rand::random()) {
            match effect {
                Effect::Connect { after } | Effect::Revive { after } => self.open(after),
                Effect::Close => self.drop_stream(),
                Effect::Fetch { min, delay_ms } => self.fetch(min, delay_ms),
                Effect::Wait { number, delay_ms } => {
                    let tell = self.tell.clone();
                    tokio::spawn(async move {
                        tokio::time::sleep(Duration::from_millis(delay_ms.into())).await;
                        let _ = tell.send((OUTSIDE, Event::Waited(number)));
                    });
                }
                Effect::Changed(_) | Effect::Status(_) => {}
            }
        }
    }

    fn drop_stream(&mut self) {
        if let Some(stream) = self.stream.take() {
            stream.abort();
        }
        self.opened += 1;
    }

    fn open(&mut self, after: Option<Position>) {
        self.drop_stream();
        let query = after.map_or(String::new(), |after| format!("?after={after}"));
        let url = format!("{}/api/v1/shows/{}/stream{query}", self.base, self.show);
        let (tell, opened, request) = (self.tell.clone(), self.opened, self.client.get(url));
        self.stream = Some(tokio::spawn(async move {
            if let Ok(answer) = request.send().await
                && answer.status().is_success()
            {
                let mut words = Words::new(answer);
                while let Some(word) = words.next().await {
                    let _ = tell.send((opened, word.event()));
                }
            }
            let _ = tell.send((opened, Event::Cut));
        }));
    }

    fn fetch(&self, min: Option<Seq>, delay_ms: u32) {
        let query = min.map_or(String::new(), |min| format!("?min={min}"));
        let url = format!("{}/api/v1/shows/{}/seats{query}", self.base, self.show);
        let (tell, request) = (self.tell.clone(), self.client.get(url));
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(delay_ms.into())).await;
            let _ = tell.send((OUTSIDE, Event::Fetched(snapshot(request).await)));
        });
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.drop_stream();
    }
}

async fn snapshot(request: reqwest::RequestBuilder) -> Option<(Epoch, Snapshot)> {
    let answer = request.send().await.ok()?.error_for_status().ok()?;
    Snapshot::decode(&answer.bytes().await.ok()?).ok()
}

/// One event of a stream as it stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub kind: String,
    pub id: Option<String>,
    pub data: String,
}

impl Word {
    fn event(&self) -> Event {
        let event = match self.kind.as_str() {
            "message" => self
                .id
                .as_ref()
                .and_then(|id| id.parse().ok())
                .zip(Frame::from_text(&self.data).ok())
                .map(|(to, frame)| Event::Frame { to, frame }),
            "at" => self.data.parse().ok().map(|at| Event::Opened { at }),
            "resync" => Resync::from_text(&self.data).ok().map(Event::Resync),
            "beat" => Some(Event::Beat),
            _ => None,
        };
        event.unwrap_or(Event::Garbage)
    }
}

/// The events of an open stream.
pub struct Words {
    body: futures::stream::BoxStream<'static, reqwest::Result<axum::body::Bytes>>,
    text: String,
}

impl Words {
    pub fn new(answer: reqwest::Response) -> Self {
        Self {
            body: answer.bytes_stream().boxed(),
            text: String::new(),
        }
    }

    /// The next event; `None` when the stream has ended.
    pub async fn next(&mut self) -> Option<Word> {
        loop {
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let (event, rest) = (event.to_owned(), rest.to_owned());
                self.text = rest;
                let field = |name: &str| {
                    let mut lines = event.lines();
                    lines.find_map(|line| line.strip_prefix(name).map(str::to_owned))
                };
                // As in browsers: without data there is no event.
                if let Some(data) = field("data: ") {
                    let kind = field("event: ").unwrap_or_else(|| "message".to_owned());
                    return Some(Word {
                        kind,
                        id: field("id: "),
                        data,
                    });
                }
            }
            let bytes = self.body.next().await?.ok()?;
            self.text += std::str::from_utf8(&bytes).expect("events are ASCII");
        }
    }
}
