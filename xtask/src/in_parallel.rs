//! Many cases, as many at a time as there are cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

/// What `run` makes of each case and its number, in the order of the cases; `named` says which one is done.
pub fn in_parallel<C: Sync, T: Send>(
    cases: &[C],
    run: impl Fn(usize, &C) -> Result<T, String> + Sync,
    named: impl Fn(&C) -> String + Sync,
) -> Result<Vec<T>, String> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let k = next.fetch_add(1, SeqCst);
                    let Some(case) = cases.get(k) else { return };
                    let answer = run(k, case);
                    if let Ok(mut found) = found.lock() {
                        found.push((k, answer));
                    }
                    eprintln!("{} of {}: {}", k + 1, cases.len(), named(case));
                }
            });
        }
    });
    let mut found = found.into_inner().map_err(|e| e.to_string())?;
    found.sort_by_key(|(k, _)| *k);
    if found.len() < cases.len() {
        return Err("a case was lost".into());
    }
    found.into_iter().map(|(_, answer)| answer).collect()
}
