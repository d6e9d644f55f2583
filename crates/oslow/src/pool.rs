//! Work on a given number of threads.

use oslow_core::{Error, Result};

/// Runs `work` where parallel loops use this many threads; `None`: one per core.
pub(crate) fn with_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce(usize) -> Result<T> + Send,
) -> Result<T> {
    if threads == Some(0) {
        return Err(
            Error::input("threads = 0: at least 1 is needed").with_hint("leave it out to use every core")
        );
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    let pool =
        pool.map_err(|e| Error::input(format!("cannot start threads: {e}")).with_hint("pass fewer"))?;
    let threads = pool.current_num_threads();
    pool.install(|| work(threads))
}
