//! `oslow list`: what there is, from the registries.

use clap::Args;
use clap::builder::PossibleValuesParser;
use oslow::Result;
use oslow::catalogue::{Entry, KINDS, entries, everything};
use serde_json::Value;

use crate::arguments::Common;
use crate::output;

/// What to list.
#[derive(Args)]
#[command(after_help = "\
Examples:
  oslow list methods
  oslow list pruners --json")]
pub struct ListArguments {
    /// The kind of things [default: every kind]
    #[arg(value_parser = PossibleValuesParser::new(KINDS))]
    kind: Option<String>,
}

pub fn run(arguments: &ListArguments, common: &Common) -> Result<()> {
    if common.json {
        return output::print_json(&match &arguments.kind {
            Some(kind) => entries(kind)?.iter().map(Entry::to_json).collect(),
            None => Value::Object(everything()?),
        });
    }
    let chosen = arguments.kind.as_deref().map_or(KINDS.to_vec(), |kind| vec![kind]);
    let texts: Vec<String> =
        chosen.into_iter().map(|kind| Ok(in_words(kind, &entries(kind)?))).collect::<Result<_>>()?;
    output::print(texts.join("\n"))
}

fn in_words(kind: &str, list: &[Entry]) -> String {
    let width = list.iter().map(|entry| entry.name.chars().count()).max().unwrap_or(0);
    let mut text = format!("{kind}\n");
    for entry in list {
        text += &format!("  {:width$}  {}\n", entry.name, entry.summary);
        if let Some(assumes @ [_, ..]) = entry.assumes {
            text += &format!("  {:width$}  assumes {}\n", "", assumes.join("; "));
        }
    }
    text
}
