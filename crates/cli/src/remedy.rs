//! What a user can do about an error, in the words of the command line.

use oslow::{Call, Choice, Remedy};

/// The sentence with flags and commands.
pub fn worded(remedy: &Remedy) -> String {
    remedy.worded(flag, command)
}

fn flag(choice: Choice, value: Option<&str>) -> String {
    let flag = match choice {
        Choice::Columns => "--columns",
        Choice::Index => "--index",
        Choice::Delimiter => "--delimiter",
        Choice::Decimal => "--decimal",
        Choice::Header => "--header",
        Choice::NoHeader => "--no-header",
        Choice::Skip => "--skip",
        Choice::Comment => "--comment",
        Choice::Sheet => "--sheet",
        Choice::Where => "--where",
        Choice::MissingValues => "--missing-values",
        Choice::Missing => "--missing",
        Choice::Type => "--type",
        Choice::Condition => "--condition",
        Choice::Standardize => "--standardize",
        Choice::Outliers => "--outliers",
        Choice::Bootstrap => "--bootstrap",
        Choice::Prune => "--prune",
        Choice::From => "--from",
        Choice::To => "--to",
        Choice::Out => "--out",
        Choice::Resume => "--resume",
        Choice::Force => "--force",
    };
    // A value that begins like a flag must be joined to its own.
    let joint = |value: &str| if value.starts_with('-') { '=' } else { ' ' };
    value.map_or(format!("`{flag}`"), |value| format!("`{flag}{}{}`", joint(value), quoted(value)))
}

/// A value as a shell takes it.
fn quoted(value: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-.,:/+=".contains(c);
    if !value.is_empty() && value.chars().all(plain) {
        value.into()
    } else {
        format!("'{}'", value.replace('\'', r"'\''"))
    }
}

fn command(call: Call) -> String {
    let line = match call {
        Call::FitModel => "oslow fit DATA --order a,b,c --out MODEL",
        Call::WriteRun => "oslow discover DATA --out DIR",
        Call::ListSettings => "oslow list methods --json",
    };
    format!("`{line}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_quoted_where_a_shell_needs_it() {
        let words = |value: &str| worded(&Remedy::from(Choice::Index.set(value)));
        assert_eq!(words("b"), "`--index b`");
        assert_eq!(words("my column"), "`--index 'my column'`");
        assert_eq!(words("-999"), "`--index=-999`");
        assert_eq!(words(""), "`--index ''`");
        assert_eq!(words("it's"), r"`--index 'it'\''s'`");
    }
}
