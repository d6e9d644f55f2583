//! How sure an answer is.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

mod small;

use std::ops::ControlFlow;
use std::path::Path;

use oslow::prelude::*;
use oslow::{FolderCheckpoint, Identity, ReadConfig, RunConfig, write_run};

/// 300 rows of a → b → c, linear, each with more variance than the one before.
fn chain() -> Sample {
    let uniform = |k: u64| {
        let mixed = (k + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed ^ (mixed >> 32)) >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    let row = |i: u64| {
        let a = uniform(3 * i);
        let b = 2.0 * a + uniform(3 * i + 1);
        [a, b, 2.0 * b + uniform(3 * i + 2)]
    };
    Sample::new(["a", "b", "c"].map(String::from).into(), (0..300).flat_map(row).collect()).unwrap()
}

/// Sorted by variance and pruned by CAM: fast, and right for the chain.
fn by_variance() -> DiscoverOptions {
    DiscoverOptions {
        method: "var-sort".into(),
        prune: "cam".into(),
        standardize: Standardize::None,
        threads: Some(1),
        ..DiscoverOptions::default()
    }
}

/// OSLow, which has a state of its own to keep, with fits that take a moment.
fn trained() -> DiscoverOptions {
    let mut options = small::options();
    options.settings.extend("refine_steps = 10".parse::<Settings>().unwrap());
    options
}

fn silently(sample: &Sample, options: &DiscoverOptions, resamples: usize) -> Result<Confidence> {
    bootstrap(sample, options, resamples, &mut Silent, &mut ForgetfulCheckpoint)
}

fn json(found: Discovery) -> String {
    Discovery { seconds: 0.0, ..found }.to_json().unwrap()
}

#[test]
fn strong_edges_are_found_again_and_absent_ones_are_not() {
    let found = silently(&chain(), &by_variance(), 50).unwrap();
    assert_eq!((found.asked, found.finished, found.interrupted()), (50, 50, false));
    assert_eq!((found.of(0, 1), found.of(1, 2), found.of(1, 0)), (Some(1.0), Some(1.0), Some(0.0)));
    assert!(found.of(0, 2).unwrap() < 0.1, "{:?}", found.edges);
    let pairs = found.order_pairs.unwrap();
    assert_eq!([pairs.share(0, 1), pairs.share(0, 2), pairs.share(2, 1)], [1.0, 1.0, 0.0]);
}

#[test]
fn a_method_that_guesses_is_seen_to_guess() {
    let options = DiscoverOptions { method: "random".into(), prune: "none".into(), ..by_variance() };
    let found = silently(&chain(), &options, 200).unwrap();
    // Four standard errors of a share of 200.
    for pair in found.order_pairs.unwrap().all() {
        assert!((pair.share - 0.5).abs() < 4.0 * (0.25_f64 / 200.0).sqrt(), "{pair:?}");
    }
}

#[test]
fn the_answer_is_that_of_the_whole_table() {
    let find = |bootstrap| {
        let options = DiscoverOptions { bootstrap, ..trained() };
        discover(&small::sample(), &options, &mut Silent, &mut ForgetfulCheckpoint).unwrap()
    };
    let (with, without) = (find(Some(2)), find(None));
    assert!(with.edges.iter().all(|edge| edge.confidence.is_some()));
    assert!(without.edges.iter().all(|edge| edge.confidence.is_none()));
    let p_values =
        |found: &Discovery| found.edges.iter().map(|e| (e.from, e.to, e.p_value)).collect::<Vec<_>>();
    assert_eq!(p_values(&with), p_values(&without));
    assert_eq!((with.order, with.nll, with.model), (without.order, without.nll, without.model));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let find = |threads| {
        let options = DiscoverOptions { bootstrap: Some(7), threads: Some(threads), ..trained() };
        json(discover(&small::sample(), &options, &mut Silent, &mut ForgetfulCheckpoint).unwrap())
    };
    assert_eq!(find(1), find(2));
}

#[test]
fn a_method_without_an_order_has_edges_to_count_and_no_pairs() {
    let options = DiscoverOptions {
        method: "gran-dag".into(),
        settings: "rate = 0.01\niterations = 1000".parse().unwrap(),
        bootstrap: Some(5),
        ..by_variance()
    };
    let found = discover(&chain(), &options, &mut Silent, &mut ForgetfulCheckpoint).unwrap();
    let known = found.confidence.as_ref().unwrap();
    assert_eq!((known.finished, &known.order_pairs), (5, &None));
    assert!(found.order.is_none() && !known.edges.is_empty());
    assert!(found.to_json().unwrap().contains("\"order_pairs\": null"));
}

/// Stops when so many resamples are finished.
struct StopAt(u64);

impl Observer for StopAt {
    fn on_event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Progress { stage: "resamples", done, .. } if *done >= self.0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

#[test]
fn finished_resamples_are_taken_up_again_and_more_can_be_asked_for() {
    let (sample, options) = (chain(), by_variance());
    let mut kept = MemoryCheckpoint::default();
    let first = bootstrap(&sample, &options, 10, &mut StopAt(4), &mut kept).unwrap();
    assert_eq!((first.finished, first.interrupted()), (4, true));
    assert_eq!(first.edges, silently(&sample, &options, 4).unwrap().edges);
    let more = bootstrap(&sample, &options, 20, &mut Silent, &mut kept).unwrap();
    assert_eq!(more, silently(&sample, &options, 20).unwrap());
    let fewer = bootstrap(&sample, &options, 3, &mut Silent, &mut kept).unwrap();
    assert_eq!(fewer, silently(&sample, &options, 3).unwrap());
}

#[test]
fn nothing_finished_is_no_share() {
    let options = DiscoverOptions { bootstrap: Some(5), ..by_variance() };
    let found = discover(&chain(), &options, &mut StopAt(0), &mut ForgetfulCheckpoint).unwrap();
    assert!(found.interrupted && found.edges.iter().all(|edge| edge.confidence.is_none()));
    let text = found.to_json().unwrap();
    assert!(text.contains("\"finished\": 0\n") && text.contains("\"order_pairs\": null"), "{text}");
}

fn run_into(folder: &Path, observer: &mut dyn Observer, resume: bool) -> Discovery {
    let options = DiscoverOptions { bootstrap: Some(6), ..trained() };
    let identity = Identity::new(&small::sample(), &options).unwrap();
    let mut checkpoint = match resume {
        true => FolderCheckpoint::resume(folder, identity).unwrap(),
        false => FolderCheckpoint::fresh(folder, identity),
    };
    let found = discover(&small::sample(), &options, observer, &mut checkpoint).unwrap();
    let config = RunConfig::resolved(&found, &options, &ReadConfig::default()).unwrap();
    write_run(folder, &found, &config).unwrap();
    if !found.interrupted {
        checkpoint.remove().unwrap();
    }
    found
}

/// Stops at the first sign of progress.
struct Impatient;

impl Observer for Impatient {
    fn on_event(&mut self, _: &Event<'_>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

#[test]
fn a_resumed_run_equals_an_uninterrupted_one() {
    let home = tempfile::tempdir().unwrap();
    let (whole, parts) = (home.path().join("whole"), home.path().join("parts"));
    run_into(&whole, &mut Silent, false);
    assert_eq!(run_into(&parts, &mut Impatient, false).confidence.unwrap().finished, 0);
    assert_eq!(run_into(&parts, &mut StopAt(2), true).confidence.unwrap().finished, 2);
    // Stopped while the answer is learned: what was finished before still counts.
    assert_eq!(run_into(&parts, &mut Impatient, true).confidence.unwrap().finished, 2);
    assert_eq!(run_into(&parts, &mut StopAt(5), true).confidence.unwrap().finished, 5);
    assert!(!run_into(&parts, &mut Silent, true).interrupted);

    let text = |folder: &Path, name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let without_seconds = |folder: &Path| {
        let all = text(folder, "run.json");
        all.lines().filter(|line| !line.starts_with("  \"seconds\"")).map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(without_seconds(&parts), without_seconds(&whole));
    for name in ["config.toml", "edges.csv", "edge_frequencies.csv", "order_pairs.csv", "graph.graphml"] {
        assert_eq!(text(&parts, name), text(&whole, name), "{name}");
    }
    let names = |folder: &Path| {
        let mut names: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&parts), names(&whole));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refusal = |number| silently(&chain(), &by_variance(), number).unwrap_err();
    assert_eq!(refusal(0).to_string(), "bootstrap = 0: at least 1 resample is needed");
    assert!(refusal(0).is_input() && refusal(usize::MAX).to_string().contains("at most 1000000"));
    let other = bootstrap(
        &small::sample(),
        &by_variance(),
        3,
        &mut Silent,
        &mut MemoryCheckpoint(Some(br#"{"0": {"order": [0, 1], "edges": []}}"#.to_vec())),
    );
    let message = "the state of the interrupted run cannot be read: it belongs to another table";
    assert_eq!(other.unwrap_err().to_string(), message);
}

/// Writes down the forecast.
struct Listener(Option<(oslow::Forecast, usize)>);

impl Observer for Listener {
    fn on_event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::Forecast { needs, threads } = event {
            self.0 = Some((**needs, *threads));
        }
        ControlFlow::Break(())
    }
}

#[test]
fn what_it_will_need_is_told_beforehand() {
    let told = |bootstrap, threads| {
        let options = DiscoverOptions { bootstrap, threads: Some(threads), ..DiscoverOptions::default() };
        let mut listener = Listener(None);
        discover(&small::sample(), &options, &mut listener, &mut ForgetfulCheckpoint).unwrap();
        let (needs, on) = listener.0.unwrap();
        assert_eq!(on, threads);
        needs.seconds.unwrap()
    };
    let once = told(None, 1);
    assert!(once > 0.0);
    assert!((told(Some(9), 1) - 10.0 * once).abs() < 1e-9 * once);
    assert!((told(Some(9), 2) - 5.5 * once).abs() < 1e-9 * once, "half, and five in turn");
    let mut listener = Listener(None);
    bootstrap(&chain(), &by_variance(), 3, &mut listener, &mut ForgetfulCheckpoint).unwrap();
    assert_eq!(listener.0, None, "a sort has nothing to foretell");
}
