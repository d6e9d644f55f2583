//! `oslow simulate`.

use std::path::{Path, PathBuf};

use clap::Args;
use oslow::metrics::{r2_sortability, var_sortability};
use oslow::scm::{ExperimentKind, Experiments, Seeds, Simulated, Spec, simulate, simulate_problem};
use oslow::{
    Call, Error, OutFolder, Prepared, Preparing, Result, Sample, Seed, Settings, describe, write_whole,
};
use serde_json::json;

use crate::arguments::{Common, seed_parser};
use crate::{files, names, output, settings};

const DATA: &str = "data.csv";
const TRUTH: &str = "truth.csv";
const CONDITIONS: &str = "conditions.toml";

const EXAMPLES: &str = "\
Examples:
  oslow simulate --nodes 6 --mechanism gaussian-process --noise laplace --rows 1000 --seed 1 --out six
  oslow simulate --graph given --nodes 3 --set 'edges=[[0,1],[1,2]]' --additive --out chain
  oslow simulate --problem pairwise-counterexample --out pair
  oslow simulate --nodes 4 --rows 500 --interventions each --rows-per-condition 50 --out trial";

/// What to simulate.
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{}", settings::help(describe(&Spec::default()))))]
pub struct SimulateArguments {
    /// A ready-made model in place of a drawn one, see `oslow list problems`
    #[arg(long, value_name = "NAME", conflicts_with_all = [
        "family", "graph", "nodes", "mechanism", "noise", "additive", "set", "graph_seed", "mechanism_seed",
    ])]
    problem: Option<String>,
    /// Start from the settings of a family, see `oslow list families`; other options override them
    #[arg(long, value_name = "NAME")]
    family: Option<String>,
    /// The kind of graph, see `oslow list graphs` [default: erdos-renyi]
    #[arg(long, value_name = "NAME")]
    graph: Option<String>,
    /// The number of variables [default: 5]
    #[arg(long, value_name = "D")]
    nodes: Option<usize>,
    /// How variables follow from their causes, see `oslow list mechanisms` [default: sinusoid]
    #[arg(long, value_name = "NAME")]
    mechanism: Option<String>,
    /// The noise, see `oslow list noises` [default: gaussian]
    #[arg(long, value_name = "NAME")]
    noise: Option<String>,
    /// The noise is only added, not scaled by the causes
    #[arg(long)]
    additive: bool,
    /// The number of rows
    #[arg(long, value_name = "N", default_value_t = 1000)]
    rows: usize,
    /// Another setting, e.g. p=0.3, expected_edges=6, edges=[[0,1],[1,2]], output=cube, hidden=1; --help lists them
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Seed of the graph and its labels [default: --seed]
    #[arg(long, value_name = "N", value_parser = seed_parser())]
    graph_seed: Option<u64>,
    /// Seed of coefficients and functions [default: --seed]
    #[arg(long, value_name = "N", value_parser = seed_parser())]
    mechanism_seed: Option<u64>,
    /// Seed of the noise [default: --seed]
    #[arg(long, value_name = "N", value_parser = seed_parser())]
    noise_seed: Option<u64>,
    /// Add rows of experiments: one on each column (`each`), or on some (X0,X2). data.csv gets a column `condition`, and conditions.toml says what each acts on
    #[arg(long, value_name = "each|COLUMNS")]
    interventions: Option<String>,
    /// What experiments do: set a column at random (`perfect`), or halve and move what its causes make of it (`imperfect`)
    #[arg(long, value_name = "KIND", value_parser = ["perfect", "imperfect"], default_value = "perfect", requires = "interventions")]
    kind: String,
    /// The rows of each experiment
    #[arg(long, value_name = "N", default_value_t = 100, requires = "interventions")]
    rows_per_condition: usize,
    /// The folder for data.csv and truth.csv (edges, with the header from,to)
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Overwrite the simulation in the --out folder
    #[arg(long)]
    force: bool,
}

pub fn run(arguments: SimulateArguments, common: &Common) -> Result<()> {
    let folder = &arguments.out;
    check_folder(folder, arguments.force)?;
    let place = OutFolder::tried(folder)?;
    let Simulated { sample, dag, .. } =
        arguments.simulated(common.seed()).inspect_err(|_| place.give_up())?;
    let names = sample.names();
    let mut truth = vec![vec!["from", "to"]];
    truth.extend(dag.edges().into_iter().map(|(from, to)| vec![names[from].as_str(), names[to].as_str()]));
    output::write_sample(&sample, &folder.join(DATA))?;
    write_whole(&folder.join(TRUTH), &output::csv_text(truth)?)?;
    if let Some(conditions) = arguments.conditions(&sample) {
        write_whole(&folder.join(CONDITIONS), conditions.as_bytes())?;
    }
    let edges = dag.edges().len();
    // Too few rows, in which a column is constant, have neither; that is no reason to refuse them.
    let as_given = Prepared::new(&sample, Preparing::as_given()).ok();
    let by_variance = as_given.as_ref().and_then(|sample| var_sortability(&dag, sample));
    let by_r2 = as_given.as_ref().and_then(|sample| r2_sortability(&dag, sample).ok().flatten());
    if common.json {
        let files = [DATA, TRUTH].map(|name| folder.join(name).display().to_string());
        return output::print_json(&json!({
            "rows": sample.rows(), "columns": names, "edges": edges, "data": files[0], "truth": files[1],
            "var_sortability": by_variance, "r2_sortability": by_r2,
        }));
    }
    common.note(format_args!(
        "{} rows of {} variables in `{}`, {edges} true edges in `{}`",
        sample.rows(),
        names.len(),
        folder.join(DATA).display(),
        folder.join(TRUTH).display()
    ));
    let shown = |value: Option<f64>| value.map_or("–".into(), |value| format!("{value:.2}"));
    common.note(format_args!(
        "var-sortability {}, R²-sortability {} (0.5: says nothing about the order)",
        shown(by_variance),
        shown(by_r2)
    ));
    Ok(())
}

impl SimulateArguments {
    /// The sample, with the rows of experiments if there are any.
    fn simulated(&self, seed: Seed) -> Result<Simulated> {
        let simulated = self.simulate(seed)?;
        let Some(targets) = &self.interventions else { return Ok(simulated) };
        let names = simulated.sample.names();
        let targets = match targets.as_str() {
            "each" => (0..names.len()).collect(),
            listed => names::split(listed)?
                .iter()
                .map(|name| simulated.sample.index_of(name))
                .collect::<Result<_>>()?,
        };
        let kind = if self.imperfect() { ExperimentKind::Imperfect } else { ExperimentKind::Perfect };
        let experiments = Experiments { targets, rows: self.rows_per_condition, kind };
        simulated.with_experiments(&experiments, self.noise_seed.map_or(seed, Seed))
    }

    fn imperfect(&self) -> bool {
        self.kind == "imperfect"
    }

    /// A knowledge file that says what each condition acts on.
    fn conditions(&self, sample: &Sample) -> Option<String> {
        let targets = |name: &String| match (sample.index_of(name), self.imperfect()) {
            (Err(_), _) => format!("{name} = []"),
            (Ok(_), false) => format!("{name} = [\"{name}\"]"),
            (Ok(_), true) => format!("{name} = {{ targets = [\"{name}\"], kind = \"imperfect\" }}"),
        };
        let lines: Vec<String> = sample.conditions()?.names().iter().map(targets).collect();
        Some(format!("[conditions]\n{}\n", lines.join("\n")))
    }

    fn simulate(&self, seed: Seed) -> Result<Simulated> {
        let or_seed = |own: Option<u64>| own.map_or(seed, Seed);
        let noise = or_seed(self.noise_seed);
        if let Some(problem) = &self.problem {
            return simulate_problem(problem, self.rows, noise);
        }
        let seeds = Seeds { graph: or_seed(self.graph_seed), mechanism: or_seed(self.mechanism_seed), noise };
        simulate(&self.spec()?, self.rows, seeds)
    }

    fn spec(&self) -> Result<Spec> {
        Spec::from_settings(&self.settings()?).map_err(|e| match e.remedy() {
            // The general remedy speaks of methods.
            Some(remedy) if remedy.calls(Call::ListSettings) => e.with_hint("see `oslow simulate --help`"),
            _ => e,
        })
    }

    /// All that was said, as settings of a [`Spec`].
    fn settings(&self) -> Result<Settings> {
        let mut all = Settings::new();
        settings::add(&mut all, &self.set)?;
        let words = [
            ("family", &self.family),
            ("graph", &self.graph),
            ("mechanism", &self.mechanism),
            ("noise", &self.noise),
        ];
        for (key, word) in words {
            if let Some(word) = word {
                all.insert(key.into(), word.clone().into());
            }
        }
        if let Some(nodes) = self.nodes {
            all.insert("nodes".into(), i64::try_from(nodes).unwrap_or(i64::MAX).into());
        }
        if self.additive {
            all.insert("additive".into(), true.into());
        }
        Ok(all)
    }
}

/// Refuses a folder with other things in it than a simulation, and a simulation unless it may be overwritten.
fn check_folder(folder: &Path, force: bool) -> Result<()> {
    if folder.is_file() {
        return Err(Error::input(format!("`{}` is a file, not a folder", folder.display()))
            .with_hint("name a folder with `--out`"));
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    let names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    let held = names.iter().any(|name| name == TRUTH);
    if held && !force {
        return Err(Error::input(format!("the folder `{}` holds a simulation", folder.display()))
            .with_hint(files::OVERWRITE));
    }
    if held || names.is_empty() {
        return Ok(());
    }
    Err(Error::input(format!("the folder `{}` is not empty and holds no simulation", folder.display()))
        .with_hint("name another folder with `--out`; nothing in this one was touched"))
}
