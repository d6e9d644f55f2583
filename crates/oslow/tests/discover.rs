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

#[test]
fn the_defaults_are_the_exact_engine_and_its_own_pruner() {
    let standard = DiscoverOptions::default();
    assert_eq!((standard.method.as_str(), standard.prune.as_str()), ("exact", "likelihood"));
    let found = find(&sample(), &standard).unwrap();
    assert_eq!((found.method, found.prune, found.pruned_by), ("exact", "likelihood", Some("likelihood")));
    let others = |node: usize| (0..4).filter(|&other| other != node).collect::<Vec<_>>();
    assert_eq!(found.candidates, Some((0..4).map(others).collect()), "a small table has all as candidates");
    assert!(found.nll.is_some() && found.ties.is_some_and(|ties| ties > 0) && found.gap.is_none());
    // Nothing is scored twice, and the graph is what the pruner would give.
    let pruned = oslow::prune(&sample(), found.order.as_ref().unwrap(), &standard, &mut Silent).unwrap();
    assert!(!found.edges.is_empty());
    assert_eq!(edges(&found), edges(&pruned));
}

/// The edges of an answer.
fn edges(found: &Discovery) -> Vec<(usize, usize)> {
    found.edges.iter().map(|edge| (edge.from, edge.to)).collect()
}

#[test]
fn the_graph_of_exact_is_what_its_pruner_gives_along_its_order() {
    let local = "[local]\nfolds = 3\nlocation_units = 4\nscale_units = 2\nsteps = 6";
    let local: Settings = local.parse().unwrap();
    for (seed, known) in [(1, ""), (3, "required = [['X3', 'X1']]\nforbidden = [['X0', 'X2']]")] {
        let spec = oslow::scm::Spec { nodes: 4, ..Default::default() };
        let sample = oslow::scm::simulate(&spec, 100, Seed(seed)).unwrap().sample;
        let options = DiscoverOptions {
            settings: local.clone(),
            prune_settings: local.clone(),
            knowledge: known.parse().unwrap(),
            seed: Seed(seed),
            ..DiscoverOptions::default()
        };
        // Where nobody asks to prune, the graph is the method's own.
        let own =
            DiscoverOptions { prune: "none".into(), prune_settings: Settings::new(), ..options.clone() };
        let own = find(&sample, &own).unwrap();
        let found = find(&sample, &options).unwrap();
        assert_eq!(found.order, own.order);
        let pruned = oslow::prune(&sample, own.order.as_ref().unwrap(), &options, &mut Silent).unwrap();
        assert!(!own.edges.is_empty());
        assert_eq!(edges(&found), edges(&own), "{seed}");
        assert_eq!(edges(&pruned), edges(&own), "{seed}");
    }
}

/// GraN-DAG, which yields a graph and no order, with steps that are few and large.
fn graph_learner(prune: &str) -> DiscoverOptions {
    DiscoverOptions {
        method: "gran-dag".into(),
        prune: prune.into(),
        settings: "rate = 0.01\niterations = 2000".parse().unwrap(),
        ..DiscoverOptions::default()
    }
}

#[test]
fn a_graph_without_an_order_is_the_answer_or_is_pruned() {
    let spec = oslow::scm::Spec { nodes: 4, graph: "path".into(), ..Default::default() };
    let sample = oslow::scm::simulate(&spec, 300, Seed(4)).unwrap().sample;
    let own = find(&sample, &graph_learner("none")).unwrap();
    assert!(own.order.is_none() && own.edges.iter().all(|edge| edge.p_value.is_none()));
    assert!(own.to_json().unwrap().contains("\"order\": null"));
    for prune in ["cam", "pc-kci", "likelihood"] {
        let options = graph_learner(prune);
        let pruned = find(&sample, &options).unwrap();
        let own_graph = own.dag().unwrap();
        let forgetful = &mut ForgetfulCheckpoint;
        let again = oslow::prune_graph(&sample, &own_graph, &options, &mut Silent, forgetful).unwrap();
        assert_eq!((edges(&pruned), pruned.order), (edges(&again), None), "{prune}");
        assert!(edges(&again).iter().all(|edge| edges(&own).contains(edge)), "{prune}");
        assert!((1..own.edges.len()).contains(&again.edges.len()), "{prune}: {:?}", again.edges);
    }
    assert!(find(&sample, &graph_learner("cam")).unwrap().edges.iter().all(|edge| edge.p_value.is_some()));
}

#[test]
fn another_order_of_the_same_table_is_pruned_alike_with_what_is_known_of_the_table() {
    let spec = oslow::scm::Spec { nodes: 4, graph: "path".into(), ..Default::default() };
    let sample = oslow::scm::simulate(&spec, 200, Seed(4)).unwrap().sample;
    for (prune, most_news) in [("pc-kci", 1), ("likelihood", 3)] {
        let options = DiscoverOptions { prune: prune.into(), ..DiscoverOptions::default() };
        let (mut kept, mut news) = (MemoryCheckpoint::default(), 0);
        for nodes in [[0, 1, 2, 3], [3, 1, 0, 2], [2, 0, 3, 1]] {
            let within = Dag::tournament(&Ordering::new(nodes.to_vec()).unwrap());
            let pruned = |checkpoint: &mut dyn Checkpoint| {
                let found = oslow::prune_graph(&sample, &within, &options, &mut Silent, checkpoint).unwrap();
                found.edges.iter().map(|edge| (edge.from, edge.to, edge.p_value)).collect::<Vec<_>>()
            };
            let before = kept.0.clone();
            assert_eq!(pruned(&mut kept), pruned(&mut ForgetfulCheckpoint), "{prune} {nodes:?}");
            news += usize::from(kept.0 != before);
        }
        assert!((1..=most_news).contains(&news), "{prune}: {news}");
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
    for method in ["oslow", "exact", "gran-dag"] {
        let options =
            DiscoverOptions { method: method.into(), prune: "cam".into(), ..DiscoverOptions::default() };
        let found = discover(&sample, &options, &mut Impatient, &mut ForgetfulCheckpoint).unwrap();
        assert!(found.interrupted, "{method}");
        assert!(found.edges.iter().all(|edge| edge.p_value.is_some_and(|p| p < 0.001)), "{:?}", found.edges);
    }
}
