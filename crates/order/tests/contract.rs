//! What every registered method promises, whoever it is.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use std::ops::ControlFlow;

use oslow_core::{
    Checkpoint, Dag, Event, ForgetfulCheckpoint, Kind, Knowledge, Learned, MemoryCheckpoint, Method,
    Observer, Ordering, Precedence, Prepared, Preparing, Result, Run, Sample, Seed, Settings, Silent,
};
use oslow_metrics::cbc;
use oslow_order::methods;
use oslow_scm::{Simulated, Spec, simulate};

fn simulated(nodes: usize, seed: u64) -> Simulated {
    let spec = Spec { nodes, graph: "tournament".into(), ..Spec::default() };
    simulate(&spec, 300, Seed(seed)).unwrap()
}

/// Runs a method on a pool of this many threads.
fn learn_watched(
    method: &Method,
    sample: &Sample,
    knowledge: &Knowledge,
    seed: u64,
    threads: usize,
    observer: &mut dyn Observer,
    checkpoint: &mut dyn Checkpoint,
) -> Result<Learned> {
    let prepared = Prepared::new(sample, Preparing::as_given())?;
    let learner = (method.build)(&Settings::new())?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        learner.learn(&prepared, &mut Run { seed: Seed(seed), knowledge, threads, observer, checkpoint })
    })
}

fn learn(
    method: &Method,
    sample: &Sample,
    knowledge: &Knowledge,
    seed: u64,
    threads: usize,
) -> Result<Learned> {
    learn_watched(method, sample, knowledge, seed, threads, &mut Silent, &mut ForgetfulCheckpoint)
}

#[test]
fn the_same_seed_gives_the_same_answer_on_any_number_of_threads() {
    let data = simulated(3, 1);
    for method in methods() {
        let none = Knowledge::none(3);
        let run = |threads| {
            let found = learn(method, &data.sample, &none, 7, threads).unwrap();
            let nodes = found.order.as_ref().map(Ordering::len).or(found.dag.as_ref().map(Dag::nodes));
            assert_eq!(nodes, Some(3), "{}", method.name);
            (found.order, found.dag, found.nll, found.history.map(|h| h.rows))
        };
        let first = run(1);
        assert_eq!(first, run(2), "{}", method.name);
    }
}

/// Who comes before whom by the paths of a graph and what is known; `None` if they contradict each other.
fn paths(dag: &Dag, known: &Knowledge) -> Option<Precedence> {
    let d = dag.nodes();
    let before = |k: usize| dag.has(k / d, k % d) || known.precedence().requires(k / d, k % d);
    let closed = Precedence::from_relation(d, (0..d * d).map(before).collect());
    (0..d).all(|node| !closed.requires(node, node)).then_some(closed)
}

#[test]
fn knowledge_is_honoured() {
    let data = simulated(4, 2);
    let truth = data.dag.topological_order();
    // The last becomes first: data alone would never say so.
    let first = &data.sample.names()[truth.nodes()[3]];
    let second = &data.sample.names()[truth.nodes()[0]];
    let text = format!("tiers = [['{first}'], ['{second}']]");
    let knowledge = Knowledge::from_toml(&text, data.sample.names()).unwrap();
    for method in methods() {
        let found = learn(method, &data.sample, &knowledge, 1, 2).unwrap();
        match &found.order {
            Some(order) => assert!(knowledge.precedence().admits(order), "{}: {order:?}", method.name),
            None => assert!(paths(found.dag.as_ref().unwrap(), &knowledge).is_some(), "{}", method.name),
        }
    }
}

#[test]
fn unknown_settings_are_refused() {
    for method in methods() {
        let settings: Settings = "no_such_setting = 1".parse().unwrap();
        assert!(
            (method.build)(&settings).is_err() && (method.resolve)(&settings).is_err(),
            "{}",
            method.name
        );
        let defaults = (method.resolve)(&Settings::new()).unwrap();
        assert!((method.build)(&defaults).is_ok(), "{}", method.name);
    }
}

/// Stops after some events.
struct Impatient(usize);

impl Observer for Impatient {
    fn on_event(&mut self, _: &Event<'_>) -> ControlFlow<()> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn a_run_that_is_told_to_stop_has_an_answer_and_can_be_resumed() {
    let data = simulated(3, 4);
    let none = Knowledge::none(3);
    for method in methods() {
        let mut saved = MemoryCheckpoint::default();
        for events in [3, 120] {
            let told = &mut Impatient(events);
            let stopped = learn_watched(method, &data.sample, &none, 1, 1, told, &mut saved).unwrap();
            assert!(stopped.order.is_some() || stopped.dag.is_some(), "{}", method.name);
        }
        let resumed = learn_watched(method, &data.sample, &none, 1, 1, &mut Silent, &mut saved).unwrap();
        let whole = learn(method, &data.sample, &none, 1, 1).unwrap();
        assert_eq!(
            (resumed.order, resumed.dag, resumed.nll),
            (whole.order, whole.dag, whole.nll),
            "{}",
            method.name
        );
        assert!(!resumed.interrupted);
    }
}

/// No data are easy for all: what one method assumes another excludes. These are the kinds of which each contestant must be
/// good at one, with their rows.
fn easy_kinds() -> [(Spec, usize); 4] {
    let tournament = Spec { nodes: 3, graph: "tournament".into(), ..Spec::default() };
    let smooth = Spec { mechanism: "gaussian-process".into(), additive: true, ..tournament.clone() };
    let linear =
        Spec { mechanism: "linear".into(), additive: true, noise: "laplace".into(), ..tournament.clone() };
    // Noises of equal variance in a table that is not standardised; more rows, as whoever trains by batches takes few steps.
    let equal =
        Spec { graph: "fork".into(), mechanism: "intervention".into(), additive: true, ..tournament.clone() };
    [(tournament, 300), (smooth, 300), (linear, 300), (equal, 1000)]
}

/// The share of true edges that a graph without an order has the wrong way round, by its paths; what it leaves open counts half.
fn misdirected(truth: &Dag, found: &Dag) -> f64 {
    let found = paths(found, &Knowledge::none(found.nodes())).unwrap();
    let wrong = |&(from, to): &(usize, usize)| match (found.requires(from, to), found.requires(to, from)) {
        (true, _) => 0.0,
        (_, true) => 1.0,
        _ => 0.5,
    };
    let edges = truth.edges();
    edges.iter().map(wrong).sum::<f64>() / edges.len() as f64
}

#[test]
fn contestants_beat_chance_on_an_easy_case() {
    for method in methods().filter(|method| method.kind == Kind::Contestant) {
        let error = |(spec, rows): &(Spec, usize), seed: u64| {
            let data = simulate(spec, *rows, Seed(10 + seed)).unwrap();
            let found = learn(method, &data.sample, &Knowledge::none(3), 1, 2).unwrap();
            match &found.order {
                Some(order) => cbc(&data.dag, order).unwrap(),
                None => misdirected(&data.dag, &found.dag.unwrap()),
            }
        };
        let errors = |kind| (0..4).map(|seed| error(kind, seed)).sum::<f64>() / 4.0;
        // By chance one half.
        assert!(easy_kinds().iter().any(|kind| errors(kind) < 0.25), "{}", method.name);
    }
}
