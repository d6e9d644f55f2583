//! Counts: a negative binomial distribution.
//!
//! p(k) = Γ(k + r) / (Γ(r)·k!) · (r/(r + μ))^r · (μ/(r + μ))^k with mean μ and variance μ + μ²/r. A large r is a Poisson distribution.

use statrs::function::gamma::ln_gamma;

use super::Likelihood;

/// The least and the greatest ln r.
const LOG_SIZES: (f64, f64) = (-4.0, 12.0);
/// Where the logarithm of the mean ends.
const MOST: f64 = 30.0;
/// Steps of the search for r, and the share of the interval that each leaves.
const STEPS: usize = 40;
const GOLDEN: f64 = 0.618_033_988_749_895;

/// Counts whose variance may be larger than their mean.
pub(super) struct Counts {
    log_size: f64,
    mean: f64,
}

impl Counts {
    pub fn new(y: &[usize]) -> Self {
        let mean = (y.iter().sum::<usize>() as f64 / y.len() as f64).max(1e-3);
        let mut counts = Self { log_size: LOG_SIZES.1, mean };
        counts.follow(y, &vec![mean.ln(); y.len()]);
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

    /// Takes the likeliest r, by golden section.
    fn follow(&mut self, y: &[usize], values: &[f64]) {
        let total = |log_size: f64| -> f64 {
            y.iter().zip(values).map(|(&k, &at)| nll(k as f64, at, log_size)).sum()
        };
        let (mut low, mut high) = LOG_SIZES;
        let inner = |low: f64, high: f64| (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
        let (mut a, mut b) = inner(low, high);
        let (mut at_a, mut at_b) = (total(a), total(b));
        for _ in 0..STEPS {
            if at_a <= at_b {
                (high, b, at_b) = (b, a, at_a);
                a = inner(low, high).0;
                at_a = total(a);
            } else {
                (low, a, at_a) = (a, b, at_b);
                b = inner(low, high).1;
                at_b = total(b);
            }
            if high - low < 1e-2 {
                break;
            }
        }
        self.log_size = 0.5 * (low + high);
    }
}
