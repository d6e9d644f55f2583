//! What a run will need.

/// What a run will need, roughly: meant to tell seconds from hours.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Forecast {
    /// Seconds on the threads of the run, where that can be told.
    pub seconds: Option<f64>,
    /// The most memory at a time besides the table, in bytes, where that can be told.
    pub bytes: Option<u64>,
}

impl Forecast {
    /// This work `times` over, each on one thread, `workers` of them at a time.
    #[must_use]
    pub fn repeated(self, times: usize, workers: usize) -> Self {
        let workers = workers.clamp(1, times.max(1));
        Self {
            seconds: self.seconds.map(|seconds| seconds * times.div_ceil(workers) as f64),
            bytes: self.bytes.map(|bytes| bytes.saturating_mul(workers as u64)),
        }
    }

    /// This work, and then that. What is known of one of them only is a lower bound, and given all the same.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        let seconds = [self.seconds, next.seconds].into_iter().flatten().reduce(|first, then| first + then);
        Self { seconds, bytes: self.bytes.max(next.bytes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_add_up_and_memory_is_shared_in_turn() {
        let one = Forecast { seconds: Some(2.0), bytes: Some(100) };
        assert_eq!(one.repeated(5, 2), Forecast { seconds: Some(6.0), bytes: Some(200) });
        assert_eq!(one.repeated(1, 8), one);
        let both = one.then(one.repeated(5, 2));
        assert_eq!(both, Forecast { seconds: Some(8.0), bytes: Some(200) });
        let unknown = Forecast::default();
        assert_eq!((unknown.then(unknown), unknown.then(one)), (unknown, one));
    }
}
