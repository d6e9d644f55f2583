//! What there is: every registry in one form, for lists, reference pages and other languages.

use oslow_core::{Error, Result, Settings};
use serde_json::{Map, Value, json};

use crate::{methods, pruners};

/// The kinds of things that there are, by the names users type.
pub const KINDS: [&str; 12] = [
    "methods",
    "pruners",
    "metrics",
    "families",
    "graphs",
    "mechanisms",
    "noises",
    "mixes",
    "outputs",
    "seen",
    "problems",
    "datasets",
];

/// One thing.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name users type.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// What must hold for its answer to be right, where it gives one.
    pub assumes: Option<&'static [&'static str]>,
    /// What else is known: every setting with its default, where data comes from.
    pub more: Vec<(&'static str, Value)>,
}

impl Entry {
    fn new(name: &'static str, summary: &'static str) -> Self {
        Self { name, summary, assumes: None, more: Vec::new() }
    }

    fn with_settings(self, assumes: &'static [&'static str], defaults: Settings) -> Result<Self> {
        let defaults = serde_json::to_value(defaults).map_err(|e| {
            Error::internal(format!("the settings of `{}` cannot be written: {e}", self.name))
        })?;
        Ok(Self { assumes: Some(assumes), more: vec![("defaults", defaults)], ..self })
    }

    /// Everything about it.
    pub fn to_json(&self) -> Value {
        let mut value = json!({ "name": self.name, "summary": self.summary });
        if let Some(assumes) = self.assumes {
            value["assumes"] = json!(assumes);
        }
        for (key, more) in &self.more {
            value[*key] = more.clone();
        }
        value
    }
}

/// All things of one of [`KINDS`].
///
/// ```
/// let methods = oslow::catalogue::entries("methods")?;
/// assert!(methods.iter().any(|method| method.name == "exact"));
/// # Ok::<(), oslow::Error>(())
/// ```
pub fn entries(kind: &str) -> Result<Vec<Entry>> {
    Ok(match kind {
        "methods" => methods()
            .map(|m| Entry::new(m.name, m.summary).with_settings(m.assumes, (m.resolve)(&Settings::new())?))
            .collect::<Result<_>>()?,
        "pruners" => pruners()
            .map(|p| Entry::new(p.name, p.summary).with_settings(p.assumes, (p.resolve)(&Settings::new())?))
            .collect::<Result<_>>()?,
        "metrics" => oslow_metrics::METRICS.iter().map(|m| Entry::new(m.name, m.summary)).collect(),
        "families" => oslow_scm::FAMILIES.iter().map(|e| Entry::new(e.name, e.settings)).collect(),
        "graphs" => oslow_scm::GRAPHS.iter().map(|e| Entry::new(e.name, e.summary)).collect(),
        "mechanisms" => oslow_scm::MECHANISMS.iter().map(|e| Entry::new(e.name, e.summary)).collect(),
        "noises" => oslow_scm::NOISES.iter().map(|e| Entry::new(e.name, e.summary)).collect(),
        "mixes" => oslow_scm::MIXES.iter().map(|e| Entry::new(e.name, e.summary)).collect(),
        "outputs" => oslow_scm::OUTPUTS.iter().map(|e| Entry::new(e.name, e.summary)).collect(),
        "seen" => oslow_scm::SEEN.iter().map(|e| Entry::new(e.name, e.summary)).collect(),
        "problems" => oslow_scm::PROBLEMS.iter().map(|e| Entry::new(e.name, e.summary)).collect(),
        "datasets" => oslow_data::datasets().iter().map(dataset).collect(),
        other => {
            return Err(Error::input(format!("there is no list of `{other}`"))
                .with_hint(oslow_core::suggestion(other, KINDS.into_iter())));
        }
    })
}

fn dataset(set: &oslow_data::Dataset) -> Entry {
    let more = [("citation", set.citation), ("source", set.source), ("licence", set.licence)];
    Entry {
        more: more.into_iter().map(|(key, text)| (key, text.into())).collect(),
        ..Entry::new(set.name, set.summary)
    }
}

/// Every kind with its things.
pub fn everything() -> Result<Map<String, Value>> {
    let list = |kind: &&str| Ok((kind.to_string(), entries(kind)?.iter().map(Entry::to_json).collect()));
    KINDS.iter().map(list).collect()
}
