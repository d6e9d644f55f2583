//! `cargo xtask effects-coverage`: whether the 90 % intervals of average effects hold the true ones. Draws tables, forgets the graph, and asks for the effect of random
//! columns on random others.

use std::fmt::Write as _;
use std::process::Command as Process;

use serde_json::Value;

use crate::in_parallel::in_parallel;
use crate::reliability::GROUPS;
use crate::shell::{Program, cargo, root, target};
use crate::{Command, number};

pub const COMMAND: Command = Command {
    name: "effects-coverage",
    summary: "how often 90 % intervals of average effects hold the truth, graph unknown, on simulated tables; a quarter of an hour (OUT [SETS [SEED]])",
    run,
};

/// The paper's models, as settings.
const PAPER: &[&str] = &[
    "mechanism = 'sinusoid'",
    "mechanism = 'polynomial'",
    "mechanism = 'gaussian-process'",
    "mechanism = 'linear'; noise = 'laplace'; additive = true",
];
/// Families of `reliability` whose true effects are left out: what is set there is not what is seen, or a cause is hidden.
const LEFT_OUT: &[&str] = &["seen-distorted", "seen-measured", "seen-grid-20", "hidden"];
/// Columns, rows, every how many families, and how many times the asked-for sets of each.
const SIZES: [(usize, usize, usize, u64); 4] =
    [(5, 300, 1, 2), (5, 1000, 2, 1), (10, 300, 5, 1), (10, 1000, 22, 1)];
/// Pairs of columns of a table.
const PAIRS: &str = "4";
/// A graph is in doubt if no set of causes is as probable as this.
const SURE: f64 = 0.9;
/// What counts as no effect: the simulator's answer is exact then.
const NOTHING: f64 = 1e-9;

struct Case {
    group: &'static str,
    family: &'static str,
    nodes: usize,
    rows: usize,
    seed: u64,
}

/// What was said of a pair, and what is true.
struct Said {
    truth: f64,
    low: f64,
    high: f64,
    mean: f64,
    p_no_effect: f64,
    likeliest: f64,
    is_cause: bool,
}

impl Said {
    fn holds(&self) -> bool {
        (self.low - NOTHING..=self.high + NOTHING).contains(&self.truth)
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let out = root().join(arguments.first().ok_or("name a folder for the results")?);
    let (sets, seed) = (number(arguments, 1, 1)?, number(arguments, 2, 82_000)?);
    Program::new(cargo(), &["build", "--package=oslow", "--example=effects_coverage"]).run()?;
    std::fs::create_dir_all(&out).map_err(|e| e.to_string())?;
    let cases = cases(sets, seed);
    let named = |case: &Case| format!("{}, {} × {}", case.family, case.rows, case.nodes);
    let answers = in_parallel(&cases, |_, case| case.run(), named)?;
    let text = report(&cases, &answers);
    std::fs::write(out.join("effects.md"), &text).map_err(|e| e.to_string())?;
    println!("{text}");
    Ok(())
}

fn cases(sets: u64, seed: u64) -> Vec<Case> {
    let paper = PAPER.iter().map(|family| ("paper", *family));
    let named =
        GROUPS.iter().flat_map(|(group, families)| families.iter().map(move |family| (*group, *family)));
    let families: Vec<(&str, &str)> =
        paper.chain(named.filter(|(_, family)| !LEFT_OUT.contains(family))).collect();
    let of_size = |&(nodes, rows, every, times): &(usize, usize, usize, u64)| {
        let chosen: Vec<(&'static str, &'static str)> = families.iter().copied().step_by(every).collect();
        chosen
            .into_iter()
            .flat_map(move |(group, family)| {
                (0..times * sets).map(move |_| Case { group, family, nodes, rows, seed })
            })
            .collect::<Vec<Case>>()
    };
    // With one seed for all, all families would have the same graph, and the same pairs would be asked for.
    let numbered = |(k, case): (usize, Case)| Case { seed: seed + k as u64, ..case };
    SIZES.iter().flat_map(of_size).enumerate().map(numbered).collect()
}

impl Case {
    fn run(&self) -> Result<Vec<Said>, String> {
        let program = target().join("debug/examples/effects_coverage");
        let [nodes, rows, seed] = [self.nodes.to_string(), self.rows.to_string(), self.seed.to_string()];
        let output = Process::new(&program)
            .args([self.family, &nodes, &rows, &seed, PAIRS])
            .output()
            .map_err(|e| format!("{}: {e}", program.display()))?;
        if !output.status.success() {
            return Err(format!("{}: {}", self.family, String::from_utf8_lossy(&output.stderr)));
        }
        let said = |line: &str| {
            let value: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
            let number = |key: &str| value[key].as_f64().ok_or(format!("there is no `{key}` in {line}"));
            Ok(Said {
                truth: number("truth")?,
                low: number("low")?,
                high: number("high")?,
                mean: number("mean")?,
                p_no_effect: number("p_no_effect")?,
                likeliest: number("likeliest")?,
                is_cause: value["is_cause"] == true,
            })
        };
        String::from_utf8_lossy(&output.stdout).lines().map(said).collect()
    }
}

fn report(cases: &[Case], answers: &[Vec<Said>]) -> String {
    let pairs: Vec<(&Case, &Said)> =
        cases.iter().zip(answers).flat_map(|(case, said)| said.iter().map(move |one| (case, one))).collect();
    let mut text = format!(
        "# Whether 90 % intervals of average effects hold the truth\n\nMade by `cargo xtask effects-coverage`: {} tables, {} pairs of columns, graph unknown. \
         The effect is that of setting one column from its lower to its upper quartile on the mean of the other; the truth is had from the simulator. \
         Widths and errors are in standard deviations of the target, which is standardised.\n\n\
         | | pairs | intervals that hold the truth | mean width | root mean squared error |\n|---|---|---|---|---|\n",
        cases.len(),
        pairs.len()
    );
    let mut row = |name: &str, of: &dyn Fn(&Case, &Said) -> bool| {
        let those: Vec<&Said> =
            pairs.iter().filter(|(case, said)| of(case, said)).map(|(_, said)| *said).collect();
        if those.is_empty() {
            return;
        }
        let mean = |number: &dyn Fn(&Said) -> f64| {
            those.iter().map(|said| number(said)).sum::<f64>() / those.len() as f64
        };
        let _ = writeln!(
            text,
            "| {name} | {} | {:.3} | {:.2} | {:.2} |",
            those.len(),
            mean(&|said| f64::from(u8::from(said.holds()))),
            mean(&|said| said.high - said.low),
            mean(&|said| (said.mean - said.truth).powi(2)).sqrt()
        );
    };
    row("all", &|_, _| true);
    row("no effect", &|_, said| said.truth.abs() <= NOTHING);
    row("an effect below 0.1", &|_, said| said.truth.abs() > NOTHING && said.truth.abs() < 0.1);
    row("an effect of 0.1 or more", &|_, said| said.truth.abs() >= 0.1);
    row("graph in doubt", &|_, said| said.likeliest < SURE);
    row("graph not in doubt", &|_, said| said.likeliest >= SURE);
    for (nodes, rows, ..) in SIZES {
        row(&format!("{rows} × {nodes}"), &|case, _| (case.nodes, case.rows) == (nodes, rows));
    }
    for group in std::iter::once("paper").chain(GROUPS.iter().map(|(group, _)| *group)) {
        row(group, &|case, _| case.group == group);
    }
    let mut families: Vec<&str> = cases.iter().map(|case| case.family).collect();
    families.sort_unstable();
    families.dedup();
    for family in families {
        row(family, &|case, _| case.family == family);
    }
    text + &no_effect(&pairs)
}

/// How right the probability of no effect is.
fn no_effect(pairs: &[(&Case, &Said)]) -> String {
    let mut text = String::from(
        "\n## Probability of no effect\n\n| said | pairs | share in which the column is not a cause |\n|---|---|---|\n",
    );
    for (low, high) in [(0.0, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 1.01)] {
        let those: Vec<_> =
            pairs.iter().filter(|(_, said)| (low..high).contains(&said.p_no_effect)).collect();
        let not = those.iter().filter(|(_, said)| !said.is_cause).count() as f64;
        let _ = writeln!(
            text,
            "| {low} to {:.1} | {} | {:.2} |",
            f64::min(high, 1.0),
            those.len(),
            not / those.len().max(1) as f64
        );
    }
    text
}
