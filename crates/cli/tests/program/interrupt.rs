//! Ctrl-C and `--resume`.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::Duration;

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

#[test]
fn a_second_press_leaves_at_once() {
    let home = Home::new();
    // One long step: the first press alone would not end it soon.
    let line = "discover data.csv --method oslow --prune none --set refine_steps=100000000 --set cycles=1 --set warm_up=0";
    let mut child = home.command(line).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
    for _ in 0..2 {
        std::thread::sleep(Duration::from_millis(800));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
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
