//! What a user can do about an error, in the words of Python.

use oslow::{Call, Choice, Remedy};

/// The sentence with parameters and calls.
pub fn worded(remedy: &Remedy) -> String {
    remedy.worded(parameter, call)
}

/// `column=type` as an entry of a dictionary.
fn type_of_column(choice: &str) -> String {
    let (column, kind) = choice.rsplit_once('=').unwrap_or((choice, "categorical"));
    format!("{{{column:?}: {kind:?}}}")
}

/// How a choice is made. What Python has no parameter for is done to the data before they are passed, or by saving elsewhere.
pub fn parameter(choice: Choice, value: Option<&str>) -> String {
    let text = value.map(|value| format!("{value:?}"));
    let given = text.as_deref().unwrap_or("...");
    let done = match choice {
        Choice::Columns => "data[[\"a\", \"b\"]]".into(),
        Choice::Index => format!("data.drop(columns={given})"),
        Choice::Delimiter => reading("delimiter", given),
        Choice::Decimal => reading("decimal", given),
        Choice::Header => reading("header", "True"),
        Choice::NoHeader => reading("header", "False"),
        Choice::Skip => reading("skip", value.unwrap_or("...")),
        Choice::Comment => reading("comment", given),
        Choice::Sheet => reading("sheet", given),
        Choice::Where => reading("where", given),
        Choice::MissingValues => reading("missing_values", &value.map_or("[...]".into(), listed)),
        Choice::Missing => named("missing", text.as_deref()),
        Choice::Type => named("types", value.map(type_of_column).as_deref()),
        Choice::Condition => named("condition", text.as_deref()),
        Choice::Standardize => named("standardize", text.as_deref()),
        Choice::Outliers => named("outliers", text.as_deref()),
        Choice::Bootstrap => named("bootstrap", value),
        Choice::Prune => named("prune", text.as_deref()),
        Choice::From => named("from_", text.as_deref()),
        Choice::To => named("to", text.as_deref()),
        Choice::Out => "save(folder)".into(),
        Choice::Resume => return "the run in that folder".into(),
        Choice::Force => return "an empty folder".into(),
    };
    format!("`{done}`")
}

/// A keyword of the function that reads files.
fn reading(name: &str, value: &str) -> String {
    format!("oslow.read_table(path, {name}={value})")
}

/// Values between commas as a list.
fn listed(values: &str) -> String {
    let each: Vec<String> = values
        .split(',')
        .map(|value| if value.parse::<f64>().is_ok() { value.into() } else { format!("{value:?}") })
        .collect();
    format!("[{}]", each.join(", "))
}

fn named(name: &str, value: Option<&str>) -> String {
    value.map_or(name.into(), |value| format!("{name}={value}"))
}

/// What a call looks like.
pub fn call(call: Call) -> String {
    let line = match call {
        Call::FitModel => "oslow.Flow(order=[\"a\", \"b\", \"c\"]).fit(data).save(path)",
        Call::WriteRun => "oslow.discover(data).save(folder)",
        Call::ListSettings => "oslow.catalogue(\"methods\")",
    };
    format!("`{line}`")
}
