//! CAM's pruning of true orders of Sachs.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use oslow_core::{
    Dag, ForgetfulCheckpoint, Knowledge, Ordering, Prepared, Preparing, Run, Sample, Seed, Settings, Silent,
    find,
};
use oslow_metrics::{shd, sid};
use rand::RngExt;

fn truth(sample: &Sample) -> Dag {
    let index = |name: &str| sample.names().iter().position(|known| known == name).unwrap();
    let edges = oslow_data::datasets()[0].truth().unwrap();
    Dag::new(sample.columns(), &edges.iter().map(|(a, b)| (index(a), index(b))).collect::<Vec<_>>()).unwrap()
}

fn prune(sample: &Sample, order: &Ordering) -> Dag {
    let mut run = Run {
        seed: Seed(0),
        knowledge: &Knowledge::none(order.len()),
        threads: 1,
        observer: &mut Silent,
        checkpoint: &mut ForgetfulCheckpoint,
    };
    let entry = find("pruner", "cam", oslow_prune::pruners()).unwrap();
    (entry.build)(&Settings::new())
        .unwrap()
        .prune(&Prepared::new(sample, Preparing::as_given()).unwrap(), &Dag::tournament(order), &mut run)
        .unwrap()
        .dag
}

#[test]
fn the_consensus_order_is_pruned_to_shd_10_or_less() {
    let sample = oslow_data::load("sachs").unwrap().sample;
    let order = ["PKC", "PKA", "Plcg", "PIP3", "PIP2", "Raf", "Mek", "Erk", "Akt", "P38", "Jnk"];
    let order = Ordering::from_names(&order, sample.names()).unwrap();
    let (truth, pruned) = (truth(&sample), prune(&sample, &order));
    let (shd, sid) = (shd(&truth, &pruned), sid(&truth, &pruned));
    println!("SHD {shd}, SID {sid}, {} edges", pruned.edges().len());
    assert!(shd <= 10, "{shd}");
}

#[test]
fn other_true_orders_do_about_as_well() {
    let sample = oslow_data::load("sachs").unwrap().sample;
    let truth = truth(&sample);
    let before = Knowledge::new(sample.names(), &[], &truth.edges(), &[], &[], &[]).unwrap();
    let (mut orders, mut distances) = (Vec::new(), Vec::new());
    for draw in 0..20 {
        let mut random = Seed(0).indexed("sachs orders", draw);
        let priority: Vec<f64> = (0..truth.nodes()).map(|_| random.random()).collect();
        let order = before.precedence().sort(&priority).unwrap();
        distances.push(shd(&truth, &prune(&sample, &order)) as f64);
        orders.push(order.nodes().to_vec());
    }
    orders.sort();
    orders.dedup();
    assert!(orders.len() >= 15, "most orders differ");
    let mean = distances.iter().sum::<f64>() / 20.0;
    println!("mean SHD over 20 true orders: {mean}, {distances:?}");
    assert!(mean <= 10.0, "{distances:?}");
}
