//! How the benchmarks of this crate take time.

use std::time::{Duration, Instant};

/// How long one piece of work is repeated.
const PATIENCE: Duration = Duration::from_secs(1);

/// The shortest time in milliseconds, and the value.
pub fn best<T>(work: impl Fn() -> T) -> (f64, T) {
    let start = Instant::now();
    let mut least = f64::INFINITY;
    for round in 0.. {
        let before = Instant::now();
        let value = std::hint::black_box(work());
        least = least.min(before.elapsed().as_secs_f64() * 1e3);
        if round >= 1 && start.elapsed() > PATIENCE {
            return (least, value);
        }
    }
    unreachable!("the loop has no end of its own")
}
