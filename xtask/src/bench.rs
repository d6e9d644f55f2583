//! `cargo xtask bench`: our training step and PyTorch's on the same work, taking turns on one thread.
//!
//! What each side does and in whose favour doubts are decided stands at the head of the two programs,
//! `crates/flow/benches/train_step.rs` and `benches/torch/train_step.py`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use crate::shell::{Program, cargo};
use crate::{Command, expect_only, python};

pub const COMMAND: Command = Command {
    name: "bench",
    summary: "time the training step, ours and PyTorch's, and print the ratios",
    run,
};

const OURS: [&str; 5] = ["bench", "--package", "oslow-flow", "--bench", "train_step"];
const THEIRS: &str = "benches/torch/train_step.py";
const REQUIREMENTS: &str = "benches/torch/requirements.txt";
/// A Python with torch and numpy to use instead of a virtual environment of our own.
const PYTHON: &str = "OSLOW_BENCH_PYTHON";
/// How often both sides have their turn; each is judged by its best.
const ROUNDS: usize = 2;

/// A size: variables, and units per variable in each hidden layer.
type Size = (u64, Vec<u64>);
/// Milliseconds a step by formulation.
type Formulations = BTreeMap<String, f64>;

fn run(arguments: &[String]) -> Result<(), String> {
    expect_only(&[], arguments)?;
    let python = named_or_own()?;
    let mut ours: BTreeMap<Size, f64> = BTreeMap::new();
    let mut theirs: BTreeMap<Size, Formulations> = BTreeMap::new();
    for _ in 0..ROUNDS {
        let text = Program::new(cargo(), &OURS).output()?;
        print!("{text}");
        for (size, time) in text.lines().filter_map(our_line) {
            keep_best(ours.entry(size).or_insert(time), time);
        }
        for (size, hidden) in sizes(&ours) {
            let arguments = [THEIRS, "--json", "--threads", "1", "--d", &size, "--hidden", &hidden];
            for line in Program::new(&python, &arguments).output()?.lines() {
                let (size, formulations) = their_line(line)?;
                for (name, time) in formulations {
                    keep_best(theirs.entry(size.clone()).or_default().entry(name).or_insert(time), time);
                }
            }
        }
    }
    if ours.is_empty() {
        return Err(format!("no size was found in the output of `cargo {}`", OURS.join(" ")));
    }
    print!("{}", table(&ours, &theirs));
    Ok(())
}

/// A Python that has torch: the one named by the environment, or a virtual environment under target.
pub fn named_or_own() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os(PYTHON) {
        return Ok(named.into());
    }
    python::environment("bench-python", REQUIREMENTS)
}

/// The sizes as the other program takes them.
fn sizes(ours: &BTreeMap<Size, f64>) -> Vec<(String, String)> {
    let commas = |hidden: &[u64]| hidden.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    ours.keys().map(|(d, hidden)| (d.to_string(), commas(hidden))).collect()
}

/// A line of our benchmark: `d [hidden] ms …`; other lines are not about sizes.
fn our_line(line: &str) -> Option<(Size, f64)> {
    let (d, rest) = line.split_once('[')?;
    let (hidden, rest) = rest.split_once(']')?;
    let hidden = hidden.split(',').map(|width| width.trim().parse().ok()).collect::<Option<Vec<u64>>>()?;
    let time = rest.split_whitespace().next()?.parse().ok()?;
    Some(((d.trim().parse().ok()?, hidden), time))
}

/// A line of the other benchmark: a JSON object.
fn their_line(line: &str) -> Result<(Size, Formulations), String> {
    let row: Value = serde_json::from_str(line).map_err(|e| format!("{THEIRS} printed `{line}`: {e}"))?;
    let wanted = |key: &str| format!("{THEIRS} printed a line without `{key}`");
    let d = row["d"].as_u64().ok_or_else(|| wanted("d"))?;
    let hidden = row["hidden"].as_array().ok_or_else(|| wanted("hidden"))?;
    let times = row["all_ms"].as_object().ok_or_else(|| wanted("all_ms"))?;
    let times = times.iter().filter_map(|(name, ms)| Some((name.clone(), ms.as_f64()?))).collect();
    Ok(((d, hidden.iter().filter_map(Value::as_u64).collect()), times))
}

fn keep_best(best: &mut f64, time: f64) {
    *best = best.min(time);
}

/// One line per size and formulation.
fn table(ours: &BTreeMap<Size, f64>, theirs: &BTreeMap<Size, Formulations>) -> String {
    let mut text =
        "\nms per step, one thread, best of the rounds; a ratio below 1: ours is faster\n".to_string();
    text += &format!(
        "{:>3} {:>14} {:>10} {:>14} {:>10} {:>13}\n",
        "d", "hidden", "ours", "formulation", "PyTorch", "ours/PyTorch"
    );
    for (size, time) in ours {
        for (name, other) in theirs.get(size).into_iter().flatten() {
            let (d, hidden) = (size.0, format!("{:?}", size.1));
            text += &format!(
                "{d:>3} {hidden:>14} {time:>10.2} {name:>14} {other:>10.2} {:>13.3}\n",
                time / other
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_outputs_are_understood() {
        let line = " 20 [128, 64, 128]      81.25      95.1     88%        45.10     1.80";
        assert_eq!(our_line(line), Some(((20, vec![128, 64, 128]), 81.25)));
        assert_eq!(our_line("  d         hidden    ms/step   GFLOP/s"), None);
        assert_eq!(our_line("scoring 100 orders, 853 × 11, [128, 64, 128]: 0.52 s, peak memory"), None);
        let line = r#"{"d": 6, "hidden": [64, 64], "all_ms": {"bmm": 69.7, "loop": 56.3}, "threads": 1}"#;
        let (size, times) = their_line(line).unwrap();
        assert_eq!((size.clone(), times["loop"]), ((6, vec![64, 64]), 56.3));
        let text = table(&BTreeMap::from([(size.clone(), 13.94)]), &BTreeMap::from([(size, times)]));
        assert!(text.lines().last().unwrap().ends_with(" 56.30         0.248"), "{text}");
        assert!(their_line("Traceback").is_err());
    }
}
