//! What makes two runs the same run.

use oslow_core::{Choice, ColumnType, Error, Remedy, Result, Sample, Settings};
use serde::{Deserialize, Serialize};

use crate::DiscoverOptions;
use crate::hash::StableHash;
use crate::plan::Plan;

/// The version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Everything that the result of learning depends on. A saved state may only be taken up by a run of the same
/// identity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    version: String,
    /// A hash of the names and values.
    data: String,
    method: String,
    settings: Settings,
    seed: u64,
    standardize: String,
    outliers: String,
    /// A hash of what the knowledge allows and requires.
    knowledge: String,
    /// What makes graphs of the resamples' orders, where there are resamples. How many there are does not
    /// matter: the finished ones are the same, whatever is still to come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    resamples: Option<Pruning>,
}

/// A pruner and its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Pruning {
    prune: String,
    settings: Settings,
}

impl Pruning {
    fn new(plan: &Plan, options: &DiscoverOptions) -> Result<Self> {
        let settings = (plan.pruner_entry.resolve)(&options.prune_settings)?;
        Ok(Self { prune: plan.pruner_entry.name.into(), settings })
    }

    fn difference(&self, now: &Self) -> Option<String> {
        if self.prune != now.prune {
            return Some(format!("had the pruner {}, this one has {}", self.prune, now.prune));
        }
        changed_setting(&self.settings, &now.settings, "prune.")
    }
}

impl Identity {
    /// The identity of a run of these options on this table.
    pub fn new(sample: &Sample, options: &DiscoverOptions) -> Result<Self> {
        let plan = Plan::new(sample.names(), options)?;
        Ok(Self {
            version: VERSION.into(),
            data: data_hash(sample),
            method: plan.method.name.into(),
            settings: (plan.method.resolve)(&options.settings)?,
            seed: options.seed.0,
            standardize: options.standardize.to_string(),
            outliers: options.outliers.to_string(),
            knowledge: knowledge_hash(&plan.knowledge),
            resamples: options.bootstrap.map(|_| Pruning::new(&plan, options)).transpose()?,
        })
    }

    /// The hash of the table's names and values.
    pub(crate) fn data(&self) -> &str {
        &self.data
    }

    /// Refuses to take up an interrupted run of this identity as `now`, naming the first difference.
    pub(crate) fn check(&self, now: &Self) -> Result<()> {
        self.difference(now).map_or(Ok(()), |difference| Err(other_run("interrupted", &difference)))
    }

    /// In what a run of this identity differs from `now`: the first thing.
    pub(crate) fn difference(&self, now: &Self) -> Option<String> {
        if self.data != now.data {
            return Some("was of other data".into());
        }
        let texts = [
            ("the version", &self.version, &now.version),
            ("the method", &self.method, &now.method),
            ("standardize", &self.standardize, &now.standardize),
            ("outliers", &self.outliers, &now.outliers),
        ];
        if let Some((what, before, after)) = texts.into_iter().find(|(_, before, after)| before != after) {
            return Some(format!("had {what} {before}, this one has {after}"));
        }
        if self.seed != now.seed {
            return Some(format!("had the seed {}, this one has {}", self.seed, now.seed));
        }
        if self.knowledge != now.knowledge {
            return Some("had other knowledge".into());
        }
        changed_setting(&self.settings, &now.settings, "").or_else(|| {
            match (&self.resamples, &now.resamples) {
                (None, None) => None,
                (None, Some(_)) => Some("had no bootstrap, this one has one".into()),
                (Some(_), None) => Some("had a bootstrap, this one has none".into()),
                (Some(before), Some(after)) => before.difference(after),
            }
        })
    }
}

/// Everything that the answer of a run depends on: learning, the pruner and the number of resamples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WholeIdentity {
    pub(crate) learning: Identity,
    pruning: Pruning,
    bootstrap: Option<usize>,
    #[serde(default)]
    fit: bool,
}

impl WholeIdentity {
    /// The identity of a run of these options on this table.
    pub(crate) fn new(sample: &Sample, options: &DiscoverOptions) -> Result<Self> {
        Ok(Self {
            learning: Identity::new(sample, options)?,
            pruning: Pruning::new(&Plan::new(sample.names(), options)?, options)?,
            bootstrap: options.bootstrap,
            fit: options.fit,
        })
    }

    /// Refuses to take a finished run of this identity for `now`, naming the first difference.
    pub(crate) fn check(&self, now: &Self) -> Result<()> {
        let difference = self.learning.difference(&now.learning);
        let difference = difference.or_else(|| self.pruning.difference(&now.pruning));
        let resamples = |bootstrap: Option<usize>| bootstrap.unwrap_or(0);
        let difference = difference.or_else(|| {
            let (before, now) = (resamples(self.bootstrap), resamples(now.bootstrap));
            (before != now).then(|| format!("had {before} resamples, this one has {now}"))
        });
        let model = |fit: bool| if fit { "a model" } else { "no model" };
        let difference = difference.or_else(|| {
            let (before, now) = (model(self.fit), model(now.fit));
            (before != now).then(|| format!("had {before}, this one has {now}"))
        });
        difference.map_or(Ok(()), |difference| Err(other_run("finished", &difference)))
    }
}

fn other_run(which: &str, difference: &str) -> Error {
    Error::input(format!("the {which} run {difference}")).with_hint(
        Remedy::from("repeat its options, overwrite it with ")
            .and(Choice::Force)
            .and(" in place of ")
            .and(Choice::Resume)
            .and(", or name another folder with ")
            .and(Choice::Out),
    )
}

/// The first setting that differs.
fn changed_setting(before: &Settings, after: &Settings, prefix: &str) -> Option<String> {
    let (key, now) = after.iter().find(|(key, value)| before.get(*key) != Some(*value))?;
    if let (Some(toml::Value::Table(before)), toml::Value::Table(now)) = (before.get(key), now) {
        return changed_setting(before, now, &format!("{prefix}{key}."));
    }
    let before = before.get(key).map_or_else(|| "unset".into(), ToString::to_string);
    Some(format!("had the setting `{prefix}{key}` = {before}, this one has {now}"))
}

/// The hash of a table: names and values, and, where there is more to it, types, gaps and conditions.
pub fn data_hash(sample: &Sample) -> String {
    let mut hash = StableHash::default();
    let mut add_words = |words: &[String]| {
        for word in words {
            hash.add(word.as_bytes());
            hash.add(&[0]);
        }
    };
    add_words(sample.names());
    for j in 0..sample.columns() {
        add_words(sample.labels(j));
        if sample.type_of(j) != ColumnType::recognise(sample.column(j)) {
            add_words(&[sample.names()[j].clone(), sample.type_of(j).to_string()]);
        }
    }
    if let Some(conditions) = sample.conditions() {
        add_words(conditions.names());
        conditions.of_row().iter().for_each(|&condition| add_words(&[condition.to_string()]));
    }
    sample.values().iter().for_each(|value| hash.add(&value.to_bits().to_le_bytes()));
    if sample.has_gaps() {
        let cells = (0..sample.rows()).flat_map(|i| (0..sample.columns()).map(move |j| (i, j)));
        cells.for_each(|(i, j)| hash.add(&[u8::from(sample.is_gap(i, j))]));
    }
    hash.text()
}

fn knowledge_hash(knowledge: &oslow_core::Knowledge) -> String {
    let d = knowledge.len();
    let mut hash = StableHash::default();
    for (a, b) in (0..d * d).map(|k| (k / d, k % d)) {
        let required = knowledge.required().contains(&(a, b));
        hash.add(&[
            u8::from(knowledge.allows(a, b)),
            u8::from(knowledge.precedence().requires(a, b)),
            u8::from(required),
        ]);
    }
    for (name, actions) in knowledge.actions() {
        hash.add(name.as_bytes());
        actions.iter().for_each(|action| hash.add(&[*action as u8]));
    }
    hash.text()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{Outliers, Seed};

    fn sample(last: f64) -> Sample {
        Sample::new(vec!["a".into(), "b".into()], vec![1., 2., 3., last]).unwrap()
    }

    #[test]
    fn every_difference_is_named() {
        let identity = |sample: &Sample, change: &dyn Fn(&mut DiscoverOptions)| {
            let mut options = DiscoverOptions { method: "oslow".into(), ..DiscoverOptions::default() };
            change(&mut options);
            Identity::new(sample, &options).unwrap()
        };
        let before = identity(&sample(4.0), &|_| {});
        let refusal = |now: &Identity| before.check(now).unwrap_err().to_string();
        assert!(before.check(&before).is_ok());
        assert_eq!(refusal(&identity(&sample(5.0), &|_| {})), "the interrupted run was of other data");
        assert_eq!(
            refusal(&identity(&sample(4.0), &|o| o.method = "random".into())),
            "the interrupted run had the method oslow, this one has random"
        );
        assert_eq!(
            refusal(&identity(&sample(4.0), &|o| o.seed = Seed(3))),
            "the interrupted run had the seed 0, this one has 3"
        );
        assert_eq!(
            refusal(&identity(&sample(4.0), &|o| o.outliers = Outliers::Mad(5.0))),
            "the interrupted run had outliers none, this one has mad:5"
        );
        assert_eq!(
            refusal(&identity(&sample(4.0), &|o| o.knowledge = "roots = ['a']".parse().unwrap())),
            "the interrupted run had other knowledge"
        );
        let fewer = identity(&sample(4.0), &|o| o.settings = "cycles = 2".parse().unwrap());
        assert!(
            refusal(&fewer).starts_with("the interrupted run had the setting `cycles` = "),
            "{}",
            refusal(&fewer)
        );
        assert!(refusal(&fewer).ends_with(", this one has 2"));
    }

    #[test]
    fn the_hash_of_a_table_tells_types_gaps_and_conditions_apart() {
        use oslow_core::Conditions;
        let said = |words: [&str; 2]| Some(Conditions::new("k", &words.map(String::from)).unwrap());
        let plain = sample(4.0);
        let others = [
            plain.clone().with_type(1, ColumnType::Count).unwrap(),
            plain.clone().with_labels(0, vec!["x".into(), "y".into()], false),
            plain.clone().with_gaps(vec![false, true, false, false]),
            plain.clone().with_conditions(said(["u", "v"])),
            plain.clone().with_conditions(said(["v", "u"])),
        ];
        let mut hashes: Vec<String> = others.iter().chain([&plain]).map(data_hash).collect();
        hashes.sort();
        hashes.dedup();
        assert_eq!(hashes.len(), 6);
    }

    #[test]
    fn resamples_depend_on_the_pruner_and_not_on_their_number() {
        let identity = |bootstrap: Option<usize>, prune: &str, settings: &str| {
            let prune_settings = settings.parse().unwrap();
            let options = DiscoverOptions {
                bootstrap,
                prune: prune.into(),
                prune_settings,
                ..DiscoverOptions::default()
            };
            Identity::new(&sample(4.0), &options).unwrap()
        };
        let before = identity(Some(10), "cam", "");
        let refusal = |now: &Identity| before.check(now).unwrap_err().to_string();
        assert!(before.check(&identity(Some(20), "cam", "")).is_ok());
        assert_eq!(
            refusal(&identity(None, "cam", "")),
            "the interrupted run had a bootstrap, this one has none"
        );
        assert_eq!(
            refusal(&identity(Some(10), "none", "")),
            "the interrupted run had the pruner cam, this one has none"
        );
        assert_eq!(
            refusal(&identity(Some(10), "cam", "cutoff = 0.01")),
            "the interrupted run had the setting `prune.cutoff` = 0.001, this one has 0.01"
        );
        let without = identity(None, "cam", "");
        assert!(without.check(&identity(None, "none", "")).is_ok(), "learning does not depend on the pruner");
    }
}
