//! What a user can do about an error, in words that each face completes.

use std::fmt;

/// A sentence in which a choice of the user or a call stands as what it means: the command line says `--missing drop-rows`, Python
/// `missing="drop-rows"`. Each face has one file that words them; [`Display`](fmt::Display) words them for Rust.
///
/// ```
/// use oslow_core::{Choice, Remedy};
///
/// let remedy = Remedy::from("drop such rows with ").and(Choice::Missing.set("drop-rows"));
/// assert_eq!(remedy.to_string(), "drop such rows with `missing = drop-rows`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy(Vec<RemedyPart>);

/// A part of the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemedyPart {
    /// Words that are the same for every face.
    Words(String),
    /// Something that can be chosen, and what, where that is said.
    Choose(Choice, Option<String>),
    /// Something that can be called.
    Call(Call),
}

/// What can be chosen about a run, whatever a face calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The columns to take.
    Columns,
    /// A column to leave out.
    Index,
    /// What stands between fields.
    Delimiter,
    /// The decimal sign.
    Decimal,
    /// That the first line holds the names.
    Header,
    /// That the first line is data.
    NoHeader,
    /// How many lines stand above the table.
    Skip,
    /// What comments begin with.
    Comment,
    /// The sheet of a workbook.
    Sheet,
    /// Which rows are kept.
    Where,
    /// What stands for a missing value.
    MissingValues,
    /// What happens to rows with missing values.
    Missing,
    /// What a column holds.
    Type,
    /// The column that says under which condition a row was observed.
    Condition,
    /// How columns are brought to a common scale.
    Standardize,
    /// Which rows are too far out to be kept.
    Outliers,
    /// The number of resamples.
    Bootstrap,
    /// The pruner.
    Prune,
    /// From which value a column is set.
    From,
    /// To which value it is set.
    To,
    /// Where results are written.
    Out,
    /// To continue what is there.
    Resume,
    /// To overwrite what is there.
    Force,
}

/// What can be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Fits a flow and saves it.
    FitModel,
    /// Discovers a graph and writes a run folder.
    WriteRun,
    /// Lists methods with their settings.
    ListSettings,
}

impl Choice {
    /// Something that can be chosen, with what to choose.
    pub fn set(self, value: impl Into<String>) -> RemedyPart {
        RemedyPart::Choose(self, Some(value.into()))
    }
}

impl Remedy {
    /// The sentence goes on.
    #[must_use]
    pub fn and(mut self, part: impl Into<RemedyPart>) -> Self {
        self.0.push(part.into());
        self
    }

    /// What can be done about a missing value.
    pub fn drop_rows() -> Self {
        Self::from("drop such rows with ").and(Choice::Missing.set("drop-rows")).and(", or repair the table")
    }

    /// What can be done about values that are missing.
    pub fn gaps() -> Self {
        Self::from("pass ")
            .and(Choice::Missing.set("auto"))
            .and(" to use what the other cells say, ")
            .and(Choice::Missing.set("drop-rows"))
            .and(" to leave such rows out, or repair the table")
    }

    /// What can be done about a saved state that cannot be used.
    pub fn start_over() -> Self {
        Self::from("start over with ").and(Choice::Force).and(" in place of ").and(Choice::Resume)
    }

    /// Whether it names this call.
    pub fn calls(&self, call: Call) -> bool {
        self.0.contains(&RemedyPart::Call(call))
    }

    /// The sentence in the words of a face.
    pub fn worded(
        &self,
        choice: impl Fn(Choice, Option<&str>) -> String,
        call: impl Fn(Call) -> String,
    ) -> String {
        let word = |part: &RemedyPart| match part {
            RemedyPart::Words(words) => words.clone(),
            RemedyPart::Choose(chosen, value) => choice(*chosen, value.as_deref()),
            RemedyPart::Call(called) => call(*called),
        };
        self.0.iter().map(word).collect()
    }
}

/// The names of a configuration file and of this library.
impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let choice = |choice: Choice, value: Option<&str>| {
            let (name, own) = match choice {
                Choice::Columns => ("columns", None),
                Choice::Index => ("index", None),
                Choice::Delimiter => ("delimiter", None),
                Choice::Decimal => ("decimal", None),
                Choice::Header => ("header", Some("true")),
                Choice::NoHeader => ("header", Some("false")),
                Choice::Skip => ("skip", None),
                Choice::Comment => ("comment", None),
                Choice::Sheet => ("sheet", None),
                Choice::Where => ("where", None),
                Choice::MissingValues => ("missing_values", None),
                Choice::Missing => ("missing", None),
                Choice::Type => ("types", None),
                Choice::Condition => ("condition", None),
                Choice::Standardize => ("standardize", None),
                Choice::Outliers => ("outliers", None),
                Choice::Bootstrap => ("bootstrap", None),
                Choice::Prune => ("prune", None),
                Choice::From => ("from", None),
                Choice::To => ("to", None),
                Choice::Out => ("RunFiles::write", None),
                Choice::Resume => ("FolderCheckpoint::resume", None),
                Choice::Force => ("FolderCheckpoint::fresh", None),
            };
            own.or(value).map_or(format!("`{name}`"), |value| format!("`{name} = {value}`"))
        };
        let call = |call: Call| match call {
            Call::FitModel => "`oslow::fit`".into(),
            Call::WriteRun => "`oslow::write_run`".into(),
            Call::ListSettings => "`oslow::methods`".into(),
        };
        f.write_str(&self.worded(choice, call))
    }
}

impl<P: Into<RemedyPart>> From<P> for Remedy {
    fn from(part: P) -> Self {
        Self(vec![part.into()])
    }
}

impl From<&str> for RemedyPart {
    fn from(words: &str) -> Self {
        Self::Words(words.into())
    }
}

impl From<String> for RemedyPart {
    fn from(words: String) -> Self {
        Self::Words(words)
    }
}

impl From<Choice> for RemedyPart {
    fn from(choice: Choice) -> Self {
        Self::Choose(choice, None)
    }
}

impl From<Call> for RemedyPart {
    fn from(call: Call) -> Self {
        Self::Call(call)
    }
}
