//! A run that was stopped and taken up again ends as one that was not.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

mod small;

use std::ops::ControlFlow;
use std::path::Path;

use oslow::prelude::*;
use oslow::{FolderCheckpoint, Identity, ReadConfig, RunConfig, write_run};
use small::{options, sample};

/// Stops after this many events.
struct StopAfter(usize);

impl Observer for StopAfter {
    fn on_event(&mut self, _: &Event<'_>) -> ControlFlow<()> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn identity() -> Identity {
    Identity::new(&sample(), &options()).unwrap()
}

/// Runs, writes the folder and, if the run came to its end, removes the checkpoint.
fn run_into(folder: &Path, observer: &mut dyn Observer, mut checkpoint: FolderCheckpoint) -> Discovery {
    let options = options();
    let found = discover(&sample(), &options, observer, &mut checkpoint).unwrap();
    let config = RunConfig::resolved(&found, &options, &ReadConfig::default()).unwrap();
    write_run(folder, &found, &config).unwrap();
    if !found.interrupted {
        checkpoint.remove().unwrap();
    }
    found
}

fn text(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).unwrap()
}

fn without_seconds(folder: &Path) -> String {
    let text = String::from_utf8(text(folder, "run.json")).unwrap();
    text.lines().filter(|line| !line.starts_with("  \"seconds\"")).collect()
}

#[test]
fn a_resumed_run_equals_an_uninterrupted_one_byte_for_byte() {
    let home = tempfile::tempdir().unwrap();
    let (whole, parts) = (home.path().join("whole"), home.path().join("parts"));
    run_into(&whole, &mut Silent, FolderCheckpoint::fresh(&whole, identity()));

    let first = run_into(&parts, &mut StopAfter(2), FolderCheckpoint::fresh(&parts, identity()));
    assert!(first.interrupted && FolderCheckpoint::is_there(&parts));
    assert_ne!(without_seconds(&parts), without_seconds(&whole));
    let again = FolderCheckpoint::resume(&parts, identity()).unwrap();
    assert!(again.has_state());
    let second = run_into(&parts, &mut StopAfter(3), again);
    assert!(second.interrupted);
    let last = run_into(&parts, &mut Silent, FolderCheckpoint::resume(&parts, identity()).unwrap());
    assert!(!last.interrupted && !FolderCheckpoint::is_there(&parts));

    assert_eq!(without_seconds(&parts), without_seconds(&whole));
    for name in [
        "config.toml",
        "order.txt",
        "edges.csv",
        "graph.dot",
        "graph.graphml",
        "model.safetensors",
        "history.csv",
    ] {
        assert_eq!(text(&parts, name), text(&whole, name), "{name}");
    }
    let mut names: Vec<_> = std::fs::read_dir(home.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["parts", "whole"], "nothing stays beside the folders");
}

#[test]
fn a_state_of_another_run_is_refused_and_none_is_no_error() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("run");
    assert!(!FolderCheckpoint::resume(&folder, identity()).unwrap().has_state());
    assert!(!folder.exists());
    run_into(&folder, &mut StopAfter(1), FolderCheckpoint::fresh(&folder, identity()));
    let other = Identity::new(&sample(), &DiscoverOptions { seed: Seed(1), ..options() }).unwrap();
    let error = FolderCheckpoint::resume(&folder, other).unwrap_err();
    let message = format!("{}: the interrupted run had the seed 0, this one has 1", folder.display());
    assert_eq!(error.to_string(), message);
    assert!(error.is_input());
}

#[test]
fn a_fresh_run_replaces_what_an_interrupted_one_left() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("run");
    run_into(&folder, &mut StopAfter(1), FolderCheckpoint::fresh(&folder, identity()));
    let before = text(&folder, "checkpoint.safetensors");
    let mut fresh = FolderCheckpoint::fresh(&folder, identity());
    assert_eq!(fresh.load(), None);
    fresh.save(b"new").unwrap();
    assert_ne!(text(&folder, "checkpoint.safetensors"), before);
}
