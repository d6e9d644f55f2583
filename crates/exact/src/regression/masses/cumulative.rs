//! Levels in an order: P(level ≤ k) = Λ(τₖ − η), Λ being the logistic function.

use oslow_math::{cholesky, solve_factored};

use super::Likelihood;
use super::shares::shares;

/// Steps of the thresholds after each step of η, and how often one is halved.
const STEPS: usize = 2;
const HALVINGS: usize = 8;
/// Rows that each level is given besides those that have it, so that none is impossible.
const PRIOR_ROWS: f64 = 0.3;

/// Thresholds between levels.
pub(super) struct Cumulative {
    /// τ, increasing, between −∞ and ∞, which are its ends.
    thresholds: Vec<f64>,
}

impl Cumulative {
    pub fn new(levels: usize, y: &[usize]) -> Self {
        let mut below = 0.0;
        let mut thresholds = vec![f64::NEG_INFINITY];
        for share in &shares(levels, y)[..levels - 1] {
            below += share;
            thresholds.push((below / (1.0 - below)).ln());
        }
        thresholds.push(f64::INFINITY);
        Self { thresholds }
    }

    fn ends(&self, level: usize, at: f64) -> (f64, f64) {
        (self.thresholds[level] - at, self.thresholds[level + 1] - at)
    }

    /// The loss of all rows and of those that each level is given, at the mean of η.
    fn loss(&self, y: &[usize], values: &[f64]) -> f64 {
        let rows: f64 = y.iter().zip(values).map(|(&level, &at)| self.nll(level, at)).sum();
        let given: f64 = (0..self.thresholds.len() - 1).map(|level| self.nll(level, mean(values))).sum();
        rows + PRIOR_ROWS * given
    }

    /// A Newton step of the thresholds: −ln P is convex in them.
    fn step(&mut self, y: &[usize], values: &[f64]) {
        let (levels, centre) = (self.thresholds.len() - 1, mean(values));
        let free = levels - 1;
        let (mut slope, mut curvature) = (vec![0.0; free], vec![0.0; free * free]);
        let mut add = |level: usize, at: f64, weight: f64| {
            let (a, b) = self.ends(level, at);
            // e^(a − b) / (1 − e^(a − b)), and what it becomes when it is differentiated.
            let ratio = 1.0 / ((b - a).exp() - 1.0).max(1e-12);
            let bent = ratio * (1.0 + ratio);
            let bent = if bent.is_finite() { bent } else { 0.0 };
            if level < free {
                slope[level] -= weight * (1.0 - logistic(b) + ratio);
                curvature[level * free + level] += weight * (logistic(b) * (1.0 - logistic(b)) + bent);
            }
            if level > 0 {
                slope[level - 1] += weight * (logistic(a) + ratio);
                curvature[(level - 1) * free + level - 1] +=
                    weight * (logistic(a) * (1.0 - logistic(a)) + bent);
            }
            if level > 0 && level < free {
                curvature[level * free + level - 1] -= weight * bent;
                curvature[(level - 1) * free + level] -= weight * bent;
            }
        };
        y.iter().zip(values).for_each(|(&level, &at)| add(level, at, 1.0));
        (0..levels).for_each(|level| add(level, centre, PRIOR_ROWS));
        if cholesky(&mut curvature, free).is_err() {
            return;
        }
        solve_factored(&curvature, &mut slope);
        let (before, thresholds) = (self.loss(y, values), self.thresholds.clone());
        for halving in 0..HALVINGS {
            let share = 0.5f64.powi(halving as i32);
            for (k, step) in slope.iter().enumerate() {
                self.thresholds[k + 1] = thresholds[k + 1] - share * step;
            }
            if self.thresholds.windows(2).all(|two| two[0] < two[1]) && self.loss(y, values) <= before {
                return;
            }
        }
        self.thresholds = thresholds;
    }
}

impl Likelihood for Cumulative {
    /// Λ(b) − Λ(a) = Λ(b)·Λ(−a)·(1 − e^(a − b)).
    fn nll(&self, level: usize, at: f64) -> f64 {
        let (a, b) = self.ends(level, at);
        softplus(-b) + softplus(a) - (-(a - b).exp()).ln_1p()
    }

    fn slope(&self, level: usize, at: f64) -> (f64, f64) {
        let (a, b) = self.ends(level, at);
        let (low, high) = (logistic(a), logistic(b));
        (1.0 - low - high, (low * (1.0 - low) + high * (1.0 - high)).max(1e-9))
    }

    fn information(&self, at: f64) -> f64 {
        (0..self.thresholds.len() - 1)
            .map(|level| (-self.nll(level, at)).exp() * self.slope(level, at).1)
            .sum()
    }

    fn start(&self) -> f64 {
        0.0
    }

    fn follow(&mut self, y: &[usize], values: &[f64]) {
        (0..STEPS).for_each(|_| self.step(y, values));
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// ln(1 + eˣ).
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
