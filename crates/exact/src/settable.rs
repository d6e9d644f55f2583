//! A column that can be set: what regressions are given for any of its values.

use oslow_core::{ColumnType, Error, Prepared, Result, SeenColumn, Transform};

use crate::columns::Columns;
use crate::logarithm::Logarithm;

/// From a value in the units of the data to the variables that stand for it.
pub(crate) struct Settable<'a> {
    sample: &'a Prepared,
    columns: &'a Columns,
    column: usize,
    way: Way,
}

enum Way {
    /// Only observed values have variables.
    Levels,
    /// A straight line of a function of the value: intercept and slope.
    Line(Function, [f64; 2]),
    /// Between observed values, which ascend, with what stands for each.
    Between(Vec<(f64, f64)>),
}

/// What is seen of a value lies on a straight line of it.
#[derive(Clone, Copy)]
enum Function {
    Itself,
    Root,
    Logarithm(Logarithm),
}

impl Function {
    fn of(self, value: f64) -> f64 {
        match self {
            Self::Itself => value,
            Self::Root => value.sqrt(),
            Self::Logarithm(logarithm) if logarithm.has(value) => logarithm.of(value),
            Self::Logarithm(_) => f64::NAN,
        }
    }

    /// The values that it has.
    fn domain(self) -> String {
        match self {
            Self::Itself => "finite".into(),
            Self::Root => "at least 0".into(),
            Self::Logarithm(logarithm) => logarithm.domain(),
        }
    }
}

impl<'a> Settable<'a> {
    pub fn new(sample: &'a Prepared, columns: &'a Columns, column: usize) -> Self {
        let SeenColumn { transform, end, .. } = columns.seen[column];
        let of_type = match (sample.type_of(column), transform) {
            (ColumnType::Continuous, Transform::NormalScores) => None,
            (ColumnType::Continuous, Transform::Log | Transform::LogFromEnd) => {
                Logarithm::from_end(end.unwrap_or(0.0), sample.raw(column)).map(Function::Logarithm)
            }
            (ColumnType::Continuous, Transform::None) => Some(Function::Itself),
            (ColumnType::Count, _) => Some(Function::Root),
            _ => return Self { sample, columns, column, way: Way::Levels },
        };
        let variable = columns.variables(&[column])[0];
        let observed: Vec<(f64, f64)> = (sample.raw(column).iter().zip(variable).enumerate())
            .filter(|(row, _)| sample.gaps(column).binary_search(row).is_err())
            .map(|(_, (raw, variable))| (*raw, *variable))
            .collect();
        let way = match of_type {
            Some(function) => Way::Line(function, line(&observed, function)),
            None => Way::Between(means_by_value(observed)),
        };
        Self { sample, columns, column, way }
    }

    /// The variables that stand for a value.
    pub fn variables(&self, value: f64) -> Result<Vec<f64>> {
        let name = &self.sample.names()[self.column];
        match &self.way {
            Way::Levels => {
                let row = self.sample.raw(self.column).iter().position(|raw| *raw == value);
                let row = row.ok_or_else(|| Error::input(format!("no row has {name} = {value}")))?;
                let all = self.columns.variables(&[self.column]);
                Ok(all.iter().map(|variable| variable[row]).collect())
            }
            Way::Line(function, [intercept, slope]) => {
                let seen = intercept + slope * function.of(value);
                if !seen.is_finite() {
                    return Err(Error::input(format!("`{name}` cannot be set to {value}"))
                        .with_hint(format!("its values are {}: choose one of these", function.domain())));
                }
                Ok(vec![seen])
            }
            Way::Between(known) => Ok(vec![between(known, value)]),
        }
    }
}

/// The least squares line of what is seen on a function of the value: where values were spread over the cells of a grid, through the middle.
fn line(observed: &[(f64, f64)], function: Function) -> [f64; 2] {
    let n = observed.len() as f64;
    let mean_x = observed.iter().map(|(raw, _)| function.of(*raw)).sum::<f64>() / n;
    let mean_y = observed.iter().map(|(_, seen)| seen).sum::<f64>() / n;
    let (mut xy, mut xx) = (0.0, 0.0);
    for (raw, seen) in observed {
        let x = function.of(*raw) - mean_x;
        xy += x * (seen - mean_y);
        xx += x * x;
    }
    let slope = xy / xx;
    [mean_y - slope * mean_x, slope]
}

fn means_by_value(mut observed: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    observed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mean = |alike: &[(f64, f64)]| {
        (alike[0].0, alike.iter().map(|(_, seen)| seen).sum::<f64>() / alike.len() as f64)
    };
    observed.chunk_by(|a, b| a.0 == b.0).map(mean).collect()
}

/// Linear interpolation; beyond the ends what stands for them.
fn between(known: &[(f64, f64)], value: f64) -> f64 {
    let next = known.partition_point(|(raw, _)| *raw < value);
    match (next.checked_sub(1).map(|k| known[k]), known.get(next)) {
        (Some((x0, y0)), Some(&(x1, y1))) => y0 + (y1 - y0) * (value - x0) / (x1 - x0),
        (None, Some(&(_, y))) | (Some((_, y)), None) => y,
        (None, None) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LocalConfig;
    use oslow_core::{Preparing, Sample, Seed};

    fn prepared(kinds: [ColumnType; 2]) -> Prepared {
        let values = (0..60).flat_map(|k| [f64::from(k % 20), (0.1 * f64::from(k * 7 % 60)).exp()]).collect();
        let sample = Sample::new(vec!["a".into(), "b".into()], values).unwrap();
        let typed = kinds.into_iter().enumerate();
        let sample = typed.fold(sample, |sample, (j, kind)| sample.with_type(j, kind).unwrap());
        Prepared::new(&sample, Preparing::default()).unwrap()
    }

    fn logarithms(own: &Columns, sample: &Prepared) -> Columns {
        let from_zero = own.logarithms(sample, |values| Logarithm::from_zero(values, 1.0));
        own.as_logarithms(sample, &from_zero).unwrap()
    }

    #[test]
    fn observed_values_are_given_what_their_rows_have() {
        use ColumnType::{Categorical, Continuous, Count, Ordinal};
        let config = LocalConfig { spread_grids: false, ..LocalConfig::default() };
        for kind in [Continuous, Count, Ordinal, Categorical] {
            let sample = prepared([kind, Continuous]);
            let own = Columns::new(&sample, &config, Seed(0));
            let nll = vec![vec![0.0; 60]; 2];
            for columns in [logarithms(&own, &sample), own.normal_scores(&nll), own] {
                // Counts are described by densities too, whose values are spread; variables are not.
                for j in 0..2 {
                    let settable = Settable::new(&sample, &columns, j);
                    let all = columns.variables(&[j]);
                    for (row, raw) in sample.raw(j).iter().enumerate() {
                        let found = settable.variables(*raw).unwrap();
                        let near = |(found, own): (&f64, &&[f64])| (found - own[row]).abs() < 1e-9;
                        assert!(found.iter().zip(&all).all(near), "{kind:?} {j} {raw}");
                    }
                }
            }
        }
    }

    #[test]
    fn other_values_lie_between_or_are_refused() {
        let sample = prepared([ColumnType::Ordinal, ColumnType::Continuous]);
        let own = Columns::new(&sample, &LocalConfig::default(), Seed(0));
        let error = Settable::new(&sample, &own, 0).variables(1.5).unwrap_err();
        assert_eq!(error.to_string(), "no row has a = 1.5");
        let logarithms = logarithms(&own, &sample);
        assert!(Settable::new(&sample, &logarithms, 1).variables(-1.0).unwrap_err().is_input());
        assert_eq!([-1.0, 2.0, 9.0].map(|x| between(&[(1.0, 5.0), (3.0, 6.0)], x)), [5.0, 5.5, 6.0]);
    }
}
