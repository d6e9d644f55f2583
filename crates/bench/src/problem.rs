//! What methods are judged on: data with its truth.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oslow::data::{ReadOptions, datasets, load, read_graph, read_table};
use oslow::scm::{Simulated, Spec, simulate, simulate_problem};
use oslow::{Dag, Error, Ordering, Result, Sample, Seed, Settings, data_hash, describe, find};
use rand::Rng as _;

use crate::experiment::{Experiment, ProblemKind, spec};

/// One data set with its truth, or how to draw it.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Tells it from all others of the experiment.
    pub name: String,
    /// The column of the table in which it is pooled.
    pub column: String,
    /// The row of the benchmark that it belongs to.
    pub family: String,
    /// The seed of its data; 0 for data that was not drawn.
    pub seed: u64,
    /// What methods are told beforehand.
    pub told: BTreeMap<String, Settings>,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Simulated { spec: Box<Spec>, rows: usize },
    BuiltIn { name: String, rows: usize },
    Stored(Arc<(Sample, Dag)>),
}

impl Problem {
    /// The data and its truth, columns shuffled: a method that takes the columns' order for the answer, or breaks
    /// ties by it, must not profit. The runs on a data set have different shuffles, all methods the same.
    pub fn shuffled(&self, run: u64) -> Result<(Sample, Dag)> {
        let (sample, truth) = self.data()?;
        let shuffle = Ordering::random(sample.columns(), &mut Seed(self.seed).indexed("bench/columns", run));
        let place = shuffle.positions();
        let edges: Vec<_> = truth.edges().iter().map(|&(a, b)| (place[a], place[b])).collect();
        Ok((sample.select_columns(shuffle.nodes())?, Dag::new(truth.nodes(), &edges)?))
    }

    fn data(&self) -> Result<(Sample, Dag)> {
        let Simulated { sample, dag, .. } = match &self.source {
            Source::Simulated { spec, rows } => simulate(spec, *rows, Seed(self.seed))?,
            Source::BuiltIn { name, rows } => simulate_problem(name, *rows, Seed(self.seed))?,
            Source::Stored(stored) => return Ok(stored.as_ref().clone()),
        };
        Ok((sample, dag))
    }

    /// Everything that the data depends on, as text.
    pub fn identity(&self) -> Result<String> {
        Ok(match &self.source {
            Source::Simulated { spec, rows } => {
                format!("{}\nrows = {rows}\nseed = {}", describe(spec)?, self.seed)
            }
            Source::BuiltIn { name, rows } => format!("{name}\nrows = {rows}\nseed = {}", self.seed),
            Source::Stored(stored) => format!("{}\n{:?}", data_hash(&stored.0), stored.1.edges()),
        })
    }
}

/// The problems of an experiment, and what had to be left out.
#[derive(Debug, Default)]
pub struct Problems {
    /// Set by set, so that an unfinished run has seen every kind.
    pub problems: Vec<Problem>,
    /// What was skipped, and how it can be had.
    pub skipped: Vec<String>,
}

/// Expands the kinds of an experiment; `folders` says where named folders are.
pub fn expand(experiment: &Experiment, folders: &BTreeMap<String, PathBuf>) -> Result<Problems> {
    let mut all = Problems::default();
    for set in 0..experiment.sets {
        for kind in &experiment.problems {
            for family in kind.simulations() {
                all.problems.extend(simulated(experiment, kind, &family, set)?);
            }
            if let Some(name) = &kind.problem {
                all.problems.push(built_in_problem(experiment, kind, name, set));
            } else if set == 0 {
                stored(experiment, kind, folders, &mut all)?;
            }
        }
    }
    Ok(all)
}

/// One data set for each kind of graph and each size.
fn simulated(
    experiment: &Experiment,
    kind: &ProblemKind,
    family: &Settings,
    set: usize,
) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for graph in &kind.graphs {
        for &nodes in kind.nodes.as_ref().unwrap_or(&experiment.nodes) {
            let spec = Spec { graph: graph.clone(), nodes, ..spec(family)? };
            spec.resolve().map_err(|e| e.at(format!("problem `{}`", kind.column)))?;
            let family = format!("{}, {graph}", described(family, &spec));
            let name = format!("{}: {family}, d = {nodes}, set {set}", kind.column);
            problems.push(Problem {
                seed: data_seed(experiment.seed, &name),
                column: kind.column.clone(),
                told: kind.told.clone(),
                source: Source::Simulated {
                    spec: Box::new(spec),
                    rows: kind.rows.unwrap_or(experiment.rows),
                },
                family,
                name,
            });
        }
    }
    Ok(problems)
}

/// What tables call a model family: its name, if it has one.
fn described(family: &Settings, spec: &Spec) -> String {
    if let Some(name) = family.get("family").and_then(toml::Value::as_str) {
        let others = family.iter().filter(|(key, _)| *key != "family");
        return others.fold(name.to_string(), |text, (key, value)| format!("{text}, {key} = {value}"));
    }
    let how = if spec.additive { "additive" } else { "affine" };
    format!("{}, {}, {how}", spec.mechanism, spec.noise)
}

fn built_in_problem(experiment: &Experiment, kind: &ProblemKind, problem: &str, set: usize) -> Problem {
    let name = format!("{problem}, set {set}");
    Problem {
        seed: data_seed(experiment.seed, &name),
        column: kind.column.clone(),
        family: problem.into(),
        told: kind.told.clone(),
        source: Source::BuiltIn { name: problem.into(), rows: kind.rows.unwrap_or(experiment.rows) },
        name,
    }
}

/// Each data set has a seed of its own: neither noise nor links are shared with another. It is short, so that
/// `oslow simulate --seed` is quickly typed.
fn data_seed(seed: u64, name: &str) -> u64 {
    u64::from(Seed(seed).stream(&format!("bench/data/{name}")).next_u32())
}

/// Data that is read and not drawn.
fn stored(
    experiment: &Experiment,
    kind: &ProblemKind,
    folders: &BTreeMap<String, PathBuf>,
    all: &mut Problems,
) -> Result<()> {
    let problem = |name: String, pair: (Sample, Dag)| Problem {
        column: kind.column.clone(),
        family: kind.column.clone(),
        seed: 0,
        told: kind.told.clone(),
        source: Source::Stored(Arc::new(pair)),
        name,
    };
    if let Some(name) = &kind.dataset {
        all.problems.push(problem(name.clone(), built_in(name)?));
    }
    let Some(name) = &kind.folder else { return Ok(()) };
    let Some(folder) = folders.get(name) else {
        all.skipped.push(format!(
            "`{name}` is skipped: nothing says where its folder is{}",
            if kind.origin.is_empty() { String::new() } else { format!(" ({})", kind.origin) },
        ));
        return Ok(());
    };
    let most = if experiment.files == 0 { usize::MAX } else { experiment.files };
    for number in numbers(folder)?.into_iter().take(most) {
        all.problems.push(problem(format!("{name} {number}"), pair(folder, number)?));
    }
    Ok(())
}

fn built_in(name: &str) -> Result<(Sample, Dag)> {
    let sample = load(name)?.sample;
    let truth = find("data set", name, datasets())?
        .graph()
        .ok_or_else(|| Error::input(format!("the data set `{name}` has no truth to judge by")))??
        .over(sample.names())?;
    Ok((sample, truth))
}

/// The endings that are tried for `data1` and `DAG1`.
const ENDINGS: [&str; 2] = ["csv", "npy"];

fn file(folder: &Path, stem: &str) -> Option<PathBuf> {
    ENDINGS.iter().map(|ending| folder.join(format!("{stem}.{ending}"))).find(|path| path.exists())
}

/// The K of all pairs `dataK`, `DAGK`.
fn numbers(folder: &Path) -> Result<Vec<u32>> {
    let entries = std::fs::read_dir(folder).map_err(|e| Error::io("read", folder, e))?;
    let stems = entries.flatten().filter_map(|entry| Some(entry.path().file_stem()?.to_str()?.to_string()));
    let mut numbers: Vec<u32> = stems
        .filter_map(|stem| stem.strip_prefix("data")?.parse().ok())
        .filter(|k| file(folder, &format!("DAG{k}")).is_some())
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.is_empty() {
        return Err(Error::input(format!("{}: there is no pair `data1.csv`, `DAG1.csv`", folder.display()))
            .with_hint("a folder holds dataK and DAGK for K = 1, 2, …, each .csv or .npy"));
    }
    Ok(numbers)
}

fn pair(folder: &Path, number: u32) -> Result<(Sample, Dag)> {
    let path = |stem: &str| {
        file(folder, &format!("{stem}{number}"))
            .ok_or_else(|| Error::input(format!("{}: there is no `{stem}{number}`", folder.display())))
    };
    let sample = read_table(&path("data")?, &ReadOptions::default())?.sample;
    let truth = read_graph(&path("DAG")?)?.over(sample.names())?;
    Ok((sample, truth))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
        sets = 2
        nodes = [3, 4]
        rows = 50
        methods = [{ name = 'random' }]
        [[problems]]
        column = 'a'
        simulate = { mechanism = 'linear' }
        graphs = ['path', 'tournament']
        [[problems]]
        column = 'b'
        folder = 'genes'
        origin = 'ask Mendel'
    ";

    #[test]
    fn kinds_are_expanded_set_by_set_and_every_data_set_has_a_seed_of_its_own() {
        let experiment = Experiment::parse(TEXT, None).unwrap();
        let all = expand(&experiment, &BTreeMap::new()).unwrap();
        assert_eq!(all.problems.len(), 2 * 2 * 2);
        assert!(all.problems[3].name.ends_with("set 0") && all.problems[4].name.ends_with("set 1"));
        let mut seeds: Vec<u64> = all.problems.iter().map(|p| p.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 8);
        assert_eq!(all.skipped, ["`genes` is skipped: nothing says where its folder is (ask Mendel)"]);
    }

    #[test]
    fn families_are_pooled_in_a_column_and_told_apart_by_name() {
        let text = TEXT.replace(
            "simulate = {",
            "families = ['pnl-cubic', 'pnl-sinh']\n simulate = { noise_sd = [0.1, 0.2],",
        );
        let all = expand(&Experiment::parse(&text, None).unwrap(), &BTreeMap::new()).unwrap();
        assert_eq!(all.problems.len(), 2 * 2 * 2 * 2);
        let mut families: Vec<&str> = all.problems.iter().map(|p| p.family.as_str()).collect();
        families.sort_unstable();
        families.dedup();
        let settings = "mechanism = \"linear\", noise_sd = [0.1, 0.2]";
        let expected = |family: &str, graph: &str| format!("{family}, {settings}, {graph}");
        let [cubic, sinh] = ["pnl-cubic", "pnl-sinh"].map(|f| ["path", "tournament"].map(|g| expected(f, g)));
        assert_eq!(families, [cubic, sinh].concat());
        assert_ne!(all.problems[0].data().unwrap().0, all.problems[4].data().unwrap().0);
    }

    #[test]
    fn shuffling_moves_columns_and_truth_alike() {
        let experiment = Experiment::parse(TEXT, None).unwrap();
        let problem = &expand(&experiment, &BTreeMap::new()).unwrap().problems[1];
        let (plain, truth) = problem.data().unwrap();
        let names = |sample: &Sample, dag: &Dag| {
            let mut edges: Vec<_> = dag
                .edges()
                .iter()
                .map(|&(a, b)| (sample.names()[a].clone(), sample.names()[b].clone()))
                .collect();
            edges.sort();
            edges
        };
        let mut orders = Vec::new();
        for run in 0..6 {
            let (sample, dag) = problem.shuffled(run).unwrap();
            assert_eq!(names(&sample, &dag), names(&plain, &truth));
            let column = sample.index_of("X2").unwrap();
            assert!(sample.column(column).eq(plain.column(2)));
            orders.push(sample.names().to_vec());
        }
        orders.dedup();
        assert!(orders.len() > 1, "six shuffles of four columns were all the same");
        assert_eq!(problem.shuffled(3).unwrap(), problem.shuffled(3).unwrap());
    }

    #[test]
    fn pairs_of_files_are_found_by_number() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        let error = numbers(folder.path()).unwrap_err().to_string();
        assert!(error.contains("there is no pair `data1.csv`, `DAG1.csv`"), "{error}");
        write("data2.csv", "a,b\n1,2\n3,5\n2,2\n");
        write("DAG2.csv", "a,b\n0,1\n0,0\n");
        write("data10.csv", "a,b\n1,2\n3,5\n2,2\n");
        write("DAG10.csv", "a,b\n0,0\n1,0\n");
        write("data3.csv", "a,b\n1,2\n");
        assert_eq!(numbers(folder.path()).unwrap(), [2, 10]);
        assert_eq!(pair(folder.path(), 2).unwrap().1.edges(), [(0, 1)]);
        assert_eq!(pair(folder.path(), 10).unwrap().1.edges(), [(1, 0)]);
    }
}
