//! The natural parameters as a network with one hidden layer, fitted by Adam on all rows.
//!
//! η₁(x) = c₁ + Σᵤ v₁ᵤ·tanh(wᵤx + bᵤ) and log f₂(x) = c₂ + Σᵤ v₂ᵤ·tanh(wᵤx + bᵤ).

use std::f64::consts::PI;

use oslow_core::{Result, Rng, check_stop};
use oslow_math::{AdamW, AdamWConfig, Real, simd};
use pulp::{Simd, with_simd};
use rand::RngExt;

use super::natural_normal::NaturalNormal;

/// Hidden units.
const UNITS: usize = 100;
/// Parameters: w, b, v₁ and v₂ of each unit, then c₁ and c₂.
const PARAMETERS: usize = 4 * UNITS + 2;
/// Numbers that are added up side by side. Fixed, so that every machine gives the same sums.
const LANES: usize = 16;
/// Rows that go through the network at a time: their hidden units fit into the cache.
const BLOCK: usize = 128;
/// The share of the learning rate that is left at the end.
const LAST_RATE: f64 = 1e-4;

/// The parameters of a network.
#[derive(Clone, Debug)]
pub(super) struct Net {
    parameters: Vec<f64>,
}

impl Net {
    /// Weights and biases uniform in ±1/√inputs; those of log f₂ are 0, so that the first variance is 1.
    pub fn random(rng: &mut Rng) -> Self {
        let mut symmetric = |most: f64| most * (2.0 * rng.random::<f64>() - 1.0);
        let mut parameters = vec![0.0; PARAMETERS];
        parameters[..2 * UNITS].fill_with(|| symmetric(1.0));
        let most = 1.0 / (UNITS as f64).sqrt();
        parameters[2 * UNITS..3 * UNITS].fill_with(|| symmetric(most));
        parameters[4 * UNITS] = symmetric(most);
        Self { parameters }
    }

    fn in_precision<T: Real>(&self) -> Vec<T> {
        self.parameters.iter().map(|&p| T::from_f64(p)).collect()
    }

    /// The natural parameters at these values, in double precision.
    fn law(&self, x: &[f64]) -> NaturalNormal {
        let p = &self.parameters;
        let at = |x: &f64| {
            let hidden = |u: usize| (p[u] * x + p[UNITS + u]).tanh();
            (0..UNITS).fold((p[4 * UNITS], p[4 * UNITS + 1]), |(first, log), u| {
                let h = hidden(u);
                (first + p[2 * UNITS + u] * h, log + p[3 * UNITS + u] * h)
            })
        };
        let (first, precision) = x.iter().map(at).map(|(first, log)| (first, log.exp())).unzip();
        NaturalNormal { first, precision }
    }
}

/// The law of y given x, both standardised: the most likely of the networks on the way from `start`, after `steps` steps with a rate that
/// falls along a cosine.
pub(super) fn fit(start: &Net, x: &[f64], y: &[f64], steps: usize, rate: f64) -> Result<NaturalNormal> {
    let mut rows = Rows::<f32>::new(x, y);
    let mut theta: Vec<f32> = start.in_precision();
    let mut gradient = vec![0.0; PARAMETERS];
    let mut best = (f64::INFINITY, theta.clone());
    let mut adam = AdamW::new(PARAMETERS, AdamWConfig::plain());
    for step in 0..=steps {
        check_stop();
        let nll = rows.nll(&theta, &mut gradient);
        if nll < best.0 {
            best.0 = nll;
            best.1.copy_from_slice(&theta);
        }
        if step < steps {
            let fallen = 0.5 * (1.0 + (PI * step as f64 / steps as f64).cos());
            adam.step(&mut theta, &gradient, rate * (LAST_RATE + (1.0 - LAST_RATE) * fallen))?;
        }
    }
    let parameters = best.1.iter().map(|p| p.to_f64()).collect();
    Ok(Net { parameters }.law(x))
}

/// A number for each row of a block.
type Block<T> = [[T; LANES]; BLOCK / LANES];

/// A cause and its effect, filled up with zeros to whole lanes.
struct Rows<T> {
    len: usize,
    x: Vec<T>,
    y: Vec<T>,
    /// Room for the hidden units of a block.
    hidden: Vec<Block<T>>,
}

impl<T: Real> Rows<T> {
    fn new(x: &[f64], y: &[f64]) -> Self {
        let padded = |values: &[f64]| -> Vec<T> {
            let mut numbers: Vec<T> = values.iter().map(|&v| T::from_f64(v)).collect();
            numbers.resize(values.len().next_multiple_of(LANES), T::from_f64(0.0));
            numbers
        };
        let hidden = vec![[[T::from_f64(0.0); LANES]; BLOCK / LANES]; UNITS];
        Self { len: x.len(), x: padded(x), y: padded(y), hidden }
    }

    /// The negative log-likelihood per row without its constant, and its gradient.
    fn nll(&mut self, theta: &[T], gradient: &mut [T]) -> f64 {
        gradient.fill(T::from_f64(0.0));
        let mut sum = 0.0;
        let blocks = self.x.chunks(BLOCK).zip(self.y.chunks(BLOCK));
        for (block, (x, y)) in blocks.enumerate() {
            let real = (self.len - block * BLOCK).min(x.len());
            sum += add_block(x, y, real, theta, &mut self.hidden, gradient);
        }
        let share = T::from_f64(1.0 / self.len as f64);
        gradient.iter_mut().for_each(|g| *g *= share);
        sum / self.len as f64
    }
}

/// The loss of some rows, the first `real` of which are no padding, and its gradient, added to `gradient`. Compiled for the widest vectors
/// of the machine.
#[with_simd(add_block = simd())]
#[inline(always)]
fn add_block_simd<'a, S: Simd, T: Real>(
    _simd: S,
    x: &'a [T],
    y: &'a [T],
    real: usize,
    theta: &'a [T],
    hidden: &'a mut [Block<T>],
    gradient: &'a mut [T],
) -> f64 {
    let (x, y) = (x.as_chunks::<LANES>().0, y.as_chunks::<LANES>().0);
    let mut first = [[theta[4 * UNITS]; LANES]; BLOCK / LANES];
    let mut log = [[theta[4 * UNITS + 1]; LANES]; BLOCK / LANES];
    forward(x, theta, hidden, &mut first, &mut log);
    let loss = differentiate(y, real, &mut first, &mut log);
    backward(x, theta, hidden, &first, &log, gradient);
    loss
}

/// Computes the hidden units and adds what they give to η₁ and log f₂.
#[inline(always)]
fn forward<T: Real>(
    x: &[[T; LANES]],
    theta: &[T],
    hidden: &mut [Block<T>],
    first: &mut Block<T>,
    log: &mut Block<T>,
) {
    for (u, hidden) in hidden.iter_mut().enumerate() {
        let (w, b) = (theta[u], theta[UNITS + u]);
        let (v1, v2) = (theta[2 * UNITS + u], theta[3 * UNITS + u]);
        for (k, x) in x.iter().enumerate() {
            for lane in 0..LANES {
                let h = (w * x[lane] + b).tanh();
                hidden[k][lane] = h;
                first[k][lane] += v1 * h;
                log[k][lane] += v2 * h;
            }
        }
    }
}

/// Replaces η₁ and log f₂ by the loss's derivatives in them, 0 for padding; gives the loss.
#[inline(always)]
fn differentiate<T: Real>(y: &[[T; LANES]], real: usize, first: &mut Block<T>, log: &mut Block<T>) -> f64 {
    let (zero, half, one) = (T::from_f64(0.0), T::from_f64(0.5), T::from_f64(1.0));
    let mut loss = 0.0;
    for (k, y) in y.iter().enumerate() {
        for lane in 0..LANES {
            let precision = log[k][lane].exp();
            let mean = first[k][lane] / precision;
            let residual = y[lane] - mean;
            let weighted = precision * residual;
            let counts = k * LANES + lane < real;
            loss += if counts { 0.5 * (weighted * residual - log[k][lane]).to_f64() } else { 0.0 };
            first[k][lane] = if counts { -residual } else { zero };
            log[k][lane] = if counts { half * (weighted * (y[lane] + mean) - one) } else { zero };
        }
    }
    loss
}

/// Adds to the gradient what the derivatives in η₁ and log f₂ make of it.
#[inline(always)]
fn backward<T: Real>(
    x: &[[T; LANES]],
    theta: &[T],
    hidden: &[Block<T>],
    by_first: &Block<T>,
    by_log: &Block<T>,
    gradient: &mut [T],
) {
    let (zero, one) = (T::from_f64(0.0), T::from_f64(1.0));
    let sum = |lanes: &[T; LANES]| lanes.iter().fold(zero, |sum, &lane| sum + lane);
    for (u, hidden) in hidden.iter().enumerate() {
        let (v1, v2) = (theta[2 * UNITS + u], theta[3 * UNITS + u]);
        let mut sums = [[zero; LANES]; 4];
        for (k, x) in x.iter().enumerate() {
            for lane in 0..LANES {
                let (h, first, log) = (hidden[k][lane], by_first[k][lane], by_log[k][lane]);
                let inside = (first * v1 + log * v2) * (one - h * h);
                sums[0][lane] += inside * x[lane];
                sums[1][lane] += inside;
                sums[2][lane] += first * h;
                sums[3][lane] += log * h;
            }
        }
        for (part, lanes) in sums.iter().enumerate() {
            gradient[part * UNITS + u] += sum(lanes);
        }
    }
    for k in 0..x.len() {
        gradient[4 * UNITS] += sum(&by_first[k]);
        gradient[4 * UNITS + 1] += sum(&by_log[k]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    fn curve(n: usize) -> (Vec<f64>, Vec<f64>) {
        let x: Vec<f64> = (0..n).map(|i| (1.3 * i as f64).sin() * 1.5).collect();
        let y = x.iter().enumerate().map(|(i, x)| x.cos() + 0.3 * x * (0.7 * (i * i) as f64).sin()).collect();
        (x, y)
    }

    /// A network all of whose parameters matter.
    fn shaken() -> Net {
        let mut net = Net::random(&mut Seed(1).stream("test"));
        net.parameters.iter_mut().enumerate().for_each(|(i, p)| *p += 0.05 * (i as f64).sin());
        net
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences_of_the_law() {
        for n in [1, 37, 150] {
            let (x, y) = curve(n);
            let (net, mut rows) = (shaken(), Rows::<f64>::new(&x, &y));
            let mut gradient = vec![0.0; PARAMETERS];
            let nll = rows.nll(&net.parameters, &mut gradient);
            let half_log_tau = 0.5 * (2.0 * PI).ln();
            assert!((nll + half_log_tau - net.law(&x).nll(&y)).abs() < 1e-12);
            for i in 0..PARAMETERS {
                let at = |h: f64| {
                    let mut moved = net.clone();
                    moved.parameters[i] += h;
                    moved.law(&x).nll(&y)
                };
                let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
                assert!((difference - gradient[i]).abs() < 1e-8, "{i}: {difference} {}", gradient[i]);
            }
        }
    }

    #[test]
    fn single_precision_agrees_with_double() {
        let (x, y) = curve(150);
        let net = shaken();
        let (mut single, mut double) = (vec![0.0; PARAMETERS], vec![0.0; PARAMETERS]);
        let near = Rows::<f32>::new(&x, &y).nll(&net.in_precision::<f32>(), &mut single);
        let exact = Rows::<f64>::new(&x, &y).nll(&net.parameters, &mut double);
        assert!((near - exact).abs() < 1e-5);
        assert!(single.iter().zip(&double).all(|(a, b)| (f64::from(*a) - b).abs() < 1e-5));
    }

    #[derive(serde::Deserialize)]
    struct Case {
        x: Vec<f64>,
        y: Vec<f64>,
        steps: usize,
        nll: f64,
    }

    #[test]
    fn fits_are_as_likely_as_those_of_torch() {
        let cases: Vec<Case> =
            serde_json::from_str(include_str!("../../../../fixtures/bi_lsnm/nets.json")).unwrap();
        assert_eq!(cases.len(), 4);
        let size = |k: usize| match k / UNITS {
            0 | 1 => 0.8,
            2 => 0.08,
            _ => f64::from(u8::from(k == 4 * UNITS)) * 0.08,
        };
        let parameters = (0..PARAMETERS).map(|k| size(k) * (1.3 * k as f64 + 0.2).sin()).collect();
        let start = Net { parameters };
        for case in cases {
            let nll = fit(&start, &case.x, &case.y, case.steps, 0.01).unwrap().nll(&case.y);
            // Single precision leaves the path of double precision slowly.
            let tolerance = 1e-6 * case.steps as f64 + 1e-5;
            assert!((nll - case.nll).abs() < tolerance, "{} steps: {nll} {}", case.steps, case.nll);
        }
    }
}
