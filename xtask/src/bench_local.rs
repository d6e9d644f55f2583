//! `cargo xtask bench-local`: our local scores and the nets of the PyTorch prototype, on the same table, taking turns.
//!
//! What each side does within its time stands at the head of the two programs, `crates/exact/benches/local.rs` and
//! `benches/local/prototype.py`.

use std::path::Path;

use serde_json::Value;

use crate::bench::named_or_own;
use crate::shell::{Program, cargo, target};
use crate::{Command, expect_only};

pub const COMMAND: Command = Command {
    name: "bench-local",
    summary: "time local scores, ours and those of the PyTorch prototype, and print the ratio",
    run,
};

const OURS: [&str; 5] = ["bench", "--package", "oslow-exact", "--bench", "local"];
const THEIRS: &str = "benches/local/prototype.py";
const PROTOTYPES: &str = "../shared/prototypes";
/// How often both sides have their turn; each is judged by its best.
const ROUNDS: usize = 3;

/// One turn.
#[derive(Clone, Copy)]
struct Timing {
    seconds: f64,
    /// The mean over all sets of the negative log-likelihood of scored rows.
    nll: f64,
    /// The same where these rows did not choose when to stop; ours never do.
    held_out: f64,
}

fn run(arguments: &[String]) -> Result<(), String> {
    expect_only(&[], arguments)?;
    if !Path::new(PROTOTYPES).is_dir() {
        return Err(format!("the prototype is not here: there is no folder `{PROTOTYPES}`"));
    }
    let python = named_or_own()?;
    let file = target().join("bench-local.json");
    let file = file.to_string_lossy();
    Program::new(&python, &[THEIRS, PROTOTYPES, "write", &file]).run()?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let variables = [("OSLOW_BENCH_LOCAL", file.to_string())];
        ours.push(timing(&Program::new(cargo(), &OURS).with_variables(&variables).output()?)?);
        theirs.push(timing(&Program::new(&python, &[THEIRS, PROTOTYPES, "time", &file]).output()?)?);
    }
    print!("{}", table(best(&ours)?, best(&theirs)?));
    Ok(())
}

fn timing(text: &str) -> Result<Timing, String> {
    let line = text.lines().find(|line| line.starts_with('{')).ok_or("no timing was printed")?;
    let row: Value = serde_json::from_str(line).map_err(|e| format!("`{line}`: {e}"))?;
    let number = |key: &str| row[key].as_f64().ok_or(format!("`{line}` has no `{key}`"));
    let nll = number("nll")?;
    Ok(Timing { seconds: number("seconds")?, nll, held_out: row["nll_last"].as_f64().unwrap_or(nll) })
}

fn best(turns: &[Timing]) -> Result<Timing, String> {
    turns.iter().copied().min_by(|a, b| a.seconds.total_cmp(&b.seconds)).ok_or("nobody had a turn".into())
}

fn table(ours: Timing, theirs: Timing) -> String {
    let row = |name: &str, it: Timing| {
        format!("{name:<10} {:>8.3}s {:>18.4} {:>18.4}\n", it.seconds, it.nll, it.held_out)
    };
    format!(
        "\n80 sets of causes, 1000 rows, 2 folds, one family, all cores, best of {ROUNDS}\n\
         {:<10} {:>9} {:>18} {:>18}\n{}{}{:.1} times faster\n",
        "",
        "time",
        "nll of scored rows",
        "truly held out",
        row("ours", ours),
        row("prototype", theirs),
        theirs.seconds / ours.seconds
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_turns_are_compared() {
        let turns = ["x\n{\"seconds\": 0.5, \"nll\": 1.0}", "{\"seconds\": 0.25, \"nll\": 1.0}"];
        let ours = turns.map(|text| timing(text).unwrap());
        let theirs = timing("{\"seconds\": 5.0, \"nll\": 0.75, \"nll_last\": 2.0}").unwrap();
        let text = table(best(&ours).unwrap(), theirs);
        assert!(text.ends_with("20.0 times faster\n") && text.contains("2.0000"), "{text}");
        assert!(timing("nothing").is_err() && best(&[]).is_err());
    }
}
