//! Ctrl-C: the first press asks for the best so far, the second ends the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use oslow::{Error, Result};

use crate::stderr::say;

/// What a shell expects of a program that was ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// A flag that the first Ctrl-C sets.
pub fn on_ctrl_c() -> Result<Arc<AtomicBool>> {
    let asked = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&asked);
    let handler = move || {
        if flag.swap(true, Ordering::SeqCst) {
            std::process::exit(INTERRUPTED);
        }
        say("\nstopping at the next step; press Ctrl-C again to leave at once");
    };
    ctrlc::set_handler(handler)
        .map_err(|e| Error::io("listen to", "Ctrl-C", std::io::Error::other(e.to_string())))?;
    Ok(asked)
}
