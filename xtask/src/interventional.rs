//! `cargo xtask interventional`: what rows of experiments are worth. Draws models, observes them with experiments beside, and asks for the graph without
//! conditions, with known targets and with unknown ones.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::in_parallel::in_parallel;
use crate::judged::Judged;
use crate::shell::{Program, cargo, oslow, root, target};
use crate::{Command, number};

pub const COMMAND: Command = Command {
    name: "interventional",
    summary: "what rows of experiments are worth: CBC, SHD and found targets on simulated tables; half an hour (OUT [SETS [SEED]])",
    run,
};

/// A kind of model with experiments.
struct Design {
    name: &'static str,
    nodes: usize,
    rows: usize,
    rows_per_condition: usize,
    /// `each`, or some columns.
    targets: &'static str,
    settings: &'static [&'static str],
    more: &'static [&'static str],
    ways: &'static [Way],
    /// How many times the asked-for sets, in hundredths: large ones are drawn less often.
    share: u64,
}

/// What is told of the conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Only the rows of observation.
    Observed,
    /// All rows, as if there were no conditions.
    Pooled,
    /// What each condition acts on.
    Known,
    /// That there are conditions.
    Unknown,
}

const ALL: &[Way] = &[Way::Observed, Way::Pooled, Way::Known, Way::Unknown];
/// Linear Gaussian data, whose directions observation cannot tell.
const LINEAR: Design = Design {
    name: "linear Gaussian, each column set",
    nodes: 6,
    rows: 500,
    rows_per_condition: 50,
    targets: "each",
    settings: &["--mechanism", "linear", "--additive", "--noise", "gaussian", "--set", "expected_edges=7"],
    more: &[],
    ways: &[Way::Known, Way::Unknown],
    share: 100,
};

/// In the manner of the benchmark of Brouillard et al. (2020), "Differentiable causal discovery from interventional data".
const NETWORKS: Design = Design {
    name: "networks, noise inside, 10 edges, each column set",
    nodes: 10,
    rows: 909,
    rows_per_condition: 909,
    settings: &["--family", "nonadditive"],
    more: &["--set", "expected_edges=10"],
    ways: &[Way::Known],
    share: 25,
    ..LINEAR
};

const DESIGNS: &[Design] = &[
    Design { name: "linear Gaussian, half of the columns set", targets: "X0,X1,X2", ways: ALL, ..LINEAR },
    LINEAR,
    Design { name: "linear Gaussian, each column moved", more: &["--kind", "imperfect"], ..LINEAR },
    Design {
        name: "networks, noise added, 10 edges, each column set",
        settings: &["--family", "mlp-gaussian"],
        ..NETWORKS
    },
    NETWORKS,
    Design {
        name: "networks, noise inside, 40 edges, each column set",
        more: &["--set", "expected_edges=40"],
        ..NETWORKS
    },
];

/// A table that is asked about in one way.
struct Case {
    design: usize,
    way: Way,
    seed: u64,
}

/// How right an answer is.
#[derive(Clone, Default)]
struct Outcome {
    cbc: f64,
    shd: f64,
    seconds: f64,
    /// Targets that were found and are true, found and false, true and not found.
    targets: [usize; 3],
}

fn run(arguments: &[String]) -> Result<(), String> {
    let out = root().join(arguments.first().ok_or("name a folder for the results")?);
    let (sets, seed) = (number(arguments, 1, 12)?, number(arguments, 2, 84_000)?);
    Program::new(cargo(), &["build", "--release", "--package=oslow-cli"]).run()?;
    std::fs::create_dir_all(&out).map_err(|e| e.to_string())?;
    let cases: Vec<Case> = (DESIGNS.iter().enumerate())
        .flat_map(|(design, of)| of.ways.iter().map(move |&way| (design, way, of.share)))
        .flat_map(|(design, way, share)| {
            (0..(sets * share).div_ceil(100)).map(move |k| Case { design, way, seed: seed + k })
        })
        .collect();
    let named = |case: &Case| format!("{}, {:?}", DESIGNS[case.design].name, case.way);
    let outcomes = in_parallel(&cases, |k, case| case.run(k), named)?;
    let text = table(&cases, &outcomes);
    std::fs::write(out.join("interventional.md"), &text).map_err(|e| e.to_string())?;
    println!("{text}");
    Ok(())
}

impl Case {
    fn run(&self, k: usize) -> Result<Outcome, String> {
        let folder = target().join(format!("interventional/{k}"));
        self.draw(&folder)?;
        let known = folder.join("conditions.toml").to_string_lossy().into_owned();
        let mut more = Vec::new();
        if matches!(self.way, Way::Known | Way::Unknown) {
            more.extend(["--condition", "condition"]);
        }
        if self.way == Way::Known {
            more.extend(["--knowledge", &known]);
        }
        let judged = Judged::of(&folder, &self.table(&folder)?, &more)?;
        std::fs::remove_dir_all(&folder).map_err(|e| e.to_string())?;
        Ok(Outcome {
            cbc: judged.distance("cbc")?,
            shd: judged.distance("shd")?,
            seconds: judged.answer("seconds")?,
            targets: targets(&judged.found),
        })
    }

    fn draw(&self, folder: &Path) -> Result<(), String> {
        let design = &DESIGNS[self.design];
        let [nodes, rows, more, seed] = [
            design.nodes.to_string(),
            design.rows.to_string(),
            design.rows_per_condition.to_string(),
            self.seed.to_string(),
        ];
        let place = folder.to_string_lossy();
        let mut call =
            vec!["simulate", "--nodes", &nodes, "--rows", &rows, "--seed", &seed, "--quiet", "--force"];
        call.extend(["--interventions", design.targets, "--rows-per-condition", &more, "--out", &place]);
        call.extend(design.settings.iter().chain(design.more));
        oslow(&call).map(drop)
    }

    /// The table with the column of conditions, or without it.
    fn table(&self, folder: &Path) -> Result<PathBuf, String> {
        let data = folder.join("data.csv");
        if matches!(self.way, Way::Known | Way::Unknown) {
            return Ok(data);
        }
        let text = std::fs::read_to_string(&data).map_err(|e| e.to_string())?;
        let mut lines = text.lines().filter_map(|line| line.rsplit_once(','));
        let header = lines.next().ok_or("the table is empty")?.0;
        let kept = lines.filter(|(_, condition)| self.way == Way::Pooled || *condition == "observational");
        let rows: String = kept.map(|(row, _)| format!("{row}\n")).collect();
        let plain = folder.join("plain.csv");
        std::fs::write(&plain, format!("{header}\n{rows}")).map_err(|e| e.to_string())?;
        Ok(plain)
    }
}

/// Targets that were found and are true, found and false, true and not found. A condition is named after its target.
fn targets(found: &Value) -> [usize; 3] {
    let mut counts = [0; 3];
    for condition in found["conditions"].as_array().into_iter().flatten() {
        let name = condition["name"].as_str().unwrap_or_default();
        let acts = condition["acts_on"].as_array().into_iter().flatten();
        let said: BTreeSet<&str> = acts.filter_map(|act| act["column"].as_str()).collect();
        let is_target = usize::from(name != "observational");
        let hit = usize::from(said.contains(name));
        for (count, more) in counts.iter_mut().zip([hit, said.len() - hit, is_target - hit]) {
            *count += more;
        }
    }
    counts
}

fn table(cases: &[Case], outcomes: &[Outcome]) -> String {
    let mut text = String::from(
        "# What experiments are worth\n\nMade by `cargo xtask interventional`. Means over tables; targets: found and true, found and false, missed.\n\n\
         | design | conditions | tables | CBC | SHD | targets | seconds |\n|---|---|---|---|---|---|---|\n",
    );
    for (k, design) in DESIGNS.iter().enumerate() {
        for &way in design.ways {
            let those: Vec<&Outcome> = (cases.iter().zip(outcomes))
                .filter(|(case, _)| case.design == k && case.way == way)
                .map(|(_, outcome)| outcome)
                .collect();
            let mean = |of: &dyn Fn(&Outcome) -> f64| {
                those.iter().map(|outcome| of(outcome)).sum::<f64>() / those.len() as f64
            };
            let found: [usize; 3] =
                std::array::from_fn(|k| those.iter().map(|outcome| outcome.targets[k]).sum());
            let found = match way {
                Way::Unknown => format!("{}, {}, {}", found[0], found[1], found[2]),
                _ => "–".into(),
            };
            let conditions = match way {
                Way::Observed => "observation alone",
                Way::Pooled => "pooled, not told",
                Way::Known => "known targets",
                Way::Unknown => "unknown targets",
            };
            let _ = writeln!(
                text,
                "| {}: {} columns, {} rows and {} per experiment | {conditions} | {} | {:.3} | {:.2} | {found} | {:.1} |",
                design.name,
                design.nodes,
                design.rows,
                design.rows_per_condition,
                those.len(),
                mean(&|outcome| outcome.cbc),
                mean(&|outcome| outcome.shd),
                mean(&|outcome| outcome.seconds),
            );
        }
    }
    text
}
