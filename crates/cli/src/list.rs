//! `oslow list`: what there is, from the registries.

use clap::{Args, ValueEnum};
use oslow::{Result, Settings, methods, pruners};
use serde_json::{Value, json};

use crate::arguments::Common;
use crate::output;

/// What to list.
#[derive(Args)]
pub struct ListArguments {
    /// The kind of things [default: every kind]
    kind: Option<Kind>,
}

/// The kinds of things that there are.
#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    Methods,
    Pruners,
    Metrics,
    Graphs,
    Mechanisms,
    Noises,
    Problems,
    Datasets,
}

/// One line of a list.
struct Entry {
    name: &'static str,
    summary: &'static str,
    assumes: Option<&'static [&'static str]>,
    /// What only JSON says.
    more: Vec<(&'static str, Value)>,
}

pub fn run(arguments: &ListArguments, common: &Common) -> Result<()> {
    let chosen = arguments.kind.as_ref().map_or(Kind::value_variants(), std::slice::from_ref);
    let lists = chosen.iter().map(|kind| Ok((*kind, entries(*kind)?))).collect::<Result<Vec<_>>>()?;
    if common.json {
        let mut all =
            lists.iter().map(|(kind, list)| (name(*kind), list.iter().map(in_json).collect::<Value>()));
        let value = match arguments.kind {
            Some(_) => all.next().map(|(_, list)| list).unwrap_or_default(),
            None => all.collect(),
        };
        return output::print_json(&value);
    }
    let texts: Vec<String> = lists.iter().map(|(kind, list)| in_words(*kind, list)).collect();
    output::print(texts.join("\n"))
}

fn name(kind: Kind) -> String {
    kind.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default()
}

fn entries(kind: Kind) -> Result<Vec<Entry>> {
    let plain = |name, summary| Entry { name, summary, assumes: None, more: Vec::new() };
    Ok(match kind {
        Kind::Methods => methods()
            .map(|m| with_settings(m.name, m.summary, m.assumes, (m.resolve)(&Settings::new())?))
            .collect::<Result<_>>()?,
        Kind::Pruners => pruners()
            .map(|p| with_settings(p.name, p.summary, p.assumes, (p.resolve)(&Settings::new())?))
            .collect::<Result<_>>()?,
        Kind::Metrics => oslow::metrics::METRICS.iter().map(|m| plain(m.name, m.summary)).collect(),
        Kind::Graphs => oslow::scm::GRAPHS.iter().map(|e| plain(e.name, e.summary)).collect(),
        Kind::Mechanisms => oslow::scm::MECHANISMS.iter().map(|e| plain(e.name, e.summary)).collect(),
        Kind::Noises => oslow::scm::NOISES.iter().map(|e| plain(e.name, e.summary)).collect(),
        Kind::Problems => oslow::scm::PROBLEMS.iter().map(|e| plain(e.name, e.summary)).collect(),
        Kind::Datasets => oslow::data::datasets()
            .iter()
            .map(|set| Entry {
                more: vec![
                    ("citation", set.citation.into()),
                    ("source", set.source.into()),
                    ("licence", set.licence.into()),
                ],
                ..plain(set.name, set.summary)
            })
            .collect(),
    })
}

fn with_settings(
    name: &'static str,
    summary: &'static str,
    assumes: &'static [&'static str],
    defaults: Settings,
) -> Result<Entry> {
    let defaults = serde_json::to_value(defaults)
        .map_err(|e| oslow::Error::input(format!("the settings of `{name}` cannot be written: {e}")))?;
    Ok(Entry { name, summary, assumes: Some(assumes), more: vec![("defaults", defaults)] })
}

fn in_json(entry: &Entry) -> Value {
    let mut value = json!({ "name": entry.name, "summary": entry.summary });
    if let Some(assumes) = entry.assumes {
        value["assumes"] = json!(assumes);
    }
    for (key, more) in &entry.more {
        value[*key] = more.clone();
    }
    value
}

fn in_words(kind: Kind, list: &[Entry]) -> String {
    let width = list.iter().map(|entry| entry.name.chars().count()).max().unwrap_or(0);
    let mut text = format!("{}\n", name(kind));
    for entry in list {
        text += &format!("  {:width$}  {}\n", entry.name, entry.summary);
        if let Some(assumes @ [_, ..]) = entry.assumes {
            text += &format!("  {:width$}  assumes {}\n", "", assumes.join("; "));
        }
    }
    text
}
