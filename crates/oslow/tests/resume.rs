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
fn run_into(folder: &Path, observer: &mut dyn Observer, checkpoint: FolderCheckpoint) -> Discovery {
    run_of(&sample(), &options(), folder, observer, checkpoint)
}

/// The same of any table and options.
fn run_of(
    sample: &Sample,
    options: &DiscoverOptions,
    folder: &Path,
    observer: &mut dyn Observer,
    mut checkpoint: FolderCheckpoint,
) -> Discovery {
    let found = discover(sample, options, observer, &mut checkpoint).unwrap();
    let config = RunConfig::resolved(&found, options, &ReadConfig::default()).unwrap();
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
        "graph.svg",
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
    let before = text(&folder, "checkpoint.bin");
    let mut fresh = FolderCheckpoint::fresh(&folder, identity());
    assert_eq!(fresh.load(), None);
    fresh.save(b"new").unwrap();
    assert_ne!(text(&folder, "checkpoint.bin"), before);
}

/// What the exact engine says it is doing.
const CHOOSING: &str = "choosing candidate causes";
const INTERACTING: &str = "looking for causes that interact";
const SCORING: &str = "scoring sets of causes";

/// 60 rows of X0 … X8.
fn wide() -> Sample {
    let spec = oslow::scm::Spec { nodes: 9, ..oslow::scm::Spec::default() };
    oslow::scm::simulate(&spec, 60, Seed(5)).unwrap().sample
}

/// The exact engine with fits that take a moment. Up to so many columns all others are candidates; in a larger table
/// almost everything that there is room for is.
fn exact(all_candidates_up_to: usize) -> DiscoverOptions {
    let local = "folds = 2\nlocation_units = 2\nscale_units = 0\nsteps = 3\nnoise = 'gaussian'\n\
                 scale = 'additive'\ncandidates = 6\ncandidate_gain = 0.0\nset_gain = 0.0";
    let settings = format!("[local]\nall_candidates_up_to = {all_candidates_up_to}\n{local}");
    DiscoverOptions {
        method: "exact".into(),
        prune: "likelihood".into(),
        settings: settings.parse().unwrap(),
        threads: Some(2),
        ..DiscoverOptions::default()
    }
}

/// Stops in the middle of a stage, at this event of it with work left; writes down what it was told.
struct StopWithin {
    stage: &'static str,
    after: usize,
    told: Vec<(String, u64, u64)>,
}

impl StopWithin {
    fn new(stage: &'static str, after: usize) -> Self {
        Self { stage, after, told: Vec::new() }
    }

    /// What was done and what there was to do, of each event of a stage.
    fn steps(&self, stage: &str) -> Vec<(u64, u64)> {
        self.told.iter().filter(|told| told.0 == stage).map(|told| (told.1, told.2)).collect()
    }
}

impl Observer for StopWithin {
    fn on_event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        let Event::Progress { stage, done, total, .. } = event else { return ControlFlow::Continue(()) };
        self.told.push(((*stage).to_string(), *done, *total));
        let inside = *stage == self.stage && done < total;
        self.after -= usize::from(inside && self.after > 0);
        if self.after == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The best that a stopped run had: an order of all columns, and edges along it.
fn assert_whole(found: &Discovery) {
    assert!(found.interrupted);
    assert!(found.to_json().unwrap().contains("\"interrupted\": true"));
    let order = found.order.as_ref().unwrap();
    let mut nodes = order.nodes().to_vec();
    nodes.sort_unstable();
    assert_eq!(nodes, (0..found.columns.len()).collect::<Vec<_>>());
    let positions = order.positions();
    assert!(found.edges.iter().all(|edge| positions[edge.from] < positions[edge.to]), "{:?}", found.edges);
}

fn timeless(found: Discovery) -> String {
    Discovery { seconds: 0.0, ..found }.to_json().unwrap()
}

#[test]
fn exact_stopped_while_scoring_has_an_order_and_ends_as_if_it_had_not_been() {
    let (home, sample, options) = (tempfile::tempdir().unwrap(), wide(), exact(9));
    let identity = || Identity::new(&sample, &options).unwrap();
    let (whole, parts) = (home.path().join("whole"), home.path().join("parts"));
    let mut listener = StopWithin::new(SCORING, usize::MAX);
    let expected =
        run_of(&sample, &options, &whole, &mut listener, FolderCheckpoint::fresh(&whole, identity()));
    assert!(!expected.interrupted);

    let mut first = StopWithin::new(SCORING, 6);
    let found = run_of(&sample, &options, &parts, &mut first, FolderCheckpoint::fresh(&parts, identity()));
    assert_whole(&found);
    let steps = first.steps(SCORING);
    let stopped = steps.iter().rfind(|(done, total)| (1..*total).contains(done));
    assert_eq!(stopped, Some(&(192, 252)), "three of four chunks of pairs");
    let kept = text(&parts, "checkpoint.bin").len();

    // Another stop, further on: what was scored is not scored again.
    let again = FolderCheckpoint::resume(&parts, identity()).unwrap();
    assert!(again.has_state());
    let mut second = StopWithin::new(SCORING, 6);
    assert_whole(&run_of(&sample, &options, &parts, &mut second, again));
    assert_ne!(without_seconds(&parts), without_seconds(&whole));
    assert!(text(&parts, "checkpoint.bin").len() > kept);

    let mut last = StopWithin::new(SCORING, usize::MAX);
    let found =
        run_of(&sample, &options, &parts, &mut last, FolderCheckpoint::resume(&parts, identity()).unwrap());
    assert!(!FolderCheckpoint::is_there(&parts));
    assert!(last.steps(SCORING).len() < listener.steps(SCORING).len());
    assert_eq!(timeless(found), timeless(expected));
    assert_eq!(without_seconds(&parts), without_seconds(&whole));
    for name in ["config.toml", "order.txt", "edges.csv", "graph.dot", "graph.graphml"] {
        assert_eq!(text(&parts, name), text(&whole, name), "{name}");
    }
}

#[test]
fn exact_stopped_while_choosing_candidates_ends_as_if_it_had_not_been() {
    let (home, sample, options) = (tempfile::tempdir().unwrap(), wide(), exact(7));
    let identity = || Identity::new(&sample, &options).unwrap();
    let (whole, parts) = (home.path().join("whole"), home.path().join("parts"));
    let mut listener = StopWithin::new(CHOOSING, usize::MAX);
    let expected =
        run_of(&sample, &options, &whole, &mut listener, FolderCheckpoint::fresh(&whole, identity()));
    let candidates = expected.candidates.as_ref().unwrap();
    assert!(candidates.iter().all(|of| of.len() <= 6) && candidates.iter().any(|of| !of.is_empty()));

    let mut first = StopWithin::new(CHOOSING, 2);
    let found = run_of(&sample, &options, &parts, &mut first, FolderCheckpoint::fresh(&parts, identity()));
    assert_whole(&found);
    assert_eq!(first.steps(CHOOSING).len(), 2);
    for (stage, after) in [(INTERACTING, 2), (SCORING, 2)] {
        let mut stopping = StopWithin::new(stage, after);
        let again = FolderCheckpoint::resume(&parts, identity()).unwrap();
        assert_whole(&run_of(&sample, &options, &parts, &mut stopping, again));
        assert!(!stopping.steps(stage).is_empty());
    }
    let found =
        run_of(&sample, &options, &parts, &mut Silent, FolderCheckpoint::resume(&parts, identity()).unwrap());
    assert_eq!(timeless(found), timeless(expected));
    assert_eq!(without_seconds(&parts), without_seconds(&whole));
}
