//! Nobody reads stderr: the answer is still given.

use std::process::Stdio;

use crate::home::{Home, outcome};

const LINE: &str = "discover data.csv --method random --prune none --out run";

#[test]
fn a_closed_stderr_loses_no_answer() {
    let home = Home::new();
    let mut child = home.command(LINE).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    let (code, out, _) = outcome(&child.wait_with_output().unwrap());
    assert!(code == 0 && out.starts_with("order   "), "{code} {out}");
    assert!(home.path("run/run.json").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_stderr_loses_no_answer_and_keeps_the_exit_code() {
    let home = Home::new();
    let run = |line: &str| {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        outcome(&home.command(line).stdout(Stdio::piped()).stderr(full).output().unwrap())
    };
    let (code, out, _) = run(LINE);
    assert!(code == 0 && out.starts_with("order   "), "{code} {out}");
    assert!(home.path("run/run.json").exists());
    assert_eq!(run("discover nosuch.csv").0, 2);
}
