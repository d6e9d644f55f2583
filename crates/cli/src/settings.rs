//! `--set key=value`.

use oslow::{Error, Result, Settings};
use toml::Value;

/// Adds the settings of a command line, each `key=value`, to a table; later ones win.
pub fn add(table: &mut Settings, given: &[String]) -> Result<()> {
    given.iter().try_for_each(|text| add_one(table, text))
}

fn add_one(table: &mut Settings, text: &str) -> Result<()> {
    let refuse = |what: &str| {
        Error::input(format!("--set {text}: {what}"))
            .with_hint("for example `--set local.folds=10` or `--set flow.hidden=[32,32]`")
    };
    let (key, value) = text.split_once('=').ok_or_else(|| refuse("there is no `=`"))?;
    let mut path: Vec<&str> = key.split('.').map(str::trim).collect();
    if path.iter().any(|part| part.is_empty()) {
        return Err(refuse("the key is empty"));
    }
    let last = path.pop().unwrap_or_default();
    let mut place = table;
    for part in path {
        let inner = place.entry(part).or_insert_with(|| Value::Table(Settings::new()));
        place = match inner {
            Value::Table(inner) => inner,
            // A single value was given for it before; the later word wins.
            other => {
                *other = Value::Table(Settings::new());
                other.as_table_mut().ok_or_else(|| refuse("the key is no table"))?
            }
        };
    }
    place.insert(last.into(), parse(value.trim()));
    Ok(())
}

/// Every setting with its default, as TOML, for the end of a help text.
pub fn help(defaults: Result<Settings>) -> String {
    let defaults = defaults.map(|table| table.to_string()).unwrap_or_default();
    let lines: String = defaults.lines().map(|line| format!("  {line}\n")).collect();
    format!("Settings and their defaults:\n{lines}")
}

/// A TOML value; a bare word is a string.
fn parse(text: &str) -> Value {
    let line =
        if text.contains(['\n', '\r']) { None } else { format!("value = {text}").parse::<Settings>().ok() };
    line.and_then(|mut table| table.remove("value")).unwrap_or_else(|| Value::String(text.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(given: &[&str]) -> String {
        let mut table = Settings::new();
        add(&mut table, &given.iter().map(ToString::to_string).collect::<Vec<_>>()).unwrap();
        table.to_string()
    }

    #[test]
    fn values_are_toml_and_bare_words_are_strings() {
        let expected: Settings =
            "a = 1\nb = 0.5\nc = 'mode'\nd = true\ne = [1, 2]\nf = 'x = y'".parse().unwrap();
        assert_eq!(
            table(&["a=1", "b=0.5", "c=mode", "d=true", "e=[1,2]", "f='x = y'"]),
            expected.to_string()
        );
        let expected: Settings = "flow.hidden = [8]\nflow.skip = true".parse().unwrap();
        assert_eq!(table(&["flow.hidden=[4]", "flow.skip=true", "flow.hidden=[8]"]), expected.to_string());
    }

    #[test]
    fn what_is_no_setting_is_refused() {
        let refusal = |text: &str| add(&mut Settings::new(), &[text.into()]).unwrap_err().to_string();
        assert_eq!(refusal("cycles"), "--set cycles: there is no `=`");
        assert_eq!(refusal("=3"), "--set =3: the key is empty");
    }
}
