//! What a run leaves on disk.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

mod small;

use std::path::Path;

use oslow::prelude::*;
use oslow::{ReadConfig, RunConfig, check_folder, write_run};
use small::{options, sample};

fn find(options: &DiscoverOptions) -> Discovery {
    discover(&sample(), options, &mut Silent, &mut ForgetfulCheckpoint).unwrap()
}

fn write(folder: &Path, options: &DiscoverOptions) -> RunConfig {
    let found = find(options);
    let config = RunConfig::resolved(&found, options, &ReadConfig::default()).unwrap();
    write_run(folder, &found, &config).unwrap();
    config
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn it_holds_what_is_promised_and_replaces_only_its_own_files() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("deep/run");
    write(&folder, &options());
    let all = [
        "config.toml",
        "edges.csv",
        "graph.dot",
        "graph.graphml",
        "graph.svg",
        "history.csv",
        "history.svg",
        "model.safetensors",
        "order.txt",
        "run.json",
    ];
    assert_eq!(names(&folder), all);
    let flow = FittedFlow::load(&folder.join("model.safetensors")).unwrap();
    let order = std::fs::read_to_string(folder.join("order.txt")).unwrap();
    assert_eq!(flow.order().names(flow.names()).join("\n") + "\n", order);
    let edges = std::fs::read_to_string(folder.join("edges.csv")).unwrap();
    assert_eq!(edges.lines().next(), Some("from,to,p_value"));

    std::fs::write(folder.join("notes.md"), "mine").unwrap();
    write(&folder, &DiscoverOptions { method: "random".into(), settings: Settings::new(), ..options() });
    let without_a_model = [
        "config.toml",
        "edges.csv",
        "graph.dot",
        "graph.graphml",
        "graph.svg",
        "notes.md",
        "order.txt",
        "run.json",
    ];
    assert_eq!(names(&folder), without_a_model);
}

#[test]
fn its_configuration_repeats_the_run() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("run");
    let known = "tiers = [['X0', 'X1'], ['X2']]".parse().unwrap();
    let options =
        DiscoverOptions { seed: Seed(7), outliers: Outliers::Mad(6.0), knowledge: known, ..options() };
    let written = write(&folder, &options);
    let text = std::fs::read_to_string(folder.join("config.toml")).unwrap();
    let read = RunConfig::from_toml(&text).unwrap();
    assert_eq!(read, written);
    let json = |options: &DiscoverOptions| {
        let found = find(options);
        Discovery { seconds: 0.0, ..found }.to_json().unwrap()
    };
    assert_eq!(json(&read.options().unwrap()), json(&options));
}

#[test]
fn a_folder_with_other_things_is_refused() {
    let home = tempfile::tempdir().unwrap();
    check_folder(home.path()).unwrap();
    check_folder(&home.path().join("new")).unwrap();
    std::fs::write(home.path().join("thesis.tex"), "").unwrap();
    let error = check_folder(home.path()).unwrap_err();
    let message = format!("the folder `{}` is not empty and holds no run", home.path().display());
    assert_eq!(error.to_string(), message);
    let file = home.path().join("thesis.tex");
    let message = format!("`{}` is a file, not a folder", file.display());
    assert_eq!(check_folder(&file).unwrap_err().to_string(), message);
}
