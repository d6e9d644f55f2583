//! `cargo xtask bench-score`: our `score` and the algorithm of its Python program in numpy, on the same tables, taking turns.
//!
//! What each side does within its time stands at the head of the two programs, `crates/order/benches/score.rs` and
//! `benches/score/score.py`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::shell::{Program, cargo, target};
use crate::{Command, expect_only, python};

pub const COMMAND: Command = Command {
    name: "bench-score",
    summary: "time SCORE, ours and as its Python program computes it, and print the ratios",
    run,
};

const OURS: [&str; 5] = ["bench", "--package", "oslow-order", "--bench", "score"];
const THEIRS: &str = "benches/score/score.py";
const REQUIREMENTS: &str = "fixtures/score/requirements.txt";
/// How often both sides have their turn; each is judged by its best.
const ROUNDS: usize = 2;

/// Milliseconds and the order, by the name of the table.
type Rows = BTreeMap<String, (f64, Value)>;

fn run(arguments: &[String]) -> Result<(), String> {
    expect_only(&[], arguments)?;
    let python = python::environment("score-python", REQUIREMENTS)?;
    let file = target().join("bench-score.json");
    let tables = file.to_string_lossy();
    Program::new(&python, &[THEIRS, "write", &tables]).run()?;
    let (mut ours, mut theirs) = (Rows::new(), Rows::new());
    for _ in 0..ROUNDS {
        let variables = [("RAYON_NUM_THREADS", "1".into()), ("OSLOW_BENCH_SCORE", tables.to_string())];
        keep_best(&mut ours, &Program::new(cargo(), &OURS).with_variables(&variables).output()?)?;
        let variables = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"].map(|name| (name, "1".into()));
        let timing = Program::new(&python, &[THEIRS, "time", &tables]).with_variables(&variables);
        keep_best(&mut theirs, &timing.output()?)?;
    }
    print!("{}", table(&ours, &theirs)?);
    Ok(())
}

/// Reads the rows of one turn; each keeps its shortest time.
fn keep_best(best: &mut Rows, text: &str) -> Result<(), String> {
    for line in text.lines().filter(|line| line.starts_with('{')) {
        let row: Value = serde_json::from_str(line).map_err(|e| format!("`{line}`: {e}"))?;
        let name = row["name"].as_str().ok_or(format!("`{line}` has no `name`"))?;
        let ms = row["ms"].as_f64().ok_or(format!("`{line}` has no `ms`"))?;
        let kept = best.entry(name.into()).or_insert_with(|| (ms, row["order"].clone()));
        kept.0 = kept.0.min(ms);
    }
    Ok(())
}

/// One line per table; different orders are an error.
fn table(ours: &Rows, theirs: &Rows) -> Result<String, String> {
    if ours.is_empty() || !ours.keys().eq(theirs.keys()) {
        return Err("the two programs did not time the same tables".into());
    }
    let mut text = format!(
        "\nms an order, 1 thread, best of the rounds; the orders are equal\n{:<12} {:>10} {:>10} {:>12}\n",
        "table", "ours", "numpy", "numpy/ours"
    );
    for ((name, (ms, order)), (other, other_order)) in ours.iter().zip(theirs.values()) {
        if order != other_order {
            return Err(format!("{name}: our order is {order}, numpy's {other_order}"));
        }
        text += &format!("{name:<12} {ms:>10.1} {other:>10.1} {:>12.1}\n", other / ms);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_times_are_compared_and_orders_must_agree() {
        let rows = |times: &[f64], order: &str| {
            let mut best = Rows::new();
            for ms in times {
                let line = format!("noise\n{{\"name\": \"a\", \"ms\": {ms}, \"order\": {order}}}\n");
                keep_best(&mut best, &line).unwrap();
            }
            best
        };
        let ours = rows(&[20.0, 10.0], "[0, 1]");
        let text = table(&ours, &rows(&[200.0], "[0, 1]")).unwrap();
        assert!(text.ends_with("10.0      200.0         20.0\n"), "{text}");
        assert!(table(&ours, &rows(&[200.0], "[1, 0]")).unwrap_err().contains("numpy's [1,0]"));
        assert!(table(&ours, &Rows::new()).is_err());
        assert!(keep_best(&mut Rows::new(), "{\"name\": \"a\"}").is_err());
    }
}
