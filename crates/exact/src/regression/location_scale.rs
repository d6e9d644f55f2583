//! The fit of one variable: location alone, then location and scale.

use oslow_core::Rng;
use oslow_math::{Real, exponentials};

use super::inputs::Inputs;
use super::kernel;
use super::network::Network;
use super::steps::Descent;
use crate::density::Density;
use crate::{Location, Noise};

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

impl Effort {
    /// The same for a kind of location: straight lines and polynomials have no units.
    pub fn of(self, location: Location) -> Self {
        match location {
            Location::Units | Location::Process => self,
            Location::Linear | Location::Cubic => Self { location_units: 0, ..self },
        }
    }
}

/// The share of units that begin along a linear fit: to y, or to the logarithms of its distances from the location.
pub(super) const ALIGNED: f64 = 0.6;
/// Distances far below this share of the scale are taken as it.
const LEAST_DISTANCE: f64 = 0.1;
/// Steps with weak priors before evidence chooses them.
pub(super) const BEFORE_EVIDENCE: usize = 8;
/// From then on it does so every so many steps: it costs as much as a step.
pub(super) const EVIDENCE_EVERY: usize = 3;
/// Steps before a fit may end.
pub(super) const FEWEST_STEPS: usize = 5;
/// Rounds in which a mixture follows a step.
const FOLLOWING_ROUNDS: usize = 3;

/// A fitted model of y given x.
pub(crate) struct Fit {
    density: Density,
    location: Network,
    scale: Scale,
    /// Loss per training row, without penalties.
    pub training_nll: f64,
}

/// −ln of the mean of some densities, given −ln of each.
pub(crate) fn average(nll: &[f64]) -> f64 {
    let least = nll.iter().copied().fold(f64::INFINITY, f64::min);
    least - (nll.iter().map(|one| (least - one).exp()).sum::<f64>() / nll.len() as f64).ln()
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
        let network = match start {
            Some(fit) => fit.location.clone(),
            None => {
                let mut network = Network::new(effort.location_units, inputs, rng);
                network.align((ALIGNED * effort.location_units as f64) as usize, inputs, y);
                network
            }
        };
        let mut location = Descent::new(network, inputs);
        let mut noise = match start {
            Some(fit) => ConstantNoise::after(fit, noise, y, &location.values),
            None => ConstantNoise { density: Density::of(noise, y), log_scale: 0.0, nll: f64::INFINITY },
        };
        for step in 0..effort.steps {
            let inverse = vec![(-noise.log_scale).exp(); y.len()];
            let evidence = (step >= BEFORE_EVIDENCE || start.is_some()) && step % EVIDENCE_EVERY == 0;
            step_location(&mut location, inputs, y, &noise.density, &inverse, evidence);
            let before = noise.nll;
            noise.follow(y, &location.values);
            if step >= FEWEST_STEPS && before - noise.nll < effort.tolerance {
                break;
            }
        }
        noise.density.finish(|| standardized(y, &location.values, &vec![(-noise.log_scale).exp(); y.len()]));
        let ConstantNoise { density, log_scale, nll } = noise;
        Self { density, location: location.network, scale: Scale::Constant(log_scale), training_nll: nll }
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
        let mut density = start.density_of(noise, location_inputs, scale_inputs, y);
        let mut location = Descent::new(start.location.clone(), location_inputs);
        let mut scale = Descent::new(scale, scale_inputs);
        let mut inverse = vec![0.0; y.len()];
        let mut before = f64::INFINITY;
        let mut after = start.training_nll;
        for step in 0..effort.steps {
            let evidence = step % EVIDENCE_EVERY == 0;
            let r: Vec<f64> = residuals(y, &location.values).collect();
            step_scale(&mut scale, scale_inputs, &r, &density, evidence && (step >= BEFORE_EVIDENCE || !new));
            inverse.copy_from_slice(&scale.values);
            exponentials(&mut inverse);
            step_location(&mut location, location_inputs, y, &density, &inverse, evidence);
            let loss = density.follow(&standardized(y, &location.values, &inverse), FOLLOWING_ROUNDS);
            after = (loss + scale.values.iter().sum::<f64>()) / y.len() as f64;
            if step >= FEWEST_STEPS && before - after < effort.tolerance {
                break;
            }
            before = after;
        }
        density.finish(|| standardized(y, &location.values, &inverse));
        let least = scale.values.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = scale.values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let scale = Scale::Varying(scale.network, (least, greatest));
        Self { density, location: location.network, scale, training_nll: after }
    }

    /// The logarithms of |y − location|: the log-scale plus noise. Those far below the scale say little about it.
    fn log_distances(&self, inputs: &Inputs, y: &[f64], log_scale: f64) -> Vec<f64> {
        let mut location = Vec::new();
        self.location.evaluate(&self.location.parameters, inputs, &mut location);
        let least = LEAST_DISTANCE * log_scale.exp();
        residuals(y, &location).map(|r| r.hypot(least).ln()).collect()
    }

    /// Residuals in units of their scales, and the logarithms of these.
    fn standard_residuals(
        &self,
        location_inputs: &Inputs,
        scale_inputs: &Inputs,
        y: &[f64],
    ) -> (Vec<f64>, Vec<f64>) {
        let mut location = Vec::new();
        self.location.evaluate(&self.location.parameters, location_inputs, &mut location);
        let r: Vec<f64> = residuals(y, &location).collect();
        let s = self.log_scales(scale_inputs);
        let mut z = vec![0.0; y.len()];
        kernel::divide_by_scales(&r, &s, &mut z);
        (z, s)
    }

    /// The density with which a fit with another noise begins, this one being its start.
    fn density_of(
        &self,
        noise: Noise,
        location_inputs: &Inputs,
        scale_inputs: &Inputs,
        y: &[f64],
    ) -> Density {
        match (noise, &self.density) {
            (Noise::Mixture, Density::Mixture(_)) => self.density,
            _ => Density::of(noise, &self.standard_residuals(location_inputs, scale_inputs, y).0),
        }
    }

    /// Whether residuals of this fit look more like another noise: its likelihood with the best constant factor on the scale.
    pub fn training_nll_under(
        &self,
        noise: Noise,
        location_inputs: &Inputs,
        scale_inputs: &Inputs,
        y: &[f64],
    ) -> f64 {
        let (mut z, s) = self.standard_residuals(location_inputs, scale_inputs, y);
        let density = Density::of(noise, &z);
        let factor = density.best_log_scale(z.iter().copied()).unwrap_or(0.0);
        z.iter_mut().for_each(|z| *z *= (-factor).exp());
        factor + (density.loss(&z) + s.iter().sum::<f64>()) / y.len() as f64
    }

    /// −ln p of rows that the fit has not seen, given the training rows that it has. No value is predicted better than with the least
    /// variance.
    pub fn held_out(
        &self,
        training: (&Inputs, &Inputs),
        rows: (&Inputs, &Inputs),
        y: &[f64],
        least_variance: f64,
    ) -> Vec<f64> {
        let (location_inputs, scale_inputs) = rows;
        let location = self.locations(location_inputs);
        let of_noise = self.density.location_information();
        let information: Vec<f64> =
            self.log_scales(training.1).iter().map(|s| of_noise * (-2.0 * s).exp()).collect();
        let posterior = self.location.posterior(training.0, &information);
        let location_variances = self.location.variances(location_inputs, &posterior);
        let s = self.log_scales(scale_inputs);
        let scale_variances = match &self.scale {
            Scale::Constant(_) => vec![0.0; y.len()],
            Scale::Varying(network, _) => {
                let information = vec![self.density.scale_information(); training.1.rows];
                network.variances(scale_inputs, &network.posterior(training.1, &information))
            }
        };
        residuals(y, &location)
            .zip(s.iter().zip(&location_variances))
            .zip(&scale_variances)
            .map(|((r, (&s, &variance)), &scale_variance)| {
                let variance = variance + least_variance;
                expected_density(s, scale_variance.sqrt(), |s| self.density.predictive(r, s, variance))
            })
            .collect()
    }

    /// The location on some rows.
    pub fn locations(&self, inputs: &Inputs) -> Vec<f64> {
        let mut location = Vec::new();
        self.location.evaluate(&self.location.parameters, inputs, &mut location);
        location
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

/// Noise whose scale is the same everywhere, on its way.
struct ConstantNoise {
    density: Density,
    log_scale: f64,
    /// Per training row.
    nll: f64,
}

impl ConstantNoise {
    /// What the residuals of another fit look like.
    fn after(fit: &Fit, noise: Noise, y: &[f64], location: &[f64]) -> Self {
        let Scale::Constant(log_scale) = fit.scale else { unreachable!("an additive fit starts from one") };
        let inverse = vec![(-log_scale).exp(); y.len()];
        let density = Density::of(noise, &standardized(y, location, &inverse));
        let mut noise = Self { density, log_scale, nll: f64::INFINITY };
        noise.follow(y, location);
        noise
    }

    /// Takes the scale under which residuals are most likely, or improves the shape.
    fn follow(&mut self, y: &[f64], location: &[f64]) {
        if let Some(log_scale) = self.density.best_log_scale(residuals(y, location)) {
            self.log_scale = log_scale;
        }
        let z = standardized(y, location, &vec![(-self.log_scale).exp(); y.len()]);
        self.nll = self.log_scale + self.density.follow(&z, FOLLOWING_ROUNDS) / y.len() as f64;
    }
}

/// A step of the location, one over the scale being given.
fn step_location(
    location: &mut Descent,
    inputs: &Inputs,
    y: &[f64],
    density: &Density,
    inverse: &[f64],
    evidence: bool,
) {
    let slopes = |values: &[f64], slopes: &mut [f64], roots: &mut [f64]| {
        let z = standardized(y, values, inverse);
        let loss = density.slopes(&z, slopes);
        density.curvature_roots(&z, roots);
        for ((slope, root), inverse) in slopes.iter_mut().zip(roots).zip(inverse) {
            *slope *= -inverse;
            *root *= inverse;
        }
        loss
    };
    let loss = |values: &[f64]| density.loss(&standardized(y, values, inverse));
    location.step(inputs, slopes, loss, evidence);
}

/// A step of the logarithm of the scale, residuals being given.
fn step_scale(scale: &mut Descent, inputs: &Inputs, residuals: &[f64], density: &Density, evidence: bool) {
    let slopes = |values: &[f64], slopes: &mut [f64], roots: &mut [f64]| {
        let mut z = vec![0.0; values.len()];
        kernel::divide_by_scales(residuals, values, &mut z);
        let loss = density.slopes(&z, slopes);
        slopes.iter_mut().zip(&z).for_each(|(slope, z)| *slope = 1.0 - z * *slope);
        roots.fill(density.scale_information().sqrt());
        loss + values.iter().sum::<f64>()
    };
    let loss = |values: &[f64]| {
        let mut z = vec![0.0; values.len()];
        kernel::divide_by_scales(residuals, values, &mut z);
        density.loss(&z) + values.iter().sum::<f64>()
    };
    scale.step(inputs, slopes, loss, evidence);
}

/// y around its location, in units of its scale.
fn standardized(y: &[f64], location: &[f64], inverse: &[f64]) -> Vec<f64> {
    let mut z = vec![0.0; y.len()];
    kernel::standardize(y, location, inverse, &mut z);
    z
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

/// −ln E p, the log-scale being normal around its mean. A density is factor·exp(exponent), given as exponent and factor.
#[inline(always)]
pub(super) fn expected_density(mean: f64, deviation: f64, density: impl Fn(f64) -> (f64, f64)) -> f64 {
    if deviation < 1e-6 {
        let (exponent, factor) = density(mean);
        return -exponent - factor.ln();
    }
    let deviation = deviation.min(MOST_DEVIATION);
    let terms = QUADRATURE.map(|(node, weight)| (weight, density(mean + node * deviation)));
    let greatest = terms.iter().map(|(_, (exponent, _))| *exponent).fold(f64::NEG_INFINITY, f64::max);
    let of =
        |(weight, (exponent, factor)): &(f64, (f64, f64))| weight * factor * Real::exp(exponent - greatest);
    -greatest - terms.iter().map(of).sum::<f64>().ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averaging_over_the_scale_keeps_a_density() {
        let noise = Density::Gaussian;
        let density = |r: f64| (-expected_density(0.2, 0.5, |s| noise.predictive(r, s, 0.1))).exp();
        let sum: f64 = (-60_000..60_000).map(|k| density(f64::from(k) * 1e-3) * 1e-3).sum();
        assert!((sum - 1.0).abs() < 1e-6, "{sum}");
    }
}
