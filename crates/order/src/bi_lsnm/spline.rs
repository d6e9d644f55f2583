//! The natural parameters as combinations of B-splines: a convex problem.
//!
//! With the splines φ(x) ≥ 0, η₁ = φ(x)·w₁ and −η₂ = q = φ(x)·w₂, w₂ ≥ 0. The loss
//! Σᵢ (q y² − η₁y + η₁²/4q − ½ log 2q) + ½δ(|w₁|² + |w₂|²) is convex in (w₁, w₂) together.
//!
//! It is minimised by Newton's method on the loss with a barrier, −μ Σ log w₂, where μ falls to nearly nothing. Given w₂ the best w₁ is
//! that of a ridge regression, so that one could take turns; Newton's step moves both at once.

use oslow_core::{Error, Result, check_stop};
use oslow_math::{cholesky, solve_factored};

use super::b_splines::BSplines;
use super::natural_normal::NaturalNormal;

/// The barrier's weight at the start, by how much it falls, and at the end: no weight is then further than 29 times this from what
/// it costs to keep it above 0.
const FIRST_BARRIER: f64 = 1.0;
const FALL: f64 = 0.1;
const LAST_BARRIER: f64 = 1e-7;
/// The most Newton steps at one weight of the barrier.
const STEPS: usize = 50;
/// Steps that would gain less than this are not taken.
const SETTLED: f64 = 1e-9;
/// How much of the way to 0 a weight may go in one step.
const TO_THE_BOUNDARY: f64 = 0.95;

/// The law of y given x that minimises the penalised loss.
pub(super) fn fit(x: &[f64], y: &[f64], knots: usize, degree: usize, ridge: f64) -> Result<NaturalNormal> {
    let problem = Problem { splines: BSplines::new(x, knots, degree), y, ridge };
    let weights = problem.minimum()?;
    let (first, second) = weights.split_at(problem.splines.len);
    let precision = problem.splines.combine(second).into_iter().map(|q| 2.0 * q).collect();
    Ok(NaturalNormal { first: problem.splines.combine(first), precision })
}

struct Problem<'a> {
    splines: BSplines,
    y: &'a [f64],
    ridge: f64,
}

impl Problem<'_> {
    /// The weights w₁ and w₂, one after the other.
    fn minimum(&self) -> Result<Vec<f64>> {
        let m = self.splines.len;
        let mut weights = vec![0.0; 2 * m];
        // A variance of 1 at every point.
        weights[m..].fill(0.5);
        let mut barrier = FIRST_BARRIER;
        while barrier >= LAST_BARRIER {
            for _ in 0..STEPS {
                check_stop();
                let (mut hessian, gradient) = self.derivatives(&weights, barrier);
                cholesky(&mut hessian, 2 * m)
                    .map_err(|_| Error::non_finite("the Newton step", "a spline fit"))?;
                let mut step = gradient.clone();
                solve_factored(&hessian, &mut step);
                let gain = gradient.iter().zip(&step).map(|(g, s)| g * s).sum::<f64>();
                if gain < SETTLED || !self.descend(&mut weights, &step, gain, barrier) {
                    break;
                }
            }
            barrier *= FALL;
        }
        Ok(weights)
    }

    /// Goes along −step as far as the loss falls as it should; `false` where it does not.
    fn descend(&self, weights: &mut [f64], step: &[f64], gain: f64, barrier: f64) -> bool {
        let m = self.splines.len;
        let room = weights[m..].iter().zip(&step[m..]).filter(|(_, s)| **s > 0.0).map(|(w, s)| w / s);
        let mut length = (TO_THE_BOUNDARY * room.fold(f64::INFINITY, f64::min)).min(1.0);
        let before = self.loss(weights, barrier);
        for _ in 0..40 {
            let moved: Vec<f64> = weights.iter().zip(step).map(|(w, s)| w - length * s).collect();
            if self.loss(&moved, barrier) <= before - 1e-4 * length * gain {
                weights.copy_from_slice(&moved);
                return true;
            }
            length *= 0.5;
        }
        false
    }

    /// The penalised loss of all rows with the barrier, without constants.
    fn loss(&self, weights: &[f64], barrier: f64) -> f64 {
        let (w1, w2) = weights.split_at(self.splines.len);
        let (first, q) = (self.splines.combine(w1), self.splines.combine(w2));
        let rows = self.y.iter().zip(first.iter().zip(&q));
        let fit: f64 = rows.map(|(y, (f, q))| q * (y - 0.5 * f / q).powi(2) - 0.5 * q.ln()).sum();
        let penalty = 0.5 * self.ridge * weights.iter().map(|w| w * w).sum::<f64>();
        fit + penalty - barrier * w2.iter().map(|w| w.ln()).sum::<f64>()
    }

    /// The Hessian and the gradient of the loss.
    fn derivatives(&self, weights: &[f64], barrier: f64) -> (Vec<f64>, Vec<f64>) {
        let (m, width) = (self.splines.len, self.splines.width);
        let (w1, w2) = weights.split_at(m);
        let (first, q) = (self.splines.combine(w1), self.splines.combine(w2));
        let (mut hessian, mut gradient) = (vec![0.0; 4 * m * m], vec![0.0; 2 * m]);
        for (i, values) in self.splines.values.chunks_exact(width).enumerate() {
            let (y, q, start) = (self.y[i], q[i], self.splines.first[i]);
            let mean = 0.5 * first[i] / q;
            let (by_first, by_q) = (mean - y, y * y - mean * mean - 0.5 / q);
            let (twice_first, mixed) = (0.5 / q, -mean / q);
            let twice_q = (2.0 * mean * mean + 0.5 / q) / q;
            for (a, value) in values.iter().enumerate() {
                gradient[start + a] += by_first * value;
                gradient[m + start + a] += by_q * value;
                for (b, other) in values.iter().enumerate() {
                    let product = value * other;
                    hessian[(start + a) * 2 * m + start + b] += twice_first * product;
                    hessian[(m + start + a) * 2 * m + start + b] += mixed * product;
                    hessian[(m + start + a) * 2 * m + m + start + b] += twice_q * product;
                }
            }
        }
        for (k, weight) in weights.iter().enumerate() {
            gradient[k] += self.ridge * weight;
            hessian[k * 2 * m + k] += self.ridge;
            if k >= m {
                gradient[k] -= barrier / weight;
                hessian[k * 2 * m + k] += barrier / (weight * weight);
            }
        }
        (hessian, gradient)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Case {
        x: Vec<f64>,
        y: Vec<f64>,
        knots: usize,
        degree: usize,
        ridge: f64,
        /// The least penalised loss that scipy finds, constants kept.
        loss: f64,
        /// The negative log-likelihood per row there.
        nll: f64,
    }

    fn cases() -> Vec<Case> {
        serde_json::from_str(include_str!("../../../../fixtures/bi_lsnm/fits.json")).unwrap()
    }

    fn problem(case: &Case) -> Problem<'_> {
        Problem { splines: BSplines::new(&case.x, case.knots, case.degree), y: &case.y, ridge: case.ridge }
    }

    #[test]
    fn the_minimum_is_that_of_scipy() {
        for case in cases() {
            let problem = problem(&case);
            // log N has ½ log π more than the loss without constants.
            let constant = 0.5 * case.y.len() as f64 * std::f64::consts::PI.ln();
            let loss = problem.loss(&problem.minimum().unwrap(), 0.0) + constant;
            assert!((loss - case.loss).abs() < 1e-4, "{loss} {}", case.loss);
            let nll = fit(&case.x, &case.y, case.knots, case.degree, case.ridge).unwrap().nll(&case.y);
            assert!((nll - case.nll).abs() < 1e-4, "{nll} {}", case.nll);
        }
    }

    #[test]
    fn derivatives_are_those_of_finite_differences() {
        for case in cases() {
            let problem = problem(&case);
            let m = problem.splines.len;
            let weights: Vec<f64> = (0..2 * m)
                .map(|k| if k < m { (k as f64).sin() } else { 1.0 + 0.5 * (k as f64).cos() })
                .collect();
            let (hessian, gradient) = problem.derivatives(&weights, 0.3);
            for k in 0..2 * m {
                let moved = |h: f64| {
                    let mut moved = weights.clone();
                    moved[k] += h;
                    moved
                };
                let (up, down) = (moved(1e-5), moved(-1e-5));
                let slope = (problem.loss(&up, 0.3) - problem.loss(&down, 0.3)) / 2e-5;
                assert!((slope - gradient[k]).abs() < 1e-5, "{k}: {slope} {}", gradient[k]);
                let (up, down) = (problem.derivatives(&up, 0.3).1, problem.derivatives(&down, 0.3).1);
                for j in k..2 * m {
                    let slope = (up[j] - down[j]) / 2e-5;
                    // Only the lower triangle is read.
                    assert!((slope - hessian[j * 2 * m + k]).abs() < 1e-5 * (1.0 + slope.abs()), "{j} {k}");
                }
            }
        }
    }
}
