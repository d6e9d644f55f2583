//! A place that cannot be written to: tried before the work, and no answer is lost there.

use std::process::Stdio;
use std::time::Duration;

use crate::home::{Home, outcome};

#[test]
#[cfg(target_os = "linux")]
fn the_place_is_tried_before_the_work() {
    let home = Home::new();
    // Nobody can write there, not even root. An answer on stdout would show that work was done.
    for (line, message) in [
        ("discover data.csv --method random --out /proc/run", "error: cannot create `/proc/run`: "),
        ("prune data.csv --order a,b,c --prune cam --out /proc/run", "error: cannot create `/proc/run`: "),
        ("simulate --out /proc/run --json", "error: cannot create `/proc/run`: "),
        ("fit data.csv --order a,b,c --set epochs=1 --out /proc/m", "error: cannot write `/proc/m`: "),
    ] {
        let (code, out, err) = home.run(&format!("{line} --quiet"));
        assert_eq!((code, out.as_str()), (1, ""), "{line}");
        assert!(err.starts_with(message), "{line}\n{err}");
    }
}

#[test]
fn an_answer_that_cannot_be_saved_is_shown() {
    let home = Home::new();
    let line = "discover data.csv --method oslow --prune none --set cycles=1000000 --set warm_up=0 \
                --set flow.hidden=[4] --budget 3s --out run";
    let child = home.command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !home.path("run").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(300));
    // The folder becomes a file while the run is at work.
    while std::fs::write(home.path("run"), "").is_err() {
        let _ = std::fs::remove_dir_all(home.path("run"));
    }
    let (code, out, err) = outcome(&child.wait_with_output().unwrap());
    assert_eq!(code, 1, "{err}");
    assert!(out.starts_with("order   "), "{out}");
    assert!(err.ends_with("error: cannot write `run`: `run` is a file, not a folder\n"), "{err}");
}
