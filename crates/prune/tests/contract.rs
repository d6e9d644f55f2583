//! What every registered pruner promises.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use std::ops::ControlFlow;

use oslow_core::{
    Dag, Event, ForgetfulCheckpoint, Knowledge, Named, Observer, Ordering, Prepared, Preparing, Pruned,
    PrunerEntry, Result, Run, Sample, Seed, Settings, Silent, find,
};
use oslow_prune::pruners;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

fn columns() -> Vec<String> {
    NAMES.map(String::from).to_vec()
}

/// a → b → c, d on its own; numbers without structure beyond that.
fn sample() -> Sample {
    let noise = |i: usize, j: usize| ((i * 37 + j * 101 + i * i * (7 + j)) % 89) as f64 / 89.0 - 0.5;
    let row = |i: usize| {
        let a = noise(i, 0);
        let b = (3.0 * a).sin() + 0.3 * noise(i, 1);
        [a, b, b * b + 0.3 * noise(i, 2), noise(i, 3)]
    };
    Sample::new(columns(), (0..200).flat_map(row).collect()).unwrap()
}

fn prune(entry: &PrunerEntry, sample: &Sample, order: &Ordering, known: &Knowledge) -> Result<Pruned> {
    watched(entry, sample, &Dag::tournament(order), known, &mut Silent, 1)
}

fn watched(
    entry: &PrunerEntry,
    sample: &Sample,
    within: &Dag,
    knowledge: &Knowledge,
    observer: &mut dyn Observer,
    threads: usize,
) -> Result<Pruned> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let checkpoint = &mut ForgetfulCheckpoint;
    let mut run = Run { seed: Seed(1), knowledge, threads, observer, checkpoint };
    let pruner = (entry.build)(&Settings::new())?;
    let prepared = Prepared::new(sample, Preparing::as_given())?;
    pool.install(|| pruner.prune(&prepared, within, &mut run))
}

/// Counts what it is told, and wants to stop at once.
#[derive(Default)]
struct Impatient {
    events: usize,
}

impl Observer for Impatient {
    fn on_event(&mut self, _: &Event<'_>) -> ControlFlow<()> {
        self.events += 1;
        ControlFlow::Break(())
    }
}

#[test]
fn edges_follow_the_order_and_agree_with_the_graph() {
    let order = Ordering::new(vec![3, 0, 1, 2]).unwrap();
    let positions = order.positions();
    for entry in pruners() {
        let pruned = prune(entry, &sample(), &order, &Knowledge::none(4)).unwrap();
        let edges: Vec<_> = pruned.edges.iter().map(|edge| (edge.from, edge.to)).collect();
        assert_eq!(edges, pruned.dag.edges(), "{}", entry.name);
        assert!(edges.iter().all(|&(from, to)| positions[from] < positions[to]), "{}", entry.name);
        assert!(pruned.edges.iter().all(|e| e.p_value.is_none_or(|p| (0.0..=1.0).contains(&p))));
        let again = prune(entry, &sample(), &order, &Knowledge::none(4)).unwrap();
        assert_eq!(again.dag, pruned.dag, "{} is not reproducible", entry.name);
    }
}

#[test]
fn threads_do_not_change_the_answer() {
    let (order, known) = (Ordering::new(vec![3, 0, 1, 2]).unwrap(), Knowledge::none(4));
    for entry in pruners() {
        let answer = |threads| {
            let pruned =
                watched(entry, &sample(), &Dag::tournament(&order), &known, &mut Silent, threads).unwrap();
            pruned.edges.iter().map(|edge| (edge.from, edge.to, edge.p_value)).collect::<Vec<_>>()
        };
        assert_eq!(answer(1), answer(3), "{}", entry.name);
    }
}

#[test]
fn what_was_not_looked_at_stays_when_told_to_stop() {
    let text = "required = [['d','a']]\nforbidden = [['b','c']]";
    let known = Knowledge::from_toml(text, &columns()).unwrap();
    let order = Ordering::new(vec![3, 0, 1, 2]).unwrap();
    for entry in pruners() {
        let mut impatient = Impatient::default();
        let pruned = watched(entry, &sample(), &Dag::tournament(&order), &known, &mut impatient, 1).unwrap();
        assert!(pruned.dag.has(3, 0) && !pruned.dag.has(1, 2), "{}", entry.name);
        assert_eq!(pruned.interrupted, impatient.events > 0, "{}", entry.name);
        let whole = prune(entry, &sample(), &order, &known).unwrap();
        assert!(!whole.interrupted);
        assert!(whole.edges.iter().all(|edge| pruned.dag.has(edge.from, edge.to)), "{}", entry.name);
    }
}

#[test]
fn those_that_test_keep_strong_causes_and_drop_noise() {
    let order = Ordering::new(vec![3, 0, 1, 2]).unwrap();
    for entry in pruners().filter(|entry| entry.name != "none") {
        let pruned = prune(entry, &sample(), &order, &Knowledge::none(4)).unwrap();
        assert!(pruned.dag.has(0, 1) && pruned.dag.has(1, 2), "{}: {:?}", entry.name, pruned.dag.edges());
        assert!(pruned.edges.len() < 6, "{} kept everything", entry.name);
    }
}

#[test]
fn few_rows_and_few_values_are_pruned_or_refused() {
    let order = Ordering::new(vec![3, 0, 1, 2]).unwrap();
    let values = sample();
    for entry in pruners() {
        for rows in [2, 3, 4, 5, 8, 12, 20, 40] {
            let few = values.select_rows(&(0..rows).collect::<Vec<_>>()).unwrap();
            match prune(entry, &few, &order, &Knowledge::none(4)) {
                Ok(pruned) => assert!(pruned.edges.iter().all(|e| e.p_value.is_none_or(|p| p.is_finite()))),
                Err(error) => assert!(error.is_input() && rows < 8, "{}, {rows} rows: {error}", entry.name),
            }
        }
        // Two and three different values, a far outlier, and a column that is another one times two.
        let row = |i: usize| {
            let x = values.value(i, 0);
            [f64::from(x > 0.1), (3.0 * x).round(), 2.0 * x, if i == 7 { 1e9 } else { x }]
        };
        let odd = Sample::new(columns(), (0..200).flat_map(row).collect()).unwrap();
        let pruned = prune(entry, &odd, &order, &Knowledge::none(4)).unwrap();
        assert!(pruned.edges.iter().all(|e| e.p_value.is_none_or(|p| (0.0..=1.0).contains(&p))));
    }
}

#[test]
fn knowledge_is_honoured_strictly() {
    let text = "required = [['d','a']]\nforbidden = [['b','c']]\nroots = ['d']\nleaves = ['c']";
    let known = Knowledge::from_toml(text, &columns()).unwrap();
    let order = Ordering::new(vec![3, 0, 2, 1]).unwrap();
    for entry in pruners() {
        let dag = prune(entry, &sample(), &order, &known).unwrap().dag;
        assert!(dag.has(3, 0), "{} dropped a required edge", entry.name);
        assert!(dag.edges().iter().all(|&(from, to)| known.allows(from, to)), "{}", entry.name);
    }
}

#[test]
fn an_order_against_knowledge_or_of_another_table_is_refused() {
    let known = Knowledge::from_toml("tiers = [['a'],['b']]", &columns()).unwrap();
    let against = Ordering::new(vec![1, 0, 2, 3]).unwrap();
    for entry in pruners() {
        assert!(prune(entry, &sample(), &against, &known).unwrap_err().is_input(), "{}", entry.name);
        let short = Ordering::identity(3);
        assert!(prune(entry, &sample(), &short, &Knowledge::none(4)).unwrap_err().is_input());
    }
}

#[test]
fn a_graph_is_pruned_within_its_edges() {
    // a → b is strong and missing, b → c strong and there; a → c is not direct, d → c is noise.
    let within = Dag::new(4, &[(1, 2), (0, 2), (3, 2), (0, 3)]).unwrap();
    let cut = |entry, known: &Knowledge| watched(entry, &sample(), &within, known, &mut Silent, 1);
    for entry in pruners() {
        let dag = cut(entry, &Knowledge::none(4)).unwrap().dag;
        assert!(dag.edges().iter().all(|&(from, to)| within.has(from, to)), "{}", entry.name);
        assert!(dag.has(1, 2), "{}", entry.name);
        assert_eq!(dag == within, entry.name == "none", "{}", entry.name);
        let known = Knowledge::new(&columns(), &[], &[(3, 2)], &[(0, 3)], &[], &[]).unwrap();
        let dag = cut(entry, &known).unwrap().dag;
        assert!(dag.has(3, 2) && !dag.has(0, 3), "{}", entry.name);
        let missing = Knowledge::new(&columns(), &[], &[(0, 1)], &[], &[], &[]).unwrap();
        let refusal = cut(entry, &missing).unwrap_err().to_string();
        assert_eq!(refusal, "the required edge `a` → `b` is not among those to choose from");
        let against = Knowledge::new(&columns(), &[vec![2], vec![0]], &[], &[], &[], &[]).unwrap();
        assert!(cut(entry, &against).unwrap_err().to_string().contains("contradicts"), "{}", entry.name);
    }
}

#[test]
fn names_are_unique_and_settings_resolve_to_themselves() {
    for entry in pruners() {
        assert_eq!(pruners().filter(|other| other.name == entry.name).count(), 1);
        assert_eq!(find("pruner", entry.name, pruners()).unwrap().name(), entry.name);
        let defaults = (entry.resolve)(&Settings::new()).unwrap();
        assert_eq!((entry.resolve)(&defaults).unwrap(), defaults);
        let unknown: Settings = "no_such_setting = 1".parse().unwrap();
        let refusal = (entry.build)(&unknown).err().map(|e| e.to_string());
        assert_eq!(refusal.as_deref(), Some("unknown setting `no_such_setting`"));
    }
}
