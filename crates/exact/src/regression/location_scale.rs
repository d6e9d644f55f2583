//! The fit of one variable: location alone, then location and scale.

use oslow_core::Rng;
use oslow_math::{Real, exponentials};

use super::inputs::Inputs;
use super::kernel;
use super::network::Network;
use super::steps::Descent;
use crate::Noise;

/// How much work a fit is worth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Smooth units of the location.
    pub location_units: usize,
    /// Smooth units of the log-scale.
    pub scale_units: usize,
    /// Most steps.
    pub steps: usize,
    /// Ends when a step gains less, in nats per row.
    pub tolerance: f64,
}

/// The share of units that begin along a linear fit: to y, or to the logarithms of its distances from the location.
const ALIGNED: f64 = 0.6;
/// Distances far below this share of the scale are taken as it.
const LEAST_DISTANCE: f64 = 0.1;
/// Steps with weak priors before evidence chooses them.
const BEFORE_EVIDENCE: usize = 8;
/// From then on it does so every so many steps: it costs as much as a step.
const EVIDENCE_EVERY: usize = 3;
/// Steps before a fit may end.
const FEWEST_STEPS: usize = 5;

/// A fitted model of y given x.
pub(crate) struct Fit {
    noise: Noise,
    location: Network,
    scale: Scale,
    /// Loss per training row, without penalties.
    pub training_nll: f64,
}

/// What a fit says of a row that it has not seen.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HeldOut {
    /// −ln p(y).
    pub nll: f64,
    /// (y − location) / spread, where the spread of a normal density is that of the noise and of the location together.
    pub residual: f64,
    pub log_spread: f64,
}

impl HeldOut {
    /// What several fits say together: the mean of their densities, and its residual and spread.
    pub fn average(said: &[Self]) -> Self {
        let mean = |of: &dyn Fn(&Self) -> f64| said.iter().map(of).sum::<f64>() / said.len() as f64;
        let least = said.iter().map(|one| one.nll).fold(f64::INFINITY, f64::min);
        let distance = |one: &Self| one.residual * one.log_spread.exp();
        let square =
            mean(&|one| distance(one).powi(2) + (2.0 * one.log_spread).exp()) - mean(&distance).powi(2);
        let log_spread = 0.5 * square.ln();
        Self {
            nll: least - mean(&|one| (least - one.nll).exp()).ln(),
            residual: mean(&distance) * (-log_spread).exp(),
            log_spread,
        }
    }
}

/// The logarithm of the noise's scale.
enum Scale {
    Constant(f64),
    /// A function, and the range of its values on training rows.
    Varying(Network, (f64, f64)),
}

impl Fit {
    /// Fits a location, the scale being the same everywhere; from a start where one is given.
    pub fn additive(
        inputs: &Inputs,
        y: &[f64],
        noise: Noise,
        effort: &Effort,
        start: Option<&Self>,
        rng: &mut Rng,
    ) -> Self {
        let n = y.len() as f64;
        let network = match start {
            Some(fit) => fit.location.clone(),
            None => {
                let mut network = Network::new(effort.location_units, inputs, rng);
                network.align((ALIGNED * effort.location_units as f64) as usize, inputs, y);
                network
            }
        };
        let mut location = Descent::new(network, inputs);
        let mut scale = match start {
            Some(_) => noise.best_log_scale(residuals(y, &location.values)),
            None => 0.0,
        };
        for step in 0..effort.steps {
            let inverse = vec![(-scale).exp(); y.len()];
            let evidence = (step >= BEFORE_EVIDENCE || start.is_some()) && step % EVIDENCE_EVERY == 0;
            step_location(&mut location, inputs, y, noise, &inverse, evidence);
            let next = noise.best_log_scale(residuals(y, &location.values));
            let gain = scale - next;
            scale = next;
            if step >= FEWEST_STEPS && gain < effort.tolerance {
                break;
            }
        }
        let training_nll = residuals(y, &location.values).map(|r| noise.nll(r, scale)).sum::<f64>() / n;
        Self { noise, location: location.network, scale: Scale::Constant(scale), training_nll }
    }

    /// Fits location and scale together, from a fit.
    pub fn affine(
        location_inputs: &Inputs,
        scale_inputs: &Inputs,
        y: &[f64],
        noise: Noise,
        effort: &Effort,
        start: &Self,
        rng: &mut Rng,
    ) -> Self {
        let scale = match &start.scale {
            Scale::Varying(network, _) => network.clone(),
            Scale::Constant(value) => {
                let mut network = Network::new(effort.scale_units, scale_inputs, rng);
                let aligned = (ALIGNED * effort.scale_units as f64) as usize;
                network.align(aligned, scale_inputs, &start.log_distances(location_inputs, y, *value));
                let constant = network.constant();
                network.parameters[constant] = *value;
                network
            }
        };
        let new = matches!(start.scale, Scale::Constant(_));
        let mut location = Descent::new(start.location.clone(), location_inputs);
        let mut scale = Descent::new(scale, scale_inputs);
        let mut inverse = vec![0.0; y.len()];
        let mut before = f64::INFINITY;
        let mut after = start.training_nll;
        for step in 0..effort.steps {
            let evidence = step % EVIDENCE_EVERY == 0;
            let r: Vec<f64> = residuals(y, &location.values).collect();
            step_scale(&mut scale, scale_inputs, &r, noise, evidence && (step >= BEFORE_EVIDENCE || !new));
            inverse.copy_from_slice(&scale.values);
            exponentials(&mut inverse);
            step_location(&mut location, location_inputs, y, noise, &inverse, evidence);
            let loss = location_loss(noise, y, &location.values, &inverse);
            after = (loss + scale.values.iter().sum::<f64>()) / y.len() as f64;
            if step >= FEWEST_STEPS && before - after < effort.tolerance {
                break;
            }
            before = after;
        }
        let least = scale.values.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = scale.values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let scale = Scale::Varying(scale.network, (least, greatest));
        Self { noise, location: location.network, scale, training_nll: after }
    }

    /// The logarithms of |y − location|: the log-scale plus noise. Those far below the scale say little about it.
    fn log_distances(&self, inputs: &Inputs, y: &[f64], log_scale: f64) -> Vec<f64> {
        let mut location = Vec::new();
        self.location.evaluate(&self.location.parameters, inputs, &mut location);
        let least = LEAST_DISTANCE * log_scale.exp();
        residuals(y, &location).map(|r| r.hypot(least).ln()).collect()
    }

    /// Whether residuals of this fit look more like another noise: its likelihood with the best constant factor on the scale.
    pub fn training_nll_under(
        &self,
        noise: Noise,
        location_inputs: &Inputs,
        scale_inputs: &Inputs,
        y: &[f64],
    ) -> f64 {
        let mut location = Vec::new();
        self.location.evaluate(&self.location.parameters, location_inputs, &mut location);
        let s = self.log_scales(scale_inputs);
        let z: Vec<f64> = residuals(y, &location).zip(&s).map(|(r, s)| r * (-s).exp()).collect();
        let factor = noise.best_log_scale(z.iter().copied());
        z.iter().zip(&s).map(|(z, s)| s + noise.nll(*z, factor)).sum::<f64>() / y.len() as f64
    }

    /// What the fit says of rows that it has not seen, given the training rows that it has.
    pub fn held_out(
        &self,
        training: (&Inputs, &Inputs),
        rows: (&Inputs, &Inputs),
        y: &[f64],
    ) -> Vec<HeldOut> {
        let (location_inputs, scale_inputs) = rows;
        let mut location = Vec::new();
        self.location.evaluate(&self.location.parameters, location_inputs, &mut location);
        // A row informs about the location by one over the square of its scale, with either noise.
        let information: Vec<f64> = self.log_scales(training.1).iter().map(|s| (-2.0 * s).exp()).collect();
        let posterior = self.location.posterior(training.0, &information);
        let location_variances = self.location.variances(location_inputs, &posterior);
        let s = self.log_scales(scale_inputs);
        let scale_variances = match &self.scale {
            Scale::Constant(_) => vec![0.0; y.len()],
            Scale::Varying(network, _) => {
                let information = vec![self.noise.scale_information(); training.1.rows];
                network.variances(scale_inputs, &network.posterior(training.1, &information))
            }
        };
        residuals(y, &location)
            .zip(s.iter().zip(&location_variances))
            .zip(&scale_variances)
            .map(|((r, (&s, &variance)), &scale_variance)| {
                let log_spread = 0.5 * (Real::exp(2.0 * s) + variance).ln();
                HeldOut {
                    nll: expected_density(s, scale_variance.sqrt(), |s| {
                        self.noise.predictive_nll(r, s, variance)
                    }),
                    residual: r * Real::exp(-log_spread),
                    log_spread,
                }
            })
            .collect()
    }

    /// The logarithm of the scale on some rows, within the range that training rows have.
    pub fn log_scales(&self, inputs: &Inputs) -> Vec<f64> {
        match &self.scale {
            Scale::Constant(value) => vec![*value; inputs.rows],
            Scale::Varying(network, (least, greatest)) => {
                let mut values = Vec::new();
                network.evaluate(&network.parameters, inputs, &mut values);
                values.iter_mut().for_each(|s| *s = s.clamp(*least, *greatest));
                values
            }
        }
    }
}

/// A step of the location, one over the scale being given.
fn step_location(
    location: &mut Descent,
    inputs: &Inputs,
    y: &[f64],
    noise: Noise,
    inverse: &[f64],
    evidence: bool,
) {
    let slopes = |values: &[f64], slopes: &mut [f64], roots: &mut [f64]| {
        kernel::location_slopes(noise, y, values, inverse, slopes, roots);
    };
    location.step(inputs, slopes, |values| location_loss(noise, y, values, inverse), evidence);
}

/// A step of the logarithm of the scale, residuals being given.
fn step_scale(scale: &mut Descent, inputs: &Inputs, residuals: &[f64], noise: Noise, evidence: bool) {
    let slopes = |values: &[f64], slopes: &mut [f64], roots: &mut [f64]| {
        kernel::scale_slopes(noise, residuals, values, slopes);
        roots.fill(noise.scale_information().sqrt());
    };
    let loss = |values: &[f64]| {
        let mut losses = vec![0.0; values.len()];
        kernel::scale_losses(noise, residuals, values, &mut losses);
        losses.iter().sum()
    };
    scale.step(inputs, slopes, loss, evidence);
}

/// −ln p of all rows but for the logarithms of scales.
fn location_loss(noise: Noise, y: &[f64], location: &[f64], inverse: &[f64]) -> f64 {
    let mut losses = vec![0.0; y.len()];
    kernel::location_losses(noise, y, location, inverse, &mut losses);
    losses.iter().sum()
}

fn residuals<'a>(y: &'a [f64], location: &'a [f64]) -> impl ExactSizeIterator<Item = f64> + 'a {
    y.iter().zip(location).map(|(y, m)| y - m)
}

/// The greatest standard deviation of a log-scale that is averaged over.
const MOST_DEVIATION: f64 = 2.0;
/// Nodes and weights of Gauss–Hermite quadrature with five points, for the standard normal density.
const QUADRATURE: [(f64, f64); 5] = [
    (-2.856_970_013_872_806, 0.011_257_411_327_720_7),
    (-1.355_626_179_974_266, 0.222_075_922_005_612_6),
    (0.0, 0.533_333_333_333_333_3),
    (1.355_626_179_974_266, 0.222_075_922_005_612_6),
    (2.856_970_013_872_806, 0.011_257_411_327_720_7),
];

/// −ln E p, the log-scale being normal around its mean.
fn expected_density(mean: f64, deviation: f64, nll: impl Fn(f64) -> f64) -> f64 {
    if deviation < 1e-6 {
        return nll(mean);
    }
    let deviation = deviation.min(MOST_DEVIATION);
    let terms = QUADRATURE.map(|(node, weight)| (weight, nll(mean + node * deviation)));
    let least = terms.iter().map(|term| term.1).fold(f64::INFINITY, f64::min);
    least - terms.iter().map(|(weight, nll)| weight * (least - nll).exp()).sum::<f64>().ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averaging_over_the_scale_keeps_a_density() {
        let noise = Noise::Gaussian;
        let density = |r: f64| (-expected_density(0.2, 0.5, |s| noise.predictive_nll(r, s, 0.1))).exp();
        let sum: f64 = (-60_000..60_000).map(|k| density(f64::from(k) * 1e-3) * 1e-3).sum();
        assert!((sum - 1.0).abs() < 1e-6, "{sum}");
    }

    #[test]
    fn the_average_of_two_fits_has_the_moments_of_the_mixture() {
        // N(1, 1) and N(−1, 4) with equal weights, at y = 0.5: mean 0, variance (1 + 4)/2 + 1.
        let of = |mean: f64, log_spread: f64| HeldOut {
            nll: Noise::Gaussian.nll(0.5 - mean, log_spread),
            residual: (0.5 - mean) * (-log_spread).exp(),
            log_spread,
        };
        let average = HeldOut::average(&[of(1.0, 0.0), of(-1.0, 2f64.ln())]);
        let density = 0.5 * ((-0.125f64).exp() + (-0.281_25f64).exp() / 2.0) / std::f64::consts::TAU.sqrt();
        assert!((average.nll + density.ln()).abs() < 1e-12);
        assert!((average.log_spread - 0.5 * 3.5f64.ln()).abs() < 1e-12);
        assert!((average.residual - 0.5 / 3.5f64.sqrt()).abs() < 1e-12);
    }
}
