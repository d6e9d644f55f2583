//! Stopping in the middle of work whose parts are worth nothing alone.
//!
//! An [`Observer`](crate::Observer) is asked between steps. A step may be one fit to a hundred thousand rows, or as long as a setting
//! makes it. So the threads of a run also know its [`Stop`], and loops inside of a step call [`check_stop`], which costs about as much as
//! looking at the clock. After a stop it leaves the step by unwinding, without a panic's message, up to the [`unless_stopped`] around the
//! smallest piece of work that is kept whole or not at all.
//!
//! Handing a flag and a result through every formula was the alternative. It would put the question into the signature of each function that
//! has a loop, and a forgotten `?` would keep half a fit.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

thread_local! {
    /// The stop of the run that this thread works for.
    static OF_THIS_THREAD: RefCell<Stop> = RefCell::default();
}

/// When a run is to stop: once somebody asks for it, or at a point in time. It never takes that back.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    asked: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl Stop {
    /// Stops once `asked` is set, or when the budget that begins now is spent. A time that the clock cannot tell never comes.
    pub fn new(asked: Arc<AtomicBool>, budget: Option<Duration>) -> Self {
        Self { asked, deadline: budget.and_then(|budget| Instant::now().checked_add(budget)) }
    }

    /// Never stops.
    pub fn never() -> Self {
        Self::default()
    }

    /// Whether the run is to stop.
    pub fn is_due(&self) -> bool {
        self.asked.load(Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Makes it the stop of this thread, for good: of a thread that works for one run only.
    pub fn govern_this_thread(&self) {
        OF_THIS_THREAD.with(|stop| stop.replace(self.clone()));
    }
}

/// What a stop unwinds with.
struct Stopped;

/// Whether the run that this thread works for is to stop.
pub fn stop_is_due() -> bool {
    OF_THIS_THREAD.with(|stop| stop.borrow().is_due())
}

/// Leaves the work around it if the run is to stop. What it leaves must not be used again, unless [`unless_stopped`] says how it was before.
pub fn check_stop() {
    if stop_is_due() {
        resume_unwind(Box::new(Stopped));
    }
}

/// Does the work, or as much of it as there is time for: `None` if [`check_stop`] left it.
pub fn unless_stopped<T>(work: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => Some(done),
        Err(cause) if cause.is::<Stopped>() => None,
        Err(panic) => resume_unwind(panic),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the work on a thread of its own under a stop.
    fn under<T: Send>(stop: &Stop, work: impl FnOnce() -> T + Send) -> T {
        std::thread::scope(|scope| {
            let governed = || {
                stop.govern_this_thread();
                work()
            };
            scope.spawn(governed).join().unwrap()
        })
    }

    fn spin() {
        loop {
            check_stop();
        }
    }

    #[test]
    fn work_is_left_when_somebody_asks() {
        let stop = Stop::new(Arc::default(), None);
        assert_eq!(under(&stop, || unless_stopped(|| 3)), Some(3));
        let asking = || {
            std::thread::sleep(Duration::from_millis(20));
            stop.asked.store(true, Relaxed);
        };
        std::thread::scope(|scope| {
            scope.spawn(asking);
            assert_eq!(under(&stop, || unless_stopped(spin)), None);
        });
        // Once asked for, it stays.
        assert_eq!(under(&stop, || unless_stopped(spin)), None);
    }

    #[test]
    fn work_is_left_when_the_time_is_up() {
        let start = Instant::now();
        let stop = Stop::new(Arc::default(), Some(Duration::from_millis(30)));
        assert_eq!(under(&stop, || unless_stopped(spin)), None);
        assert!(start.elapsed() >= Duration::from_millis(30));
        assert!(!Stop::new(Arc::default(), Some(Duration::MAX)).is_due() && !Stop::never().is_due());
    }

    #[test]
    fn a_panic_is_no_stop() {
        let panics = || catch_unwind(|| unless_stopped(|| resume_unwind(Box::new("broken"))).is_some());
        assert!(under(&Stop::never(), panics).is_err());
    }
}
