//! A run as a TOML file: what `oslow discover --config` reads and a run folder's `config.toml` holds.

use std::collections::BTreeMap;

use oslow_core::{Choice, Error, Outliers, Remedy, Result, Seed, Settings, Standardize, suggestion};
use oslow_data::{ConditionColumn, ReadOptions, STANDARD_INPUT};
use serde::{Deserialize, Serialize};

use crate::plan::Plan;
use crate::{DiscoverOptions, Discovery};

/// The keys of the file, in the order in which they are written.
const KEYS: [&str; 12] = [
    "data",
    "method",
    "prune",
    "standardize",
    "outliers",
    "bootstrap",
    "fit",
    "seed",
    "read",
    "settings",
    "prune_settings",
    "knowledge",
];

/// What a file says above everything else where the table was not a file.
const FROM_STANDARD_INPUT: &str =
    "# The table came from standard input and is not kept. To run this again, pipe the same table in.\n";

/// A run as a file says it. What is left out is left to the defaults.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunConfig {
    /// A table's path or the name of a built-in data set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// The order learner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The pruner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prune: Option<String>,
    /// How columns are brought to a common scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standardize: Option<String>,
    /// Which rows are too far out to be kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outliers: Option<String>,
    /// Resamples of the rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bootstrap: Option<usize>,
    /// Whether a flow is fitted to the graph.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fit: bool,
    /// The seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// How the table is read.
    #[serde(skip_serializing_if = "ReadConfig::is_default")]
    pub read: ReadConfig,
    /// The method's settings.
    #[serde(skip_serializing_if = "Settings::is_empty")]
    pub settings: Settings,
    /// The pruner's settings.
    #[serde(skip_serializing_if = "Settings::is_empty")]
    pub prune_settings: Settings,
    /// Background knowledge, with the keys of a knowledge file.
    #[serde(skip_serializing_if = "Settings::is_empty")]
    pub knowledge: Settings,
}

/// How a table is read, as a file says it; the fields are those of [`ReadOptions`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadConfig {
    /// The character between fields, or `tab`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<String>,
    /// Whether the first line holds the names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// The decimal sign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal: Option<char>,
    /// A column to leave out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// The columns to take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<String>>,
    /// What to do with missing values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// What columns hold, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub types: BTreeMap<String, String>,
    /// The column that names the condition of each row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// The column that names what was set in each row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub targets: Option<String>,
    /// The sheet of a workbook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// Lines that are passed over at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip: Option<usize>,
    /// What lines of comments begin with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<char>,
    /// Which rows are kept, such as `site=A`.
    #[serde(rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<String>,
    /// Numbers and words that stand for a missing value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing_values: Vec<String>,
}

impl ReadConfig {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The same with what `over` says instead, where it says anything.
    #[must_use]
    pub fn overridden(self, over: Self) -> Self {
        Self {
            delimiter: over.delimiter.or(self.delimiter),
            header: over.header.or(self.header),
            decimal: over.decimal.or(self.decimal),
            index: over.index.or(self.index),
            columns: over.columns.or(self.columns),
            missing: over.missing.or(self.missing),
            types: self.types.into_iter().chain(over.types).collect(),
            condition: over.condition.or(self.condition),
            targets: over.targets.or(self.targets),
            sheet: over.sheet.or(self.sheet),
            skip: over.skip.or(self.skip),
            comment: over.comment.or(self.comment),
            filters: if over.filters.is_empty() { self.filters } else { over.filters },
            missing_values: if over.missing_values.is_empty() {
                self.missing_values
            } else {
                over.missing_values
            },
        }
    }

    /// What a reader takes.
    pub fn options(&self) -> Result<ReadOptions> {
        let standard = ReadOptions::default();
        Ok(ReadOptions {
            delimiter: self.delimiter.as_deref().map(delimiter).transpose()?,
            header: self.header,
            decimal: self.decimal,
            index: self.index.clone(),
            columns: self.columns.clone(),
            missing: self.missing.as_deref().map_or(Ok(standard.missing), str::parse)?,
            types: self
                .types
                .iter()
                .map(|(name, given)| Ok((name.clone(), given.parse()?)))
                .collect::<Result<_>>()?,
            condition: self.condition_column()?,
            sheet: self.sheet.clone(),
            skip: self.skip.unwrap_or(standard.skip),
            comment: self.comment,
            filters: self.filters.iter().map(|filter| filter.parse()).collect::<Result<_>>()?,
            missing_values: self.missing_values.clone(),
        })
    }

    fn condition_column(&self) -> Result<Option<ConditionColumn>> {
        match (&self.condition, &self.targets) {
            (Some(_), Some(_)) => Err(Error::input("conditions are said by one column, not by two")
                .with_hint("name either the conditions or what was set")),
            (Some(name), None) => Ok(Some(ConditionColumn::Names(name.clone()))),
            (None, Some(name)) => Ok(Some(ConditionColumn::Targets(name.clone()))),
            (None, None) => Ok(None),
        }
    }
}

/// A single byte, or the word `tab`, which is hard to type on a command line.
fn delimiter(text: &str) -> Result<u8> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [byte] => Ok(*byte),
        _ => Err(Error::input(format!("the delimiter `{text}` is not a single character")).with_hint(
            Remedy::from("for example ")
                .and(Choice::Delimiter.set(";"))
                .and(" or ")
                .and(Choice::Delimiter.set("tab")),
        )),
    }
}

impl RunConfig {
    /// Reads a file's text; refuses unknown keys with the nearest known one.
    pub fn from_toml(text: &str) -> Result<Self> {
        let table: Settings =
            text.parse().map_err(|e: toml::de::Error| Error::input(e.to_string().trim_end()))?;
        if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(
                Error::input(format!("unknown key `{key}`")).with_hint(suggestion(key, KEYS.into_iter()))
            );
        }
        table.try_into().map_err(|e: toml::de::Error| {
            Error::input(e.message().to_string()).with_hint(format!("the keys are {}", KEYS.join(", ")))
        })
    }

    /// The file's text.
    pub fn to_toml(&self) -> Result<String> {
        let text = toml::to_string(self)
            .map_err(|e| Error::internal(format!("the configuration cannot be written: {e}")))?;
        let head = if self.data.as_deref() == Some(STANDARD_INPUT) { FROM_STANDARD_INPUT } else { "" };
        Ok(format!("{head}{text}"))
    }

    /// What [`discover`](crate::discover) takes; what is left out is the default.
    pub fn options(&self) -> Result<DiscoverOptions> {
        let standard = DiscoverOptions::default();
        let parsed = |text: &Option<String>| text.as_deref().map(str::parse::<Standardize>).transpose();
        Ok(DiscoverOptions {
            method: self.method.clone().unwrap_or(standard.method),
            settings: self.settings.clone(),
            prune: self.prune.clone().unwrap_or(standard.prune),
            prune_settings: self.prune_settings.clone(),
            standardize: parsed(&self.standardize)?.unwrap_or_default(),
            outliers: self.outliers.as_deref().map(str::parse::<Outliers>).transpose()?.unwrap_or_default(),
            knowledge: self.knowledge.clone(),
            bootstrap: self.bootstrap,
            fit: self.fit,
            seed: self.seed.map_or(standard.seed, Seed),
            threads: None,
            dataset: self.data.clone(),
        })
    }

    /// Everything that these options mean, defaults included, so that the run can be repeated by a version with
    /// other defaults.
    pub fn resolved(found: &Discovery, options: &DiscoverOptions, read: &ReadConfig) -> Result<Self> {
        let plan = Plan::new(&found.columns, options)?;
        Ok(Self {
            data: options.dataset.clone(),
            method: Some(options.method.clone()),
            prune: Some(options.prune.clone()),
            standardize: Some(options.standardize.to_string()),
            outliers: Some(options.outliers.to_string()),
            bootstrap: options.bootstrap,
            fit: options.fit,
            seed: Some(options.seed.0),
            read: read.clone(),
            settings: (plan.method.resolve)(&options.settings)?,
            prune_settings: (plan.pruner_entry.resolve)(&options.prune_settings)?,
            knowledge: options.knowledge.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_through_text_and_knows_its_keys() {
        let text = "data = 'x.csv'\nmethod = 'random'\nprune = 'none'\nstandardize = 'none'\noutliers = 'mad:5'\n\
                    bootstrap = 20\nfit = true\nseed = 3\n[read]\ndelimiter = 'tab'\ncolumns = ['a']\nsheet = 'S'\nskip = 2\n\
                    comment = '%'\nwhere = ['a>=1']\nmissing_values = ['-999']\n[settings]\na = 1\n[prune_settings]\n\
                    b = 2\n[knowledge]\nroots = ['a']";
        let config = RunConfig::from_toml(text).unwrap();
        let written = config.to_toml().unwrap();
        assert_eq!(RunConfig::from_toml(&written).unwrap(), config);
        let table: Settings = written.parse().unwrap();
        assert_eq!(table.len(), KEYS.len());
        let read = config.read.options().unwrap();
        assert_eq!((read.delimiter, read.sheet.as_deref(), read.skip), (Some(b'\t'), Some("S"), 2));
        assert_eq!((read.comment, read.filters[0].to_string().as_str()), (Some('%'), "a>=1"));
        let over = ReadConfig { filters: vec!["b=2".into()], ..ReadConfig::default() };
        let both = config.read.clone().overridden(over);
        assert_eq!((both.filters, both.missing_values), (vec!["b=2".into()], vec!["-999".into()]));
        let options = config.options().unwrap();
        assert_eq!((options.outliers, options.seed), (Outliers::Mad(5.0), Seed(3)));
        assert_eq!(options.bootstrap, Some(20));
    }

    #[test]
    fn a_table_from_standard_input_is_told_above_the_rest() {
        let config = RunConfig { data: Some("-".into()), ..RunConfig::default() };
        let text = config.to_toml().unwrap();
        assert!(text.starts_with("# The table came from standard input and is not kept."), "{text}");
        assert_eq!(RunConfig::from_toml(&text).unwrap(), config);
    }

    #[test]
    fn unknown_keys_are_refused_with_the_nearest() {
        let error = RunConfig::from_toml("metod = 'random'").unwrap_err();
        assert_eq!(
            (error.to_string().as_str(), error.hint().as_deref()),
            ("unknown key `metod`", Some("did you mean `method`?"))
        );
        let error = RunConfig::from_toml("seed = 'x'").unwrap_err();
        assert!(error.to_string().contains("invalid type"), "{error}");
    }
}
