//! Fits of columns whose values have probabilities of their own: categories, levels, counts.

mod counts;
mod cumulative;
mod shares;
mod softmax;

use oslow_core::Rng;

use super::inputs::Inputs;
use super::location_scale::{
    ALIGNED, BEFORE_EVIDENCE, EVIDENCE_EVERY, Effort, FEWEST_STEPS, expected_density,
};
use super::network::Network;
use super::steps::Descent;
use counts::Counts;
use cumulative::Cumulative;
use shares::shares;
use softmax::Softmax;

/// How the values of a column are described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MassModel {
    /// Levels without an order: a multinomial logit.
    Categories(usize),
    /// Levels in an order: a cumulative logit.
    Levels(usize),
    /// Whole numbers from 0 on: a negative binomial distribution, the logarithm of its mean being a function of the causes.
    Counts,
}

/// Probabilities of the values of a column, given its causes.
pub(crate) struct MassFit {
    fitted: Fitted,
    /// Shares of the levels among all rows that were fitted; none of counts.
    shares: Vec<f64>,
    /// What they weigh beside the fit: as much as one row.
    weight: f64,
}

enum Fitted {
    /// Nothing but the shares.
    Shares,
    Softmax(Softmax),
    Cumulative(OneHead<Cumulative>),
    Counts(OneHead<Counts>),
}

impl MassFit {
    /// Fits the values of some rows, as numbers of their levels or as counts.
    pub fn new(model: MassModel, inputs: &Inputs, y: &[usize], effort: &Effort, rng: &mut Rng) -> Self {
        let causes = inputs.variables > 0;
        let fitted = match model {
            MassModel::Categories(levels) if causes => {
                Fitted::Softmax(Softmax::new(levels, inputs, y, effort, rng))
            }
            MassModel::Levels(levels) if causes => {
                Fitted::Cumulative(OneHead::new(Cumulative::new(levels, y), inputs, y, effort, rng))
            }
            MassModel::Counts => Fitted::Counts(OneHead::new(Counts::new(y), inputs, y, effort, rng)),
            MassModel::Categories(_) | MassModel::Levels(_) => Fitted::Shares,
        };
        let shares = match model {
            MassModel::Categories(levels) | MassModel::Levels(levels) => shares(levels, y),
            MassModel::Counts => Vec::new(),
        };
        Self { fitted, shares, weight: 1.0 / (y.len() as f64 + 1.0) }
    }

    /// −ln of the probabilities of rows that the fit has not seen, given those that it has.
    pub fn held_out(&self, training: &Inputs, rows: &Inputs, y: &[usize]) -> Vec<f64> {
        let nll = match &self.fitted {
            Fitted::Shares => return y.iter().map(|&level| -self.shares[level].ln()).collect(),
            Fitted::Counts(fit) => return fit.held_out(training, rows, y),
            Fitted::Softmax(fit) => fit.held_out(training, rows, y),
            Fitted::Cumulative(fit) => fit.held_out(training, rows, y),
        };
        let mixed = |(nll, &level): (f64, &usize)| {
            -((1.0 - self.weight) * (-nll).exp() + self.weight * self.shares[level]).ln()
        };
        nll.into_iter().zip(y).map(mixed).collect()
    }

    /// The mean of each row, the levels having these values; counts have their own.
    pub fn means(&self, rows: &Inputs, levels: &[f64]) -> Vec<f64> {
        let mean = |probability: &dyn Fn(usize) -> f64| -> f64 {
            levels.iter().enumerate().map(|(level, value)| value * probability(level)).sum()
        };
        match &self.fitted {
            Fitted::Shares => vec![mean(&|level| self.shares[level]); rows.rows],
            Fitted::Softmax(fit) => {
                fit.probabilities(rows).iter().map(|own| mean(&|level| own[level])).collect()
            }
            Fitted::Cumulative(fit) => {
                let of = |at| mean(&|level| (-fit.likelihood.nll(level, at)).exp());
                fit.values(rows).into_iter().map(of).collect()
            }
            Fitted::Counts(fit) => fit.values(rows).into_iter().map(f64::exp).collect(),
        }
    }

    /// Of each row, the probability of what lies below its value, and of that together with the value.
    pub fn below_and_up_to(&self, rows: &Inputs, y: &[usize]) -> Vec<(f64, f64)> {
        let summed = |probability: &dyn Fn(usize) -> f64, value: usize| {
            let below: f64 = (0..value).map(probability).sum();
            (below.min(1.0), (below + probability(value)).min(1.0))
        };
        match &self.fitted {
            Fitted::Shares => y.iter().map(|&level| summed(&|k| self.shares[k], level)).collect(),
            Fitted::Softmax(fit) => {
                let of = |(own, &level): (Vec<f64>, &usize)| summed(&|k| own[k], level);
                fit.probabilities(rows).into_iter().zip(y).map(of).collect()
            }
            Fitted::Cumulative(fit) => fit.summed(rows, y, &summed),
            Fitted::Counts(fit) => fit.summed(rows, y, &summed),
        }
    }
}

/// Probabilities that depend on one number for each row.
trait Likelihood {
    /// −ln of the probability of a value.
    fn nll(&self, value: usize, at: f64) -> f64;
    /// Its slope in the number, and a positive curvature.
    fn slope(&self, value: usize, at: f64) -> (f64, f64);
    /// The curvature that is expected.
    fn information(&self, at: f64) -> f64;
    /// Where numbers begin, before any cause is known.
    fn start(&self) -> f64;
    /// Improves what does not depend on causes.
    fn follow(&mut self, y: &[usize], values: &[f64]);
}

/// Of the probabilities of all values and one of them, what lies below it, and that together with it.
type Summed<'a> = dyn Fn(&dyn Fn(usize) -> f64, usize) -> (f64, f64) + 'a;

/// A function of the causes under a likelihood.
struct OneHead<L> {
    likelihood: L,
    network: Network,
}

impl<L: Likelihood> OneHead<L> {
    fn new(mut likelihood: L, inputs: &Inputs, y: &[usize], effort: &Effort, rng: &mut Rng) -> Self {
        let mut network = Network::new(effort.location_units, inputs, rng);
        let numbers: Vec<f64> = y.iter().map(|&value| value as f64).collect();
        network.align((ALIGNED * effort.location_units as f64) as usize, inputs, &numbers);
        let constant = network.constant();
        network.parameters[constant] = likelihood.start();
        let mut descent = Descent::new(network, inputs);
        let total = |likelihood: &L, values: &[f64]| -> f64 {
            y.iter().zip(values).map(|(&value, &at)| likelihood.nll(value, at)).sum()
        };
        let mut before = f64::INFINITY;
        for step in 0..effort.steps {
            let evidence = step >= BEFORE_EVIDENCE && step % EVIDENCE_EVERY == 0;
            let slopes = |values: &[f64], slopes: &mut [f64], roots: &mut [f64]| {
                for (((&value, &at), slope), root) in y.iter().zip(values).zip(slopes).zip(roots) {
                    let (first, second) = likelihood.slope(value, at);
                    (*slope, *root) = (first, second.sqrt());
                }
                total(&likelihood, values)
            };
            descent.step(inputs, slopes, |values| total(&likelihood, values), evidence);
            likelihood.follow(y, &descent.values);
            let after = total(&likelihood, &descent.values) / y.len() as f64;
            if step >= FEWEST_STEPS && before - after < effort.tolerance {
                break;
            }
            before = after;
        }
        Self { likelihood, network: descent.network }
    }

    fn values(&self, inputs: &Inputs) -> Vec<f64> {
        let mut values = Vec::new();
        self.network.evaluate(&self.network.parameters, inputs, &mut values);
        values
    }

    fn held_out(&self, training: &Inputs, rows: &Inputs, y: &[usize]) -> Vec<f64> {
        let information: Vec<f64> =
            self.values(training).into_iter().map(|at| self.likelihood.information(at)).collect();
        let variances = self.network.variances(rows, &self.network.posterior(training, &information));
        (self.values(rows).into_iter().zip(variances).zip(y))
            .map(|((at, variance), &value)| {
                expected_density(at, variance.sqrt(), |at| (-self.likelihood.nll(value, at), 1.0))
            })
            .collect()
    }

    fn summed(&self, rows: &Inputs, y: &[usize], summed: &Summed<'_>) -> Vec<(f64, f64)> {
        let of = |(at, &value): (f64, &usize)| summed(&|k| (-self.likelihood.nll(k, at)).exp(), value);
        self.values(rows).into_iter().zip(y).map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slopes_agree(likelihood: &impl Likelihood, values: &[usize]) {
        for &value in values {
            for at in [-1.3, 0.2, 2.1] {
                let h = 1e-5;
                let nll = |at: f64| likelihood.nll(value, at);
                let difference = (nll(at + h) - nll(at - h)) / (2.0 * h);
                let (slope, curvature) = likelihood.slope(value, at);
                assert!((slope - difference).abs() < 1e-6, "{value} at {at}: {slope} {difference}");
                assert!(curvature > 0.0 && likelihood.information(at) > 0.0);
            }
        }
    }

    #[test]
    fn slopes_are_those_of_finite_differences() {
        let y = [0, 1, 1, 2, 3, 3, 3, 0, 2, 1, 7, 12];
        slopes_agree(&Counts::new(&y), &y);
        let levels = [0, 1, 1, 2, 3, 3, 3, 0, 2, 1];
        slopes_agree(&Cumulative::new(4, &levels), &levels);
    }

    #[derive(serde::Deserialize)]
    struct Cases {
        x: Vec<Vec<f64>>,
        cases: Vec<Case>,
    }

    #[derive(serde::Deserialize)]
    struct Case {
        model: String,
        y: Vec<usize>,
        loglik: f64,
    }

    #[test]
    fn straight_lines_are_as_likely_as_with_statsmodels() {
        let text = include_str!("../../../../../fixtures/masses/fits.json");
        let Cases { x, cases } = serde_json::from_str(text).unwrap();
        let columns: Vec<&[f64]> = x.iter().map(Vec::as_slice).collect();
        let rows: Vec<usize> = (0..x[0].len()).collect();
        let inputs = Inputs::new(&columns, &rows, crate::regression::Basis::Linear);
        let effort = Effort { location_units: 0, scale_units: 0, steps: 300, tolerance: 1e-12 };
        for Case { model, y, loglik } in cases {
            let levels = y.iter().max().unwrap() + 1;
            let model = match model.as_str() {
                "categories" => MassModel::Categories(levels),
                "levels" => MassModel::Levels(levels),
                _ => MassModel::Counts,
            };
            let fit = MassFit::new(model, &inputs, &y, &effort, &mut oslow_core::Seed(0).stream("test"));
            let of_row = |(below, up_to): (f64, f64)| (up_to - below).ln();
            let ours: f64 = fit.below_and_up_to(&inputs, &y).into_iter().map(of_row).sum();
            // The first counts were fitted by a Poisson distribution, of which ours is a wider kind.
            assert!((-0.02..0.1).contains(&(ours - loglik)), "{model:?}: {ours} and {loglik}");
        }
    }

    #[test]
    fn probabilities_sum_to_one() {
        let y = [0, 1, 1, 2, 3, 3, 3, 0, 2, 1];
        let sum = |likelihood: &dyn Likelihood, most: usize| -> f64 {
            (0..most).map(|value| (-likelihood.nll(value, 0.4)).exp()).sum()
        };
        assert!((sum(&Cumulative::new(4, &y), 4) - 1.0).abs() < 1e-12);
        assert!((sum(&Counts::new(&y), 2000) - 1.0).abs() < 1e-9);
    }
}
