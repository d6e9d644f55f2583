//! The columns of a table as the engine sees them.

use std::ops::Range;
use std::sync::Arc;

use oslow_core::{ColumnType, Knowledge, Prepared, Result, Seed, SeenColumn, Transform};
use oslow_math::{HALF_LN_TAU, mean_ranks};
use statrs::function::erf::erfc_inv;

use crate::LocalConfig;
use crate::completion::{Donors, completions};
use crate::cube_root::CubeRoot;
use crate::determined::determined_pairs;
use crate::discrete::Discrete;
use crate::grid;
use crate::logarithm::Logarithm;
use crate::mechanisms::Regimes;
use crate::mixture::Mixture;
use crate::regression::MassModel;

/// Columns with mean 0 and variance 1, and the way back: −ln p of a value here plus its offset is −ln p of the table's.
#[derive(Clone)]
pub(crate) struct Columns {
    pub values: Vec<Vec<f64>>,
    /// Columns whose values have probabilities of their own.
    pub discrete: Vec<Option<Discrete>>,
    pub offsets: Vec<Vec<f64>>,
    /// What was done to each.
    pub seen: Vec<SeenColumn>,
    /// Pairs that determine each other.
    pub determined: Vec<(usize, usize)>,
    /// Rows in which a column was not observed.
    pub gaps: Arc<Vec<Vec<usize>>>,
    /// What such rows hold in each completed table; the values here are those of the first.
    completions: Arc<Vec<Donors>>,
    /// Which rows are copies of one another.
    pub groups: Option<Vec<usize>>,
    /// How many rows equal an earlier one, as they were given.
    pub repeated: usize,
    /// The conditions of the rows, where there are several.
    pub regimes: Option<Arc<Regimes>>,
}

impl Columns {
    /// The columns as they are, values on a grid spread over their cells if they are to be.
    pub fn new(sample: &Prepared, config: &LocalConfig, seed: Seed) -> Self {
        let d = sample.columns();
        let mut values: Vec<Vec<f64>> = (0..d).map(|j| sample.standard(j).to_vec()).collect();
        let discrete: Vec<Option<Discrete>> =
            (0..d).map(|j| Discrete::of(sample.type_of(j), sample.raw(j))).collect();
        let mut seen: Vec<SeenColumn> = (0..d)
            .map(|j| SeenColumn {
                kind: sample.type_of(j),
                missing: sample.gaps(j).len(),
                ..SeenColumn::default()
            })
            .collect();
        for (j, column) in values.iter_mut().enumerate() {
            let step = match sample.type_of(j) {
                // Densities may describe counts too, once these are spread.
                ColumnType::Count => Some(1.0 / sample.unit(j)),
                ColumnType::Continuous if config.spread_grids => grid::step(column),
                _ => None,
            };
            if let Some(step) = step {
                grid::spread(column, step, &mut seed.indexed("exact/grid", j as u64));
            }
            seen[j].grid = step.filter(|_| discrete[j].is_none()).map(|step| step * sample.deviation(j));
        }
        // What −ln p of a value here is short of −ln p in the table's units, or, for counts, of −ln of a probability.
        let offset = |j: usize| match sample.type_of(j) {
            ColumnType::Continuous => sample.deviation(j).ln(),
            _ => sample.unit(j).ln(),
        };
        let offsets = (0..d).map(|j| vec![offset(j); sample.rows()]).collect();
        let continuous = |j: &usize| discrete[*j].is_none();
        let scores: Vec<Option<Vec<f64>>> =
            (0..d).map(|j| continuous(&j).then(|| normal_scores(&values[j]))).collect();
        let groups = sample.groups().map(<[usize]>::to_vec);
        let repeated = repeated_rows(sample);
        let determined = determined_pairs(&scores);
        let gaps = Arc::new((0..d).map(|j| sample.gaps(j).to_vec()).collect());
        let completions = Arc::new(completions(sample, config.completions, seed));
        let regimes = None;
        Self { values, discrete, offsets, seen, determined, gaps, completions, groups, repeated, regimes }
            .completed(0)
    }

    /// The columns as they are, with the conditions of their rows.
    pub fn observed(
        sample: &Prepared,
        config: &LocalConfig,
        knowledge: &Knowledge,
        seed: Seed,
    ) -> Result<Self> {
        Ok(Self { regimes: Regimes::of(sample, knowledge)?, ..Self::new(sample, config, seed) })
    }

    /// The same columns, gaps filled as in one of the completed tables.
    pub fn completed(mut self, k: usize) -> Self {
        if self.completions.is_empty() {
            return self;
        }
        let all = self.completions.clone();
        for (j, donors) in all[k % all.len()].iter().enumerate() {
            for &(row, donor) in donors {
                self.values[j][row] = self.values[j][donor];
                if let Some(discrete) = &mut self.discrete[j] {
                    discrete.copy(row, donor);
                }
            }
        }
        self
    }

    /// Whether any column has gaps.
    pub fn have_gaps(&self) -> bool {
        !self.completions.is_empty()
    }

    /// The columns as a method saw them, nothing being chosen again.
    pub fn as_seen(sample: &Prepared, seen: &[SeenColumn], seed: Seed) -> Self {
        let spread_grids = seen.iter().any(|seen| seen.grid.is_some());
        let mut columns = Self::new(sample, &LocalConfig { spread_grids, ..LocalConfig::default() }, seed);
        let continuous = |j: usize| sample.type_of(j) == ColumnType::Continuous;
        let logarithm = |(j, seen): (usize, &SeenColumn)| match seen.transform {
            Transform::Log | Transform::LogFromEnd if continuous(j) => {
                Logarithm::from_end(seen.end.unwrap_or(0.0), &columns.in_data_units(sample, j))
            }
            _ => None,
        };
        let logarithms: Vec<Option<Logarithm>> = seen.iter().enumerate().map(logarithm).collect();
        columns = columns.as_logarithms(sample, &logarithms).unwrap_or(columns);
        let scored =
            |(j, seen): &(usize, &SeenColumn)| seen.transform == Transform::NormalScores && continuous(*j);
        for (j, _) in seen.iter().enumerate().filter(scored) {
            columns.values[j] = normal_scores(&columns.values[j]);
        }
        columns
    }

    /// Some rows of the columns as they are.
    pub fn only(&self, rows: &[usize]) -> Self {
        let of = |column: &Vec<f64>| rows.iter().map(|&row| column[row]).collect::<Vec<f64>>();
        Self {
            values: self.values.iter().map(of).collect(),
            discrete: self.discrete.iter().map(|one| one.as_ref().map(|one| one.only(rows))).collect(),
            offsets: self.offsets.iter().map(of).collect(),
            gaps: Arc::new(self.gaps.iter().map(|gaps| places(gaps, rows)).collect()),
            completions: Arc::new(Vec::new()),
            groups: self.groups.as_ref().map(|groups| rows.iter().map(|&row| groups[row]).collect()),
            regimes: None,
            ..self.clone()
        }
    }

    /// What regressions on some columns are given: numbers as they are, of categories one indicator for each but the first.
    pub fn variables(&self, parents: &[usize]) -> Vec<&[f64]> {
        let of = |&parent: &usize| match &self.discrete[parent] {
            Some(discrete) => discrete.variables.iter().map(Vec::as_slice).collect(),
            None => vec![self.values[parent].as_slice()],
        };
        parents.iter().flat_map(of).collect()
    }

    /// Which of [`Self::variables`] belong to each of some columns.
    pub fn variables_of(&self, parents: &[usize]) -> Vec<Range<usize>> {
        let mut first = 0;
        let of = |&parent: &usize| {
            let start = first;
            first += self.discrete[parent].as_ref().map_or(1, |discrete| discrete.variables.len());
            start..first
        };
        parents.iter().map(of).collect()
    }

    /// Whether a column has categories that are not in an order.
    pub fn has_categories(&self, j: usize) -> bool {
        let model = self.discrete[j].as_ref().map(|discrete| discrete.model);
        matches!(model, Some(MassModel::Categories(levels)) if levels > 2)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.values[0].len()
    }

    /// What each column was replaced by.
    pub fn transforms(&self) -> Vec<Transform> {
        self.seen.iter().map(|seen| seen.transform).collect()
    }

    /// Whether a node and one of its parents determine each other.
    pub fn determines(&self, node: usize, parents: &[usize]) -> bool {
        let with = |other: usize| self.determined.contains(&(node.min(other), node.max(other)));
        parents.iter().any(|&parent| with(parent))
    }

    /// The values of a column in the units of the data, those on a grid spread over its cells.
    pub fn in_data_units(&self, sample: &Prepared, j: usize) -> Vec<f64> {
        self.values[j].iter().map(|value| sample.to_raw(j, *value)).collect()
    }

    /// A logarithm for each continuous column that has one.
    pub fn logarithms(
        &self,
        sample: &Prepared,
        of: impl Fn(&[f64]) -> Option<Logarithm>,
    ) -> Vec<Option<Logarithm>> {
        let continuous = |j: usize| self.discrete[j].is_none();
        let one = |j| continuous(j).then(|| of(&self.in_data_units(sample, j))).flatten();
        (0..self.values.len()).map(one).collect()
    }

    /// The same columns, some as logarithms; `None` if there are none.
    pub fn as_logarithms(&self, sample: &Prepared, logarithms: &[Option<Logarithm>]) -> Option<Self> {
        let mut changed = self.clone();
        for (j, logarithm) in logarithms.iter().enumerate() {
            let Some(logarithm) = logarithm else { continue };
            changed.stretch(sample, j, |value| logarithm.of(value), |value| logarithm.log_distance(value));
            let from_zero = logarithm.end() == 0.0;
            changed.seen[j].transform = if from_zero { Transform::Log } else { Transform::LogFromEnd };
            changed.seen[j].end = (!from_zero).then_some(logarithm.end());
        }
        logarithms.iter().any(Option::is_some).then_some(changed)
    }

    /// The same columns, continuous ones as signed cube roots of their distances from where values are densest.
    pub fn as_cube_roots(&self, sample: &Prepared) -> Self {
        let mut changed = self.clone();
        for j in (0..self.values.len()).filter(|&j| self.discrete[j].is_none()) {
            let Some(root) = CubeRoot::from_densest(&self.in_data_units(sample, j)) else { continue };
            changed.stretch(sample, j, |value| root.of(value), |value| root.minus_log_slope(value));
        }
        changed
    }

    /// Replaces a column by a function of it, given with −ln of its slope, with mean 0 and variance 1.
    fn stretch(
        &mut self,
        sample: &Prepared,
        j: usize,
        of: impl Fn(f64) -> f64,
        minus_log_slope: impl Fn(f64) -> f64,
    ) {
        let raw = self.in_data_units(sample, j);
        let n = raw.len() as f64;
        let stretched: Vec<f64> = raw.iter().map(|value| of(*value)).collect();
        let mean = stretched.iter().sum::<f64>() / n;
        let deviation = (stretched.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n).sqrt();
        self.values[j] = stretched.iter().map(|value| (value - mean) / deviation).collect();
        // A value in the units of the data has the scale of the column.
        let scale = sample.unit(j);
        for (offset, value) in self.offsets[j].iter_mut().zip(&raw) {
            *offset = *offset + deviation.ln() + minus_log_slope(*value) - scale.ln();
        }
    }

    /// What stands in some numbers, one a row, where a column was observed.
    pub fn where_observed(&self, j: usize, numbers: &[f64]) -> Vec<f64> {
        let rows = (0..numbers.len()).filter(|row| self.gaps[j].binary_search(row).is_err());
        rows.map(|row| numbers[row]).collect()
    }

    /// −ln p per row, in the units of the data, by a mixture that is fitted to a column alone.
    pub fn mixture_nll(&self, j: usize) -> f64 {
        let (values, offsets) =
            (self.where_observed(j, &self.values[j]), self.where_observed(j, &self.offsets[j]));
        let mut mixture = Mixture::fit(&values);
        mixture.finish(&values);
        let said = values.iter().zip(&offsets).map(|(z, offset)| mixture.nll(*z) + offset);
        said.sum::<f64>() / values.len() as f64
    }

    /// The same columns as normal scores, but for discrete ones: normal quantiles at the ranks. The density of a column itself, −ln of which is given row by row, takes the place of the
    /// normal one that the scores have.
    pub fn normal_scores(&self, nll: &[Vec<f64>]) -> Self {
        let mut changed = self.clone();
        for j in (0..self.values.len()).filter(|&j| self.discrete[j].is_none()) {
            changed.values[j] = normal_scores(&self.values[j]);
            let offset = |(score, nll): (&f64, &f64)| nll - (0.5 * score * score + HALF_LN_TAU);
            changed.offsets[j] = changed.values[j].iter().zip(&nll[j]).map(offset).collect();
            changed.seen[j].transform = Transform::NormalScores;
        }
        changed
    }
}

/// Φ⁻¹(p).
pub(crate) fn normal_quantile(p: f64) -> f64 {
    -std::f64::consts::SQRT_2 * erfc_inv(2.0 * p)
}

/// Φ⁻¹(rank/n), the ranks counted from ½ and equal values having the mean of theirs.
pub(crate) fn normal_scores(column: &[f64]) -> Vec<f64> {
    let n = column.len() as f64;
    mean_ranks(column).into_iter().map(|rank| normal_quantile(rank / n)).collect()
}

/// Where some of the gaps, all of which ascend, stand among some rows.
fn places(gaps: &[usize], rows: &[usize]) -> Vec<usize> {
    (0..rows.len()).filter(|&place| gaps.binary_search(&rows[place]).is_ok()).collect()
}

/// How many rows equal an earlier one.
fn repeated_rows(sample: &Prepared) -> usize {
    let row = |row: usize| (0..sample.columns()).map(|j| sample.raw(j)[row].to_bits()).collect();
    let mut sorted: Vec<Vec<u64>> = (0..sample.rows()).map(row).collect();
    sorted.sort_unstable();
    sorted.windows(2).filter(|two| two[0] == two[1]).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{Preparing, Sample};

    fn skewed() -> Prepared {
        let z: Vec<f64> = (0..40).map(|k| f64::from(k * 7 % 40) / 10.0 - 2.0).collect();
        let values = z.iter().flat_map(|z| [(0.3 + 0.8 * z).exp(), z.sin()]).collect();
        let sample = Sample::new(vec!["a".into(), "b".into()], values).unwrap();
        Prepared::new(&sample, Preparing::default()).unwrap()
    }

    fn as_they_are(sample: &Prepared) -> Columns {
        Columns::new(sample, &LocalConfig { spread_grids: false, ..LocalConfig::default() }, Seed(0))
    }

    #[test]
    fn the_density_of_a_logarithm_is_that_of_the_column() {
        let sample = skewed();
        let own = as_they_are(&sample);
        let above = |ratio| own.logarithms(&sample, |values| Logarithm::from_zero(values, ratio));
        let from_zero = own.as_logarithms(&sample, &above(10.0)).unwrap();
        assert_eq!([0, 1].map(|j| from_zero.seen[j].transform), [Transform::Log, Transform::None]);
        assert_eq!(from_zero.values[1], own.values[1]);
        assert!(own.as_logarithms(&sample, &above(1e6)).is_none());
        let moved = own.logarithms(&sample, |values| Logarithm::from_end(-0.2, values));
        let moved = own.as_logarithms(&sample, &moved).unwrap();
        assert_eq!(moved.seen[0].transform, Transform::LogFromEnd);
        // Between neighbouring values, ∫ p is the same in all coordinates.
        let mut rows: Vec<usize> = (0..40).collect();
        rows.sort_by(|&a, &b| own.values[0][a].total_cmp(&own.values[0][b]));
        for (logs, two) in
            [from_zero, moved].iter().flat_map(|logs| rows.windows(2).map(move |two| (logs, two)))
        {
            let width = |columns: &Columns| columns.values[0][two[1]] - columns.values[0][two[0]];
            let factor = |row: usize| (logs.offsets[0][row] - own.offsets[0][row]).exp();
            let mean = 0.5 * (factor(two[0]) + factor(two[1]));
            assert!((width(&own) / width(logs) / mean - 1.0).abs() < 2e-2);
        }
    }

    #[test]
    fn columns_are_seen_again_as_they_were() {
        let sample = skewed();
        let own = as_they_are(&sample);
        for logarithm in [Logarithm::from_lower_end, Logarithm::from_upper_end] {
            let logs = own.as_logarithms(&sample, &own.logarithms(&sample, logarithm)).unwrap();
            assert!(logs.seen.iter().all(|seen| seen.transform == Transform::LogFromEnd));
            assert_eq!(Columns::as_seen(&sample, &logs.seen, Seed(0)).values, logs.values);
        }
    }

    #[test]
    fn normal_scores_are_those_of_scipy() {
        // scipy.stats.norm.ppf((rankdata(x) − 0.5) / 5) of x = [3, 1, 4, 1, 5].
        let scores = normal_scores(&[3.0, 1.0, 4.0, 1.0, 5.0]);
        let expected =
            [0.0, -0.841_621_233_572_914, 0.524_400_512_708_041, -0.841_621_233_572_914, 1.281_551_565_544_6];
        assert!(scores.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-8), "{scores:?}");
    }
}
