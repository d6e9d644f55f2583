//! Times the kernel test and `pc-kci` on the data that `benches/kci/kci.py` times too; `cargo xtask bench-kci` runs both.
//!
//! The data come from the file named by `OSLOW_BENCH_KCI`, which the other program writes. A test is timed from raw columns
//! to the p-value, with nothing kept from an earlier one. A table is timed from the sample to the graph, on
//! `RAYON_NUM_THREADS` threads.

#![expect(clippy::unwrap_used, reason = "a benchmark is no library")]

mod timing;

use std::ops::ControlFlow;

use oslow_core::{
    Dag, Event, ForgetfulCheckpoint, Knowledge, Observer, Ordering, Prepared, Preparing, Run, Sample, Seed,
    Settings, find,
};
use timing::best;

#[derive(serde::Deserialize)]
struct Work {
    tests: Vec<Columns>,
    tables: Vec<Table>,
}

#[derive(serde::Deserialize)]
struct Columns {
    name: String,
    columns: Vec<Vec<f64>>,
}

#[derive(serde::Deserialize)]
struct Table {
    name: String,
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
    order: Vec<usize>,
}

fn main() {
    let Some(path) = std::env::var_os("OSLOW_BENCH_KCI") else {
        eprintln!("skipped: OSLOW_BENCH_KCI names no file; run `cargo xtask bench-kci`");
        return;
    };
    let work: Work = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for test in &work.tests {
        let columns: Vec<&[f64]> = test.columns.iter().map(Vec::as_slice).collect();
        let (ms, value) =
            best(|| oslow_math::kci_test(columns[0], columns[1], &columns[2..]).unwrap().p_value);
        println!("{}", serde_json::json!({"name": test.name, "ms": ms, "value": value}));
    }
    for table in &work.tables {
        let sample = Sample::new(table.names.clone(), table.rows.concat()).unwrap();
        let order = Ordering::new(table.order.clone()).unwrap();
        let (ms, (edges, tests)) = best(|| prune(&sample, &order));
        println!("{}", serde_json::json!({"name": table.name, "ms": ms, "value": edges, "tests": tests}));
    }
}

/// The number of edges and of tests by the size of the conditioning set.
fn prune(sample: &Sample, order: &Ordering) -> (usize, Vec<usize>) {
    let pruner = find("pruner", "pc-kci", oslow_prune::pruners()).unwrap();
    let knowledge = Knowledge::none(sample.columns());
    let (mut observer, mut checkpoint) = (Counter::default(), ForgetfulCheckpoint);
    let mut run = Run {
        seed: Seed(0),
        knowledge: &knowledge,
        threads: rayon::current_num_threads(),
        observer: &mut observer,
        checkpoint: &mut checkpoint,
    };
    let pruned = (pruner.build)(&Settings::new())
        .unwrap()
        .prune(&Prepared::new(sample, Preparing::as_given()).unwrap(), &Dag::tournament(order), &mut run)
        .unwrap();
    (pruned.edges.len(), observer.tests.into_values().collect())
}

/// Counts the tests of each stage: every test is an event.
#[derive(Default)]
struct Counter {
    tests: std::collections::BTreeMap<String, usize>,
}

impl Observer for Counter {
    fn on_event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::Progress { stage, .. } = event {
            *self.tests.entry((*stage).to_string()).or_default() += 1;
        }
        ControlFlow::Continue(())
    }
}
