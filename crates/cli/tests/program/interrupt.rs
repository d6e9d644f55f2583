//! Ctrl-C and `--resume`.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::home::{Home, outcome};

/// A run of many short rounds: some seconds.
const LONG: &str = "discover data.csv --method oslow --prune cam --out run --set cycles=20000 --set warm_up=0 --set theta_steps=2 \
                    --set gamma_steps=1 --set flow.hidden=[4]";

#[test]
fn the_best_so_far_is_printed_and_the_run_can_be_resumed() {
    let home = Home::new();
    let mut child = home.command(LONG).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Once the table is read the run begins; a moment later the handler is in place, and seconds are left.
    let mut err = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    err.read_line(&mut said).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    // Twice, as wrappers do that pass it on: one press is meant.
    for _ in 0..2 {
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        std::thread::sleep(Duration::from_millis(5));
    }
    err.read_to_string(&mut said).unwrap();
    let (code, out, _) = outcome(&child.wait_with_output().unwrap());
    let err = said;
    assert_eq!(code, 0, "{err}");
    assert!(out.starts_with("order   ") && err.contains("stopped early (as you asked) after "), "{err}");
    assert!(err.contains("this is the best so far; `--resume` goes on with it\nsaved in `run`\n"), "{err}");
    assert!(home.read("run/run.json").contains("\"interrupted\": true"));
    assert!(home.path("run/checkpoint.bin").exists());

    let (code, _, err) = home.run(&format!("{LONG} --resume --seed 1"));
    assert_eq!(code, 2);
    assert!(err.contains("error: run: the interrupted run had the seed 0, this one has 1\nhint: "), "{err}");

    let (code, _, err) = home.run(&format!("{LONG} --resume"));
    assert_eq!((code, err.as_str()), (0, "data.csv: 60 rows, 3 columns\nsaved in `run`\n"));
    assert!(home.read("run/run.json").contains("\"interrupted\": false"));
    assert!(!home.path("run/checkpoint.bin").exists());
    assert_eq!(home.read("run/history.csv").lines().count(), 20_001);
}

/// Presses Ctrl-C.
fn press(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

/// Starts the program, and returns once it has read the table.
fn begun(home: &Home, line: &str, out: Stdio) -> Child {
    let mut child = home.command(line).stdout(out).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
    child
}

/// Steps that would take minutes, of a learner and of a pruner.
const LONG_STEPS: [&str; 4] = [
    "discover data.csv --method oslow --prune none --set refine_steps=1000000 --set cycles=1 --set warm_up=0",
    "discover data.csv --method oslow --prune none --set theta_steps=1000000 --set patience=1000000 --set warm_up=0",
    "discover data.csv --method daguerreotype --prune none --set inner_steps=1000000",
    "discover data.csv --method random --prune likelihood --set prune.local.steps=100000 --set prune.local.tolerance=0 \
     --set prune.local.splits=100 --set prune.local.folds=50 --set prune.local.members=100",
];

#[test]
fn a_press_is_answered_in_the_middle_of_a_step() {
    let home = Home::new();
    for line in LONG_STEPS {
        let child = begun(&home, line, Stdio::piped());
        std::thread::sleep(Duration::from_millis(700));
        press(&child);
        let asked = Instant::now();
        let (code, out, _) = outcome(&child.wait_with_output().unwrap());
        assert!(code == 0 && out.starts_with("order   "), "{line}\n{out}");
        assert!(asked.elapsed() < Duration::from_secs(2), "{line}: {:?}", asked.elapsed());
    }
}

#[test]
fn a_budget_ends_in_the_middle_of_a_step_and_the_answer_says_so() {
    let home = Home::new();
    for line in LONG_STEPS {
        let start = Instant::now();
        let out = home.succeed(&format!("{line} --budget 500ms --json"));
        assert!(start.elapsed() < Duration::from_millis(2500), "{line}: {:?}", start.elapsed());
        let found: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(found["stopped"], true, "{line}");
        let edges = found["edges"].as_array().unwrap().len();
        assert_eq!(found["unpruned"] == true, line.contains("--method random"), "{line}");
        assert!(edges == 3 || found["order"].is_null() || !line.contains("random"), "{line}: {edges}");
    }
}

#[test]
fn a_second_press_leaves_at_once() {
    let home = Home::new();
    home.succeed("simulate --nodes 100 --rows 150 --graph path --mechanism linear --out wide");
    // More than a pipe holds: the program waits for a reader that never comes.
    let mut child =
        begun(&home, "discover wide/data.csv --method random --prune none --json", Stdio::piped());
    for _ in 0..2 {
        std::thread::sleep(Duration::from_millis(800));
        press(&child);
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn resuming_what_was_never_begun_starts_anew() {
    let home = Home::new();
    let (code, _, err) = home.run("discover data.csv --method random --out run --resume");
    let expected =
        "data.csv: 60 rows, 3 columns\nno state to continue from in `run`; starting over\nsaved in `run`\n";
    assert_eq!((code, err.as_str()), (0, expected));
}
