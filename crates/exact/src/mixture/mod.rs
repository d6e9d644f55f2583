//! A density of any shape: a mixture of normal ones.

mod kernel;

use oslow_core::check_stop;
use oslow_math::{HALF_LN_TAU, Real};

use kernel::Part;

/// Normal parts that are fitted, …
const PARTS: usize = 5;
/// … and a wide one that is not, so that nothing is impossible: its share and its standard deviation.
const WIDE_SHARE: f64 = 0.002;
const WIDE: f64 = 5.0;
const WIDE_PRECISION: f64 = 1.0 / (WIDE * WIDE);
/// The least standard deviation of a part, and the greatest, which is below that of the wide one.
const DEVIATIONS: (f64, f64) = (0.04, 4.0);
/// Each part also counts so many rows that were not seen, with this standard deviation.
const UNSEEN: f64 = 0.5;
const UNSEEN_DEVIATION: f64 = 0.2;
/// Rounds of a first fit at most, and what a round must gain in nats per row for another one.
const ROUNDS: usize = 40;
const ROUND_GAIN: f64 = 1e-4;
/// The same once location and scale are known.
const LAST_ROUNDS: usize = 120;
const LAST_ROUND_GAIN: f64 = 2e-5;
/// An edge lies this many times the mean distance between the outermost rows beyond the last of them …
const BEYOND: f64 = 2.0;
const OUTERMOST: usize = 10;
/// … if the parts would have more than this share beyond it, …
const LEAK: f64 = 0.004;
/// … and is believed this much.
const EDGE_BELIEF: f64 = 0.5;

/// p(z) = Σₖ wₖ·N(z; μₖ, σₖ²) + 0.002·N(z; 0, 5²), fitted to residuals by EM. Normal parts round off an edge, such as that of uniform noise: once the fit is done, the answer
/// is the mean of p and of p cut off at the edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mixture {
    weights: [f64; PARTS],
    means: [f64; PARTS],
    variances: [f64; PARTS],
    /// E[ψ²], ψ being the slope of −ln p: what a row tells about the location.
    pub location_information: f64,
    /// E[(zψ − 1)²]: what it tells about the logarithm of the scale.
    pub scale_information: f64,
    edges: Option<Edges>,
}

/// Where a density ends, infinity included, and the share of the parts that lies between.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Edges {
    low: f64,
    high: f64,
    inside: f64,
}

impl Mixture {
    /// The density of which some numbers look like draws; their standard deviation is about 1.
    pub fn fit(z: &[f64]) -> Self {
        let mut mixture = Self::spread_over(z);
        mixture.settle(z, ROUNDS, ROUND_GAIN);
        mixture
    }

    /// Rounds of EM while they gain something.
    fn settle(&mut self, z: &[f64], rounds: usize, least_gain: f64) {
        let mut before = f64::INFINITY;
        for _ in 0..rounds {
            check_stop();
            let nll = self.improve(z);
            if before - nll < least_gain {
                break;
            }
            before = nll;
        }
        self.inform(z);
    }

    /// Parts that have equal numbers of the sorted z each.
    fn spread_over(z: &[f64]) -> Self {
        let mut sorted = z.to_vec();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len() - 1;
        let quantile = |share: f64| sorted[(share * last as f64).round() as usize];
        let means = std::array::from_fn(|k| quantile((k as f64 + 0.5) / PARTS as f64));
        let variances = std::array::from_fn(|k| {
            let width = quantile((k as f64 + 1.0) / PARTS as f64) - quantile(k as f64 / PARTS as f64);
            (0.5 * width).clamp(DEVIATIONS.0, 1.0).powi(2)
        });
        let weights = [(1.0 - WIDE_SHARE) / PARTS as f64; PARTS];
        Self { weights, means, variances, location_information: 1.0, scale_information: 2.0, edges: None }
    }

    /// One round of EM; the nll per row before it.
    fn improve(&mut self, z: &[f64]) -> f64 {
        let moments = kernel::moments(&self.parts(), z);
        let nll = Self::nll_of(z.len(), moments.squares, moments.log_sum) / z.len() as f64;
        let total: f64 = moments.parts.iter().map(|part| part[0] + UNSEEN).sum();
        for (k, [count, sum, squares]) in moments.parts.into_iter().enumerate() {
            let mean = (sum + UNSEEN * self.means[k]) / (count + UNSEEN);
            let spread = squares - 2.0 * mean * sum + mean * mean * count;
            let unseen = UNSEEN_DEVIATION.powi(2) + (mean - self.means[k]).powi(2);
            let variance = (spread.max(0.0) + UNSEEN * unseen) / (count + UNSEEN);
            self.weights[k] = (1.0 - WIDE_SHARE) * (count + UNSEEN) / total;
            self.means[k] = mean;
            self.variances[k] = variance.clamp(DEVIATIONS.0.powi(2), DEVIATIONS.1.powi(2));
        }
        nll
    }

    /// Goes on with the fit for some rounds; −ln p of all z together after them.
    pub fn refit(&mut self, z: &[f64], rounds: usize) -> f64 {
        for _ in 0..rounds {
            self.improve(z);
        }
        self.inform(z)
    }

    fn inform(&mut self, z: &[f64]) -> f64 {
        let told = kernel::slopes(&self.parts(), WIDE_PRECISION, z, &mut vec![0.0; z.len()]);
        let n = z.len() as f64;
        self.location_information = told.location / n;
        self.scale_information = told.scale / n;
        Self::nll_of(z.len(), told.squares, told.log_sum)
    }

    /// The last rounds, now that location and scale are known, and a look for edges.
    pub fn finish(&mut self, z: &[f64]) {
        self.settle(z, LAST_ROUNDS, LAST_ROUND_GAIN);
        self.find_edges(z);
    }

    fn find_edges(&mut self, z: &[f64]) {
        let low = -beyond_the_last(z.iter().map(|z| -z));
        let high = beyond_the_last(z.iter().copied());
        let (below, above) = (self.below(low), 1.0 - self.below(high));
        let low = if below > LEAK { low } else { f64::NEG_INFINITY };
        let high = if above > LEAK { high } else { f64::INFINITY };
        let inside = self.below(high) - self.below(low);
        self.edges = (inside < 1.0).then_some(Edges { low, high, inside });
    }

    /// The share of the parts below z.
    fn below(&self, z: f64) -> f64 {
        let parts = self.weights.iter().zip(&self.means).zip(&self.variances);
        let sum: f64 =
            parts.map(|((w, mean), variance)| w * normal_below((z - mean) / variance.sqrt())).sum();
        sum + WIDE_SHARE * normal_below(z / WIDE)
    }

    /// −ln p of some rows together, given the sums of z² and of logarithms of all parts over the wide one.
    fn nll_of(rows: usize, squares: f64, log_sum: f64) -> f64 {
        rows as f64 * (HALF_LN_TAU + WIDE.ln() - WIDE_SHARE.ln()) + 0.5 * WIDE_PRECISION * squares - log_sum
    }

    /// The parts in comparison with the wide one: wₖ·N(z; μₖ, σₖ²) over it is exp(a + z·(b + c·z)), which never overflows, as c < 0.
    fn parts(&self) -> [Part; PARTS] {
        std::array::from_fn(|k| {
            let (mean, precision) = (self.means[k], 1.0 / self.variances[k]);
            let share = self.weights[k].ln() - WIDE_SHARE.ln() + WIDE.ln();
            Part {
                a: share + 0.5 * precision.ln() - 0.5 * mean * mean * precision,
                b: mean * precision,
                c: 0.5 * WIDE_PRECISION - 0.5 * precision,
                mean,
                precision,
            }
        })
    }

    /// −ln p of all z together.
    pub fn loss(&self, z: &[f64]) -> f64 {
        let (log_sum, squares) = kernel::log_sums(&self.parts(), z);
        Self::nll_of(z.len(), squares, log_sum)
    }

    /// Writes ψ, the slope of −ln p, at each z; −ln p of all z together.
    pub fn slopes(&self, z: &[f64], slopes: &mut [f64]) -> f64 {
        let told = kernel::slopes(&self.parts(), WIDE_PRECISION, z, slopes);
        Self::nll_of(z.len(), told.squares, told.log_sum)
    }

    /// −ln p(z).
    pub fn nll(&self, z: f64) -> f64 {
        let (exponent, factor) = self.blurred(0.0).density(z);
        -exponent - factor.ln()
    }

    /// The density of z + e, e being normal with this variance: every part is wider.
    pub fn blurred(&self, variance: f64) -> Blurred<'_> {
        Blurred { mixture: self, variance }
    }
}

/// A mixture with normal noise added.
pub(crate) struct Blurred<'a> {
    mixture: &'a Mixture,
    variance: f64,
}

impl Blurred<'_> {
    /// p(z) = factor·exp(exponent), the factor being a number of no extreme size: exponent and factor.
    #[inline(always)]
    pub fn density(&self, z: f64) -> (f64, f64) {
        let Mixture { weights, means, variances, edges, .. } = self.mixture;
        let wide_precision = 1.0 / (WIDE * WIDE + self.variance);
        let wide = -0.5 * z * z * wide_precision;
        let mut factor = WIDE_SHARE * wide_precision.sqrt() * self.weigh(z, 0.0, WIDE * WIDE, edges.as_ref());
        for ((weight, mean), variance) in weights.iter().zip(means).zip(variances) {
            let precision = 1.0 / (variance + self.variance);
            let part = -0.5 * (z - mean) * (z - mean) * precision;
            factor += weight
                * precision.sqrt()
                * Real::exp(part - wide)
                * self.weigh(z, *mean, *variance, edges.as_ref());
        }
        (wide - HALF_LN_TAU, factor)
    }

    /// How much more or less a part counts than it would without edges.
    #[inline(always)]
    fn weigh(&self, z: f64, mean: f64, variance: f64, edges: Option<&Edges>) -> f64 {
        match edges {
            None => 1.0,
            Some(edges) => 1.0 - EDGE_BELIEF + EDGE_BELIEF * self.share_inside(z, mean, variance, edges),
        }
    }

    /// A part cut off at the edges, blurred, divided by the part blurred: the probability that a draw was between the edges before it was blurred to z, in
    /// comparison with that of all draws.
    fn share_inside(&self, z: f64, mean: f64, variance: f64, edges: &Edges) -> f64 {
        let total = variance + self.variance;
        let centre = (z * variance + mean * self.variance) / total;
        let deviation = (variance * self.variance / total).sqrt().max(1e-9);
        let below = |edge: f64| normal_below((edge - centre) / deviation);
        (below(edges.high) - below(edges.low)) / edges.inside
    }
}

/// Where numbers that look like draws may end above: the last of them where the outermost are equal.
pub(crate) fn beyond_the_last(z: impl Iterator<Item = f64>) -> f64 {
    let mut z: Vec<f64> = z.collect();
    let outermost = OUTERMOST.min(z.len() - 1);
    let (before, nth, _) = z.select_nth_unstable_by(outermost, |a, b| b.total_cmp(a));
    let last = before.iter().copied().fold(*nth, f64::max);
    last + BEYOND * (last - *nth) / outermost.max(1) as f64
}

/// The standard normal distribution function.
fn normal_below(z: f64) -> f64 {
    0.5 * statrs::function::erf::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantiles(n: usize, inverse: impl Fn(f64) -> f64) -> Vec<f64> {
        (0..n).map(|k| inverse((k as f64 + 0.5) / n as f64)).collect()
    }

    fn mean_nll(mixture: &Mixture, z: &[f64]) -> f64 {
        z.iter().map(|&z| mixture.nll(z)).sum::<f64>() / z.len() as f64
    }

    #[test]
    fn it_is_a_density_blurred_or_not() {
        let z = quantiles(300, |u| -(1.0 - u).ln() - 1.0);
        let mixture = Mixture::fit(&z);
        let mut edged = mixture;
        edged.finish(&z);
        assert!(edged.edges.is_some_and(|edges| edges.low > -1.05 && edges.high == f64::INFINITY));
        for (mixture, variance) in [(&mixture, 0.0), (&mixture, 0.3), (&edged, 0.0), (&edged, 0.3)] {
            let density = |z: f64| {
                let (exponent, factor) = mixture.blurred(variance).density(z);
                factor * exponent.exp()
            };
            let sum: f64 = (-60_000..60_000).map(|k| density((f64::from(k) + 0.5) * 1e-3) * 1e-3).sum();
            assert!((sum - 1.0).abs() < 1e-3, "{sum}");
        }
        for z in [-300.0, -1.0, 0.4, 1e4] {
            let loss = mixture.loss(&[z, 0.1]) - mixture.loss(&[0.1]);
            assert!((loss - mixture.nll(z)).abs() < 1e-9 * (1.0 + loss.abs()), "{z}");
        }
    }

    #[test]
    fn it_is_near_the_entropy_of_densities_that_are_not_normal() {
        // Entropies: uniform on ±√3 ln √12, exponential 1; a normal density of the same variance has 1.4189.
        let uniform = |n| quantiles(n, |u| (u - 0.5) * 12f64.sqrt());
        let exponential = |n| quantiles(n, |u| -(1.0 - u).ln() - 1.0);
        for (fitted, asked, entropy) in
            [(uniform(800), uniform(97), 12f64.sqrt().ln()), (exponential(800), exponential(97), 1.0)]
        {
            let mut mixture = Mixture::fit(&fitted);
            mixture.finish(&fitted);
            let nll = mean_nll(&mixture, &asked);
            assert!(nll - entropy < 0.03 && nll > entropy - 0.03, "{nll} against {entropy}");
        }
    }

    #[test]
    fn em_never_loses_much() {
        let z = quantiles(200, |u| (7.0 * u).sin() + u * u);
        let mut mixture = Mixture::spread_over(&z);
        let first = mixture.improve(&z);
        let mut before = first;
        for _ in 0..20 {
            let nll = mixture.improve(&z);
            assert!(nll < before + 1e-3, "{nll} after {before}: the unseen rows weigh next to nothing");
            before = nll;
        }
        assert!(before < first);
    }

    #[test]
    fn slopes_are_those_of_finite_differences() {
        let mixture = Mixture::fit(&quantiles(200, |u| (7.0 * u).sin() + u * u));
        for z in [-3.0, -0.2, 0.5, 1.4, 20.0] {
            let (mut slope, h) = ([0.0], 1e-5);
            mixture.slopes(&[z], &mut slope);
            let difference = (mixture.nll(z + h) - mixture.nll(z - h)) / (2.0 * h);
            assert!((slope[0] - difference).abs() < 1e-5 * (1.0 + difference.abs()), "{z}");
        }
    }
}
