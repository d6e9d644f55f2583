//! A cause and its effect as a picture shows them: a curve with a band, in the units of the data.

use std::ops::Range;

use oslow_core::{Prepared, Seed, SeenColumn};

use crate::LocalConfig;
use crate::columns::Columns;
use crate::joint_fit::{JointFit, rows_at_quantiles};
use crate::regression::MassModel;

/// Places along a cause at which its effect is given.
const PLACES: usize = 25;

/// What a cause does to its effect by a smooth fit to all causes together, the others being what they are in the rows of the table and averaged over.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// Rows whose values of the cause are the places of the curve, ascending.
    pub places: Vec<usize>,
    /// Where the effect lies there.
    pub location: Vec<f64>,
    /// One scale below that.
    pub low: Vec<f64>,
    /// One scale above.
    pub high: Vec<f64>,
    /// The effect in the rows that are shown, as if their other causes were average ones.
    pub adjusted: Vec<f64>,
}

/// The relation of each parent with a node, columns being seen as a method saw them; none if the node has levels or categories.
pub fn relations(
    sample: &Prepared,
    seen: &[SeenColumn],
    (node, parents): (usize, &[usize]),
    shown: &[usize],
    seed: Seed,
) -> Vec<Relation> {
    let columns = Columns::as_seen(sample, seen, seed);
    let counted = |discrete: &crate::discrete::Discrete| discrete.model == MassModel::Counts;
    if !columns.discrete[node].as_ref().is_none_or(counted) {
        return Vec::new();
    }
    let fit = JointFit::new(&columns, node, parents, &LocalConfig::default().effort(), seed);
    let scale = BackToData::new(&columns.values[node], sample.raw(node));
    let of_parent = |(&parent, variables): (&usize, Range<usize>)| {
        let places = places(sample.raw(parent));
        let (location, log_scale) = fit.along(&variables, &places);
        let off = |sign: f64| {
            let moved = |(l, s): (&f64, &f64)| scale.of(l + sign * s.exp());
            location.iter().zip(&log_scale).map(moved).collect()
        };
        let adjusted = adjusted(&fit, &columns.values[node], &variables, shown);
        Relation {
            location: off(0.0),
            low: off(-1.0),
            high: off(1.0),
            adjusted: adjusted.into_iter().map(|value| scale.of(value)).collect(),
            places,
        }
    };
    parents.iter().zip(columns.variables_of(parents)).map(of_parent).collect()
}

/// One row for each value of a column, at quantiles where there are many.
fn places(raw: &[f64]) -> Vec<usize> {
    let one_each = |mut rows: Vec<usize>| {
        rows.dedup_by(|a, b| raw[*a] == raw[*b]);
        rows
    };
    let all = one_each(rows_at_quantiles(raw, raw.len()));
    if all.len() <= PLACES { all } else { one_each(rows_at_quantiles(raw, PLACES)) }
}

/// The residual of each row, in units of its scale, put where the cause alone would have it.
fn adjusted(fit: &JointFit<'_>, y: &[f64], variables: &Range<usize>, rows: &[usize]) -> Vec<f64> {
    let (own_location, own_scale) = fit.of_rows(rows);
    let (location, scale) = fit.along(variables, rows);
    (0..rows.len())
        .map(|k| location[k] + (y[rows[k]] - own_location[k]) * (scale[k] - own_scale[k]).exp())
        .collect()
}

/// From the coordinate of a column back to the units of the data: the values of the table, and lines between them.
struct BackToData {
    pairs: Vec<(f64, f64)>,
}

impl BackToData {
    fn new(coordinate: &[f64], raw: &[f64]) -> Self {
        let mut pairs: Vec<(f64, f64)> = coordinate.iter().copied().zip(raw.iter().copied()).collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        pairs.dedup_by_key(|pair| pair.0);
        Self { pairs }
    }

    /// Outside of the data it is the nearest value.
    fn of(&self, coordinate: f64) -> f64 {
        let next = self.pairs.partition_point(|pair| pair.0 < coordinate);
        let Some(&(right, above)) = self.pairs.get(next) else { return self.pairs[self.pairs.len() - 1].1 };
        let Some(&(left, below)) = next.checked_sub(1).and_then(|k| self.pairs.get(k)) else { return above };
        below + (above - below) * (coordinate - left) / (right - left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{Preparing, Sample, Transform};
    use rand_distr::{Distribution, StandardNormal};

    /// y = exp(a/2 + b + noise/5).
    fn table() -> Prepared {
        let mut rng = Seed(3).stream("test");
        let mut draw = || -> f64 { StandardNormal.sample(&mut rng) };
        let mut values = Vec::new();
        for _ in 0..600 {
            let (a, b, e) = (draw(), draw(), draw());
            values.extend([a, b, (0.5 * a + b + 0.2 * e).exp()]);
        }
        let sample = Sample::new(["a", "b", "y"].map(String::from).to_vec(), values).unwrap();
        Prepared::new(&sample, Preparing::default()).unwrap()
    }

    fn seen(transform: Transform) -> Vec<SeenColumn> {
        let none = SeenColumn::default();
        vec![none, none, SeenColumn { transform, ..none }]
    }

    #[test]
    fn a_curve_is_the_truth_in_the_units_of_the_data() {
        let sample = table();
        let shown: Vec<usize> = (0..100).collect();
        // Where normal scores lie among 600 values is less exact than where logarithms do.
        for (transform, off) in [(Transform::Log, 0.1), (Transform::NormalScores, 0.2)] {
            let found = relations(&sample, &seen(transform), (2, &[0, 1]), &shown, Seed(0));
            let [a, _] = &found[..] else { panic!("two parents") };
            let place = |k: usize| sample.raw(0)[a.places[k]];
            for k in 3..22 {
                // With b averaged, ln y = a/2 ± 0.2.
                assert!((a.location[k].ln() - 0.5 * place(k)).abs() < 1.5 * off, "{k} {transform:?} {a:?}");
                assert!(((a.high[k] / a.low[k]).ln() - 0.4).abs() < off, "{k} {transform:?} {a:?}");
            }
            let near = |(&row, y): (&usize, &f64)| (y.ln() - 0.5 * sample.raw(0)[row]).abs() < 0.4;
            let within = shown.iter().zip(&a.adjusted).filter(|pair| near(*pair)).count();
            assert!(within > 88, "{within} of 100 within two scales");
        }
    }

    #[test]
    fn the_only_cause_leaves_rows_as_they_are() {
        let sample = table();
        let shown: Vec<usize> = (0..50).collect();
        let found = relations(&sample, &seen(Transform::Log), (2, &[1]), &shown, Seed(0));
        let same = |(&row, y): (&usize, &f64)| (y / sample.raw(2)[row] - 1.0).abs() < 1e-9;
        assert!(shown.iter().zip(&found[0].adjusted).all(same));
    }

    #[test]
    fn rare_values_have_a_place_and_many_values_have_few() {
        let mut raw = vec![1.0; 500];
        raw[7] = 0.0;
        assert_eq!(places(&raw).iter().map(|&row| raw[row]).collect::<Vec<f64>>(), [0.0, 1.0]);
        let many: Vec<f64> = (0..500).map(|k| f64::from(k * 7 % 500)).collect();
        let found = places(&many);
        assert!(found.len() == PLACES && found.windows(2).all(|two| many[two[0]] < many[two[1]]));
    }

    #[test]
    fn the_way_back_meets_every_value_and_ends_with_the_data() {
        let back = BackToData::new(&[2.0, -1.0, 0.5, 0.5], &[20.0, 1.0, 7.0, 7.0]);
        assert_eq!([-5.0, -1.0, 0.5, 1.25, 2.0, 9.0].map(|z| back.of(z)), [1.0, 1.0, 7.0, 13.5, 20.0, 20.0]);
    }
}
