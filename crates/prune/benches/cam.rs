//! Times CAM's pruning on the tables that `benches/mgcv/cam.R` times too; `cargo xtask bench-cam` runs both.
//!
//! The tables are written to the folder named by `OSLOW_BENCH_TABLES`: Sachs, and a simulated table of 20 columns and 500 rows, the columns
//! in a causal order. What is timed is the whole pruning of a table in memory, bases of splines and tests included, without
//! preselection and on one thread (`RAYON_NUM_THREADS`).

#![expect(clippy::unwrap_used, reason = "a benchmark is no library")]

mod timing;

use std::path::Path;

use oslow_core::{
    Dag, ForgetfulCheckpoint, Knowledge, Ordering, Prepared, Preparing, Run, Sample, Seed, Settings, Silent,
    find,
};
use timing::best;

/// An order of Sachs that agrees with the consensus graph.
const ORDER: [&str; 11] = ["PKC", "PKA", "Plcg", "PIP3", "PIP2", "Raf", "Mek", "Erk", "Akt", "P38", "Jnk"];

fn main() {
    let Some(folder) = std::env::var_os("OSLOW_BENCH_TABLES") else {
        eprintln!("skipped: OSLOW_BENCH_TABLES names no folder; run `cargo xtask bench-cam`");
        return;
    };
    let sachs = oslow_data::load("sachs").unwrap().sample;
    let columns: Vec<usize> =
        ORDER.iter().map(|name| sachs.names().iter().position(|known| known == name).unwrap()).collect();
    for (name, sample) in [("sachs", sachs.select_columns(&columns).unwrap()), ("simulated", simulated())] {
        write(&sample, &Path::new(&folder).join(format!("{name}.csv")));
        let (ms, edges) = best(|| prune(&sample));
        println!("{}", serde_json::json!({"table": name, "ms": ms, "edges": edges}));
    }
}

/// Each column a sum of bounded functions of up to three earlier ones, plus noise.
fn simulated() -> Sample {
    const D: usize = 20;
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    let causes: Vec<Vec<usize>> =
        (0..D).map(|j| (0..j.min(3)).map(|_| ((next() + 0.5) * j as f64) as usize).collect()).collect();
    let mut values = Vec::new();
    for _ in 0..500 {
        let mut row: Vec<f64> = Vec::new();
        for causes in &causes {
            let noise: f64 = (0..6).map(|_| next()).sum();
            row.push(causes.iter().map(|&i| (2.0 * row[i]).sin()).sum::<f64>() + noise);
        }
        values.extend(row);
    }
    Sample::new((0..D).map(|j| format!("X{j}")).collect(), values).unwrap()
}

fn write(sample: &Sample, path: &Path) {
    let mut text = Vec::new();
    oslow_data::write_csv(sample.names(), sample.values(), &mut text).unwrap();
    std::fs::write(path, text).unwrap();
}

/// The number of edges that stay.
fn prune(sample: &Sample) -> usize {
    let mut run = Run {
        seed: Seed(0),
        knowledge: &Knowledge::none(sample.columns()),
        threads: 1,
        observer: &mut Silent,
        checkpoint: &mut ForgetfulCheckpoint,
    };
    let settings: Settings = "preselect = 'never'".parse().unwrap();
    let pruner = (find("pruner", "cam", oslow_prune::pruners()).unwrap().build)(&settings).unwrap();
    pruner
        .prune(
            &Prepared::new(sample, Preparing::as_given()).unwrap(),
            &Dag::tournament(&Ordering::identity(sample.columns())),
            &mut run,
        )
        .unwrap()
        .edges
        .len()
}
