//! Errors as Python's exceptions.

use oslow::{Error, Remedy};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::remedy::worded;

/// The exception that an error is in Python: classes of `oslow._errors`, and `OSError` for what the system refused.
pub fn raised(py: Python<'_>, error: Error) -> PyErr {
    raised_in(py, error, worded)
}

/// The same, where hints have other words.
pub fn raised_in(py: Python<'_>, error: Error, worded: impl Fn(&Remedy) -> String) -> PyErr {
    let class = match &error {
        Error::Input { .. } => "InputError",
        Error::NonFinite { .. } => "NonFiniteError",
        Error::Internal { .. } => "InternalError",
        Error::Io { .. } => return PyOSError::new_err(error.to_string()),
    };
    let hint = error.remedy().map(|remedy| worded(&remedy));
    let made = py
        .import("oslow._errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call1((error.to_string(), hint)));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(failure) => failure,
    }
}

/// Settings that do not read as such.
pub fn unreadable(error: serde_json::Error) -> Error {
    Error::input(format!("settings: {error}"))
}
