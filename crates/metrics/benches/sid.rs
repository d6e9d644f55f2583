//! Times the distances between graphs that `benches/gadjid/sid.py` times too; `cargo xtask bench-sid` runs both.
//!
//! The graphs come from the file named by `OSLOW_BENCH_GRAPHS`, which the other program writes. Both are given graphs in
//! memory, ours as a `Dag`, theirs as an int8 matrix, and both make their own lists of neighbours from it within the
//! time. Theirs also checks that the graphs are acyclic; ours did that when the `Dag` was made, which is not timed. The number
//! of threads is that of `RAYON_NUM_THREADS`, which both obey.

#![expect(clippy::unwrap_used, reason = "a benchmark is no library")]

use std::time::{Duration, Instant};

use oslow_core::Dag;
use oslow_metrics::{ancestor_aid, oset_aid, parent_aid, shd, sid};

#[derive(serde::Deserialize)]
struct Pair {
    name: String,
    nodes: usize,
    truth: Vec<(usize, usize)>,
    guess: Vec<(usize, usize)>,
}

type Distance = fn(&Dag, &Dag) -> usize;

const DISTANCES: [(&str, Distance); 5] = [
    ("sid", sid),
    ("parent_aid", parent_aid),
    ("ancestor_aid", ancestor_aid),
    ("oset_aid", oset_aid),
    ("shd", shd),
];
/// Each distance is taken as often as fits into this time, at least twice; the best counts.
const PATIENCE: Duration = Duration::from_millis(500);

fn main() {
    let Some(path) = std::env::var_os("OSLOW_BENCH_GRAPHS") else {
        eprintln!("skipped: OSLOW_BENCH_GRAPHS names no file; run `cargo xtask bench-sid`");
        return;
    };
    let pairs: Vec<Pair> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for pair in &pairs {
        let [truth, guess] = [&pair.truth, &pair.guess].map(|edges| Dag::new(pair.nodes, edges).unwrap());
        for (name, distance) in DISTANCES {
            let (ms, value) = best(|| distance(&truth, &guess));
            let row = serde_json::json!({"pair": pair.name, "distance": name, "ms": ms, "value": value});
            println!("{row}");
        }
    }
}

/// The shortest time in milliseconds, and the value.
fn best(work: impl Fn() -> usize) -> (f64, usize) {
    let start = Instant::now();
    let mut least = f64::INFINITY;
    for round in 0.. {
        let before = Instant::now();
        let value = std::hint::black_box(work());
        least = least.min(before.elapsed().as_secs_f64() * 1e3);
        if round >= 1 && start.elapsed() > PATIENCE {
            return (least, value);
        }
    }
    unreachable!("the loop has no end of its own")
}
