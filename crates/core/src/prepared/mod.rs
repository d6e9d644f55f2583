//! What every stage after the reader works on.

mod outliers;
mod preparing;
mod standardizer;

use std::borrow::Cow;

pub use outliers::Outliers;
pub use preparing::Preparing;
pub use standardizer::{Standardize, Standardizer};

use crate::{Choice, ColumnType, Conditions, Error, Remedy, Result, Sample};

/// A table that was checked and scaled once: learners and pruners neither check nor scale again.
///
/// It holds the kept rows, column by column, and has no constant column and no two equal ones. Values come in three units: those of
/// the run ([`column`](Self::column)), mean 0 and variance 1 whatever the run's are ([`standard`](Self::standard)), and those of the
/// data ([`raw`](Self::raw)).
///
/// ```
/// use oslow_core::{Prepared, Preparing, Sample};
///
/// let names = vec!["a".to_string(), "b".to_string()];
/// let sample = Sample::new(names, vec![1., 9., 3., 8., 5., 4.])?;
/// let prepared = Prepared::new(&sample, Preparing::default())?;
/// assert_eq!(prepared.column(0), prepared.standard(0));
/// assert_eq!(prepared.raw(0), [1., 3., 5.]);
/// let prepared = Prepared::new(&sample, Preparing::as_given())?;
/// assert_eq!(prepared.column(0), prepared.raw(0));
/// # Ok::<(), oslow_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Prepared {
    names: Vec<String>,
    rows: usize,
    groups: Option<Vec<usize>>,
    types: Vec<ColumnType>,
    conditions: Option<Conditions>,
    /// Rows in which a column holds no observed value.
    gaps: Vec<Vec<usize>>,
    /// In the units of the data, column by column.
    raw: Vec<f64>,
    /// The same with mean 0 and variance 1.
    standard: Vec<f64>,
    /// From `raw` to `standard`.
    z_scores: Standardizer,
    /// From the units of the data to those of the run.
    scaling: Standardizer,
    units: Standardize,
}

impl Prepared {
    /// Drops the rows that are too far out, checks what is left and scales it. No later stage refuses a table for being
    /// uninformative; a reader does so earlier, to name the file.
    pub fn new(sample: &Sample, how: Preparing) -> Result<Self> {
        let kept = without_outliers(sample, how.outliers)?;
        kept.check_informative()?;
        let names = kept.names().to_vec();
        let raw: Vec<f64> = (0..kept.columns()).flat_map(|j| kept.column(j)).collect();
        let z_scores = Standardizer::of_columns(&names, &raw)?;
        let standard = z_scores.apply_columns(&raw);
        let scaling = match how.standardize {
            Standardize::None => Standardizer::identity(names.len()),
            Standardize::ZScore => z_scores.clone(),
        };
        let (rows, groups, units) = (kept.rows(), kept.groups().map(<[usize]>::to_vec), how.standardize);
        let types = (0..names.len()).map(|j| kept.type_of(j)).collect();
        let gaps =
            (0..names.len()).map(|j| (0..kept.rows()).filter(|&i| kept.is_gap(i, j)).collect()).collect();
        let conditions = kept.conditions().cloned();
        let prepared =
            Self { names, rows, groups, types, conditions, gaps, raw, standard, z_scores, scaling, units };
        prepared.check_distinct()?;
        Ok(prepared)
    }

    /// Some rows, ascending, in the units of all. Refuses them if a column is constant there.
    pub fn only(&self, rows: &[usize]) -> Result<Self> {
        let constant = |j: &usize| rows.iter().all(|&row| self.raw(*j)[row] == self.raw(*j)[rows[0]]);
        if let Some(j) = (0..self.columns()).find(constant) {
            return Err(Error::input(format!(
                "column `{}` holds one value only in {} rows that were drawn at random",
                self.names[j],
                rows.len()
            ))
            .with_hint("leave the column out, or let more rows be drawn: `local.most_rows`"));
        }
        let of = |values: &[f64]| {
            (values.chunks_exact(self.rows)).flat_map(|column| rows.iter().map(|&row| column[row])).collect()
        };
        let places = |gaps: &Vec<usize>| {
            (0..rows.len()).filter(|&place| gaps.binary_search(&rows[place]).is_ok()).collect()
        };
        // Not from a clone: the table is large.
        Ok(Self {
            names: self.names.clone(),
            rows: rows.len(),
            groups: self.groups.as_ref().map(|groups| rows.iter().map(|&row| groups[row]).collect()),
            types: self.types.clone(),
            conditions: self.conditions.as_ref().map(|all| all.select_rows(rows)),
            gaps: self.gaps.iter().map(places).collect(),
            raw: of(&self.raw),
            standard: of(&self.standard),
            z_scores: self.z_scores.clone(),
            scaling: self.scaling.clone(),
            units: self.units,
        })
    }

    /// Refuses columns that are equal in the units of the run, as all are, up to the sign, that have two rows.
    fn check_distinct(&self) -> Result<()> {
        let pairs = (0..self.columns()).flat_map(|b| (0..b).map(move |a| (a, b)));
        match pairs.into_iter().find(|&(a, b)| self.column(a) == self.column(b)) {
            None => Ok(()),
            Some((a, b)) => Err(Error::input(format!(
                "columns `{}` and `{}` hold the same values once they are standardised",
                self.names[a], self.names[b]
            ))
            .with_hint("drop one of them")),
        }
    }

    /// The number of rows, n.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns, d.
    pub fn columns(&self) -> usize {
        self.names.len()
    }

    /// The columns' names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Which rows are copies of one another ([`Sample::groups`]).
    pub fn groups(&self) -> Option<&[usize]> {
        self.groups.as_deref()
    }

    /// The type of a column.
    pub fn type_of(&self, j: usize) -> ColumnType {
        self.types[j]
    }

    /// The conditions under which the rows were observed, where there are any.
    pub fn conditions(&self) -> Option<&Conditions> {
        self.conditions.as_ref()
    }

    /// The rows in which a column holds no value that was observed.
    pub fn gaps(&self, j: usize) -> &[usize] {
        &self.gaps[j]
    }

    /// A column in the units of the run.
    pub fn column(&self, j: usize) -> &[f64] {
        match self.units {
            Standardize::None => self.raw(j),
            Standardize::ZScore => self.standard(j),
        }
    }

    /// A column with mean 0 and variance 1 (of the n rows, not n − 1), whatever the units of the run.
    pub fn standard(&self, j: usize) -> &[f64] {
        &self.standard[j * self.rows..(j + 1) * self.rows]
    }

    /// A column in the units of the data, to the last digit.
    pub fn raw(&self, j: usize) -> &[f64] {
        &self.raw[j * self.rows..(j + 1) * self.rows]
    }

    /// A value of a column in the units of the data, given with mean 0 and variance 1.
    pub fn to_raw(&self, j: usize, standard: f64) -> f64 {
        self.z_scores.mean[j] + self.z_scores.scale[j] * standard
    }

    /// The standard deviation of a column in the units of the run.
    pub fn deviation(&self, j: usize) -> f64 {
        match self.units {
            Standardize::None => self.z_scores.scale[j],
            Standardize::ZScore => 1.0,
        }
    }

    /// The standard deviation of a column in the units of the data.
    pub fn unit(&self, j: usize) -> f64 {
        self.z_scores.scale[j]
    }

    /// From the units of the data to those of the run, and back.
    pub fn scaling(&self) -> &Standardizer {
        &self.scaling
    }
}

/// The table without rows that are too far out.
fn without_outliers(sample: &Sample, outliers: Outliers) -> Result<Cow<'_, Sample>> {
    let kept = outliers.kept_rows(sample);
    if kept.len() == sample.rows() {
        return Ok(Cow::Borrowed(sample));
    }
    sample.select_rows(&kept).map(Cow::Owned).map_err(|_| {
        Error::input(format!("outliers {outliers} keeps only {} of {} rows", kept.len(), sample.rows()))
            .with_hint(Remedy::from("pass a larger multiple, such as ").and(Choice::Outliers.set("mad:10")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    fn table(columns: &[&[f64]]) -> Sample {
        let names = (0..columns.len()).map(|j| format!("X{j}")).collect();
        let values = (0..columns[0].len()).flat_map(|i| columns.iter().map(move |column| column[i]));
        Sample::new(names, values.collect()).unwrap()
    }

    fn refusal(columns: &[&[f64]], how: Preparing) -> String {
        Prepared::new(&table(columns), how).unwrap_err().to_string()
    }

    #[test]
    fn the_three_units_belong_together() {
        let sample = table(&[&[1.0, 2.0, 6.0, 1.5], &[10.0, 30.0, -4.0, 0.1]]);
        for how in [Preparing::default(), Preparing::as_given()] {
            let prepared = Prepared::new(&sample, how).unwrap();
            for j in 0..2 {
                let (n, z) = (prepared.rows() as f64, prepared.standard(j));
                assert!(z.iter().sum::<f64>().abs() < 1e-12);
                assert!((z.iter().map(|z| z * z).sum::<f64>() / n - 1.0).abs() < 1e-12);
                assert!(prepared.raw(j).iter().copied().eq(sample.column(j)));
                let Standardizer { mean, scale } = prepared.scaling();
                for (x, of_run) in prepared.raw(j).iter().zip(prepared.column(j)) {
                    assert!((of_run * scale[j] + mean[j] - x).abs() < 1e-12);
                }
                let origin = |(x, z): (&f64, &f64)| x - prepared.deviation(j) * z;
                let mut origins = prepared.column(j).iter().zip(z).map(origin);
                let first = origins.next().unwrap();
                assert!(origins.all(|origin| (origin - first).abs() < 1e-12));
            }
        }
    }

    #[test]
    fn useless_columns_are_refused() {
        let (up, down): (&[f64], &[f64]) = (&[1.0, 2.0, 4.0], &[3.0, 1.0, 2.0]);
        let constant = "column `X1` is constant, so it can neither be standardised nor ordered";
        let twice = "columns `X0` and `X2` hold the same values";
        let scaled = "columns `X0` and `X1` hold the same values once they are standardised";
        for how in [Preparing::default(), Preparing::as_given()] {
            assert_eq!(refusal(&[up, &[7.0; 3]], how), constant);
            assert_eq!(refusal(&[up, down, up], how), twice);
        }
        let double: Vec<f64> = up.iter().map(|x| 2.0 * x).collect();
        assert_eq!(refusal(&[up, &double], Preparing::default()), scaled);
        Prepared::new(&table(&[up, &double]), Preparing::as_given()).unwrap();
    }

    #[test]
    fn units_whose_squares_vanish_or_overflow_change_nothing() {
        let column = [1.0, 2.0, 4.0, -3.0];
        let plain = Prepared::new(&table(&[&column, &[3.0, 1.0, 2.0, 2.5]]), Preparing::default()).unwrap();
        for unit in [1e-310, 1e-170, 1e160, 1e307] {
            let other = column.map(|x| x * unit);
            let sample = table(&[&other, &[3.0, 1.0, 2.0, 2.5]]);
            let prepared = Prepared::new(&sample, Preparing::default()).unwrap();
            let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
            assert!(prepared.standard(0).iter().zip(plain.standard(0)).all(near), "{unit}");
        }
        let spread = refusal(&[&[f64::MAX, -f64::MAX, f64::MAX], &[1.0, 2.0, 4.0]], Preparing::default());
        assert!(spread.starts_with("column `X0` cannot be standardised"), "{spread}");
        let tiny = refusal(&[&[0.0, 5e-324, 0.0], &[1.0, 2.0, 4.0]], Preparing::default());
        assert!(tiny.starts_with("column `X0` cannot be standardised"), "{tiny}");
    }

    #[test]
    fn rows_far_out_go_and_copies_stay_known() {
        let column: Vec<f64> = (0..60).map(f64::from).collect();
        let squares: Vec<f64> = column.iter().map(|x| x * x).collect();
        let whole = table(&[&column, &squares]);
        let drawn = whole.resample(&mut Seed(1).stream("test")).unwrap();
        let how = Preparing { outliers: Outliers::Mad(1.5), ..Preparing::default() };
        let prepared = Prepared::new(&drawn, how).unwrap();
        assert!(prepared.rows() < drawn.rows());
        let groups = prepared.groups().unwrap();
        assert!(prepared.raw(0).iter().zip(groups).all(|(x, &group)| *x == group as f64));
        let how = Preparing { outliers: Outliers::Mad(1e-9), ..Preparing::default() };
        let error = Prepared::new(&whole, how).unwrap_err().to_string();
        assert_eq!(error, "outliers mad:0.000000001 keeps only 0 of 60 rows");
    }
}
