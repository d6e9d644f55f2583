//! Locations and scales that are draws of a Gaussian process over the parents jointly.
//!
//! # Model
//!
//! Kernel k(x, y) = exp(−‖x − y‖²). A function is f(x) = Σᵢ αᵢ·k(x, xᵢ) over the simulated rows xᵢ, with
//! α = L⁻ᵀz, z white noise and L·Lᵀ = K + jI, where K is the kernel matrix of the rows and j a small
//! jitter. At the rows its covariance is K·(K + jI)⁻¹·K = K − jI + j²(K + jI)⁻¹: that of the process, to
//! the jitter. At any other x it is the kriging mean k(x, X)·(K + jI)⁻¹·Lz, what the process is expected to
//! be given its values L·z at the rows. One formula serves everywhere, so new rows and interventions need
//! no special case.
//!
//! Location: one function, plus `trend` times the parents' sum. Scale: the softplus of another function.
//! A root is noise alone: location 0, scale 1.
//!
//! # Limits
//!
//! Away from all rows f falls to 0 (its standard deviation is 1 at them, 0.3 two units further, 0.01 at three):
//! there the location is the trend alone and the scale log 2. The functions belong to the rows that were
//! simulated: a sample of another size has others.
//!
//! # Cost
//!
//! One Cholesky factor of n × n numbers a node: O(n³) time, O(n²) memory while it is drawn. Afterwards n
//! rows and their weights, and n kernel values for each row that is asked.

use oslow_core::{Error, Result, Rng};
use oslow_math::{cholesky, solve_transposed};
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
    /// The rows xᵢ of the parents; a root has none.
    rows: ParentRows,
    /// αᵢ of the location and of the pre-softplus scale.
    weights: Vec<[f64; 2]>,
    trend: f64,
    additive: bool,
}

impl GaussianProcess {
    fn draw(spec: &Spec, rows: &ParentRows, rng: &mut Rng) -> Result<Self> {
        let n = rows.rows();
        if rows.parents() > 0 && n > MAX_ROWS {
            return Err(Error::input(format!("{n} rows: a Gaussian process takes at most {MAX_ROWS}"))
                .with_hint("simulate fewer rows, or choose a parametric mechanism"));
        }
        let mut weights = Vec::new();
        if rows.parents() > 0 {
            // Both are drawn even if the second is not used: see `Scale::draw`.
            let white = [(); 2].map(|()| (0..n).map(|_| StandardNormal.sample(rng)).collect());
            weights = function_weights(rows, white)?;
        }
        Ok(Self { rows: rows.clone(), weights, trend: spec.trend, additive: spec.additive })
    }

    /// Both functions share the kernel values.
    fn at(&self, parents: &[f64]) -> LocationScale {
        let mut sums = [0.0; 2];
        for (row, weights) in self.rows.iter().zip(&self.weights) {
            let k = kernel(parents, row);
            sums[0] += weights[0] * k;
            sums[1] += weights[1] * k;
        }
        let location = sums[0] + self.trend * parents.iter().sum::<f64>();
        LocationScale { location, scale: if self.additive { 1.0 } else { softplus(sums[1]) } }
    }
}

impl Mechanism for GaussianProcess {
    fn evaluate(&self, parents: &ParentRows) -> Result<Vec<LocationScale>> {
        if parents.parents() == 0 {
            return Ok(vec![LocationScale { location: 0.0, scale: 1.0 }; parents.rows()]);
        }
        Ok(parents.iter().map(|row| self.at(row)).collect())
    }
}

/// L⁻ᵀz for two white noises, side by side.
fn function_weights(rows: &ParentRows, mut white: [Vec<f64>; 2]) -> Result<Vec<[f64; 2]>> {
    let factor = kernel_factor(rows)?;
    white.iter_mut().for_each(|z| solve_transposed(&factor, z));
    let [location, scale] = white;
    Ok(location.into_iter().zip(scale).map(<[f64; 2]>::from).collect())
}

/// The Cholesky factor of the kernel matrix.
///
/// Rows that lie close together make it singular in floating point, so a jitter is added to the diagonal:
/// 1e-9, and ten times more until the factor exists.
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
        let draw = |_| GaussianProcess::draw(&spec, &rows, &mut rng).unwrap().evaluate(&rows).unwrap();
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
        // Before the softplus the scale is another function of the same kind: variance 1, and a product with the
        // location of mean 0 and variance 1.
        let before = |at: &LocationScale| at.scale.exp_m1().ln();
        let mean_of = |f: &dyn Fn(&LocationScale) -> f64| {
            draws.iter().map(|draw| f(&draw[0])).sum::<f64>() / DRAWS as f64
        };
        let (square, product) = (mean_of(&|at| before(at).powi(2)), mean_of(&|at| before(at) * at.location));
        let error = (1.0 / DRAWS as f64).sqrt();
        assert!((square - 1.0).abs() < 4.0 * 2.0_f64.sqrt() * error, "{square}");
        assert!(product.abs() < 4.0 * error, "{product}");
    }

    #[test]
    fn the_trend_is_added_and_additive_means_scale_1() {
        let draw = |spec: &Spec| {
            let process = GaussianProcess::draw(spec, &rows(), &mut Seed(8).stream("test")).unwrap();
            process.evaluate(&rows()).unwrap()
        };
        let plain = draw(&Spec::default());
        let trend = draw(&Spec { trend: 2.0, ..Spec::default() });
        let additive = draw(&Spec { additive: true, ..Spec::default() });
        for (i, row) in rows().iter().enumerate() {
            let added = trend[i].location - plain[i].location;
            assert!((added - 2.0 * row.iter().sum::<f64>()).abs() < 1e-12);
            assert_eq!(additive[i], LocationScale { scale: 1.0, ..plain[i] });
        }
    }

    /// `fixtures/gaussian_process/make.py`: kriging by a general solver.
    #[test]
    fn between_the_rows_it_is_the_kriging_mean() {
        #[derive(serde::Deserialize)]
        struct Case {
            rows: Vec<Vec<f64>>,
            white: Vec<f64>,
            at: Vec<Vec<f64>>,
            values: Vec<f64>,
        }
        let text = include_str!("../../../../fixtures/gaussian_process/kriging.json");
        let cases: Vec<Case> = serde_json::from_str(text).unwrap();
        assert_eq!(cases.len(), 4);
        for Case { rows, white, at, values } in cases {
            let parents: Vec<usize> = (0..rows[0].len()).collect();
            let table = |rows: &[Vec<f64>]| ParentRows::of(&rows.concat(), parents.len(), &parents);
            let rows = table(&rows);
            // The scale's function is the location's, turned upside down.
            let negative = white.iter().map(|z| -z).collect();
            let weights = function_weights(&rows, [white, negative]).unwrap();
            let process = GaussianProcess { rows, weights, trend: 0.0, additive: false };
            for (got, expected) in process.evaluate(&table(&at)).unwrap().iter().zip(values) {
                assert!((got.location - expected).abs() < 1e-8, "{got:?}, {expected}");
                assert!((got.scale - softplus(-expected)).abs() < 1e-8, "{got:?}, {expected}");
            }
        }
    }

    #[test]
    fn far_from_the_rows_only_the_trend_is_left() {
        let spec = Spec { trend: 2.0, ..Spec::default() };
        let process = GaussianProcess::draw(&spec, &rows(), &mut Seed(8).stream("test")).unwrap();
        let far = LocationScale { location: 2.0 * 60.0, scale: 2.0_f64.ln() };
        assert_eq!(process.at(&[-20.0, 80.0]), far);
    }

    #[test]
    fn a_root_is_noise_alone() {
        let root = ParentRows::of(&[1.0; 3], 1, &[]);
        let process = GaussianProcess::draw(&Spec::default(), &root, &mut Seed(8).stream("test")).unwrap();
        assert_eq!(process.evaluate(&root).unwrap(), [LocationScale { location: 0.0, scale: 1.0 }; 3]);
    }
}
