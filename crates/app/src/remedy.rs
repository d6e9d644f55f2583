//! What a user can do about an error, in the words of the page.

use oslow::{Call, Choice, Error, Remedy};
use serde::Serialize;

/// Longer texts are cut.
const MOST_LETTERS: usize = 2000;

/// An error as the page shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Told {
    pub error: String,
    pub hint: Option<String>,
}

impl From<&Error> for Told {
    fn from(error: &Error) -> Self {
        Self { error: readable(error.to_string()), hint: error.remedy().as_ref().map(worded).map(readable) }
    }
}

/// A file that is no table may be one name of many megabytes.
fn readable(text: String) -> String {
    match text.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The sentence with the fields of the page.
pub fn worded(remedy: &Remedy) -> String {
    remedy.worded(field, call)
}

fn field(choice: Choice, value: Option<&str>) -> String {
    let field = match choice {
        Choice::Columns => return "the ticks in the list of columns".into(),
        Choice::Header => return "“First line: names”".into(),
        Choice::NoHeader => return "“First line: data”".into(),
        Choice::Index => "Column to leave out",
        Choice::Delimiter => "Field separator",
        Choice::Decimal => "Decimal sign",
        Choice::Skip => "Lines to pass over",
        Choice::Comment => "Comment sign",
        Choice::Sheet => "Sheet",
        Choice::Type => "Types of columns",
        Choice::Where => "Rows to keep",
        Choice::MissingValues => "Words for missing",
        Choice::Missing => "Missing cells",
        Choice::Condition => "Column of conditions",
        Choice::Standardize => "Common scale",
        Choice::Outliers => "Outliers",
        Choice::Bootstrap => "Resamples",
        Choice::Prune => "Pruner",
        Choice::From => "From",
        Choice::To => "To",
        Choice::Out | Choice::Force => return "a new run".into(),
        Choice::Resume => return "“Continue”".into(),
    };
    value.map_or(format!("“{field}”"), |value| format!("“{field}: {value}”"))
}

fn call(call: Call) -> String {
    match call {
        Call::FitModel => "a run with “Fit a model”",
        Call::WriteRun => "“Start the run”",
        Call::ListSettings => "the list of methods in the reference",
    }
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_short_enough_to_be_read() {
        let told = Told::from(&Error::input("ä".repeat(3000)).with_hint("b"));
        assert_eq!((told.error.chars().count(), told.hint.as_deref()), (MOST_LETTERS + 1, Some("b")));
    }

    #[test]
    fn a_hint_names_fields_of_the_page() {
        assert_eq!(
            worded(&Remedy::gaps()),
            "pass “Missing cells: auto” to use what the other cells say, “Missing cells: drop-rows” to leave such rows out, or repair the table"
        );
        let kind = Remedy::from(Choice::Type.set("sex=categorical"));
        assert_eq!(worded(&kind), "“Types of columns: sex=categorical”");
    }
}
