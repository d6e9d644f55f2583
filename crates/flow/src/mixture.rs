//! A density of any shape that is learned together with the flow: a mixture of normal densities.

use oslow_core::Rng;
use oslow_math::HALF_LN_TAU;
use rand::RngExt;
use rand_distr::Distribution;

/// Normal parts, whose weights, means and standard deviations are learned.
pub(crate) const PARTS: usize = 5;
/// Numbers in θ per variable: for each part its weight, its mean and its standard deviation.
pub(crate) const PARAMETERS: usize = 3 * PARTS;
/// A wide part that is fixed, Student's t with 3 degrees of freedom, keeps a row far out from deciding everything: its weight and its scale.
const WIDE_WEIGHT: f64 = 0.002;
const WIDE_SCALE: f64 = 3.0;
/// 3·scale²: the wide part falls like (1 + z²/this)⁻².
pub(crate) const WIDE_SQUARE: f64 = 3.0 * WIDE_SCALE * WIDE_SCALE;
/// The least standard deviation of a part: a spike on a few rows would make the likelihood unbounded.
const LEAST_DEVIATION: f64 = 0.05;
/// Where the parts start: with this distance between means and this standard deviation …
const SPACING: f64 = 0.9;
const DEVIATION: f64 = 0.7;
/// How far a part moves per unit of θ, all of which moves by about the optimiser's step size. With 1 and more, bases describe what networks have not
/// learned yet, and orders of polynomial data are worse than with a normal base; with ½, Laplace noise is not always learned in time.
const GAIN: f64 = 0.7;

/// p(z) = Σₖ wₖ·N(z; μₖ, σₖ²) + 0.002·t₃(z/3)/3.
///
/// With θ = 0 it is nearly standard normal, so that weight decay draws it towards that.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mixture {
    pub weights: [f64; PARTS],
    pub means: [f64; PARTS],
    pub deviations: [f64; PARTS],
}

/// Sums over rows for one part, rₖ being the probability that a row comes from it and u = (z − μₖ)/σₖ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Moments {
    /// Σ rₖ.
    pub count: f64,
    /// Σ rₖ·u.
    pub sum: f64,
    /// Σ rₖ·u².
    pub squares: f64,
}

impl Mixture {
    /// The density of a variable whose numbers in θ are these: logarithms of weights, means and logarithms of standard
    /// deviations, each as a difference from the start.
    pub fn new(parameters: &[f64; PARAMETERS]) -> Self {
        let shift = |kind: usize, k: usize| GAIN * parameters[kind * PARTS + k];
        let start = |k: usize| SPACING * (k as f64 - (PARTS / 2) as f64);
        // … and weights that make the variances of means and parts add up to 1.
        let log_weights: [f64; PARTS] =
            std::array::from_fn(|k| shift(0, k) - 0.5 * start(k).powi(2) / (1.0 - DEVIATION.powi(2)));
        let greatest = log_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let relative = log_weights.map(|w| (w - greatest).exp());
        let total = relative.iter().sum::<f64>() / (1.0 - WIDE_WEIGHT);
        Self {
            weights: relative.map(|weight| weight / total),
            means: std::array::from_fn(|k| start(k) + shift(1, k)),
            deviations: std::array::from_fn(|k| {
                LEAST_DEVIATION + (DEVIATION - LEAST_DEVIATION) * shift(2, k).exp()
            }),
        }
    }

    /// The gradient of Σ −ln p over rows for the variable's numbers in θ, from the rows' moments.
    pub fn gradient(&self, moments: &[Moments; PARTS]) -> [f64; PARAMETERS] {
        let learned: f64 = moments.iter().map(|part| part.count).sum();
        let mut gradient = [0.0; PARAMETERS];
        for (k, part) in moments.iter().enumerate() {
            let (deviation, share) = (self.deviations[k], self.weights[k] / (1.0 - WIDE_WEIGHT));
            gradient[k] = GAIN * (share * learned - part.count);
            gradient[PARTS + k] = -GAIN * part.sum / deviation;
            let steepness = GAIN * (deviation - LEAST_DEVIATION) / deviation;
            gradient[2 * PARTS + k] = steepness * (part.count - part.squares);
        }
        gradient
    }

    /// ln(wₖ/σₖ√2π): what a part has at its mean.
    pub fn log_heights(&self) -> [f64; PARTS] {
        std::array::from_fn(|k| self.weights[k].ln() - self.deviations[k].ln() - HALF_LN_TAU)
    }

    /// The wide part at 0.
    pub fn wide_height() -> f64 {
        WIDE_WEIGHT * 2.0 / (std::f64::consts::PI * WIDE_SQUARE.sqrt())
    }

    /// −ln p(z).
    pub fn nll(&self, z: f64) -> f64 {
        let heights = self.log_heights();
        let part = |k: usize| (heights[k] - 0.5 * ((z - self.means[k]) / self.deviations[k]).powi(2)).exp();
        let wide = Self::wide_height() * (1.0 + z * z / WIDE_SQUARE).powi(-2);
        -((0..PARTS).map(part).sum::<f64>() + wide).ln()
    }

    /// One draw.
    pub fn draw(&self, rng: &mut Rng) -> f64 {
        let mut left: f64 = rng.random();
        let part = self.weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        match part {
            Some(part) => {
                let normal: f64 = rand_distr::StandardNormal.sample(rng);
                self.means[part] + self.deviations[part] * normal
            }
            None => WIDE_SCALE * rand_distr::StudentT::new(3.0).expect("3 is positive").sample(rng),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::mixture::{Column, Parts, add_nll, slopes};

    /// Mixtures that are far from the start, and the start.
    fn parameters() -> Vec<[f64; PARAMETERS]> {
        let mut rng = oslow_core::Seed(4).stream("test");
        let mut all = vec![[0.0; PARAMETERS]];
        all.extend((0..6).map(|_| std::array::from_fn(|_| rng.random_range(-2.0..2.0))));
        all
    }

    /// Rows in number no multiple of anything, most near the parts and one far out.
    fn rows() -> Vec<f64> {
        let mut rng = oslow_core::Seed(5).stream("test");
        (0..53).map(|k| if k == 7 { 300.0 } else { rng.random_range(-4.0..4.0) }).collect()
    }

    fn integral(from: f64, to: f64, function: impl Fn(f64) -> f64) -> f64 {
        let steps = 200_000;
        let width = (to - from) / f64::from(steps);
        (0..steps).map(|k| function(from + (f64::from(k) + 0.5) * width) * width).sum()
    }

    #[test]
    fn it_is_a_density_and_starts_nearly_standard_normal() {
        for own in parameters() {
            let mixture = Mixture::new(&own);
            let total = integral(-90.0, 90.0, |z| (-mixture.nll(z)).exp());
            assert!((total - 1.0).abs() < 1e-5, "{total}");
        }
        let start = Mixture::new(&[0.0; PARAMETERS]);
        let normal = |z: f64| 0.5 * z * z + HALF_LN_TAU;
        let loss = integral(-9.0, 9.0, |z| (-normal(z)).exp() * (start.nll(z) - normal(z)));
        assert!((0.0..0.01).contains(&loss), "{loss} nats lost on normal noise before anything is learned");
    }

    #[test]
    fn no_part_is_narrower_than_the_least_deviation() {
        let mixture = Mixture::new(&[-50.0; PARAMETERS]);
        assert!(mixture.deviations[..PARTS].iter().all(|d| (LEAST_DEVIATION..0.06).contains(d)));
    }

    #[test]
    fn draws_have_the_density() {
        let n = 40_000;
        for own in parameters() {
            let mixture = Mixture::new(&own);
            let mut rng = oslow_core::Seed(1).stream("test");
            let mut draws: Vec<f64> = (0..n).map(|_| mixture.draw(&mut rng)).collect();
            draws.sort_by(f64::total_cmp);
            // The wide part has no fourth moment, so draws far out are pulled in.
            let pulled = |z: f64| z.clamp(-8.0, 8.0);
            let moment = |about: f64, power: i32| {
                integral(-90.0, 90.0, |z| (pulled(z) - about).powi(power) * (-mixture.nll(z)).exp())
            };
            let (mean, rows) = (moment(0.0, 1), f64::from(n));
            let (variance, fourth) = (moment(mean, 2), moment(mean, 4));
            let drawn_mean = draws.iter().map(|&z| pulled(z)).sum::<f64>() / rows;
            let drawn_variance = draws.iter().map(|&z| (pulled(z) - mean).powi(2)).sum::<f64>() / rows;
            assert!((drawn_mean - mean).abs() < 4.0 * (variance / rows).sqrt());
            let error = ((fourth - variance * variance) / rows).sqrt();
            assert!((drawn_variance - variance).abs() < 4.0 * error);
            for share in [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99] {
                let quantile = draws[(share * rows) as usize];
                let below = integral(-90.0, quantile, |z| (-mixture.nll(z)).exp());
                let error = (share * (1.0 - share) / rows).sqrt();
                assert!((below - share).abs() < 4.0 * error, "{share}: {below}");
            }
        }
    }

    #[test]
    fn the_loops_give_the_plain_density_in_both_precisions() {
        let z = rows();
        let single: Vec<f32> = z.iter().map(|&z| z as f32).collect();
        // The variable is the second of two.
        let both: Vec<f64> = z.iter().flat_map(|&z| [9.0, z]).collect();
        for own in parameters() {
            let mixture = Mixture::new(&own);
            let (mut double_nll, mut single_nll) = (vec![1.0; z.len()], vec![1.0; z.len()]);
            add_nll(&Parts::new(&mixture), Column { start: 1, stride: 2 }, &both, &mut double_nll);
            add_nll(&Parts::new(&mixture), Column { start: 0, stride: 1 }, &single, &mut single_nll);
            for (k, &z) in z.iter().enumerate() {
                let nll = 1.0 + mixture.nll(z);
                assert!((double_nll[k] - nll).abs() < 1e-12 * nll.abs().max(1.0), "{z}");
                assert!((single_nll[k] - nll).abs() < 1e-5 * nll.abs().max(1.0), "{z}");
            }
        }
    }

    #[test]
    fn noise_that_is_not_finite_does_not_get_a_finite_nll() {
        let parts = Parts::new(&Mixture::new(&[0.0; PARAMETERS]));
        let mut nll = [0.0; 3];
        add_nll(&parts, Column { start: 0, stride: 1 }, &[f32::INFINITY, f32::NAN, 1e9], &mut nll);
        assert_eq!(nll.map(f64::is_finite), [false, false, true]);
    }

    #[test]
    fn slopes_and_gradients_are_finite_differences() {
        let (z, step) = (rows(), 1e-5);
        let column = Column { start: 0, stride: 1 };
        for own in parameters() {
            let mixture = Mixture::new(&own);
            let mut found = vec![0.0; z.len()];
            let moments = slopes(&Parts::new(&mixture), column, 2.0, &z, &mut found);
            for (&z, found) in z.iter().zip(found) {
                let expected = (mixture.nll(z + step) - mixture.nll(z - step)) / step;
                assert!((found - expected).abs() < 1e-5 * expected.abs().max(1.0), "{z}: {found} {expected}");
            }
            for (k, found) in mixture.gradient(&moments).into_iter().enumerate() {
                let at = |shift: f64| {
                    let mut own = own;
                    own[k] += shift;
                    let mixture = Mixture::new(&own);
                    z.iter().map(|&z| mixture.nll(z)).sum::<f64>()
                };
                let expected = (at(step) - at(-step)) / (2.0 * step);
                assert!((found - expected).abs() < 1e-5 * expected.abs().max(1.0), "{k}: {found} {expected}");
            }
        }
    }
}
