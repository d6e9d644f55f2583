//! A function of some variables: smooth units and fixed terms.

use oslow_core::Rng;
use oslow_math::{cholesky, row_products, row_products_with, solve_factored};
use rand::RngExt;

use super::inputs::Inputs;
use super::kernel;

/// f(x) = Σᵤ vᵤ·φ(wᵤ·x + bᵤ) + Σₜ aₜ·termₜ(x), with the prior precisions of its parameters.
#[derive(Clone)]
pub(super) struct Network {
    units: usize,
    variables: usize,
    /// (w, b) of each unit, then all v, then all a, the constant's first.
    pub parameters: Vec<f64>,
    /// Prior precisions of the groups.
    pub precision: [f64; GROUPS],
}

/// Parameters that share a prior: inside units, of units, of terms.
pub(super) const GROUPS: usize = 3;
/// The group of the fixed terms.
pub(super) const TERMS: usize = 2;
/// The prior precision of units before the data has spoken: weak, as evidence that begins strong finds nothing.
const START_PRECISION: f64 = 0.1;
/// The prior precision of fixed terms.
const TERM_PRECISION: f64 = 1e-3;
/// The prior precision of the constant.
const CONSTANT_PRECISION: f64 = 1e-8;
/// Weights of random units, in standard deviations of their argument.
const WEIGHT_SPREAD: f64 = 2.5;
/// Biases of random units.
const BIAS_SPREAD: f64 = 2.0;
/// The share of rows left beyond the outermost knots on each side.
const BEYOND_KNOTS: f64 = 0.02;

impl Network {
    /// Random units, not yet used (all v are 0).
    pub fn new(units: usize, inputs: &Inputs, rng: &mut Rng) -> Self {
        let k = inputs.variables;
        let units = if k == 0 { 0 } else { units };
        let mut parameters = vec![0.0; units * (k + 2) + inputs.term_count()];
        let mut symmetric = |spread: f64| spread * (2.0 * rng.random::<f64>() - 1.0);
        for unit in parameters[..units * (k + 1)].chunks_exact_mut(k + 1) {
            let (bias, weights) = unit.split_last_mut().expect("a unit has a bias");
            weights.fill_with(|| symmetric(WEIGHT_SPREAD / (k as f64).sqrt()));
            *bias = symmetric(BIAS_SPREAD);
        }
        Self {
            units,
            variables: k,
            parameters,
            precision: [START_PRECISION, START_PRECISION, TERM_PRECISION],
        }
    }

    /// The number of parameters.
    pub fn len(&self) -> usize {
        self.parameters.len()
    }

    /// Whether there are smooth units.
    pub fn has_units(&self) -> bool {
        self.units > 0
    }

    /// Where the coefficient of the constant stands.
    pub fn constant(&self) -> usize {
        self.units * (self.variables + 2)
    }

    /// The group of a parameter.
    pub fn group(&self, index: usize) -> usize {
        match index {
            _ if index < self.units * (self.variables + 1) => 0,
            _ if index < self.constant() => 1,
            _ => TERMS,
        }
    }

    /// The prior precision of a parameter.
    pub fn prior(&self, index: usize) -> f64 {
        if index == self.constant() { CONSTANT_PRECISION } else { self.precision[self.group(index)] }
    }

    /// The penalty: −ln of the prior density, up to a constant.
    pub fn penalty(&self, parameters: &[f64]) -> f64 {
        parameters.iter().enumerate().map(|(i, p)| 0.5 * self.prior(i) * p * p).sum()
    }

    /// Turns the first `count` units into steps along the direction in which a straight line explains y best, spread evenly over
    /// the rows. If y is any function of one weighted sum, this finds the weights (Brillinger 1982).
    pub fn align(&mut self, count: usize, inputs: &Inputs, y: &[f64]) {
        let (n, k) = (inputs.rows, inputs.variables);
        let count = count.min(self.units);
        if count == 0 {
            return;
        }
        let line = &inputs.terms[..(k + 1) * n];
        let mut gram = row_products(line, k + 1);
        for i in 0..=k {
            gram[i * (k + 1) + i] += 1e-3 * n as f64;
        }
        if cholesky(&mut gram, k + 1).is_err() {
            return;
        }
        let slopes = solve(&gram, row_products_with(line, y)).split_off(1);
        let mut index = vec![0.0; n];
        kernel::add_terms(&mut index, &slopes, &inputs.values);
        index.sort_by(f64::total_cmp);
        let beyond = (BEYOND_KNOTS * n as f64) as usize;
        let (low, high) = (index[beyond], index[n - 1 - beyond]);
        let step = (high - low) / count as f64;
        if step < 1e-9 {
            return;
        }
        for (u, unit) in self.parameters.chunks_exact_mut(k + 1).take(count).enumerate() {
            let steepness = if u % 2 == 0 { 2.0 / step } else { -2.0 / step };
            let (bias, weights) = unit.split_last_mut().expect("a unit has a bias");
            for (weight, slope) in weights.iter_mut().zip(&slopes) {
                *weight = steepness * slope;
            }
            *bias = -steepness * (low + (u as f64 + 0.5) * step);
        }
    }

    /// The function's values on the rows, under the given parameters.
    pub fn evaluate(&self, parameters: &[f64], inputs: &Inputs, out: &mut Vec<f64>) {
        out.clear();
        out.resize(inputs.rows, 0.0);
        let mut scratch = vec![0.0; inputs.rows];
        let (inside, rest) = parameters.split_at(self.units * (self.variables + 1));
        let (outputs, terms) = rest.split_at(self.units);
        for (weights, v) in inside.chunks_exact(self.variables + 1).zip(outputs) {
            kernel::add_unit(out, *v, weights, &inputs.values, &mut scratch);
        }
        kernel::add_terms(out, terms, &inputs.terms);
    }

    /// The values, and the derivatives in every parameter: one run of `rows` numbers a parameter.
    pub fn differentiate(&self, inputs: &Inputs, out: &mut Vec<f64>, jacobian: &mut Vec<f64>) {
        let n = inputs.rows;
        out.clear();
        out.resize(n, 0.0);
        jacobian.resize(self.len() * n, 0.0);
        let (inside, rest) = self.parameters.split_at(self.units * (self.variables + 1));
        let (outputs, terms) = rest.split_at(self.units);
        let (by_inside, by_rest) = jacobian.split_at_mut(inside.len() * n);
        let (by_outputs, by_terms) = by_rest.split_at_mut(outputs.len() * n);
        if self.units > 0 {
            let width = self.variables + 1;
            let units = inside.chunks_exact(width).zip(outputs);
            let slopes = by_inside.chunks_exact_mut(width * n).zip(by_outputs.chunks_exact_mut(n));
            for ((weights, v), (by_weights, by_output)) in units.zip(slopes) {
                kernel::add_unit_and_slopes(out, *v, weights, &inputs.values, by_output, by_weights);
            }
        }
        kernel::add_terms(out, terms, &inputs.terms);
        by_terms.copy_from_slice(&inputs.terms);
    }

    /// The Cholesky factor of the posterior precision, rows having the given information.
    pub fn posterior(&self, inputs: &Inputs, information: &[f64]) -> Vec<f64> {
        let (mut values, mut jacobian) = (Vec::new(), Vec::new());
        self.differentiate(inputs, &mut values, &mut jacobian);
        let roots: Vec<f64> = information.iter().map(|i| i.sqrt()).collect();
        kernel::scale_rows(&mut jacobian, &roots);
        let gram = row_products(&jacobian, self.len());
        self.damped_factor(&gram, 0.0).unwrap_or_else(|| self.prior_factor())
    }

    /// The Cholesky factor of JᵀWJ + prior, its diagonal raised by a share of itself; `None` if it is not positive definite.
    pub fn damped_factor(&self, gram: &[f64], share: f64) -> Option<Vec<f64>> {
        let p = self.len();
        let mut matrix = gram.to_vec();
        for i in 0..p {
            matrix[i * p + i] = (matrix[i * p + i] + self.prior(i)) * (1.0 + share + 1e-9);
        }
        cholesky(&mut matrix, p).is_ok().then_some(matrix)
    }

    fn prior_factor(&self) -> Vec<f64> {
        let p = self.len();
        let mut matrix = vec![0.0; p * p];
        for i in 0..p {
            matrix[i * p + i] = self.prior(i).sqrt();
        }
        matrix
    }

    /// The variance of the function's values under the posterior.
    pub fn variances(&self, inputs: &Inputs, posterior: &[f64]) -> Vec<f64> {
        let (mut values, mut jacobian) = (Vec::new(), Vec::new());
        self.differentiate(inputs, &mut values, &mut jacobian);
        let mut variances = vec![0.0; inputs.rows];
        kernel::solve_and_square(posterior, &mut jacobian, &mut variances);
        variances
    }
}

/// The x with L·Lᵀ·x = b.
pub(super) fn solve(factor: &[f64], mut b: Vec<f64>) -> Vec<f64> {
    solve_factored(factor, &mut b);
    b
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regression::Basis;
    use oslow_core::Seed;

    fn columns(n: usize) -> Vec<Vec<f64>> {
        let column = |f: fn(f64) -> f64| (0..n).map(|i| f(i as f64)).collect();
        vec![column(|i| (1.7 * i).sin()), column(|i| (0.9 * i + 1.0).cos() * 1.3)]
    }

    fn inputs(basis: Basis) -> Inputs {
        let columns = columns(30);
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        Inputs::new(&columns, &(0..30).collect::<Vec<_>>(), basis)
    }

    #[test]
    fn derivatives_are_those_of_finite_differences() {
        for basis in [Basis::Linear, Basis::Cubic] {
            let inputs = inputs(basis);
            let mut network = Network::new(3, &inputs, &mut Seed(1).stream("test"));
            for (i, p) in network.parameters.iter_mut().enumerate() {
                *p += 0.3 * (i as f64).sin();
            }
            let (mut values, mut jacobian) = (Vec::new(), Vec::new());
            network.differentiate(&inputs, &mut values, &mut jacobian);
            let mut same = Vec::new();
            network.evaluate(&network.parameters, &inputs, &mut same);
            assert!(values.iter().zip(&same).all(|(a, b)| (a - b).abs() < 1e-12));
            for i in 0..network.len() {
                let at = |h: f64| {
                    let (mut moved, mut out) = (network.parameters.clone(), Vec::new());
                    moved[i] += h;
                    network.evaluate(&moved, &inputs, &mut out);
                    out
                };
                for (row, (up, down)) in at(1e-6).iter().zip(at(-1e-6)).enumerate() {
                    let difference = (up - down) / 2e-6;
                    assert!((difference - jacobian[i * 30 + row]).abs() < 1e-7, "{basis:?} {i}");
                }
            }
        }
    }

    #[test]
    fn without_units_the_posterior_is_that_of_linear_regression() {
        let inputs = inputs(Basis::Linear);
        let network = Network::new(0, &inputs, &mut Seed(1).stream("test"));
        let factor = network.posterior(&inputs, &[4.0; 30]);
        let variances = network.variances(&inputs, &factor);
        // The leverages of linear regression sum to the number of coefficients; noise has variance 1/4.
        assert!((variances.iter().sum::<f64>() * 4.0 - 3.0).abs() < 1e-3);
    }
}
