//! Errors in the user's terms: what is wrong, where, and what to do about it.

use std::path::PathBuf;

use crate::{Choice, Remedy};

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
        remedy: Option<Remedy>,
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
    /// oslow itself failed; the user can do nothing about it.
    #[error("internal error: {what}")]
    Internal {
        /// What could not be done, and why.
        what: String,
    },
}

impl Error {
    /// A mistake in the data or the call.
    pub fn input(message: impl Into<String>) -> Self {
        Self::Input { message: message.into(), remedy: None }
    }

    /// A value that should have been finite.
    pub fn non_finite(what: impl Into<String>, step: impl Into<String>) -> Self {
        Self::NonFinite { what: what.into(), step: step.into() }
    }

    /// A failed file operation.
    pub fn io(action: &'static str, path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { action, path: path.into(), source }
    }

    /// A failure that is nobody's mistake but oslow's.
    pub fn internal(what: impl Into<String>) -> Self {
        Self::Internal { what: what.into() }
    }

    /// Adds the remedy to an input error; other errors stay as they are.
    #[must_use]
    pub fn with_hint(self, remedy: impl Into<Remedy>) -> Self {
        match self {
            Self::Input { message, .. } => Self::Input { message, remedy: Some(remedy.into()) },
            other => other,
        }
    }

    /// Puts a place (`file.csv`, `knowledge.toml`) in front of an input error's message.
    #[must_use]
    pub fn at(self, place: impl std::fmt::Display) -> Self {
        match self {
            Self::Input { message, remedy } => Self::Input { message: format!("{place}: {message}"), remedy },
            other => other,
        }
    }

    /// What to do about it, where we know, for a face to word.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::Input { remedy, .. } => remedy.clone(),
            Self::NonFinite { .. } => Some(
                Remedy::from("standardise the data, remove outliers (")
                    .and(Choice::Outliers.set("mad:10"))
                    .and(") or lower the learning rate"),
            ),
            Self::Io { .. } | Self::Internal { .. } => None,
        }
    }

    /// The remedy in the words of Rust.
    pub fn hint(&self) -> Option<String> {
        self.remedy().map(|remedy| remedy.to_string())
    }

    /// Whether the input or the call is at fault (exit code 2) and not the program (exit code 1).
    pub fn is_input(&self) -> bool {
        matches!(self, Self::Input { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_can_mend_is_no_input_error() {
        let error =
            Error::internal("the result cannot be written: no memory").at("run").with_hint("try again");
        assert_eq!(error.to_string(), "internal error: the result cannot be written: no memory");
        assert_eq!((error.is_input(), error.remedy()), (false, None));
    }

    #[test]
    fn remedies_name_choices_by_what_they_mean() {
        let error = Error::input("a value is missing").with_hint(Remedy::drop_rows()).at("t.csv");
        assert_eq!(error.to_string(), "t.csv: a value is missing");
        let hint = "drop such rows with `missing = drop-rows`, or repair the table";
        assert_eq!(error.hint().as_deref(), Some(hint));
        assert!(Error::non_finite("the loss", "step 3").hint().unwrap().contains("`outliers = mad:10`"));
    }
}
