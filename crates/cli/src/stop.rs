//! Ctrl-C: the first press asks for the best so far, the second ends the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use oslow::{Error, Result};

use crate::stderr::say;

/// What a shell expects of a program that was ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Wrappers pass one press on twice, to the program and to its group. A second one so soon is no second press.
const SAME_PRESS: Duration = Duration::from_millis(500);

/// A flag that the first Ctrl-C sets.
pub fn on_ctrl_c() -> Result<Arc<AtomicBool>> {
    let asked = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&asked);
    let mut first: Option<Instant> = None;
    let handler = move || {
        flag.store(true, Ordering::SeqCst);
        match first {
            Some(first) if first.elapsed() < SAME_PRESS => return,
            Some(_) => std::process::exit(INTERRUPTED),
            None => first = Some(Instant::now()),
        }
        say("\nstopping at the next step; press Ctrl-C again to leave at once");
    };
    ctrlc::set_handler(handler)
        .map_err(|e| Error::io("listen to", "Ctrl-C", std::io::Error::other(e.to_string())))?;
    Ok(asked)
}
