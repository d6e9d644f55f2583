//! `cargo xtask reference`: `docs/reference.md`, written from what the program says of itself.

use serde_json::{Map, Value};

use crate::generated::{capitalised, generated};
use crate::shell::{Program, cargo};
use crate::{Command, expect_only};

pub const COMMAND: Command = Command {
    name: "reference",
    summary: "write docs/reference.md from `oslow list --json` (--check: fail if it is stale)",
    run,
};

const PAGE: &str = "docs/reference.md";

/// The kinds that are known here, in the order of the page. Others follow, by name.
const KINDS: [(&str, &str, &str); 12] = [
    (
        "methods",
        "Methods",
        "Order learners: `oslow discover --method NAME`, settings with `--set key=value`.",
    ),
    (
        "pruners",
        "Pruners",
        "From an order to a graph: `oslow discover --prune NAME`, settings with `--set prune.key=value`.",
    ),
    (
        "metrics",
        "Metrics",
        "Judges of an order or a graph: `oslow evaluate --truth FILE`, keys of its JSON. Small values of `cbc` and of the distances are better, large values of the others.",
    ),
    ("datasets", "Data sets", "Built in: `oslow discover NAME`."),
    (
        "families",
        "Families",
        "Ready-made settings to simulate from: `oslow simulate --family NAME`, or `family = \"NAME\"` in an experiment. Settings given beside a family win. Where a line does not say otherwise, noise is Gaussian and added, every variable is standardised before its effects see it, and graphs have 2.5 neighbours per variable.",
    ),
    ("graphs", "Graphs", "`oslow simulate --graph NAME`."),
    ("mechanisms", "Mechanisms", "`oslow simulate --mechanism NAME`."),
    ("noises", "Noises", "`oslow simulate --noise NAME`."),
    ("mixes", "Mixes", "How noise enters a node: `oslow simulate --set mix=NAME`."),
    ("outputs", "Outputs", "Post-nonlinear functions: `oslow simulate --set output=NAME`."),
    ("seen", "Seen", "What happens to columns before they are seen: `oslow simulate --set seen=NAME`."),
    ("problems", "Problems", "Ready-made models: `oslow simulate --problem NAME`."),
];

/// Keys of an entry that have their own place.
const PLACED: [&str; 4] = ["name", "summary", "assumes", "defaults"];

fn run(arguments: &[String]) -> Result<(), String> {
    expect_only(&["--check"], arguments)?;
    reference(!arguments.is_empty())
}

/// Writes the page, or fails if it differs from what would be written.
pub fn reference(check: bool) -> Result<(), String> {
    let listed = Program::new(cargo(), &["run", "--quiet", "--release", "--", "list", "--json"]).output()?;
    let all: Value = serde_json::from_str(&listed).map_err(|e| format!("`oslow list --json`: {e}"))?;
    generated(PAGE, &page(&all)?, "reference", check)
}

/// The whole page.
fn page(all: &Value) -> Result<String, String> {
    let lists = all.as_object().ok_or("`oslow list --json` is not an object")?;
    let mut text = "# Reference\n\nWritten by `cargo xtask reference` from `oslow list --json`. Do not edit it by hand.\n".to_string();
    for (key, title, use_) in KINDS {
        let list = lists.get(key).ok_or_else(|| format!("`oslow list --json` has no `{key}`"))?;
        text += &section(title, use_, list)?;
    }
    for (key, list) in lists.iter().filter(|(key, _)| KINDS.iter().all(|kind| kind.0 != key.as_str())) {
        text += &section(&capitalised(key), &format!("`oslow list {key}`."), list)?;
    }
    Ok(text)
}

fn section(title: &str, use_: &str, list: &Value) -> Result<String, String> {
    let entries = list.as_array().ok_or_else(|| format!("{title}: not a list"))?;
    let mut text = format!("\n## {title}\n\n{use_}\n");
    for (index, entry) in entries.iter().enumerate() {
        let object = entry.as_object().ok_or_else(|| format!("{title}: an entry is not an object"))?;
        text += &described(object);
        text += &defaults(object, &entries[..index]);
    }
    Ok(text)
}

/// Name, summary, assumptions, and whatever else is said in words.
fn described(entry: &Map<String, Value>) -> String {
    let word = |key: &str| entry.get(key).map(shown).unwrap_or_default();
    let mut text = format!("\n### `{}`\n\n{}\n", word("name"), word("summary"));
    let assumed = entry.get("assumes").and_then(Value::as_array);
    if let Some(assumed) = assumed.filter(|list| !list.is_empty()) {
        text += "\nAssumes:\n\n";
        text += &assumed.iter().map(|one| format!("- {}\n", shown(one))).collect::<String>();
    }
    let others: Vec<_> = entry.iter().filter(|(key, _)| !PLACED.contains(&key.as_str())).collect();
    if !others.is_empty() {
        text += "\n";
        text += &others.iter().map(|(key, value)| format!("- {key}: {}\n", shown(value))).collect::<String>();
    }
    text
}

/// Every setting with its default. Entries with the same settings as an earlier one only say where they differ.
fn defaults(entry: &Map<String, Value>, before: &[Value]) -> String {
    let Some(defaults) = entry.get("defaults") else { return String::new() };
    let rows = flattened(defaults);
    if rows.is_empty() {
        return "\nIt has no settings.\n".into();
    }
    for other in before {
        let known = other.get("defaults").map(flattened).unwrap_or_default();
        if !known.iter().map(|row| &row.0).eq(rows.iter().map(|row| &row.0)) {
            continue;
        }
        let name = shown(&other["name"]);
        let differing: Vec<Row> = rows.into_iter().filter(|row| !known.contains(row)).collect();
        return match differing.is_empty() {
            true => format!("\nIts settings are those of `{name}`.\n"),
            false => format!("\nIts settings are those of `{name}`, except for:\n{}", table(&differing)),
        };
    }
    table(&rows)
}

/// A setting and its default.
type Row = (String, String);

fn table(rows: &[Row]) -> String {
    let lines: String = rows.iter().map(|(key, value)| format!("| `{key}` | `{value}` |\n")).collect();
    format!("\n| setting | default |\n|---|---|\n{lines}")
}

fn flattened(defaults: &Value) -> Vec<Row> {
    let mut rows = Vec::new();
    flatten("", defaults, &mut rows);
    rows
}

/// Settings within settings become `outer.inner`, as `--set` takes them.
fn flatten(place: &str, value: &Value, rows: &mut Vec<Row>) {
    match value {
        Value::Object(inner) => {
            for (key, value) in inner {
                let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
                flatten(&place, value, rows);
            }
        }
        other => rows.push((place.to_string(), shown(other))),
    }
}

/// A value as a user would type it: words without quotes.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => format!("[{}]", list.iter().map(shown).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn listed() -> Value {
        let empty = json!([]);
        json!({
            "methods": [
                {"name": "a", "summary": "first", "assumes": ["no cycles"],
                 "defaults": {"steps": 3, "flow": {"hidden": [16, 16], "base": "gaussian"}}},
                {"name": "b", "summary": "second", "assumes": [],
                 "defaults": {"flow": {"base": "gaussian", "hidden": [16, 16]}, "steps": 3}},
                {"name": "c", "summary": "third", "assumes": [],
                 "defaults": {"flow": {"base": "laplace", "hidden": [16, 16]}, "steps": 3}},
            ],
            "pruners": [{"name": "none", "summary": "keeps all", "defaults": {}}],
            "datasets": [{"name": "sachs", "summary": "cells", "citation": "Sachs 2005"}],
            "families": empty, "graphs": empty, "mechanisms": empty, "noises": empty, "mixes": empty,
            "outputs": empty, "seen": empty, "problems": empty,
            "metrics": [{"name": "cbc", "summary": "backward edges"}],
            "wishes": [{"name": "peace", "summary": "for all"}],
        })
    }

    #[test]
    fn every_setting_is_on_the_page_once() {
        let text = page(&listed()).unwrap();
        assert!(text.contains("### `a`\n\nfirst\n\nAssumes:\n\n- no cycles\n"), "{text}");
        assert!(text.contains("| `flow.hidden` | `[16, 16]` |\n| `steps` | `3` |\n"), "{text}");
        assert!(text.contains("### `b`\n\nsecond\n\nIts settings are those of `a`.\n"), "{text}");
        let differs = "settings are those of `a`, except for:\n\n| setting | default |\n|---|---|\n| `flow.base` | `laplace` |\n";
        assert!(text.contains(differs), "{text}");
        assert!(text.contains("keeps all\n\nIt has no settings.\n"), "{text}");
        assert!(text.contains("cells\n\n- citation: Sachs 2005\n"), "{text}");
        assert!(text.ends_with("## Wishes\n\n`oslow list wishes`.\n\n### `peace`\n\nfor all\n"), "{text}");
    }

    #[test]
    fn a_missing_kind_is_an_error() {
        assert_eq!(page(&json!({})).unwrap_err(), "`oslow list --json` has no `methods`");
    }
}
