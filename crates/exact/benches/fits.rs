//! How fast fits are: the share of the machine's peak that the loops of a fit reach, at the sizes that they have there, and sets of causes scored per second. One thread.
//!
//! The peak is that of fused multiplications and additions that wait for nothing, measured here too, by turns. `cargo xtask bench-fits` runs it.

#![expect(clippy::unwrap_used, reason = "a benchmark may stop at once")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use oslow_core::{Prepared, Preparing, Sample, Seed};
use oslow_exact::{LocalConfig, Scorer};
use oslow_math::{cholesky, fused, fused_exponential, row_products, row_products_with, simd};
use pulp::{Simd, with_simd};
use rand_distr::{Distribution, StandardNormal};

/// Rows of a fit, and parameters of a location of three causes.
const ROWS: usize = 680;
const PARAMETERS: usize = 64;
/// How long each loop runs in a turn, and turns; each loop is judged by its best.
const TURN: Duration = Duration::from_millis(100);
const TURNS: usize = 10;
/// Numbers that are multiplied and added side by side, so many times.
const SIDE_BY_SIDE: usize = 96;
const TIMES: usize = 4096;

/// Nothing but fused operations: 2·96·4096 of them, counted as multiplications and additions.
#[with_simd(peak = simd())]
#[inline(always)]
fn peak_simd<S: Simd>(_simd: S, values: &mut [f64; SIDE_BY_SIDE]) {
    let mut own = *values;
    for _ in 0..TIMES {
        for value in &mut own {
            *value = fused::<S>(*value, 0.999_999, 1e-6);
        }
    }
    *values = own;
}

#[with_simd(exponentials = simd())]
#[inline(always)]
fn exponentials_simd<'a, S: Simd>(_simd: S, values: &'a [f64], powers: &'a mut [f64]) {
    for (power, value) in powers.iter_mut().zip(values) {
        *power = fused_exponential::<S>(*value);
    }
}

/// A loop: its name, the operations of a pass, a pass.
struct Loop {
    name: &'static str,
    operations: f64,
    pass: Box<dyn FnMut()>,
}

impl Loop {
    /// Billions of operations per second in one turn.
    fn turn(&mut self) -> f64 {
        let (start, mut passes) = (Instant::now(), 0.0);
        while start.elapsed() < TURN {
            (self.pass)();
            passes += 1.0;
        }
        passes * self.operations / start.elapsed().as_secs_f64() / 1e9
    }
}

fn loops() -> Vec<Loop> {
    let (n, p) = (ROWS as f64, PARAMETERS as f64);
    let mut rng = Seed(0).stream("bench");
    let jacobian: Vec<f64> = (0..PARAMETERS * ROWS).map(|_| StandardNormal.sample(&mut rng)).collect();
    let gram = row_products(&jacobian, PARAMETERS);
    let (other, slopes) = (jacobian.clone(), jacobian[..ROWS].to_vec());
    let mut values = [0.5; SIDE_BY_SIDE];
    let (slopes_too, mut powers) = (slopes.clone(), slopes.clone());
    vec![
        Loop {
            name: "peak",
            operations: 2.0 * (SIDE_BY_SIDE * TIMES) as f64,
            pass: Box::new(move || peak(black_box(&mut values))),
        },
        Loop {
            name: "products of derivatives",
            operations: n * p * (p + 1.0),
            pass: Box::new(move || {
                black_box(row_products(black_box(&jacobian), PARAMETERS));
            }),
        },
        Loop {
            name: "gradient",
            operations: 2.0 * n * p,
            pass: Box::new(move || {
                black_box(row_products_with(black_box(&other), &slopes));
            }),
        },
        Loop {
            name: "Cholesky factor",
            operations: p * p * p / 3.0,
            pass: Box::new(move || {
                let mut matrix = gram.clone();
                cholesky(black_box(&mut matrix), PARAMETERS).unwrap();
            }),
        },
        Loop {
            // 14 fused operations, a difference, a product.
            name: "exponentials",
            operations: 30.0 * n,
            pass: Box::new(move || exponentials(black_box(&slopes_too), &mut powers)),
        },
    ]
}

/// Sets of causes scored per second: every set of up to three of five causes, in a table with noise of no common shape.
fn sets_per_second() -> f64 {
    let mut rng = Seed(1).stream("bench");
    let rows = (0..ROWS * 5 / 4).flat_map(|_| {
        let mut row: Vec<f64> = (0..6).map(|_| StandardNormal.sample(&mut rng)).collect();
        row[5] = (row[0] + row[1]).sin() + row[2].exp() * 0.1 + 0.3 * row[5] * row[5];
        row
    });
    let sample = Sample::new((0..6).map(|j| format!("x{j}")).collect(), rows.collect()).unwrap();
    let sample = Prepared::new(&sample, Preparing::default()).unwrap();
    let scorer = Scorer::new(&sample, &LocalConfig::default(), Seed(0)).unwrap();
    let sets = (0_usize..32).filter(|mask| mask.count_ones() <= 3);
    let sets: Vec<Vec<usize>> = sets.map(|mask| (0..5).filter(|j| mask >> j & 1 == 1).collect()).collect();
    let start = Instant::now();
    for set in &sets {
        black_box(scorer.score(5, set));
    }
    sets.len() as f64 / start.elapsed().as_secs_f64()
}

fn main() {
    let mut loops = loops();
    let mut best = vec![0.0_f64; loops.len()];
    for _ in 0..TURNS {
        for (best, one) in best.iter_mut().zip(&mut loops) {
            *best = best.max(one.turn());
        }
    }
    println!("{ROWS} rows, {PARAMETERS} parameters, one thread, best of {TURNS}");
    for (one, rate) in loops.iter().zip(&best) {
        println!("{:<24} {rate:>7.1} Gflop/s {:>5.0} % of peak", one.name, 100.0 * rate / best[0]);
    }
    println!("{:<24} {:>7.1} per second", "sets of causes", sets_per_second());
}
