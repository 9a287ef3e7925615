use domain::ids::SeatIx;
use domain::wire::frame::Resync;
use domain::wire::snapshot::SeatState;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::live::stream::{After, Listener};
use crate::live::{HEARTBEAT, Hubs, RING_FRAMES_MAX};

const SEATS: u32 = 100;

fn hubs() -> (Hubs, CancellationToken) {
    let ending = CancellationToken::new();
    (Hubs::new(Epoch(7), ending.clone()), ending)
}

/// A channel whose desk has opened at seq 0.
fn fed(hubs: &Hubs) -> Arc<Channel> {
    let channel = hubs.channel(ShowId(1));
    channel.reset(Snapshot::untouched(SEATS, 0, vec![SEATS]));
    channel
}

fn sell(channel: &Arc<Channel>, seat: u32) {
    let from = channel.position().unwrap().seq;
    let frame = Frame {
        from,
        to: from.next(),
        seats: vec![(SeatIx(seat), SeatState::Sold)],
        areas: vec![],
        tier_free: vec![SEATS - 1],
    };
    channel.publish(frame).unwrap();
}

/// A client as the protocol documents it: what is heard is applied, and `resync` is answered by
/// a snapshot.
struct Client {
    listener: Listener,
    house: Snapshot,
    frames: u32,
    resyncs: u32,
}

impl Client {
    fn new(channel: &Arc<Channel>, after: After) -> Self {
        Self {
            listener: Listener::new(Arc::clone(channel), after).unwrap(),
            house: channel.house().unwrap(),
            frames: 0,
            resyncs: 0,
        }
    }

    fn at(position: &str) -> After {
        After::At(position.parse().ok())
    }

    /// The next words, taken in. False when the stream has ended.
    async fn hear(&mut self) -> bool {
        let Some(words) = self.listener.next().await else {
            return false;
        };
        let words = String::from_utf8(words.to_vec()).unwrap();
        for event in words.split_terminator("\n\n") {
            let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
            match (field("event: "), field("data: ")) {
                (None, Some(data)) => {
                    self.frames += 1;
                    let frame = Frame::from_text(data).unwrap();
                    self.house.apply(&frame).expect("frames follow each other");
                }
                (Some("resync"), Some(data)) => {
                    self.resyncs += 1;
                    let resync = Resync::from_text(data).unwrap();
                    self.house = self.listener.channel.house().unwrap();
                    assert!(self.house.seq >= resync.min);
                }
                (Some("at" | "beat"), Some(_)) | (None, None) => {}
                other => panic!("unknown event {other:?}"),
            }
        }
        true
    }

    async fn hear_until(&mut self, seq: Seq) {
        while self.house.seq < seq {
            assert!(self.hear().await);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_first_change_leaves_at_once_and_the_rest_with_the_tick() {
    let (hubs, _ending) = hubs();
    let channel = fed(&hubs);
    let mut client = Client::new(&channel, After::Now);
    for seat in 0..50 {
        sell(&channel, seat);
    }
    client.hear_until(Seq(1)).await;
    assert_eq!((client.house.seq, client.frames), (Seq(1), 1));
    client.hear_until(Seq(50)).await;
    assert_eq!(
        client.frames, 2,
        "one frame a tick, whatever happened in it"
    );
    assert_eq!(Some(client.house), channel.house());
}

#[tokio::test(start_paused = true)]
async fn f51_a_slow_reader_hears_resync_and_ends_equal() {
    let (hubs, _ending) = hubs();
    let channel = fed(&hubs);
    let mut slow = Client::new(&channel, After::Now);
    let mut quick = Client::new(&channel, After::Now);
    for round in 0..RING_FRAMES_MAX as u32 + 20 {
        sell(&channel, round % SEATS);
        quick.hear_until(channel.position().unwrap().seq).await;
        tokio::time::sleep(TICK).await;
    }
    let newest = channel.position().unwrap().seq;
    slow.hear_until(newest).await;
    assert_eq!((slow.resyncs, quick.resyncs), (1, 0));
    sell(&channel, 3);
    slow.hear_until(newest.next()).await;
    assert_eq!(
        (slow.resyncs, slow.frames),
        (1, 1),
        "after a resync the stream goes on"
    );
    assert_eq!(Some(slow.house), channel.house());
}

#[tokio::test(start_paused = true)]
async fn f51_a_place_outside_the_history_is_answered_by_resync() {
    let (hubs, _ending) = hubs();
    let channel = fed(&hubs);
    for seat in 0..5 {
        sell(&channel, seat);
        tokio::time::sleep(TICK * 2).await;
    }
    for (place, resyncs, frames) in [
        ("00000007-3", 0, 2),
        ("00000007-5", 0, 0),
        ("00000007-6", 1, 0),
        ("00000008-3", 1, 0),
        ("00000007-18446744073709551615", 1, 0),
        ("garbage", 1, 0),
    ] {
        let mut client = Client::new(&channel, Client::at(place));
        for _ in 0..4 {
            assert!(client.hear().await);
        }
        assert_eq!(
            (client.resyncs, client.frames),
            (resyncs, frames),
            "{place}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_reset_that_goes_back_begins_an_epoch_and_others_go_on_in_theirs() {
    let (hubs, _ending) = hubs();
    let channel = fed(&hubs);
    for seat in 0..5 {
        sell(&channel, seat);
    }
    let mut client = Client::new(&channel, After::Now);
    let before = channel.house().unwrap();
    let epoch = channel.position().unwrap().epoch;
    channel.reset(before.clone());
    assert!(
        channel.continues(channel.position().unwrap()),
        "the same state is no news"
    );

    let mut later = before.clone();
    later.seq = Seq(9);
    later.set(SeatIx(90), SeatState::Held);
    channel.reset(later.clone());
    assert_eq!(channel.position().unwrap().epoch, epoch);
    client.hear_until(Seq(9)).await;
    assert_eq!((client.resyncs, &client.house), (1, &later));

    channel.reset(before.clone());
    assert_ne!(channel.position().unwrap().epoch, epoch);
    while client.house != before {
        assert!(client.hear().await);
    }
    assert_eq!(client.resyncs, 2);
}

#[tokio::test(start_paused = true)]
async fn silence_is_broken_by_beats_and_the_end_by_the_token() {
    let (hubs, ending) = hubs();
    let channel = fed(&hubs);
    let mut client = Client::new(&channel, After::Now);
    assert!(client.hear().await);
    let begun = tokio::time::Instant::now();
    assert!(client.hear().await);
    assert_eq!(begun.elapsed(), HEARTBEAT);
    ending.cancel();
    assert!(!client.hear().await);
    let mut late = Client::new(&hubs.channel(ShowId(1)), After::Now);
    while late.hear().await {}
}

#[tokio::test(start_paused = true)]
async fn frames_that_do_not_follow_are_refused() {
    let (hubs, _ending) = hubs();
    let channel = hubs.channel(ShowId(1));
    let frame = Frame {
        from: Seq(4),
        to: Seq(5),
        seats: vec![],
        areas: vec![],
        tier_free: vec![SEATS],
    };
    assert!(
        channel.publish(frame.clone()).is_err(),
        "before the desk has opened"
    );
    channel.reset(Snapshot::untouched(SEATS, 0, vec![SEATS]));
    assert_eq!(
        channel.publish(frame),
        Err(Gap {
            mine: Seq(0),
            from: Seq(4)
        })
    );
    assert_eq!(channel.position().unwrap().seq, Seq(0));
}
