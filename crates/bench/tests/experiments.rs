//! The experiments of the project and the one in the guide can be read.

use std::path::{Path, PathBuf};

use oslow_bench::Experiment;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn every_experiment_can_be_read_with_its_quick_profile() {
    let folder = std::fs::read_dir(root().join("experiments")).unwrap();
    let mut names = Vec::new();
    for path in folder.map(|entry| entry.unwrap().path()) {
        let whole = Experiment::read(&path, None).unwrap();
        Experiment::read(&path, Some("quick")).unwrap();
        assert!(!whole.title.is_empty() && !whole.about.is_empty() && !whole.tuning.is_empty(), "{path:?}");
        names.push(path.file_stem().unwrap().to_str().unwrap().to_string());
    }
    names.sort();
    let promised = [
        "interventions",
        "outside",
        "sachs",
        "soft_sinkhorn",
        "synthetic_large",
        "synthetic_small",
        "syntren",
    ];
    assert!(promised.iter().all(|name| names.contains(&name.to_string())), "{names:?}");
}

#[test]
fn the_small_benchmark_has_the_thirty_rows_of_the_paper() {
    let experiment = Experiment::read(&root().join("experiments/synthetic_small.toml"), None).unwrap();
    let rows: usize = experiment.problems.iter().map(|kind| kind.graphs.len()).sum();
    assert_eq!((rows, experiment.sets * experiment.nodes.len()), (30, 20));
}

#[test]
fn the_experiment_of_the_guide_can_be_read() {
    let guide = std::fs::read_to_string(root().join("docs/guide.md")).unwrap();
    let start = guide.find("title = \"Does it work").unwrap();
    let text = &guide[start..start + guide[start..].find("```").unwrap()];
    assert_eq!(Experiment::parse(text, None).unwrap().problems.len(), 2);
}
