//! Running decoders of binary formats on files that may be damaged.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use oslow_core::{Error, Result};

/// Runs a decoder from another crate. Damaged files can trip assertions inside such decoders (a shape whose
/// product overflows, a page that is too short); that is the file's fault and becomes an input error.
pub(crate) fn guarded<T>(format: &str, decode: impl FnOnce() -> Result<T>) -> Result<T> {
    silence_decoders();
    let before = DECODING.replace(true);
    let decoded = catch_unwind(AssertUnwindSafe(decode));
    DECODING.set(before);
    decoded.unwrap_or_else(|_| Err(damaged(format, "its contents contradict each other")))
}

thread_local! {
    /// Whether this thread is within a decoder.
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// A panic within a decoder is the file's fault, so that nothing is printed of it; all others are told as before.
fn silence_decoders() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let others = take_hook();
        set_hook(Box::new(move |panic| {
            if !DECODING.get() {
                others(panic);
            }
        }));
    });
}

/// The file is not what its extension says, or was cut.
pub(crate) fn damaged(format: &str, reason: impl std::fmt::Display) -> Error {
    Error::input(format!("not a readable {format} file: {reason}"))
        .with_hint("check that the extension fits the contents and that the file is complete")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_input_error() {
        let error = guarded::<()>("NumPy", || panic!("expected by this test")).unwrap_err();
        assert!(error.is_input());
    }
}
