//! `cargo xtask bench-sid`: our distances between graphs and gadjid's on the same graphs, taking turns.
//!
//! What each side does within its time stands at the head of the two programs, `crates/metrics/benches/sid.rs` and
//! `benches/gadjid/sid.py`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::shell::{Program, cargo, target};
use crate::{Command, expect_only, oracles, python};

pub const COMMAND: Command = Command {
    name: "bench-sid",
    summary: "time SID and its relatives, ours and gadjid's, and print the ratios",
    run,
};

const OURS: [&str; 5] = ["bench", "--package", "oslow-metrics", "--bench", "sid"];
const THEIRS: &str = "benches/gadjid/sid.py";
/// How often both sides have their turn; each is judged by its best.
const ROUNDS: usize = 2;

/// Position in the output (so that tables keep its order), pair of graphs, and distance.
type Key = (usize, String, String);
/// Milliseconds, and the value.
type Timed = (f64, u64);

fn run(arguments: &[String]) -> Result<(), String> {
    expect_only(&["--all-threads"], arguments)?;
    let threads =
        if arguments.is_empty() { 1 } else { std::thread::available_parallelism().map_or(1, usize::from) };
    let python = python::environment("oracles-python", oracles::REQUIREMENTS)?;
    let file = target().join("bench-graphs.json");
    let graphs = file.to_string_lossy();
    Program::new(&python, &[THEIRS, "write", &graphs]).run()?;
    let (mut ours, mut theirs) = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..ROUNDS {
        let variables =
            [("RAYON_NUM_THREADS", threads.to_string()), ("OSLOW_BENCH_GRAPHS", graphs.to_string())];
        keep_best(&mut ours, &Program::new(cargo(), &OURS).with_variables(&variables).output()?)?;
        let timing = Program::new(&python, &[THEIRS, "time", &graphs]).with_variables(&variables[..1]);
        keep_best(&mut theirs, &timing.output()?)?;
    }
    print!("{}", table(&ours, &theirs, threads)?);
    Ok(())
}

/// Reads the rows of one turn; each keeps its shortest time.
fn keep_best(best: &mut BTreeMap<Key, Timed>, text: &str) -> Result<(), String> {
    let rows = text.lines().filter(|line| line.starts_with('{'));
    for (index, line) in rows.enumerate() {
        let row: Value = serde_json::from_str(line).map_err(|e| format!("`{line}`: {e}"))?;
        let word = |key: &str| row[key].as_str().map(String::from).ok_or(format!("`{line}` has no `{key}`"));
        let ms = row["ms"].as_f64().ok_or(format!("`{line}` has no `ms`"))?;
        let value = row["value"].as_u64().ok_or(format!("`{line}` has no `value`"))?;
        let timed = best.entry((index, word("pair")?, word("distance")?)).or_insert((ms, value));
        timed.0 = timed.0.min(ms);
    }
    Ok(())
}

/// One line per pair and distance; different values are an error.
fn table(
    ours: &BTreeMap<Key, Timed>,
    theirs: &BTreeMap<Key, Timed>,
    threads: usize,
) -> Result<String, String> {
    if ours.is_empty() || !ours.keys().eq(theirs.keys()) {
        return Err("the two programs did not time the same things".into());
    }
    let mut text = format!(
        "\nms a call, {threads} thread(s), best of the rounds; a ratio below 1: ours is faster\n{:<12} {:<14} {:>8} {:>10} {:>10} {:>12}\n",
        "graphs", "distance", "value", "ours", "gadjid", "ours/gadjid"
    );
    for ((key, (ms, value)), (other, other_value)) in ours.iter().zip(theirs.values()) {
        let (_, pair, distance) = key;
        if value != other_value {
            return Err(format!("{distance} of {pair}: ours is {value}, gadjid's {other_value}"));
        }
        let ratio = ms / other;
        text += &format!("{pair:<12} {distance:<14} {value:>8} {ms:>10.3} {other:>10.3} {ratio:>12.3}\n");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_times_are_compared_and_values_must_agree() {
        let line = |ms: f64, value: u64| {
            format!(
                "noise\n{{\"pair\": \"sparse 100\", \"distance\": \"sid\", \"ms\": {ms}, \"value\": {value}}}\n"
            )
        };
        let best = |texts: &[String]| {
            let mut best = BTreeMap::new();
            texts.iter().for_each(|text| keep_best(&mut best, text).unwrap());
            best
        };
        let (ours, theirs) = (best(&[line(2.0, 7), line(1.0, 7)]), best(&[line(4.0, 7), line(5.0, 7)]));
        let text = table(&ours, &theirs, 1).unwrap();
        assert!(text.ends_with("1.000      4.000        0.250\n"), "{text}");
        assert!(table(&ours, &best(&[line(4.0, 8)]), 1).unwrap_err().contains("ours is 7, gadjid's 8"));
        assert!(table(&ours, &best(&[]), 1).is_err());
    }
}
