//! How well each column is explained by all others, linearly.

use oslow_core::{Error, Prepared, Result};

use crate::cholesky;

/// Added to the diagonal of the correlation matrix before it is inverted.
const RIDGE: f64 = 1e-12;

/// R² of the linear regression of each column on all others, with an intercept.
///
/// All regressions come from one inverse: R²ⱼ = 1 − 1/(C⁻¹)ⱼⱼ for the correlation matrix C. C is taken with 10⁻¹²
/// added to its diagonal, times ten as often as is needed to factor it. So columns that are exact combinations of
/// others, and tables with fewer rows than columns, have the R² that they should have, 1, up to about that number; other
/// R² are changed by about that number too.
///
/// ```
/// use oslow_core::{Prepared, Preparing, Sample};
/// let names = ["a", "b"].map(String::from).to_vec();
/// let sample = Sample::new(names, vec![0.0, 1.0, 1.0, 0.0, 2.0, 2.0]).unwrap();
/// let prepared = Prepared::new(&sample, Preparing::default()).unwrap();
/// let r2 = oslow_math::r_squared(&prepared).unwrap();
/// assert!((r2[0] - 0.25).abs() < 1e-11 && (r2[1] - 0.25).abs() < 1e-11);
/// ```
///
/// # Errors
///
/// Where a correlation is not finite.
///
/// # Reference
///
/// 1/(1 − R²ⱼ) = (C⁻¹)ⱼⱼ is the variance inflation factor: Belsley, Kuh, Welsch: Regression diagnostics. Wiley 1980.
pub fn r_squared(sample: &Prepared) -> Result<Vec<f64>> {
    let d = sample.columns();
    let correlation = correlation(sample);
    let mut ridge = RIDGE;
    let factor = loop {
        let mut factor = correlation.clone();
        (0..d).for_each(|j| factor[j * d + j] += ridge);
        if cholesky(&mut factor, d).is_ok() {
            break factor;
        }
        // With a ridge of d the diagonal outweighs the rest, unless somebody wrote a NaN into shared values meanwhile.
        if ridge > d as f64 {
            return Err(Error::non_finite("a correlation of two columns", "the regressions on all others"));
        }
        ridge *= 10.0;
    };
    Ok(inverse_diagonal(&factor, d).into_iter().map(|inflation| 1.0 - 1.0 / inflation).collect())
}

/// The correlation of every pair of columns, d × d.
fn correlation(sample: &Prepared) -> Vec<f64> {
    let (n, d) = (sample.rows() as f64, sample.columns());
    let mut matrix = vec![1.0; d * d];
    for a in 0..d {
        for b in 0..a {
            let products = sample.standard(a).iter().zip(sample.standard(b)).map(|(x, y)| x * y);
            let mean = products.sum::<f64>() / n;
            (matrix[a * d + b], matrix[b * d + a]) = (mean, mean);
        }
    }
    matrix
}

/// The diagonal of (L·Lᵀ)⁻¹: the squared lengths of the columns of L⁻¹.
fn inverse_diagonal(factor: &[f64], d: usize) -> Vec<f64> {
    (0..d)
        .map(|j| {
            // Column j of L⁻¹ by forward substitution; it is 0 above row j.
            let mut column: Vec<f64> = Vec::with_capacity(d - j);
            for row in j..d {
                let known: f64 = factor[row * d + j..].iter().zip(&column).map(|(l, x)| l * x).sum();
                let right = f64::from(u8::from(row == j));
                column.push((right - known) / factor[row * d + row]);
            }
            column.iter().map(|x| x * x).sum()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{Preparing, Sample};

    #[derive(serde::Deserialize)]
    struct Case {
        nodes: usize,
        data: Vec<Vec<f64>>,
        r2: Vec<f64>,
    }

    fn sample(d: usize, rows: &[Vec<f64>]) -> Prepared {
        let sample = Sample::new((0..d).map(|j| format!("X{j}")).collect(), rows.concat()).unwrap();
        Prepared::new(&sample, Preparing::as_given()).unwrap()
    }

    #[test]
    fn agrees_with_scikit_learns_regressions() {
        let cases: Vec<Case> =
            serde_json::from_str(include_str!("../../../fixtures/metrics/sortability.json")).unwrap();
        for case in cases {
            let got = r_squared(&sample(case.nodes, &case.data)).unwrap();
            assert!(got.iter().zip(&case.r2).all(|(a, b)| (a - b).abs() < 1e-9), "{got:?} {:?}", case.r2);
        }
    }

    #[test]
    fn what_others_determine_has_1() {
        let row = |i: usize| {
            let (a, b, c) = ((i * 7 % 11) as f64, (i * i % 13) as f64, (i * 5 % 17) as f64);
            vec![a, b, 2.0 * a - b + 3.0, c]
        };
        let r2 = r_squared(&sample(4, &(0..30).map(row).collect::<Vec<_>>())).unwrap();
        assert!(r2[..3].iter().all(|r2| (1.0 - r2).abs() < 1e-9) && r2[3] < 0.5, "{r2:?}");
        // Fewer rows than columns.
        let r2 = r_squared(&sample(4, &(0..3).map(row).collect::<Vec<_>>())).unwrap();
        assert!(r2.iter().all(|r2| (1.0 - r2).abs() < 1e-9), "{r2:?}");
    }

    #[test]
    fn scale_and_origin_do_not_matter() {
        let row = |i: usize| vec![(i * 7 % 11) as f64, (i * i % 13) as f64, (i * 5 % 17) as f64];
        let rows: Vec<_> = (0..40).map(row).collect();
        let moved: Vec<_> = rows.iter().map(|r| vec![1e6 * r[0] - 5.0, -1e-6 * r[1], r[2] + 100.0]).collect();
        let (a, b) = (r_squared(&sample(3, &rows)).unwrap(), r_squared(&sample(3, &moved)).unwrap());
        assert!(a.iter().zip(&b).all(|(x, y)| (x - y).abs() < 1e-9));
        // Units whose squares are 0 or infinite.
        for unit in [1e-310, 1e-170, 1e160, 1e306] {
            let tiny: Vec<_> = rows.iter().map(|r| vec![unit * r[0], r[1], unit * r[2]]).collect();
            let b = r_squared(&sample(3, &tiny)).unwrap();
            assert!(a.iter().zip(&b).all(|(x, y)| (x - y).abs() < 1e-9), "{unit}: {a:?} {b:?}");
        }
    }
}
