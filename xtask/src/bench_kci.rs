//! `cargo xtask bench-kci`: our kernel test and PC, and causal-learn's, on the same data, taking turns.
//!
//! What each side does within its time stands at the head of the two programs, `crates/prune/benches/kci.rs` and
//! `benches/kci/kci.py`. `TABLE.csv GRAPH.csv` add a table for ours alone; the graph (row → column) gives the order.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::shell::{Program, cargo, target};
use crate::{Command, python};

pub const COMMAND: Command = Command {
    name: "bench-kci",
    summary: "time the kernel test and PC, ours and causal-learn's, and print the ratios",
    run,
};

const OURS: [&str; 5] = ["bench", "--package", "oslow-prune", "--bench", "kci"];
const THEIRS: &str = "benches/kci/kci.py";
const REQUIREMENTS: &str = "fixtures/kci/requirements.txt";
/// How often both sides have their turn; each is judged by its best.
const ROUNDS: usize = 2;
/// How far the p-values may be apart.
const TOLERANCE: f64 = 1e-3;

/// What one side got: milliseconds, the p-value or the number of edges, and how many tests PC made.
#[derive(Clone, Debug)]
struct Timed {
    ms: f64,
    value: f64,
    tests: String,
}

/// By position in the output (so that tables keep its order) and name.
type Rows = BTreeMap<(usize, String), Timed>;

fn run(arguments: &[String]) -> Result<(), String> {
    let all = arguments.first().is_some_and(|argument| argument == "--all-threads");
    let extra = &arguments[usize::from(all)..];
    if ![0, 2].contains(&extra.len()) {
        return Err("expected [--all-threads] [TABLE.csv GRAPH.csv]".into());
    }
    let threads = if all { std::thread::available_parallelism().map_or(1, usize::from) } else { 1 };
    let python = python::environment("kci-python", REQUIREMENTS)?;
    let file = target().join("bench-kci.json");
    let data = file.to_string_lossy();
    let write: Vec<&str> =
        [THEIRS, "write", &data].into_iter().chain(extra.iter().map(String::as_str)).collect();
    Program::new(&python, &write).run()?;
    let (mut ours, mut theirs) = (Rows::new(), Rows::new());
    for _ in 0..ROUNDS {
        let variables = [("RAYON_NUM_THREADS", threads.to_string()), ("OSLOW_BENCH_KCI", data.to_string())];
        keep_best(&mut ours, &Program::new(cargo(), &OURS).with_variables(&variables).output()?)?;
        let variables = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"].map(|name| (name, threads.to_string()));
        let timing = Program::new(&python, &[THEIRS, "time", &data]).with_variables(&variables);
        keep_best(&mut theirs, &timing.output()?)?;
    }
    print!("{}", table(&ours, &theirs, threads)?);
    Ok(())
}

/// Reads the rows of one turn; each keeps its shortest time.
fn keep_best(best: &mut Rows, text: &str) -> Result<(), String> {
    for (index, line) in text.lines().filter(|line| line.starts_with('{')).enumerate() {
        let row: Value = serde_json::from_str(line).map_err(|e| format!("`{line}`: {e}"))?;
        let name = row["name"].as_str().ok_or(format!("`{line}` has no `name`"))?;
        let number = |key: &str| row[key].as_f64().ok_or(format!("`{line}` has no `{key}`"));
        let counts = row["tests"].as_array().into_iter().flatten();
        let tests = counts.map(Value::to_string).collect::<Vec<_>>().join("+");
        let timed = Timed { ms: number("ms")?, value: number("value")?, tests };
        let kept = best.entry((index, name.into())).or_insert_with(|| timed.clone());
        kept.ms = kept.ms.min(timed.ms);
    }
    Ok(())
}

/// One line per test and table; different values are an error.
fn table(ours: &Rows, theirs: &Rows, threads: usize) -> Result<String, String> {
    let mut text = format!(
        "\nms, {threads} thread(s), best of the rounds; value: the p-value, or PC's edges; tests: by the size of the conditioning set\n\
         {:<18} {:>8} {:>11} {:>13} {:>11}  tests\n",
        "", "value", "ours", "causal-learn", "times"
    );
    for (key, Timed { ms, value, tests }) in ours {
        let (_, name) = key;
        let (other, ratio) = match theirs.get(key) {
            Some(other) if (other.value - value).abs() > TOLERANCE => {
                return Err(format!("{name}: ours is {value}, causal-learn's {}", other.value));
            }
            Some(other) => (format!("{:.1}", other.ms), format!("{:.1}", other.ms / ms)),
            None => ("-".into(), "-".into()),
        };
        let value = if tests.is_empty() { format!("{value:.4}") } else { format!("{value}") };
        let line = format!("{name:<18} {value:>8} {ms:>11.2} {other:>13} {ratio:>11}  {tests}");
        text += &format!("{}\n", line.trim_end());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(lines: &[&str]) -> Rows {
        let mut best = Rows::new();
        lines.iter().for_each(|line| keep_best(&mut best, line).unwrap());
        best
    }

    #[test]
    fn the_best_times_are_compared_and_values_must_agree() {
        let line =
            |ms: f64, value: f64| format!("noise\n{{\"name\": \"a\", \"ms\": {ms}, \"value\": {value}}}\n");
        let ours = rows(&[&line(2.0, 0.5), &line(1.0, 0.5)]);
        let text = table(&ours, &rows(&[&line(4.0, 0.5001)]), 1).unwrap();
        assert!(text.ends_with("0.5000        1.00           4.0         4.0\n"), "{text}");
        assert!(table(&ours, &rows(&[&line(4.0, 0.6)]), 1).unwrap_err().contains("causal-learn's 0.6"));
        let alone = rows(&["{\"name\": \"PC\", \"ms\": 3, \"value\": 10, \"tests\": [55, 15]}"]);
        assert!(table(&alone, &Rows::new(), 1).unwrap().ends_with("-           -  55+15\n"));
        assert!(keep_best(&mut Rows::new(), "{\"name\": \"a\"}").is_err());
    }
}
