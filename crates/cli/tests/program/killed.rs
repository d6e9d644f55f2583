//! Runs that are killed, and runs that share a folder.

use std::process::{Child, Stdio};
use std::time::Duration;

use crate::home::Home;

/// Some seconds of short rounds, the state being saved every other second.
const ROUNDS: &str = "discover data.csv --method oslow --prune cam --set cycles=9000 --set warm_up=0 --set theta_steps=2 \
                      --set gamma_steps=1 --set flow.hidden=[4]";
/// Some seconds of resamples.
const RESAMPLES: &str = "discover data.csv --bootstrap 12 --set local.splits=8";
/// What a finished run leaves of its answer.
const ANSWER: [&str; 3] = ["order.txt", "edges.csv", "config.toml"];

/// Starts the program and lets it work for a while.
fn begun(home: &Home, line: &str, work: Duration) -> Child {
    let child = home.command(line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(work);
    child
}

/// The answer without what a clock says.
fn answer(home: &Home, folder: &str) -> Vec<String> {
    let record = home.read(&format!("{folder}/run.json"));
    let timeless = record.lines().filter(|line| !line.trim_start().starts_with("\"seconds\"")).collect();
    ANSWER.iter().map(|name| home.read(&format!("{folder}/{name}"))).chain([timeless]).collect()
}

/// Kills the run after each of these times in its turn, then lets it end.
fn killed_and_resumed(line: &str, moments: [u64; 3]) {
    let home = Home::new();
    home.succeed(&format!("{line} --out whole"));
    for (k, moment) in moments.into_iter().enumerate() {
        let resume = if k == 0 { "" } else { " --resume" };
        let mut child = begun(&home, &format!("{line} --out killed{resume}"), Duration::from_millis(moment));
        // On Unix this is `kill -9`. A run that is done by then is as good.
        child.kill().unwrap();
        child.wait().unwrap();
    }
    home.succeed(&format!("{line} --out killed --resume"));
    assert_eq!(answer(&home, "killed"), answer(&home, "whole"), "{line}");
}

#[test]
fn a_run_that_was_killed_ends_as_one_that_was_not() {
    killed_and_resumed(ROUNDS, [300, 2300, 2700]);
}

#[test]
fn a_bootstrap_that_was_killed_ends_as_one_that_was_not() {
    killed_and_resumed(RESAMPLES, [400, 1100, 1700]);
}

#[test]
#[cfg(unix)]
fn a_folder_belongs_to_one_run_at_a_time() {
    let home = Home::new();
    let mut first = begun(&home, &format!("{ROUNDS} --out run"), Duration::from_millis(700));
    for line in
        ["discover data.csv --method random --out run --force", "discover data.csv --out run --resume"]
    {
        let (code, out, err) = home.run(line);
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.contains("error: another run is writing to `run`\nhint: wait for it, or "), "{err}");
    }
    first.kill().unwrap();
    first.wait().unwrap();
    // A lock dies with its process.
    home.succeed("discover data.csv --method random --out run --force");
}
