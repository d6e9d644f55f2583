//! The stages, and what they promise together.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

mod small;

use oslow::methods;
use oslow::prelude::*;
use small::{options, sample};

fn find(sample: &Sample, options: &DiscoverOptions) -> Result<Discovery> {
    discover(sample, options, &mut Silent, &mut ForgetfulCheckpoint)
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let json = |threads| {
        let found = find(&sample(), &DiscoverOptions { threads: Some(threads), ..options() }).unwrap();
        (found.model.clone(), Discovery { seconds: 0.0, ..found }.to_json().unwrap())
    };
    assert_eq!(json(1), json(2));
}

#[test]
fn outliers_are_counted() {
    let mut values = sample().values().to_vec();
    values[0] = 1e6;
    let sample = Sample::new(sample().names().to_vec(), values).unwrap();
    let with = |outliers| {
        let options = DiscoverOptions { method: "random".into(), outliers, ..DiscoverOptions::default() };
        find(&sample, &options)
    };
    let found = with(Outliers::Mad(50.0)).unwrap();
    assert_eq!((found.rows, found.rows_removed), (119, 1));
    let error = with(Outliers::Mad(1e-6)).unwrap_err();
    assert_eq!(error.to_string(), "outliers mad:0.000001 keeps only 0 of 120 rows");
}

#[test]
fn knowledge_is_honoured_and_contradictions_are_refused() {
    let with = |known: &str| {
        let knowledge = known.parse().unwrap();
        find(
            &sample(),
            &DiscoverOptions { method: "random".into(), settings: Settings::new(), knowledge, ..options() },
        )
    };
    let found = with("tiers = [['X3'], ['X0', 'X1', 'X2']]\nforbidden = [['X3', 'X1']]").unwrap();
    assert_eq!(found.order.as_ref().unwrap().nodes()[0], 3);
    assert!(!found.dag().unwrap().has(3, 1));
    let error = with("required = [['X0', 'X1'], ['X1', 'X0']]").unwrap_err();
    assert!(error.to_string().starts_with("knowledge: the required edges form a cycle"), "{error}");
}

#[test]
fn what_is_unknown_is_refused() {
    let refusal = |change: &dyn Fn(&mut DiscoverOptions)| {
        let mut options = options();
        change(&mut options);
        find(&sample(), &options).unwrap_err().to_string()
    };
    assert_eq!(refusal(&|o| o.method = "oslo".into()), "there is no method `oslo`");
    assert_eq!(refusal(&|o| o.prune = "nona".into()), "there is no pruner `nona`");
    assert_eq!(refusal(&|o| o.settings = "cycle = 1".parse().unwrap()), "unknown setting `cycle`");
    assert_eq!(refusal(&|o| o.prune_settings = "cut = 1".parse().unwrap()), "unknown setting `cut`");
    assert_eq!(refusal(&|o| o.threads = Some(0)), "threads = 0: at least 1 is needed");
}

#[test]
fn every_method_says_what_it_assumes_and_resolves_its_settings() {
    for method in methods() {
        let defaults = (method.resolve)(&Settings::new()).unwrap();
        assert_eq!((method.resolve)(&defaults).unwrap(), defaults, "{}", method.name);
    }
}

/// Wants everything to stop at once.
struct Impatient;

impl Observer for Impatient {
    fn on_event(&mut self, _: &Event<'_>) -> std::ops::ControlFlow<()> {
        std::ops::ControlFlow::Break(())
    }
}

#[test]
fn an_order_whose_learning_was_stopped_is_pruned_all_the_same() {
    let spec = oslow::scm::Spec { nodes: 4, ..Default::default() };
    let sample = oslow::scm::simulate(&spec, 200, Seed(3)).unwrap().sample;
    let options = DiscoverOptions { prune: "cam".into(), ..DiscoverOptions::default() };
    let found = discover(&sample, &options, &mut Impatient, &mut ForgetfulCheckpoint).unwrap();
    assert!(found.interrupted);
    assert!(found.edges.iter().all(|edge| edge.p_value.is_some_and(|p| p < 0.001)), "{:?}", found.edges);
}
