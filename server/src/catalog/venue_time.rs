//! Instants as clocks at the venue show them. Browsers get these computed, so that they need no
//! zone tables; forms hand in wall-clock times, which only here become instants.

use anyhow::Context;
use domain::time::Millis;
use domain::wire::view::VenueTime;
use jiff::civil::{Date, DateTime};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{Timestamp, Zoned};

/// Why a wall-clock time names no single instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadLocalTime {
    /// Not `YYYY-MM-DDTHH:MM`.
    Malformed,
    /// The clocks jump over this time that night.
    Skipped,
    /// The clocks show this time twice that night.
    Doubled,
}

impl BadLocalTime {
    /// For developers; people read the message files.
    pub const fn detail(self) -> &'static str {
        match self {
            Self::Malformed => "not YYYY-MM-DDTHH:MM",
            Self::Skipped => "skipped: the clocks at the venue jump over this time",
            Self::Doubled => "doubled: the clocks at the venue show this time twice",
        }
    }
}

/// The zone of a stored venue. Import refuses unknown names, so one here is a fault.
pub fn zone(name: &str) -> anyhow::Result<TimeZone> {
    TimeZone::get(name).with_context(|| format!("time zone {name:?} of a venue"))
}

/// `at` as a clock in `zone` shows it.
pub fn at_venue(at: Millis, zone: &TimeZone) -> anyhow::Result<VenueTime> {
    let local = zoned(at, zone)?;
    Ok(VenueTime {
        at,
        year: local.year(),
        month: local.month() as u8,
        day: local.day() as u8,
        weekday: local.weekday().to_monday_one_offset() as u8,
        hour: local.hour() as u8,
        minute: local.minute() as u8,
        zone: local.strftime("%Z").to_string(),
    })
}

/// The day of `at` in `zone`, `YYYY-MM-DD`.
pub fn day_at_venue(at: Millis, zone: &TimeZone) -> anyhow::Result<String> {
    Ok(zoned(at, zone)?.date().to_string())
}

/// The instant at which clocks in `zone` show `text`, `YYYY-MM-DDTHH:MM` with or without
/// seconds. A time that does not exist or exists twice is refused rather than guessed.
pub fn from_venue(text: &str, zone: &TimeZone) -> Result<Millis, BadLocalTime> {
    let wall: DateTime = text.trim().parse().map_err(|_| BadLocalTime::Malformed)?;
    // A bare date parses as midnight: nobody means that by a show time.
    if !text.contains('T') && !text.contains(' ') {
        return Err(BadLocalTime::Malformed);
    }
    let ambiguous = zone.to_ambiguous_zoned(wall);
    match ambiguous.offset() {
        AmbiguousOffset::Gap { .. } => Err(BadLocalTime::Skipped),
        AmbiguousOffset::Fold { .. } => Err(BadLocalTime::Doubled),
        AmbiguousOffset::Unambiguous { .. } => ambiguous
            .unambiguous()
            .map(|zoned| Millis(zoned.timestamp().as_millisecond()))
            .map_err(|_| BadLocalTime::Malformed),
    }
}

/// A day as people type it into the address: `YYYY-MM-DD`.
pub fn day(text: &str) -> Option<Date> {
    // Longer texts would carry a time that is silently dropped.
    if text.len() != 10 {
        return None;
    }
    text.parse().ok()
}

fn zoned(at: Millis, zone: &TimeZone) -> anyhow::Result<Zoned> {
    let at = Timestamp::from_millisecond(at.0).context("an instant outside the calendar")?;
    Ok(at.to_zoned(zone.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn berlin() -> TimeZone {
        zone("Europe/Berlin").unwrap()
    }

    #[test]
    fn f65_half_past_seven_stays_half_past_seven_over_the_change() {
        for (text, name) in [("2027-03-27T19:30", "CET"), ("2027-03-28T19:30", "CEST")] {
            let at = from_venue(text, &berlin()).unwrap();
            let shown = at_venue(at, &berlin()).unwrap();
            assert_eq!((shown.hour, shown.minute), (19, 30), "{text}");
            assert_eq!(shown.zone, name);
        }
    }

    #[test]
    fn f65_skipped_and_doubled_times_are_refused() {
        let check = |text, expect| assert_eq!(from_venue(text, &berlin()), expect, "{text}");
        check("2027-03-28T02:30", Err(BadLocalTime::Skipped));
        check("2027-10-31T02:30", Err(BadLocalTime::Doubled));
        check("2027-10-31T03:00", Ok(Millis(1_824_948_000_000)));
    }

    #[test]
    fn what_is_not_a_local_time_is_malformed() {
        for text in [
            "",
            "tomorrow",
            "2027-02-30T10:00",
            "2027-03-28",
            "2027-03-28T25:00",
        ] {
            assert_eq!(
                from_venue(text, &berlin()),
                Err(BadLocalTime::Malformed),
                "{text:?}"
            );
        }
    }

    #[test]
    fn days_are_days_at_the_venue() {
        let at = from_venue("2027-06-01T23:30", &zone("America/New_York").unwrap()).unwrap();
        assert_eq!(
            day_at_venue(at, &zone("America/New_York").unwrap()).unwrap(),
            "2027-06-01"
        );
        assert_eq!(day_at_venue(at, &berlin()).unwrap(), "2027-06-02");
        assert!(day("2027-06-31").is_none() && day("2027-06-30T00:00").is_none());
    }
}
