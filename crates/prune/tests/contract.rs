//! What every registered pruner promises.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use oslow_core::{
    ForgetfulCheckpoint, Knowledge, Named, Ordering, Pruned, PrunerEntry, Result, Run, Sample, Seed,
    Settings, Silent, find,
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
    let (mut observer, mut checkpoint) = (Silent, ForgetfulCheckpoint);
    let mut run = Run {
        seed: Seed(1),
        knowledge: known,
        threads: 1,
        observer: &mut observer,
        checkpoint: &mut checkpoint,
    };
    (entry.build)(&Settings::new())?.prune(sample, order, &mut run)
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
