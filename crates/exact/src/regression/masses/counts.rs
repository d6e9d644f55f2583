//! Counts: a negative binomial distribution.
//!
//! p(k) = Γ(k + r) / (Γ(r)·k!) · (r/(r + μ))^r · (μ/(r + μ))^k with mean μ and variance μ + μ²/r. A large r is a Poisson distribution.

use statrs::function::gamma::ln_gamma;

use super::Likelihood;

/// The least and the greatest ln r.
const LOG_SIZES: (f64, f64) = (-4.0, 12.0);
/// Where the logarithm of the mean ends.
const MOST: f64 = 30.0;
/// The share of its interval that a step of the search for ln r leaves, and the length at which it ends.
const GOLDEN: f64 = 0.618_033_988_749_895;
const TOLERANCE: f64 = 1e-2;
/// How far from the present ln r a better one is looked for after a step of a fit.
const NEAR: f64 = 0.5;

/// Counts whose variance may be larger than their mean.
pub(super) struct Counts {
    log_size: f64,
    mean: f64,
}

impl Counts {
    pub fn new(y: &[usize]) -> Self {
        let mean = (y.iter().sum::<usize>() as f64 / y.len() as f64).max(1e-3);
        let mut counts = Self { log_size: LOG_SIZES.1, mean };
        counts.take_likeliest(y, &vec![mean.ln(); y.len()], LOG_SIZES);
        counts
    }
}

/// −ln p but for k!.
fn nll(k: f64, at: f64, log_size: f64) -> f64 {
    let (r, at) = (log_size.exp(), at.clamp(-MOST, MOST));
    // ln(r + μ) without overflow.
    let log_sum = at.max(log_size) + (-(at - log_size).abs()).exp().ln_1p();
    ln_gamma(r) - ln_gamma(k + r) + (r + k) * log_sum - r * log_size - k * at
}

impl Likelihood for Counts {
    fn nll(&self, value: usize, at: f64) -> f64 {
        let k = value as f64;
        nll(k, at, self.log_size) + ln_gamma(k + 1.0)
    }

    fn slope(&self, value: usize, at: f64) -> (f64, f64) {
        let (r, mean) = (self.log_size.exp(), at.clamp(-MOST, MOST).exp());
        (r * (mean - value as f64) / (r + mean), self.information(at))
    }

    fn information(&self, at: f64) -> f64 {
        let (r, mean) = (self.log_size.exp(), at.clamp(-MOST, MOST).exp());
        (r * mean / (r + mean)).max(1e-9)
    }

    fn start(&self) -> f64 {
        self.mean.ln()
    }

    fn follow(&mut self, y: &[usize], values: &[f64]) {
        let (least, greatest) = LOG_SIZES;
        self.take_likeliest(
            y,
            values,
            ((self.log_size - NEAR).max(least), (self.log_size + NEAR).min(greatest)),
        );
    }
}

impl Counts {
    /// Takes the likeliest r between two ends, by golden section.
    fn take_likeliest(&mut self, y: &[usize], values: &[f64], (mut low, mut high): (f64, f64)) {
        let means: Vec<f64> = values.iter().map(|at| at.clamp(-MOST, MOST).exp()).collect();
        let frequencies = frequencies(y);
        // What depends on r.
        let total = |log_size: f64| -> f64 {
            let r = log_size.exp();
            let gammas: f64 = frequencies.iter().map(|(k, times)| times * ln_gamma(k + r)).sum();
            let sums: f64 = y.iter().zip(&means).map(|(&k, mean)| (r + k as f64) * (r + mean).ln()).sum();
            y.len() as f64 * (ln_gamma(r) - r * log_size) - gammas + sums
        };
        let inner = |low: f64, high: f64| (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
        let (mut a, mut b) = inner(low, high);
        let (mut at_a, mut at_b) = (total(a), total(b));
        while high - low > TOLERANCE {
            if at_a <= at_b {
                (high, b, at_b) = (b, a, at_a);
                a = inner(low, high).0;
                at_a = total(a);
            } else {
                (low, a, at_a) = (a, b, at_b);
                b = inner(low, high).1;
                at_b = total(b);
            }
        }
        self.log_size = 0.5 * (low + high);
    }
}

/// Each count, and how often it occurs.
fn frequencies(y: &[usize]) -> Vec<(f64, f64)> {
    let mut sorted = y.to_vec();
    sorted.sort_unstable();
    sorted.chunk_by(|a, b| a == b).map(|alike| (alike[0] as f64, alike.len() as f64)).collect()
}
