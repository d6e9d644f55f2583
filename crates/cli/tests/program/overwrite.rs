//! What stands in the place of `--out` is only overwritten with `--force`.

use std::collections::BTreeMap;

use crate::home::Home;

const RUN: &str = "discover data.csv --method r2-sort --prune cam --out run";

/// Every file of a folder.
fn contents(home: &Home, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(home.path(folder)).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path()).unwrap()))
        .collect()
}

/// Refused with these words, and the folder is as it was.
fn refused(home: &Home, line: &str, folder: &str, message: &str, hint: &str) {
    let before = contents(home, folder);
    let (code, out, err) = home.run(&format!("{line} --quiet"));
    assert_eq!((code, out, err), (2, String::new(), format!("error: {message}\nhint: {hint}\n")), "{line}");
    assert_eq!(contents(home, folder), before, "{line}");
}

#[test]
fn a_finished_run_is_kept_and_shown_again() {
    let home = Home::new();
    let first = home.succeed(RUN);
    let hint =
        "show it again with `--resume`, overwrite it with `--force`, or name another folder with `--out`";
    for line in [RUN, "discover data.csv --seed 3 --out run"] {
        refused(&home, line, "run", "the folder `run` holds a finished run", hint);
    }
    let prune = "prune data.csv --order a,b,c --prune cam --out run";
    let hint = "overwrite it with `--force`, or name another folder with `--out`";
    refused(&home, prune, "run", "the folder `run` holds a finished run", hint);

    let before = contents(&home, "run");
    let (code, again, err) = home.run(&format!("{RUN} --resume"));
    assert_eq!((code, again.as_str()), (0, first.as_str()));
    assert!(err.ends_with("the run in `run` is already finished; this is its result\n"), "{err}");
    assert_eq!(home.succeed(&format!("{RUN} --resume --json")), home.read("run/run.json"));
    assert_eq!(contents(&home, "run"), before);

    home.succeed(&format!("{RUN} --seed 3 --force"));
    assert!(home.read("run/run.json").contains("\"seed\": 3,"));
    home.succeed(&format!("{prune} --force"));
    assert!(!home.path("run/record.json").exists(), "it would speak of the run before");
}

#[test]
fn a_finished_run_is_not_taken_for_another() {
    let home = Home::new();
    home.succeed(&format!("{RUN} --bootstrap 3"));
    let hint = "repeat its options, overwrite it with `--force` in place of `--resume`, or name another folder with `--out`";
    for (options, difference) in [
        ("--bootstrap 3 --seed 1", "had the seed 0, this one has 1"),
        ("--bootstrap 4", "had 3 resamples, this one has 4"),
        ("--bootstrap 3 --columns b,a,c", "was of other data"),
        (
            "--bootstrap 3 --set prune.cutoff=0.01",
            "had the setting `prune.cutoff` = 0.001, this one has 0.01",
        ),
    ] {
        let message = format!("run: the finished run {difference}");
        refused(&home, &format!("{RUN} {options} --resume"), "run", &message, hint);
    }
    std::fs::remove_file(home.path("run/record.json")).unwrap();
    let message = "run: the finished run does not say which data and options it had";
    let hint = "overwrite the run with `--force` in place of `--resume`, or name another folder with `--out`";
    refused(&home, &format!("{RUN} --bootstrap 3 --resume"), "run", message, hint);
}

#[test]
fn an_interrupted_run_is_kept() {
    let home = Home::new();
    home.succeed(&format!("{RUN} --bootstrap 1000000 --budget 300ms"));
    let hint =
        "continue it with `--resume`, overwrite it with `--force`, or name another folder with `--out`";
    refused(&home, &format!("{RUN} --seed 9"), "run", "the folder `run` holds an interrupted run", hint);
    home.succeed(&format!("{RUN} --seed 9 --force"));
    assert!(home.read("run/run.json").contains("\"interrupted\": false"));
    assert!(!contents(&home, "run").keys().any(|name| name.starts_with("checkpoint")));
}

#[test]
fn simulations_and_models_are_kept() {
    let home = Home::new();
    let line = "simulate --nodes 3 --rows 20 --out sim";
    home.succeed(line);
    let hint = "overwrite it with `--force`, or name another folder with `--out`";
    refused(&home, &format!("{line} --seed 1"), "sim", "the folder `sim` holds a simulation", hint);
    let before = home.read("sim/data.csv");
    home.succeed(&format!("{line} --seed 1 --force"));
    assert_ne!(home.read("sim/data.csv"), before);

    let line = "fit data.csv --order a,b,c --set epochs=1 --set flow.hidden=[2] --out sim/m";
    home.succeed(line);
    let hint = "overwrite it with `--force`, or name another file with `--out`";
    refused(&home, line, "sim", "the file `sim/m` already exists", hint);
    home.succeed(&format!("{line} --force"));
}
