//! Times `score` on the tables that `benches/score/score.py` times too; `cargo xtask bench-score` runs both.
//!
//! The tables come from the file named by `OSLOW_BENCH_SCORE`, which the other program writes. A table is timed from the sample to
//! the order, on one thread.

#![expect(clippy::unwrap_used, reason = "a benchmark is no library")]

use std::time::{Duration, Instant};

use oslow_core::{
    ForgetfulCheckpoint, Knowledge, Prepared, Preparing, Run, Sample, Seed, Settings, Silent, find,
};

/// How long one table is repeated.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(serde::Deserialize)]
struct Table {
    name: String,
    rows: Vec<Vec<f64>>,
}

fn main() {
    let Some(path) = std::env::var_os("OSLOW_BENCH_SCORE") else {
        eprintln!("skipped: OSLOW_BENCH_SCORE names no file; run `cargo xtask bench-score`");
        return;
    };
    let tables: Vec<Table> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for table in tables {
        let names = (0..table.rows[0].len()).map(|j| format!("X{j}")).collect();
        let sample = Sample::new(names, table.rows.concat()).unwrap();
        let (start, mut ms, mut order) = (Instant::now(), f64::INFINITY, Vec::new());
        while start.elapsed() < PATIENCE {
            let before = Instant::now();
            order = learn(&sample);
            ms = ms.min(before.elapsed().as_secs_f64() * 1e3);
        }
        println!("{}", serde_json::json!({"name": table.name, "ms": ms, "order": order}));
    }
}

fn learn(sample: &Sample) -> Vec<usize> {
    let method = find("method", "score", oslow_order::methods()).unwrap();
    let mut run = Run {
        seed: Seed(0),
        knowledge: &Knowledge::none(sample.columns()),
        threads: 1,
        observer: &mut Silent,
        checkpoint: &mut ForgetfulCheckpoint,
    };
    let found = (method.build)(&Settings::new())
        .unwrap()
        .learn(&Prepared::new(sample, Preparing::as_given()).unwrap(), &mut run)
        .unwrap();
    found.order.unwrap().nodes().to_vec()
}
