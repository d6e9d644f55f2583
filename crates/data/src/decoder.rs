//! Running decoders of binary formats on files that may be damaged.

use std::panic::{AssertUnwindSafe, catch_unwind};

use oslow_core::{Error, Result};

/// Runs a decoder from another crate. Damaged files can trip assertions inside such decoders (a shape whose
/// product overflows, a page that is too short); that is the file's fault and becomes an input error.
pub(crate) fn guarded<T>(format: &str, decode: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(decode))
        .unwrap_or_else(|_| Err(damaged(format, "its contents contradict each other")))
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
