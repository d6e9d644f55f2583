//! Errors in the user's terms: what is wrong, where, and what to do about it.

use std::path::PathBuf;

/// The result of everything that can fail in oslow.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The data or the call is wrong; the user can mend it.
    #[error("{message}")]
    Input {
        /// What is wrong and where.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// A computation produced an infinity or a NaN.
    #[error("{what} became non-finite at {step}")]
    NonFinite {
        /// The quantity.
        what: String,
        /// When it happened.
        step: String,
    },
    /// The operating system refused to read or write.
    #[error("cannot {action} `{path}`: {source}", path = path.display())]
    Io {
        /// `read`, `write`, `create`, …
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
}

impl Error {
    /// A mistake in the data or the call.
    pub fn input(message: impl Into<String>) -> Self {
        Self::Input { message: message.into(), hint: None }
    }

    /// A value that should have been finite.
    pub fn non_finite(what: impl Into<String>, step: impl Into<String>) -> Self {
        Self::NonFinite { what: what.into(), step: step.into() }
    }

    /// A failed file operation.
    pub fn io(action: &'static str, path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { action, path: path.into(), source }
    }

    /// Adds the remedy to an input error; other errors stay as they are.
    #[must_use]
    pub fn with_hint(self, remedy: impl Into<String>) -> Self {
        match self {
            Self::Input { message, .. } => Self::Input { message, hint: Some(remedy.into()) },
            other => other,
        }
    }

    /// Puts a place (`file.csv`, `knowledge.toml`) in front of an input error's message.
    #[must_use]
    pub fn at(self, place: impl std::fmt::Display) -> Self {
        match self {
            Self::Input { message, hint } => Self::Input { message: format!("{place}: {message}"), hint },
            other => other,
        }
    }

    /// What to do about it, where we know.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::Input { hint, .. } => hint.as_deref(),
            Self::NonFinite { .. } => {
                Some("standardise the data, remove outliers (`--outliers mad:10`) or lower the learning rate")
            }
            Self::Io { .. } => None,
        }
    }

    /// Whether the input or the call is at fault (exit code 2) and not the program (exit code 1).
    pub fn is_input(&self) -> bool {
        matches!(self, Self::Input { .. })
    }
}
