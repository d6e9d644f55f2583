//! Work on a given number of threads.

use oslow_core::{Error, Result, Stop};

/// Threads per core, at most. More never help, and thousands take minutes to start.
const PER_CORE: usize = 4;

/// The most threads that are used, however many are asked for.
pub fn most_threads() -> usize {
    PER_CORE * std::thread::available_parallelism().map_or(1, usize::from)
}

/// Runs `work` where parallel loops use this many threads, [`most_threads`] at most; `None`: one per core. The threads know when to stop.
pub(crate) fn with_threads<T: Send>(
    threads: Option<usize>,
    stop: &Stop,
    work: impl FnOnce(usize) -> Result<T> + Send,
) -> Result<T> {
    if threads == Some(0) {
        return Err(
            Error::input("threads = 0: at least 1 is needed").with_hint("leave it out to use every core")
        );
    }
    let stop = stop.clone();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0).min(most_threads()))
        .start_handler(move |_| stop.govern_this_thread())
        .build();
    let pool =
        pool.map_err(|e| Error::input(format!("cannot start threads: {e}")).with_hint("pass fewer"))?;
    let threads = pool.current_num_threads();
    pool.install(|| work(threads))
}
