//! Scores every set of causes of every column of a table, with one family and two folds: what `cargo xtask bench-local` compares with
//! the prototype's nets. The table is the JSON file that `OSLOW_BENCH_LOCAL` names.

#![expect(clippy::unwrap_used, reason = "a benchmark may stop at once")]

use std::time::Instant;

use oslow_core::{Prepared, Preparing, Sample, Seed};
use oslow_exact::{LocalConfig, NoiseChoice, ScaleChoice, Scorer};
use rayon::prelude::*;

fn main() {
    let Some(path) = std::env::var_os("OSLOW_BENCH_LOCAL") else {
        println!("`cargo xtask bench-local` runs this with a table");
        return;
    };
    let rows: Vec<Vec<f64>> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let d = rows[0].len();
    let sample = Sample::new((0..d).map(|j| format!("x{j}")).collect(), rows.concat()).unwrap();
    let config = LocalConfig {
        folds: 2,
        noise: NoiseChoice::Gaussian,
        scale: ScaleChoice::Affine,
        cubic_up_to: 0,
        ..LocalConfig::default()
    };
    let sets: Vec<(usize, Vec<usize>)> = (0..d)
        .flat_map(|node| (0..1usize << d).map(move |mask| (node, mask)))
        .filter(|(node, mask)| mask >> node & 1 == 0)
        .map(|(node, mask)| (node, (0..d).filter(|other| mask >> other & 1 == 1).collect()))
        .collect();
    let start = Instant::now();
    let scorer =
        Scorer::new(&Prepared::new(&sample, Preparing::as_given()).unwrap(), &config, Seed(0)).unwrap();
    let nll: Vec<f64> =
        sets.par_iter().with_max_len(1).map(|(node, parents)| scorer.score(*node, parents).nll).collect();
    let seconds = start.elapsed().as_secs_f64();
    println!("{{\"seconds\": {seconds}, \"nll\": {}}}", nll.iter().sum::<f64>() / nll.len() as f64);
}
