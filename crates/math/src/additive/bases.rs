//! The smooth functions of every column of a table, made once and shared by all regressions.

use std::sync::OnceLock;

use oslow_core::{Error, Prepared, Result, check_stop};

use super::{AdditiveFit, SmoothBasis, Smoothing, ThinPlate, fit_additive, problem, search};

/// Fewest coefficients of a smooth term: the constant, a slope and a bend.
pub const FEWEST_COEFFICIENTS: usize = 3;

/// The coefficients of each of so many terms, CAM's rule: k, or a third of the rows for each term where that is less, at least
/// [`FEWEST_COEFFICIENTS`].
pub fn coefficients(rows: usize, terms: usize, k: usize) -> usize {
    if rows < 3 * k * terms { rows.div_ceil(3 * terms).clamp(FEWEST_COEFFICIENTS, k) } else { k }
}

/// Columns, bases of smooth functions of them, and additive regressions of columns on others.
#[derive(Debug)]
pub struct SmoothBases<'a> {
    sample: &'a Prepared,
    /// By column.
    plates: Vec<OnceLock<Option<ThinPlate>>>,
    /// By column and number of coefficients; most are never asked for.
    made: Vec<Vec<OnceLock<Option<SmoothBasis>>>>,
}

impl<'a> SmoothBases<'a> {
    /// For bases with up to `k` coefficients; each is made when it is first asked for, or prepared.
    pub fn new(sample: &'a Prepared, k: usize) -> Self {
        let plates = (0..sample.columns()).map(|_| OnceLock::new()).collect();
        let made = (0..sample.columns()).map(|_| (0..=k).map(|_| OnceLock::new()).collect()).collect();
        Self { sample, plates, made }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.sample.rows()
    }

    /// A column in the units of the run.
    pub fn column(&self, node: usize) -> &[f64] {
        self.sample.column(node)
    }

    /// The bases of some columns with k coefficients each.
    ///
    /// # Errors
    ///
    /// Where a column has none.
    pub fn of(&self, nodes: &[usize], k: usize) -> Result<Vec<&SmoothBasis>> {
        nodes.iter().map(|&node| self.basis(node, k)).collect()
    }

    /// Makes what all bases of a column have in common, which is most of the work: threads that ask for the same column at the same time
    /// would wait for each other.
    pub fn prepare(&self, node: usize) {
        self.plate(node);
    }

    fn plate(&self, node: usize) -> Option<&ThinPlate> {
        let most = self.made[node].len() - 1;
        self.plates[node].get_or_init(|| ThinPlate::new(self.column(node), most)).as_ref()
    }

    fn basis(&self, node: usize, k: usize) -> Result<&SmoothBasis> {
        let basis = self.made[node][k].get_or_init(|| self.plate(node)?.basis(k));
        basis.as_ref().ok_or_else(|| {
            let name = self.name(node);
            Error::input(format!("column `{name}` has no spline: its values are too far apart"))
                .with_hint("look for outliers, or take logarithms")
        })
    }

    fn name(&self, node: usize) -> &str {
        &self.sample.names()[node]
    }

    /// The additive regression of a column on others, smoothed by GCV; without a penalty where that fails, as CAM does.
    ///
    /// # Errors
    ///
    /// Where there are too few rows, or a p-value is not finite.
    pub fn regress(&self, node: usize, causes: &[usize], k: usize) -> Result<AdditiveFit> {
        check_stop();
        let (y, terms) = (self.column(node), self.of(causes, k)?);
        let unpenalised = vec![f64::NEG_INFINITY; causes.len()];
        let fit = fit_additive(y, &terms, Smoothing::Gcv)
            .or_else(|| fit_additive(y, &terms, Smoothing::Fixed(&unpenalised)))
            .ok_or_else(|| {
                let (name, rows, p) = (self.name(node), self.rows(), causes.len());
                Error::input(format!("{rows} rows are too few to regress `{name}` on {p} candidate causes"))
                    .with_hint("add rows, or require or keep fewer causes")
            })?;
        match fit.terms.iter().position(|term| !term.p_value.is_finite()) {
            Some(bad) => {
                Err(Error::non_finite("a p-value", format!("the term of `{}`", self.name(causes[bad]))))
            }
            None => Ok(fit),
        }
    }

    /// RSS/n of the same regression, without the tests of its terms; the variance where there are no causes. `None` where
    /// there are too few rows.
    ///
    /// # Errors
    ///
    /// Where a column has no spline.
    pub fn residual_variance(&self, node: usize, causes: &[usize], k: usize) -> Result<Option<f64>> {
        check_stop();
        let (y, terms) = (self.column(node), self.of(causes, k)?);
        if terms.iter().map(|basis| basis.penalties.len()).sum::<usize>() + 1 >= y.len() {
            return Ok(None);
        }
        let (problem, _) = problem(y, &terms);
        if causes.is_empty() {
            return Ok(Some(problem.total / problem.n));
        }
        let unpenalised = || problem.solve(&vec![f64::NEG_INFINITY; causes.len()]);
        let solution = search::minimise(&problem).map(|found| found.1).or_else(unpenalised);
        Ok(solution.map(|solution| solution.rss / problem.n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{Preparing, Sample};

    fn sample(rows: usize) -> Prepared {
        let value = |i: usize, j: usize| ((i * i * (j + 3) + 7 * i + j) as f64 * 0.37).sin();
        let row = |i: usize| [value(i, 0), value(i, 1), value(i, 0).powi(2) + 0.3 * value(i, 2)];
        let names = ["a", "b", "c"].map(String::from).to_vec();
        let sample = Sample::new(names, (0..rows).flat_map(row).collect()).unwrap();
        Prepared::new(&sample, Preparing::as_given()).unwrap()
    }

    #[test]
    fn the_residual_variance_is_that_of_the_regression() {
        let sample = sample(80);
        let bases = SmoothBases::new(&sample, 10);
        for (causes, k) in [(vec![0], 10), (vec![0, 1], 6), (vec![1], 2)] {
            let fit = bases.regress(2, &causes, k).unwrap();
            let expected = fit.scale * (80.0 - fit.edf) / 80.0;
            let found = bases.residual_variance(2, &causes, k).unwrap().unwrap();
            assert!((found - expected).abs() < 1e-12, "{causes:?}: {found} {expected}");
        }
        let none = bases.residual_variance(2, &[], 10).unwrap().unwrap();
        assert!((none - crate::variances(&sample)[2]).abs() < 1e-15);
    }

    #[test]
    fn too_few_rows_are_said() {
        let sample = sample(12);
        let bases = SmoothBases::new(&sample, 10);
        assert_eq!(bases.residual_variance(2, &[0, 1], 10).unwrap(), None);
        assert!(bases.regress(2, &[0, 1], 10).unwrap_err().to_string().starts_with("12 rows are too few"));
    }

    #[test]
    fn the_number_of_coefficients_is_cams() {
        let k = |rows, terms| coefficients(rows, terms, 10);
        assert_eq!((k(853, 10), k(500, 16), k(500, 17), k(500, 19)), (10, 10, 10, 9));
        assert_eq!((k(1000, 99), k(100, 99), k(9, 1)), (4, 3, 3));
    }
}
