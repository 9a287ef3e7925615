use std::collections::VecDeque;

use axum::body::Bytes;
use domain::ids::Seq;
use domain::wire::frame::Frame;
use domain::wire::snapshot::{Epoch, Position};

use super::{RING_BYTES_MAX, RING_FRAMES_MAX};

/// The newest frames in order, without a gap between them.
pub(super) struct Ring {
    frames: VecDeque<Encoded>,
    bytes: usize,
    /// Where the newest frame ends; with no frames, where the ring was cleared.
    end: Seq,
}

struct Encoded {
    from: Seq,
    to: Seq,
    event: Bytes,
}

/// What there is for a listener that stands at a seq.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// An event, and where the listener stands after it.
    Event(Bytes, Seq),
    Nothing,
    /// The frames that the listener needs are gone.
    Gone,
}

impl Ring {
    pub fn at(end: Seq) -> Self {
        Self {
            frames: VecDeque::new(),
            bytes: 0,
            end,
        }
    }

    /// Adds the frame and lets the oldest go. The frame continues the ring.
    pub fn push(&mut self, epoch: Epoch, frame: &Frame) {
        assert!(
            frame.from <= self.end && self.end < frame.to,
            "frames follow each other"
        );
        let id = Position {
            epoch,
            seq: frame.to,
        };
        let event = Bytes::from(format!("id: {id}\ndata: {}\n\n", frame.to_text()));
        self.bytes += event.len();
        self.end = frame.to;
        self.frames.push_back(Encoded {
            from: frame.from,
            to: frame.to,
            event,
        });
        while self.frames.len() > RING_FRAMES_MAX
            || self.bytes > RING_BYTES_MAX && self.frames.len() > 1
        {
            let oldest = self.frames.pop_front().expect("the ring is not empty");
            self.bytes -= oldest.event.len();
        }
    }

    pub fn after(&self, mine: Seq) -> Next {
        let next = self.frames.partition_point(|frame| frame.to <= mine);
        match self.frames.get(next) {
            Some(frame) if frame.from <= mine => Next::Event(frame.event.clone(), frame.to),
            Some(_) => Next::Gone,
            None if mine >= self.end => Next::Nothing,
            None => Next::Gone,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(from: u64, to: u64) -> Frame {
        Frame {
            from: Seq(from),
            to: Seq(to),
            seats: vec![],
            areas: vec![],
            tier_free: vec![1],
        }
    }

    #[test]
    fn a_ring_serves_what_it_holds_and_knows_what_it_lost() {
        let mut ring = Ring::at(Seq(10));
        assert_eq!(ring.after(Seq(10)), Next::Nothing);
        assert_eq!(ring.after(Seq(9)), Next::Gone);
        ring.push(Epoch(1), &frame(10, 12));
        ring.push(Epoch(1), &frame(12, 13));
        for (mine, expect) in [(10, Some(12)), (11, Some(12)), (12, Some(13))] {
            match ring.after(Seq(mine)) {
                Next::Event(event, to) => {
                    assert_eq!(Some(to.0), expect);
                    assert!(event.starts_with(format!("id: 00000001-{to}\ndata: ").as_bytes()));
                }
                other => panic!("at {mine}: {other:?}"),
            }
        }
        assert_eq!(ring.after(Seq(13)), Next::Nothing);
        assert_eq!(ring.after(Seq(9)), Next::Gone);
    }

    #[test]
    fn a_ring_is_bounded() {
        let mut ring = Ring::at(Seq(0));
        for seq in 0..RING_FRAMES_MAX as u64 + 5 {
            ring.push(Epoch(1), &frame(seq, seq + 1));
        }
        assert_eq!(ring.frames.len(), RING_FRAMES_MAX);
        assert_eq!(ring.after(Seq(4)), Next::Gone);
        assert!(matches!(ring.after(Seq(5)), Next::Event(_, Seq(6))));
        let kept: usize = ring.frames.iter().map(|frame| frame.event.len()).sum();
        assert_eq!(ring.bytes, kept);
    }
}
