use std::ops::ControlFlow;

use super::*;
use oslow_core::{
    Edge, Event, ForgetfulCheckpoint, Knowledge, Observer, Ordering, Preparing, Sample, Seed, Silent,
};

/// Counts the tests, and stops after some.
struct Counter {
    tests: usize,
    most: usize,
}

impl Observer for Counter {
    fn on_event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        self.tests += usize::from(matches!(event, Event::Progress { .. }));
        if self.tests < self.most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

fn prune(
    settings: &str,
    sample: &Sample,
    order: &Ordering,
    knowledge: &Knowledge,
    observer: &mut dyn Observer,
) -> Pruned {
    let mut checkpoint = ForgetfulCheckpoint;
    let mut run = Run { seed: Seed(0), knowledge, threads: 1, observer, checkpoint: &mut checkpoint };
    PcKci::read(&settings.parse().unwrap())
        .unwrap()
        .prune(&Prepared::new(sample, Preparing::as_given()).unwrap(), &Dag::tournament(order), &mut run)
        .unwrap()
}

fn sachs() -> (Sample, Ordering, Dag) {
    let sample = oslow_data::load("sachs").unwrap().sample;
    let index = |name: &str| sample.index_of(name).unwrap();
    let names = ["PKC", "PKA", "Plcg", "PIP3", "PIP2", "Raf", "Mek", "Erk", "Akt", "P38", "Jnk"];
    let order = Ordering::new(names.map(index).to_vec()).unwrap();
    let edges = oslow_data::datasets()[0].truth().unwrap();
    let edges: Vec<Edge> = edges.iter().map(|(from, to)| (index(from), index(to))).collect();
    let truth = Dag::new(11, &edges).unwrap();
    (sample, order, truth)
}

fn count(settings: &str, sample: &Sample, order: &Ordering, knowledge: &Knowledge) -> (Pruned, usize) {
    let mut counter = Counter { tests: 0, most: usize::MAX };
    let pruned = prune(settings, sample, order, knowledge, &mut counter);
    (pruned, counter.tests)
}

#[test]
fn the_true_order_on_sachs_gives_the_papers_graph() {
    let (sample, order, truth) = sachs();
    let (pruned, tests) = count("", &sample, &order, &Knowledge::none(11));
    let (shd, sid) = (oslow_metrics::shd(&truth, &pruned.dag), oslow_metrics::sid(&truth, &pruned.dag));
    assert_eq!((pruned.edges.len(), shd, sid), (10, 9, 36));
    // 55 without conditioning, and 18 with.
    assert_eq!(tests, 73);
    assert!(pruned.edges.iter().all(|edge| edge.p_value.is_some_and(|p| p <= 0.05)));
    // With the order's conditioning sets one edge more stays.
    let (pruned, tests) = count("conditioning = 'order'", &sample, &order, &Knowledge::none(11));
    assert_eq!((pruned.edges.len(), tests), (11, 61));
}

#[test]
fn knowledge_cuts_work() {
    let (sample, order, _) = sachs();
    let text = "roots = ['PKC', 'PKA', 'Plcg']\nforbidden = [['Raf', 'Erk'], ['Raf', 'Jnk']]\nrequired = [['Mek', 'Erk']]";
    let known = Knowledge::from_toml(text, sample.names()).unwrap();
    let (pruned, tests) = count("max_conditioning = 0", &sample, &order, &known);
    // 55 pairs without 3 between roots, 2 forbidden and 1 required.
    assert_eq!(tests, 49);
    let [mek, erk] = ["Mek", "Erk"].map(|name| sample.index_of(name).unwrap());
    let required = pruned.edges.iter().find(|edge| (edge.from, edge.to) == (mek, erk)).unwrap();
    assert_eq!(required.p_value, None);
}

#[test]
fn threads_change_nothing() {
    let (sample, order, _) = sachs();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (pruned, tests) = pool.install(|| count("", &sample, &order, &Knowledge::none(11)));
        (format!("{:?}", pruned.edges), tests)
    };
    assert_eq!(on(1), on(4));
}

#[test]
fn a_stop_keeps_what_was_not_tested() {
    let (sample, order, _) = sachs();
    let known = Knowledge::none(11);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    // Within the first level, and at its end.
    for most in [20, 55] {
        let mut counter = Counter { tests: 0, most };
        let pruned = pool.install(|| prune("", &sample, &order, &known, &mut counter));
        assert_eq!(counter.tests, most);
        assert!(pruned.interrupted);
        let (whole, _) = count("max_conditioning = 0", &sample, &order, &known);
        assert!(pruned.edges.len() >= whole.edges.len() + 55 - most - 10);
        // Only an edge that has no neighbours left to condition on is tested to the end.
        let finished = pruned.edges.iter().filter(|edge| edge.p_value.is_some());
        assert!(finished.count() < 5, "{:?}", pruned.edges);
    }
}

#[test]
fn bad_settings_are_refused() {
    let refusal = |text: &str| PcKci::read(&text.parse().unwrap()).unwrap_err().to_string();
    assert_eq!(refusal("alpha = 1.0"), "alpha = 1: it must be between 0 and 1");
    assert!(refusal("max_conditioning = 'some'").contains("must be a whole number or \"all\""));
    assert!(refusal("conditioning = 'odd'").contains("must be `pc` or `order`"));
    let read = PcKci::read(&"max_conditioning = 2".parse().unwrap()).unwrap();
    assert_eq!(read.max_conditioning, MaxConditioning::Number(2));
}

#[derive(serde::Deserialize)]
struct Case {
    seed: u64,
    rows: usize,
    mechanism: String,
    /// Which variable each column holds.
    columns: Vec<usize>,
    edges: Vec<Edge>,
}

impl Case {
    /// The table as `fixtures/kci/make.py` draws it.
    fn sample(&self) -> Sample {
        let mut table: Vec<Vec<f64>> = (0..6).map(|j| noise(1000 * self.seed + j, self.rows)).collect();
        for (cause, effect) in [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 5)] {
            for i in 0..self.rows {
                let s = table[cause][i];
                let image = match self.mechanism.as_str() {
                    "linear" => s,
                    "sine" => (2.0 * s).sin() + 0.5 * s,
                    "square" => 0.7 * s * s,
                    other => panic!("no mechanism `{other}`"),
                };
                table[effect][i] = table[effect][i] * 0.6 + image;
            }
        }
        let names = (0..6).map(|j| format!("X{j}")).collect();
        let rows = (0..self.rows).flat_map(|i| self.columns.iter().map(move |&j| (i, j)));
        Sample::new(names, rows.map(|(i, j)| table[j][i]).collect()).unwrap()
    }
}

/// Sums of four uniform numbers from the generator splitmix64, of variance 1.
fn noise(seed: u64, n: usize) -> Vec<f64> {
    let mut state = seed;
    let mut uniform = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let bits = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..n).map(|_| (uniform() + uniform() + uniform() + uniform() - 2.0) * 3f64.sqrt()).collect()
}

#[test]
fn skeletons_are_causal_learns() {
    let text = include_str!("../../../../fixtures/kci/skeletons.json");
    let cases: Vec<Case> = serde_json::from_str(text).unwrap();
    for case in cases {
        for order in [Ordering::identity(6), Ordering::new(vec![5, 3, 1, 0, 2, 4]).unwrap()] {
            let pruned = prune("", &case.sample(), &order, &Knowledge::none(6), &mut Silent);
            let ends = |edge: &PrunedEdge| (edge.from.min(edge.to), edge.from.max(edge.to));
            let mut edges: Vec<Edge> = pruned.edges.iter().map(ends).collect();
            edges.sort_unstable();
            assert_eq!(edges, case.edges, "case {}", case.seed);
        }
    }
}
