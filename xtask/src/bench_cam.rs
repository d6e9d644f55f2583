//! `cargo xtask bench-cam`: our pruning by additive regressions and mgcv's of the same tables, taking turns.
//!
//! What each side does within its time stands at the head of the two programs, `crates/prune/benches/cam.rs` and
//! `benches/mgcv/cam.R`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::shell::{Program, cargo, target};
use crate::{Command, expect_only};

pub const COMMAND: Command = Command {
    name: "bench-cam",
    summary: "time CAM's pruning, ours and mgcv's, and print the ratios; needs R with mgcv",
    run,
};

const OURS: [&str; 5] = ["bench", "--package", "oslow-prune", "--bench", "cam"];
const THEIRS: &str = "benches/mgcv/cam.R";
/// How often both sides have their turn; each is judged by its best.
const ROUNDS: usize = 2;

/// Milliseconds, and edges.
type Timed = (f64, u64);

fn run(arguments: &[String]) -> Result<(), String> {
    expect_only(&[], arguments)?;
    let folder = target().join("bench-tables");
    std::fs::create_dir_all(&folder).map_err(|e| format!("cannot create `{}`: {e}", folder.display()))?;
    let tables = folder.to_string_lossy();
    let (mut ours, mut theirs) = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..ROUNDS {
        let variables = [("RAYON_NUM_THREADS", "1".into()), ("OSLOW_BENCH_TABLES", tables.to_string())];
        keep_best(&mut ours, &Program::new(cargo(), &OURS).with_variables(&variables).output()?)?;
        let timing = Program::new("Rscript", &[THEIRS, &tables]).output();
        keep_best(
            &mut theirs,
            &timing.map_err(|e| format!("{e}\nR with the package mgcv is needed for this step"))?,
        )?;
    }
    print!("{}", table(&ours, &theirs)?);
    Ok(())
}

/// Reads the rows of one turn; each keeps its shortest time.
fn keep_best(best: &mut BTreeMap<String, Timed>, text: &str) -> Result<(), String> {
    for line in text.lines().filter(|line| line.starts_with('{')) {
        let row: Value = serde_json::from_str(line).map_err(|e| format!("`{line}`: {e}"))?;
        let name = row["table"].as_str().ok_or(format!("`{line}` has no `table`"))?;
        let ms = row["ms"].as_f64().ok_or(format!("`{line}` has no `ms`"))?;
        let edges = row["edges"].as_u64().ok_or(format!("`{line}` has no `edges`"))?;
        let timed = best.entry(name.into()).or_insert((ms, edges));
        timed.0 = timed.0.min(ms);
    }
    Ok(())
}

/// One line per table. The numbers of edges are shown, not compared: a p-value may fall on either side of the cutoff.
fn table(ours: &BTreeMap<String, Timed>, theirs: &BTreeMap<String, Timed>) -> Result<String, String> {
    if ours.is_empty() || !ours.keys().eq(theirs.keys()) {
        return Err("the two programs did not time the same tables".into());
    }
    let mut text = format!(
        "\nms a table, 1 thread, best of the rounds; edges that stay\n{:<12} {:>10} {:>6} {:>10} {:>6} {:>10}\n",
        "table", "ours", "edges", "mgcv", "edges", "mgcv/ours"
    );
    for ((name, (ms, edges)), (other, other_edges)) in ours.iter().zip(theirs.values()) {
        let ratio = other / ms;
        text += &format!("{name:<12} {ms:>10.1} {edges:>6} {other:>10.1} {other_edges:>6} {ratio:>10.1}\n");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_times_are_compared() {
        let line = |ms: f64| format!("noise\n{{\"table\": \"sachs\", \"ms\": {ms}, \"edges\": 10}}\n");
        let best = |texts: &[String]| {
            let mut best = BTreeMap::new();
            texts.iter().for_each(|text| keep_best(&mut best, text).unwrap());
            best
        };
        let (ours, theirs) = (best(&[line(20.0), line(10.0)]), best(&[line(200.0), line(250.0)]));
        let text = table(&ours, &theirs).unwrap();
        assert!(text.ends_with("10.0     10      200.0     10       20.0\n"), "{text}");
        assert!(table(&ours, &best(&[])).is_err());
    }
}
