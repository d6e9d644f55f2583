//! An experiment as its TOML file says it.

use std::collections::BTreeMap;
use std::path::Path;

use oslow::metrics::METRICS;
use oslow::scm::Spec;
use oslow::{Error, Outliers, Result, Settings, Standardize, find, methods, pruners, read_utf8, suggestion};
use serde::{Deserialize, Serialize};

use crate::published::Published;

/// Problems × methods × pruners × seeds, and what to print of it.
///
/// Every field may be set by a profile, a table `[profiles.NAME]` whose keys replace those of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Experiment {
    /// Stands above the tables.
    pub title: String,
    /// What is compared, and how it differs from the paper's.
    pub about: String,
    /// Which settings were chosen, and on what data.
    pub tuning: String,
    /// The metrics of the tables, by name.
    pub metrics: Vec<String>,
    /// From this the seed of every data set is drawn.
    pub seed: u64,
    /// Data sets of every kind of simulated problem.
    pub sets: usize,
    /// Runs of every method on a data set; run k has the seed k.
    pub runs: usize,
    /// Rows of a simulated data set.
    pub rows: usize,
    /// Sizes of simulated problems.
    pub nodes: Vec<usize>,
    /// How columns are brought to a common scale.
    pub standardize: String,
    /// Which rows are dropped.
    pub outliers: String,
    /// The pruners that every order is given to.
    pub prune: Vec<String>,
    /// Who takes part.
    pub methods: Vec<Contestant>,
    /// What they take part in.
    pub problems: Vec<ProblemKind>,
    /// The columns that are run; all where this is empty.
    pub only: Vec<String>,
    /// At most so many pairs of files of each folder; all where this is 0.
    pub files: usize,
    /// Figures of interventions; an experiment has these or problems.
    pub figures: Vec<Figure>,
    /// What others have published.
    pub published: Vec<Published>,
    /// Remarks below the table.
    pub notes: Vec<String>,
}

impl Default for Experiment {
    fn default() -> Self {
        Self {
            title: String::new(),
            about: String::new(),
            tuning: String::new(),
            metrics: vec!["cbc".into()],
            seed: 0,
            sets: 1,
            runs: 1,
            rows: 1000,
            nodes: vec![3, 4, 5, 6],
            standardize: Standardize::default().to_string(),
            outliers: Outliers::default().to_string(),
            prune: vec!["none".into()],
            methods: Vec::new(),
            problems: Vec::new(),
            only: Vec::new(),
            files: 0,
            figures: Vec::new(),
            published: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// A method with its settings.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Contestant {
    /// The method, by name.
    pub name: String,
    /// What the tables call it; its name where this is empty.
    pub label: String,
    /// Settings that differ from its defaults.
    pub settings: Settings,
    /// Another standardisation than the experiment's.
    pub standardize: Option<String>,
    /// Other pruners than the experiment's, such as `none` for the graph that a method found itself.
    pub prune: Option<Vec<String>>,
    /// Other orders that one run has to offer and that get rows of their own, such as `mode`.
    pub also: Vec<String>,
}

impl Contestant {
    /// What the tables call it.
    pub fn label(&self) -> &str {
        if self.label.is_empty() { &self.name } else { &self.label }
    }

    /// The pruners that its orders are given to.
    pub fn pruners<'a>(&'a self, experiment: &'a Experiment) -> &'a [String] {
        self.prune.as_ref().unwrap_or(&experiment.prune)
    }
}

/// A kind of problem: simulated, built in, or files in a folder.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProblemKind {
    /// The column of the table in which it is pooled.
    pub column: String,
    /// Simulated: the keys of a model family, all but `graph` and `nodes`; `family` names a ready-made one.
    pub simulate: Option<Settings>,
    /// Simulated: several ready-made families by name, pooled in the column; the keys of `simulate`, if there are any, hold for all.
    pub families: Vec<String>,
    /// Simulated: its kinds of graph.
    pub graphs: Vec<String>,
    /// Simulated: other sizes than the experiment's.
    pub nodes: Option<Vec<usize>>,
    /// Simulated: another number of rows than the experiment's.
    pub rows: Option<usize>,
    /// A built-in problem, by name.
    pub problem: Option<String>,
    /// A built-in data set that has a truth, by name.
    pub dataset: Option<String>,
    /// A folder of pairs `dataK`, `DAGK`, named here and placed by `--folder NAME=DIR`.
    pub folder: Option<String>,
    /// Where such a folder is had.
    pub origin: String,
    /// Other metrics than the experiment's. Columns with the same metrics share a table.
    pub metrics: Option<Vec<String>>,
    /// What a method is told about these problems beforehand: settings by method name.
    pub told: BTreeMap<String, Settings>,
}

/// A figure of interventions: E[X | do(first = x)] in a simulated model, of a fitted flow and of the truth.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Figure {
    /// Its name, and that of its files.
    pub name: String,
    /// The model family.
    pub simulate: Settings,
    /// Points of the curve.
    pub points: usize,
    /// Draws of the flow at each point.
    pub draws: usize,
    /// Draws of the truth at each point.
    pub true_draws: usize,
}

impl Experiment {
    /// Reads a file, with a profile over it.
    pub fn read(path: &Path, profile: Option<&str>) -> Result<Self> {
        let text = read_utf8(path).map_err(|e| match e {
            Error::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
                Error::input(format!("there is no file `{}`", path.display()))
                    .with_hint("the experiments of the project are in its folder `experiments`")
            }
            other => other,
        })?;
        Self::parse(&text, profile).map_err(|e| e.at(path.display()))
    }

    /// Reads a text, with a profile over it.
    pub fn parse(text: &str, profile: Option<&str>) -> Result<Self> {
        let mut table: Settings =
            text.parse().map_err(|e: toml::de::Error| Error::input(e.to_string().trim_end()))?;
        let profiles = table.remove("profiles");
        if let Some(name) = profile {
            table.extend(find_profile(profiles.as_ref(), name)?);
        }
        let mut experiment: Self =
            table.try_into().map_err(|e: toml::de::Error| Error::input(e.message().to_string()))?;
        experiment.check()?;
        experiment.keep_only()?;
        Ok(experiment)
    }

    /// Drops the problems of columns that are not run.
    fn keep_only(&mut self) -> Result<()> {
        for column in &self.only {
            if !self.problems.iter().any(|kind| kind.column == *column) {
                let known = self.problems.iter().map(|kind| kind.column.as_str());
                return Err(Error::input(format!("only: there is no column `{column}`"))
                    .with_hint(suggestion(column, known)));
            }
        }
        self.problems.retain(|kind| self.only.is_empty() || self.only.contains(&kind.column));
        Ok(())
    }

    /// Refuses, before work starts, whatever would fail in every cell.
    fn check(&self) -> Result<()> {
        if self.problems.is_empty() == self.figures.is_empty() {
            return Err(Error::input("an experiment has either `problems` or `figures`"));
        }
        self.standardize.parse::<Standardize>()?;
        self.outliers.parse::<Outliers>()?;
        let own = self.methods.iter().flat_map(|contestant| contestant.pruners(self));
        for name in self.prune.iter().chain(own) {
            find("pruner", name, pruners())?;
        }
        for contestant in &self.methods {
            let method = find("method", &contestant.name, methods())?;
            (method.build)(&contestant.settings).map_err(|e| e.at(contestant.label()))?;
            contestant.standardize.as_deref().map(str::parse::<Standardize>).transpose()?;
        }
        self.problems.iter().try_for_each(ProblemKind::check)?;
        self.check_metrics()?;
        let columns: Vec<&str> = self.problems.iter().map(|kind| kind.column.as_str()).collect();
        self.published.iter().try_for_each(|row| row.check(&columns))?;
        self.figures.iter().try_for_each(|figure| spec(&figure.simulate).map(|_| ()))
    }
}

impl Experiment {
    /// Refuses unknown metrics, and two lists of metrics for one column.
    fn check_metrics(&self) -> Result<()> {
        let own = self.problems.iter().flat_map(|kind| kind.metrics(self));
        self.metrics.iter().chain(own).try_for_each(|name| check_metric(name))?;
        for kind in &self.problems {
            let of_column = |other: &&ProblemKind| other.column == kind.column;
            if self.problems.iter().filter(of_column).any(|other| other.metrics(self) != kind.metrics(self)) {
                return Err(Error::input(format!("column `{}` has two lists of `metrics`", kind.column)));
            }
        }
        Ok(())
    }
}

impl ProblemKind {
    /// The settings of every model family that is simulated; none where the data is from elsewhere.
    pub(crate) fn simulations(&self) -> Vec<Settings> {
        if self.families.is_empty() {
            return self.simulate.iter().cloned().collect();
        }
        let with_name = |name: &String| {
            let mut settings = self.simulate.clone().unwrap_or_default();
            settings.insert("family".into(), name.clone().into());
            settings
        };
        self.families.iter().map(with_name).collect()
    }

    /// The metrics of its column.
    pub(crate) fn metrics<'a>(&'a self, experiment: &'a Experiment) -> &'a [String] {
        self.metrics.as_ref().unwrap_or(&experiment.metrics)
    }

    fn check(&self) -> Result<()> {
        let simulations = self.simulations();
        let sources =
            [!simulations.is_empty(), self.problem.is_some(), self.dataset.is_some(), self.folder.is_some()];
        if sources.iter().filter(|there| **there).count() != 1 {
            return Err(Error::input(format!(
                "problem `{}`: one of `simulate` (or `families`), `problem`, `dataset`, `folder` says where its data is from",
                self.column
            )));
        }
        if !simulations.is_empty() && self.graphs.is_empty() {
            return Err(Error::input(format!("problem `{}`: `graphs` is empty", self.column)));
        }
        for family in &simulations {
            spec(family).map_err(|e| e.at(format!("problem `{}`", self.column)))?;
        }
        for name in self.told.keys() {
            find("method", name, methods())?;
        }
        Ok(())
    }
}

/// A model family from its keys.
pub(crate) fn spec(settings: &Settings) -> Result<Spec> {
    Spec::from_settings(settings)
}

/// The value of the method's own objective with the sign of the paper's table: not a metric, since it needs no truth.
pub(crate) const PROXY: &str = "proxy_score";

/// Refuses a name that is no metric.
pub(crate) fn check_metric(name: &str) -> Result<()> {
    if name == PROXY { Ok(()) } else { find("metric", name, METRICS).map(|_| ()) }
}

fn find_profile(profiles: Option<&toml::Value>, name: &str) -> Result<Settings> {
    let profiles = profiles.and_then(toml::Value::as_table);
    let found = profiles.and_then(|all| all.get(name)).and_then(toml::Value::as_table);
    found.cloned().ok_or_else(|| {
        let known = profiles.into_iter().flat_map(|all| all.keys().map(String::as_str));
        Error::input(format!("there is no profile `{name}`")).with_hint(suggestion(name, known))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "
        methods = [{ name = 'random' }]
        [[problems]]
        column = 'a'
        simulate = { mechanism = 'linear' }
        graphs = ['path']
        [profiles.quick]
        sets = 7
    ";

    #[test]
    fn a_profile_replaces_keys() {
        assert_eq!(Experiment::parse(SMALL, None).unwrap().sets, 1);
        assert_eq!(Experiment::parse(SMALL, Some("quick")).unwrap().sets, 7);
        let error = Experiment::parse(SMALL, Some("quik")).unwrap_err();
        assert_eq!(error.to_string(), "there is no profile `quik`");
        assert_eq!(error.hint().as_deref(), Some("did you mean `quick`?"));
    }

    #[test]
    fn what_is_wrong_is_said_before_work_starts() {
        let refusal = |from: &str, to: &str| {
            assert!(SMALL.contains(from));
            Experiment::parse(&SMALL.replace(from, to), None).unwrap_err().to_string()
        };
        assert_eq!(refusal("'random'", "'randon'"), "there is no method `randon`");
        assert_eq!(refusal("'random'", "'random', prune = ['can']"), "there is no pruner `can`");
        assert_eq!(refusal("'linear'", "'linear', colour = 1"), "problem `a`: unknown setting `colour`");
        assert!(refusal("graphs = ['path']", "").contains("`graphs` is empty"));
        assert!(refusal("graphs = ['path']", "dataset = 'sachs'").contains("one of `simulate`"));
        assert_eq!(
            refusal("simulate", "families = ['pnl-cubic', 'pnl-cubik']\nsimulate"),
            "problem `a`: there is no family `pnl-cubik`"
        );
        let twice =
            "graphs = ['path']\n[[problems]]\ncolumn = 'a'\nmetrics = ['accuracy']\ndataset = 'sachs'";
        assert_eq!(refusal("graphs = ['path']", twice), "column `a` has two lists of `metrics`");
        assert!(refusal("column = 'a'", "colum = 'a'").contains("unknown field `colum`"));
        assert_eq!(refusal("methods =", "only = ['b']\nmethods ="), "only: there is no column `b`");
        let published = "published = [{ label = 'x', cbc = { b = [1.0] } }]\nmethods =";
        assert_eq!(refusal("methods =", published), "published `x`: there is no column `b`");
        assert!(refusal("methods =", "metrics = ['shdd']\nmethods =").contains("there is no metric `shdd`"));
    }
}
