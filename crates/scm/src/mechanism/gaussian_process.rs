//! Locations and scales that are draws of a Gaussian process over the parents jointly.
//!
//! # Model
//!
//! Kernel exp(−‖x − y‖²). Location: one draw, plus `trend` times the parents' sum. Scale: the softplus of
//! another draw. A root is noise alone: location 0, scale 1.
//!
//! # Cost
//!
//! One Cholesky factor of n × n numbers a node: O(n³) time, O(n²) memory.
//!
//! # Limits
//!
//! The function is known only at the rows of the sample it was simulated for; elsewhere it is refused.

use oslow_core::{Error, Result, Rng};
use oslow_math::cholesky;
use rand_distr::{Distribution, StandardNormal};

use super::{LocationScale, Mechanism, MechanismEntry, ParentRows};
use crate::Spec;
use crate::combination::softplus;

pub(crate) const ENTRY: MechanismEntry = MechanismEntry {
    name: "gaussian-process",
    summary: "t and the pre-softplus s are draws of a Gaussian process over the parents, kernel exp(−‖x−y‖²)",
    standardized: true,
    draw: |spec, rows, rng| Ok(Box::new(GaussianProcess::draw(spec, rows, rng)?)),
};

/// Most rows: the kernel matrix of this many takes 3 GB.
const MAX_ROWS: usize = 20_000;

#[derive(Debug)]
struct GaussianProcess {
    /// Where the function is known.
    known: ParentRows,
    values: Vec<LocationScale>,
}

impl GaussianProcess {
    fn draw(spec: &Spec, known: &ParentRows, rng: &mut Rng) -> Result<Self> {
        let n = known.rows();
        if known.parents() == 0 {
            return Ok(Self { known: known.clone(), values: vec![noise_alone(); n] });
        }
        if n > MAX_ROWS {
            return Err(Error::input(format!("{n} rows: a Gaussian process takes at most {MAX_ROWS}"))
                .with_hint("simulate fewer rows, or choose a parametric mechanism"));
        }
        let factor = kernel_factor(known)?;
        let mut function = || -> Vec<f64> {
            let white: Vec<f64> = (0..n).map(|_| StandardNormal.sample(rng)).collect();
            let row = |i: usize| factor[i * n..].iter().take(i + 1).zip(&white);
            (0..n).map(|i| row(i).map(|(l, z)| l * z).sum()).collect()
        };
        // Both are drawn even if the second is not used: see `Scale::draw`.
        let (locations, scales) = (function(), function());
        let value = |(i, (location, scale)): (usize, (&f64, &f64))| LocationScale {
            location: location + spec.trend * known.row(i).iter().sum::<f64>(),
            scale: if spec.additive { 1.0 } else { softplus(*scale) },
        };
        Ok(Self {
            known: known.clone(),
            values: locations.iter().zip(&scales).enumerate().map(value).collect(),
        })
    }
}

impl Mechanism for GaussianProcess {
    fn evaluate(&self, parents: &ParentRows) -> Result<Vec<LocationScale>> {
        if parents.parents() == 0 {
            Ok(vec![noise_alone(); parents.rows()])
        } else if *parents == self.known {
            Ok(self.values.clone())
        } else {
            Err(Error::input(
                "a Gaussian process is known only at the simulated rows, so no new rows can be drawn",
            )
            .with_hint("choose a parametric mechanism for draws under interventions"))
        }
    }
}

fn noise_alone() -> LocationScale {
    LocationScale { location: 0.0, scale: 1.0 }
}

/// The Cholesky factor of the kernel matrix.
///
/// Rows that lie close together make it singular in floating point, so a jitter is added to the diagonal:
/// 1e-9, and ten times more until the factor exists. The draws are off by its square root, 3e-5.
fn kernel_factor(rows: &ParentRows) -> Result<Vec<f64>> {
    let n = rows.rows();
    let mut matrix = vec![0.0; n * n];
    let mut jitter = 1e-9;
    while jitter < 1e-3 {
        for i in 0..n {
            for j in 0..i {
                matrix[i * n + j] = kernel(rows.row(i), rows.row(j));
            }
            matrix[i * n + i] = 1.0 + jitter;
        }
        if cholesky(&mut matrix, n).is_ok() {
            return Ok(matrix);
        }
        jitter *= 10.0;
    }
    Err(Error::non_finite("the Gaussian process", "its Cholesky factor"))
}

fn kernel(x: &[f64], y: &[f64]) -> f64 {
    (-x.iter().zip(y).map(|(a, b)| (a - b).powi(2)).sum::<f64>()).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    /// Five rows of two parents: one repeated, some near, one far.
    fn rows() -> ParentRows {
        ParentRows::of(&[0.0, 0.0, 0.5, 0.1, 0.5, 0.1, -0.6, 0.9, 3.0, 3.0], 2, &[0, 1])
    }

    #[test]
    fn draws_have_the_covariance_of_the_kernel() {
        const DRAWS: usize = 5000;
        let (spec, rows, mut rng) = (Spec::default(), rows(), Seed(8).stream("test"));
        let draw = |_| GaussianProcess::draw(&spec, &rows, &mut rng).unwrap().values;
        let draws: Vec<Vec<LocationScale>> = (0..DRAWS).map(draw).collect();
        for i in 0..5 {
            for j in 0..5 {
                let products = draws.iter().map(|draw| draw[i].location * draw[j].location);
                let covariance = products.sum::<f64>() / DRAWS as f64;
                let expected = kernel(rows.row(i), rows.row(j));
                // Var(XY) = 1 + k² for standard normal X, Y with covariance k.
                let error = ((1.0 + expected * expected) / DRAWS as f64).sqrt();
                assert!((covariance - expected).abs() < 4.0 * error, "({i}, {j}): {covariance}, {expected}");
            }
        }
        // softplus is increasing and maps the median 0 to log 2.
        let below = draws.iter().filter(|draw| draw[0].scale < 2.0_f64.ln()).count() as f64 / DRAWS as f64;
        assert!((below - 0.5).abs() < 4.0 * (0.25 / DRAWS as f64).sqrt(), "{below}");
    }

    #[test]
    fn the_trend_is_added_and_additive_means_scale_1() {
        let draw =
            |spec: &Spec| GaussianProcess::draw(spec, &rows(), &mut Seed(8).stream("test")).unwrap().values;
        let plain = draw(&Spec::default());
        let trend = draw(&Spec { trend: 2.0, ..Spec::default() });
        let additive = draw(&Spec { additive: true, ..Spec::default() });
        for (i, row) in rows().iter().enumerate() {
            let added = trend[i].location - plain[i].location;
            assert!((added - 2.0 * row.iter().sum::<f64>()).abs() < 1e-12);
            assert_eq!(additive[i], LocationScale { scale: 1.0, ..plain[i] });
        }
    }

    #[test]
    fn other_rows_are_refused() {
        let process = GaussianProcess::draw(&Spec::default(), &rows(), &mut Seed(8).stream("test")).unwrap();
        assert!(process.evaluate(&rows()).is_ok());
        let error = process.evaluate(&ParentRows::of(&[1.0, 2.0], 2, &[0, 1])).unwrap_err();
        assert!(error.to_string().contains("known only at the simulated rows"));
    }
}
