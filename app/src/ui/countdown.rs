//! Time left until an instant on the server's clock. The first picture is computed from what the
//! server sent, so both halves render the same; then it ticks by the browser's steady clock,
//! whatever the visitor's wall clock says.

use domain::time::Millis;
use leptos::prelude::*;

/// Seconds left, ticking in the browser; never below 0. `on_end` runs once when it reaches 0.
pub fn seconds_left(
    until: Millis,
    server_now: Millis,
    on_end: impl Fn() + Clone + Send + Sync + 'static,
) -> ReadSignal<i64> {
    let first = until - server_now;
    let (left, set_left) = signal(seconds(first.0));
    #[cfg(feature = "hydrate")]
    tick(first.0, set_left, on_end);
    #[cfg(not(feature = "hydrate"))]
    let _ = (set_left, on_end);
    left
}

/// Rounded down: a hold is never shown as longer than it is.
fn seconds(millis: i64) -> i64 {
    millis.max(0) / 1000
}

#[cfg(feature = "hydrate")]
fn tick(first: i64, set_left: WriteSignal<i64>, on_end: impl Fn() + Clone + Send + Sync + 'static) {
    use std::time::Duration;

    Effect::new(move || {
        let began = steady_ms() - page_age_ms();
        let on_end = on_end.clone();
        let show = move || {
            let millis = first - (steady_ms() - began) as i64;
            let _ = set_left.try_set(seconds(millis));
            millis <= 0
        };
        if show() && first <= 0 {
            return;
        }
        let ended = std::cell::Cell::new(false);
        let beat = set_interval_with_handle(
            move || {
                if show() && !ended.replace(true) {
                    on_end();
                }
            },
            Duration::from_millis(500),
        );
        if let Ok(beat) = beat {
            on_cleanup(move || beat.clear());
        }
    });
}

/// Milliseconds on a clock that only moves forward.
#[cfg(feature = "hydrate")]
fn steady_ms() -> f64 {
    window()
        .performance()
        .map_or(0.0, |performance| performance.now())
}

/// Notes that the browser takes the server's page over now; called once, before it does.
#[cfg(feature = "hydrate")]
pub fn taking_over() {
    TAKEN_OVER_AT_MS.store(steady_ms() as u32, std::sync::atomic::Ordering::Relaxed);
}

/// When the page was taken over, on the steady clock, which starts with the navigation.
#[cfg(feature = "hydrate")]
static TAKEN_OVER_AT_MS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);

/// How old the server's picture may be: as old as the navigation while the first page is being
/// taken over, fresh for data that was fetched later.
#[cfg(feature = "hydrate")]
fn page_age_ms() -> f64 {
    const TAKE_OVER_LASTS_MS: f64 = 1_000.0;
    let taken_over_at = f64::from(TAKEN_OVER_AT_MS.load(std::sync::atomic::Ordering::Relaxed));
    let now = steady_ms();
    if now - taken_over_at < TAKE_OVER_LASTS_MS {
        now
    } else {
        0.0
    }
}
