//! `cargo xtask classes`: `python/oslow/_methods.py`, a class for every registered method.

use serde_json::{Map, Value};

use crate::generated::{capitalised, generated};
use crate::shell::{Program, cargo};
use crate::{Command, expect_only};

pub const COMMAND: Command = Command {
    name: "classes",
    summary: "write python/oslow/_methods.py from `oslow list methods --json` (--check: fail if it is stale)",
    run,
};

const FILE: &str = "python/oslow/_methods.py";

const HEAD: &str = "\"\"\"A class for every method. Written by `cargo xtask classes` from the registry; do not edit it by hand.\"\"\"

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._discovery import Discoverer
from ._progress import ProgressOption
from ._table import Missing
from .knowledge import Knowledge

";

/// The parameters that every class has after its own, with type and default.
const COMMON: [(&str, &str, &str); 15] = [
    ("prune", "str", "\"likelihood\""),
    ("prune_settings", "Mapping[str, Any] | None", "None"),
    ("standardize", "str", "\"zscore\""),
    ("outliers", "str", "\"none\""),
    ("knowledge", "Knowledge | Mapping[str, Any] | None", "None"),
    ("bootstrap", "int | None", "None"),
    ("missing", "Missing", "\"refuse\""),
    ("types", "Mapping[str, str] | None", "None"),
    ("condition", "str | None", "None"),
    ("targets", "str | Mapping[str, Any] | None", "None"),
    ("transform", "str | None", "None"),
    ("seed", "int", "0"),
    ("threads", "int | None", "None"),
    ("budget", "float | None", "None"),
    ("progress", "ProgressOption", "None"),
];

const COMMON_DOC: &str = "
    prune, prune_settings
        What makes a graph of the order (`oslow.catalogue(\"pruners\")`), and its settings.
    standardize
        `zscore` or `none`.
    outliers
        `none`, or `mad:K`: rows further than K median absolute deviations from a median are left out.
    knowledge
        What you know beforehand (`oslow.Knowledge`); honoured strictly.
    bootstrap
        So many resamples of the rows say how sure the answer is.
    missing
        `refuse`, `drop-rows`, `impute` (fill gaps with values of rows that are alike, several times) or `auto` (drop few rows, impute many).
    types
        What columns hold, by name, where oslow does not detect it: `continuous`, `count`, `ordinal` (`ordinal:low<high` names its levels), `binary` or `categorical`.
    condition
        The column that names the condition under which each row was observed.
    targets
        What each condition acts on, by name (see `oslow.Knowledge.conditions`); or the name of a column that says which columns were set in each row (`a+b`).
    transform
        The scale on which columns are analysed: `auto`, `none`, `log` or `normal-scores`; only `exact` takes it.
    seed
        The same seed gives the same answer, whatever the number of threads.
    threads
        At most so many; None: one per core.
    budget
        Seconds after which the best so far is the answer.
    progress
        None: a bar in terminals and notebooks; True, False, or a function that is told.
";

fn run(arguments: &[String]) -> Result<(), String> {
    expect_only(&["--check"], arguments)?;
    classes(!arguments.is_empty())
}

/// Writes the file, or fails if it differs from what would be written.
pub fn classes(check: bool) -> Result<(), String> {
    let listed = Program::new(cargo(), &["run", "--quiet", "--release", "--", "list", "methods", "--json"])
        .output()?;
    let methods: Vec<Value> =
        serde_json::from_str(&listed).map_err(|e| format!("`oslow list methods --json`: {e}"))?;
    generated(FILE, &file(&methods)?, "classes", check)
}

fn file(methods: &[Value]) -> Result<String, String> {
    let classes = methods.iter().map(class).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = methods.iter().map(|method| class_name(word(method, "name"))).collect();
    let exported: String = {
        let mut sorted = names.clone();
        sorted.sort();
        sorted.iter().map(|name| format!("    \"{name}\",\n")).collect()
    };
    Ok(format!(
        "{HEAD}__all__ = [\n{exported}]\n{}\n\n#: Every class, in the order of the registry.\nALL: list[type[Discoverer]] = [{}]\n",
        classes.concat(),
        names.join(", ")
    ))
}

fn class(method: &Value) -> Result<String, String> {
    let name = word(method, "name");
    let class = class_name(name);
    let none = Map::new();
    let settings = method["defaults"].as_object().unwrap_or(&none);
    let own: Vec<(&str, &str, String)> =
        settings.iter().map(|(key, value)| (key.as_str(), kind(value), default(value))).collect();
    if let Some((key, ..)) = own.iter().find(|(key, ..)| COMMON.iter().any(|common| common.0 == *key)) {
        return Err(format!("{name}: the setting `{key}` has the name of a parameter that every class has"));
    }
    let all =
        own.iter().map(|(key, kind, default)| (*key, *kind, default.as_str())).chain(COMMON.iter().copied());
    let parameters: String =
        all.clone().map(|(key, kind, default)| format!("        {key}: {kind} = {default},\n")).collect();
    let kept: String = all.map(|(key, ..)| format!("        self.{key} = {key}\n")).collect();
    Ok(format!(
        "\n\nclass {class}(Discoverer):\n    \"\"\"{}.\n{}{}\n    Parameters\n    ----------{}{COMMON_DOC}    \"\"\"\n\n    \
         method = \"{name}\"\n\n    def __init__(\n        self,\n        *,\n{parameters}    ) -> None:\n{kept}",
        capitalised(word(method, "summary")),
        assumed(method),
        example(&class),
        own_doc(settings),
    ))
}

fn assumed(method: &Value) -> String {
    let Some(list) = method["assumes"].as_array().filter(|list| !list.is_empty()) else {
        return String::new();
    };
    let lines: String = list.iter().filter_map(Value::as_str).map(|one| format!("    - {one}\n")).collect();
    format!("\n    Assumes:\n\n{lines}")
}

fn example(class: &str) -> String {
    format!("\n    >>> import oslow\n    >>> oslow.{class}(seed=1)\n    {class}(seed=1)\n")
}

/// A method's own settings with their defaults; of tables within, every key.
fn own_doc(settings: &Map<String, Value>) -> String {
    let line = |(key, value): (&String, &Value)| match value {
        Value::Object(inner) => {
            let keys: Vec<String> =
                inner.iter().map(|(key, value)| format!("`{key}` {}", shown(value))).collect();
            format!("\n    {key}\n        Settings within: {}.", keys.join(", "))
        }
        other => format!("\n    {key}\n        {} unless set.", shown(other)),
    };
    settings.iter().map(line).collect()
}

/// `direct-lingam` is `DirectLingam`, and `oslow` writes itself OSLow.
fn class_name(method: &str) -> String {
    let part = |word: &str| if word == "oslow" { "OSLow".into() } else { capitalised(word) };
    method.split('-').map(part).collect()
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "int",
        Value::String(_) => "str",
        Value::Array(_) => "Sequence[Any] | None",
        Value::Object(_) => "Mapping[str, Any] | None",
        Value::Null => "Any",
    }
}

/// The default in Python; of lists and tables None, which means what the registry has.
fn default(value: &Value) -> String {
    match value {
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => format!("{text:?}"),
        Value::Array(_) | Value::Object(_) | Value::Null => "None".into(),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn word<'a>(entry: &'a Value, key: &str) -> &'a str {
    entry[key].as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_class_has_the_settings_of_its_method() {
        let method = json!({"name": "oslow-soft-sinkhorn", "summary": "cheats", "assumes": ["no cycles"],
            "defaults": {"steps": 3, "rate": 0.5, "flow": {"base": "laplace"}}});
        let text = file(&[method]).unwrap();
        assert!(
            text.contains(
                "class OSLowSoftSinkhorn(Discoverer):\n    \"\"\"Cheats.\n\n    Assumes:\n\n    - no cycles\n"
            ),
            "{text}"
        );
        assert!(text.contains("        steps: int = 3,\n"), "{text}");
        assert!(
            text.contains("        flow: Mapping[str, Any] | None = None,\n")
                && text.contains("`base` laplace"),
            "{text}"
        );
        assert!(
            text.contains("        self.rate = rate\n")
                && text.contains("ALL: list[type[Discoverer]] = [OSLowSoftSinkhorn]")
        );
        let clash = json!({"name": "x", "summary": "", "assumes": [], "defaults": {"seed": 3}});
        assert!(file(&[clash]).unwrap_err().contains("`seed`"));
    }
}
