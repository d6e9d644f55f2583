//! The mean of a column where another is set, by adjustment for sets of causes.
//!
//! # Model
//! If S are all direct causes of X, E[Y | do(X = x)] = mean over rows of E[Y | x, s] (Pearl 2009, adjustment for the parents). If Y is in S, X comes
//! after Y and the mean of Y stays what it is.
//!
//! # Algorithm
//! For each S a regression of Y on X and S: smooth units for numbers, a logit or a negative binomial for masses. The same on rows drawn with
//! replacement, again and again: the spread of what these say is the doubt about the rows.
//!
//! # Reference
//! Maathuis, Kalisch, Bühlmann: Estimating high-dimensional intervention effects from observational data. Annals of Statistics 37:3133-3164, 2009.
//! Pensar, Talvitie, Hyttinen, Koivisto: A Bayesian approach for estimating causal effects from observational data. AAAI 2020.

use oslow_core::{ColumnType, Error, ParentSet, Prepared, Result, Rng, Seed, SeenColumn, check_stop};
use rand::RngExt;
use rayon::prelude::*;

use crate::columns::Columns;
use crate::regression::{Basis, Effort, Fit, Inputs, MassFit};
use crate::settable::Settable;
use crate::{LocalConfig, Noise};

/// Most rows of a fit, and most rows over which causes are averaged.
const FITTED: usize = 5000;
const AVERAGED: usize = 1000;

/// What is asked: the mean of one column at some values of another, in the units of the data.
#[derive(Clone, Debug, PartialEq)]
pub struct DoQuestion {
    /// The column that is set.
    pub on: usize,
    /// Its values.
    pub values: Vec<f64>,
    /// The column whose mean is asked for.
    pub target: usize,
}

/// The means of the target at each value, if some columns are all direct causes of the one that is set.
#[derive(Clone, Debug, PartialEq)]
pub struct SetMeans {
    /// The set, with its probability.
    pub set: ParentSet,
    /// The means, in the units of the data.
    pub means: Vec<f64>,
    /// The same for rows drawn with replacement.
    pub draws: Vec<Vec<f64>>,
}

/// Answers for each set of parents, `draws` redraws of the rows being shared out among them by their probability.
pub fn do_means(
    sample: &Prepared,
    seen: &[SeenColumn],
    question: &DoQuestion,
    sets: &[ParentSet],
    draws: usize,
    seed: Seed,
) -> Result<Vec<SetMeans>> {
    let means = Means::new(sample, seen, question, seed)?;
    let total: f64 = sets.iter().map(|set| set.probability).sum();
    let share = |set: &ParentSet| ((draws as f64 * set.probability / total).ceil() as usize).max(2);
    let jobs: Vec<(usize, u64)> = (sets.iter().enumerate())
        .flat_map(|(k, set)| (0..=share(set) as u64).map(move |number| (k, number)))
        .collect();
    let found: Vec<Vec<f64>> =
        jobs.par_iter().map(|&(k, number)| means.of(&sets[k].parents, number)).collect::<Result<_>>()?;
    let mut all: Vec<SetMeans> = (sets.iter())
        .map(|set| SetMeans { set: set.clone(), means: Vec::new(), draws: Vec::new() })
        .collect();
    for ((k, number), found) in jobs.into_iter().zip(found) {
        match number {
            0 => all[k].means = found,
            _ => all[k].draws.push(found),
        }
    }
    Ok(all)
}

/// A table and a question about it.
struct Means<'a> {
    sample: &'a Prepared,
    question: &'a DoQuestion,
    /// The table, or, where values are missing, its completions.
    tables: Vec<Columns>,
    /// At each value, what regressions are given in its place.
    set_to: Vec<Vec<f64>>,
    effort: Effort,
    seed: Seed,
}

impl<'a> Means<'a> {
    fn new(sample: &'a Prepared, seen: &[SeenColumn], question: &'a DoQuestion, seed: Seed) -> Result<Self> {
        if sample.type_of(question.target) == ColumnType::Categorical
            && levels(sample, question.target).len() > 2
        {
            return Err(Error::input(format!(
                "column `{}` is categorical with more than two levels, so it has no mean",
                sample.names()[question.target]
            )));
        }
        let columns = Columns::as_seen(sample, seen, seed);
        let settable = Settable::new(sample, &columns, question.on);
        let set_to = question.values.iter().map(|&value| settable.variables(value)).collect::<Result<_>>()?;
        let config = LocalConfig::default();
        let completions = if columns.have_gaps() { config.completions } else { 1 };
        let tables = (0..completions).map(|k| columns.clone().completed(k)).collect();
        Ok(Self { sample, question, tables, set_to, effort: config.effort(), seed })
    }

    /// The means by one fit: to all rows if its number is 0, else to a redraw of them.
    fn of(&self, parents: &[usize], number: u64) -> Result<Vec<f64>> {
        check_stop();
        let target = self.question.target;
        // The same redraws for every set: sets differ by what they say, not by chance.
        let mut rng = self.seed.indexed("exact/do-means", number);
        let rows = self.rows(number, &mut rng);
        let gaps = self.sample.gaps(target);
        let observed: Vec<usize> =
            rows.iter().copied().filter(|row| gaps.binary_search(row).is_err()).collect();
        if parents.contains(&target) {
            let raw = self.sample.raw(target);
            let mean = observed.iter().map(|&row| raw[row]).sum::<f64>() / observed.len() as f64;
            return Ok(vec![mean; self.set_to.len()]);
        }
        let columns = &self.tables[number as usize % self.tables.len()];
        let regression = Regression::new(self, columns, parents, &observed, &mut rng);
        let averaged = every(&rows, AVERAGED);
        Ok(self.set_to.iter().map(|set_to| regression.mean(self, set_to, &averaged)).collect())
    }

    /// All rows, or as many drawn with replacement; copies of a row are drawn together.
    fn rows(&self, number: u64, rng: &mut Rng) -> Vec<usize> {
        let n = self.sample.rows();
        if number == 0 {
            return every(&(0..n).collect::<Vec<usize>>(), FITTED);
        }
        let Some(groups) = self.sample.groups() else {
            return (0..n.min(FITTED)).map(|_| rng.random_range(0..n)).collect();
        };
        let mut members = vec![Vec::new(); groups.iter().max().map_or(0, |last| last + 1)];
        groups.iter().enumerate().for_each(|(row, &group)| members[group].push(row));
        members.retain(|group| !group.is_empty());
        let mut rows: Vec<usize> =
            (0..members.len()).flat_map(|_| members[rng.random_range(0..members.len())].clone()).collect();
        rows.truncate(FITTED);
        rows
    }
}

/// The target as a function of the column that is set and of a set of its causes.
struct Regression<'a> {
    fitted: Fitted,
    /// The variables of the column that is set come first.
    variables: Vec<&'a [f64]>,
}

enum Fitted {
    Numbers(Fit),
    /// With the values of the levels.
    Masses(MassFit, Vec<f64>),
}

impl<'a> Regression<'a> {
    fn new(
        means: &Means<'_>,
        columns: &'a Columns,
        parents: &[usize],
        rows: &[usize],
        rng: &mut Rng,
    ) -> Self {
        let DoQuestion { on, target, .. } = *means.question;
        let causes: Vec<usize> = std::iter::once(on).chain(parents.iter().copied()).collect();
        let variables = columns.variables(&causes);
        let inputs = Inputs::new(&variables, rows, Basis::Linear);
        let fitted = match &columns.discrete[target] {
            Some(discrete) => {
                let y: Vec<usize> = rows.iter().map(|&row| discrete.codes[row]).collect();
                let fit = MassFit::new(discrete.model, &inputs, &y, &means.effort, rng);
                Fitted::Masses(fit, levels(means.sample, target))
            }
            None => {
                // A mean is one of values in their own units, whatever coordinates describe the column best.
                let y: Vec<f64> = rows.iter().map(|&row| means.sample.standard(target)[row]).collect();
                // A scale that varies with the causes was tried: as wide, and it covered no more (ADR 0016).
                Fitted::Numbers(Fit::additive(&inputs, &y, Noise::Gaussian, &means.effort, None, rng))
            }
        };
        Self { fitted, variables }
    }

    /// The mean over some rows in which the column is set.
    fn mean(&self, means: &Means<'_>, set_to: &[f64], rows: &[usize]) -> f64 {
        let fixed: Vec<Vec<f64>> = set_to.iter().map(|&value| vec![value; means.sample.rows()]).collect();
        let variables: Vec<&[f64]> =
            fixed.iter().map(Vec::as_slice).chain(self.variables[set_to.len()..].iter().copied()).collect();
        let inputs = Inputs::new(&variables, rows, Basis::Linear);
        let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        match &self.fitted {
            Fitted::Numbers(fit) => means.sample.to_raw(means.question.target, mean(fit.locations(&inputs))),
            Fitted::Masses(fit, levels) => mean(fit.means(&inputs, levels)),
        }
    }
}

/// The values of a discrete column, ascending; none of a count, whose values are themselves.
fn levels(sample: &Prepared, j: usize) -> Vec<f64> {
    if sample.type_of(j) == ColumnType::Count {
        return Vec::new();
    }
    let mut values = sample.raw(j).to_vec();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

/// At most so many of some rows, evenly spaced.
fn every(rows: &[usize], most: usize) -> Vec<usize> {
    crate::drawn_rows::thinned(rows, most).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{Preparing, Sample};
    use rand_distr::{Distribution, StandardNormal};

    /// Rows of z → x, z → y and x → y, all linear: x = z + e, y = 2x − 3z + e, in units of their own.
    fn confounded(rows: usize) -> Prepared {
        let mut rng = Seed(3).stream("test");
        let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
        let row = |_| {
            let z = normal();
            let x = z + normal();
            [10.0 * x + 5.0, 2.0 * x - 3.0 * z + normal(), z]
        };
        table(&["x", "y", "z"], (0..rows).flat_map(row).collect())
    }

    fn table(names: &[&str], values: Vec<f64>) -> Prepared {
        let sample = Sample::new(names.iter().map(ToString::to_string).collect(), values).unwrap();
        Prepared::new(&sample, Preparing::default()).unwrap()
    }

    fn ask(sample: &Prepared, sets: &[&[usize]], values: &[f64], draws: usize) -> Vec<SetMeans> {
        let seen: Vec<SeenColumn> = (0..sample.columns())
            .map(|j| SeenColumn { kind: sample.type_of(j), ..SeenColumn::default() })
            .collect();
        let probability = 1.0 / sets.len() as f64;
        let sets: Vec<ParentSet> =
            sets.iter().map(|set| ParentSet { parents: set.to_vec(), probability }).collect();
        let question = DoQuestion { on: 0, target: 1, values: values.to_vec() };
        do_means(sample, &seen, &question, &sets, draws, Seed(0)).unwrap()
    }

    /// The least squares slope of y on the first of some columns, and its textbook standard error.
    fn least_squares(y: &[f64], columns: &[&[f64]]) -> (f64, f64) {
        let n = y.len();
        let centred = |column: &[f64]| -> Vec<f64> {
            let mean = column.iter().sum::<f64>() / n as f64;
            column.iter().map(|x| x - mean).collect()
        };
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let without = |a: Vec<f64>, b: &[f64]| -> Vec<f64> {
            let slope = dot(&a, b) / dot(b, b);
            a.iter().zip(b).map(|(a, b)| a - slope * b).collect()
        };
        // Frisch, Waugh and Lovell: what the other column explains is taken from both.
        let (mut x, mut y) = (centred(columns[0]), centred(y));
        if let Some(other) = columns.get(1) {
            let other = centred(other);
            (x, y) = (without(x, &other), without(y, &other));
        }
        let slope = dot(&x, &y) / dot(&x, &x);
        let residual: f64 = x.iter().zip(&y).map(|(x, y)| (y - slope * x).powi(2)).sum();
        (slope, (residual / (n - columns.len() - 1) as f64 / dot(&x, &x)).sqrt())
    }

    #[test]
    fn straight_effects_and_their_spread_are_those_of_least_squares() {
        let sample = confounded(400);
        let (x, y, z) = (sample.raw(0), sample.raw(1), sample.raw(2));
        let found = ask(&sample, &[&[2], &[]], &[0.0, 10.0], 400);
        for (found, columns) in found.iter().zip([vec![x, z], vec![x]]) {
            let (slope, error) = least_squares(y, &columns);
            let effect = |means: &[f64]| (means[1] - means[0]) / 10.0;
            assert!((effect(&found.means) - slope).abs() < error, "{} {slope}", effect(&found.means));
            let draws: Vec<f64> = found.draws.iter().map(|draw| effect(draw)).collect();
            let mean = draws.iter().sum::<f64>() / draws.len() as f64;
            let variance = draws.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / draws.len() as f64;
            // Smooth units are freer than a line.
            assert!((0.8..2.0).contains(&(variance.sqrt() / error)), "{} {error}", variance.sqrt());
        }
        // The adjustment matters: without it the slope is far from 2.
        assert!((found[0].means[1] - found[0].means[0] - 2.0).abs() < 0.6);
        assert!((found[1].means[1] - found[1].means[0]) < 1.2);
    }

    #[test]
    fn a_target_among_the_causes_keeps_its_mean() {
        let sample = confounded(100);
        let found = &ask(&sample, &[&[1, 2]], &[0.0, 10.0], 20)[0];
        let mean = sample.raw(1).iter().sum::<f64>() / 100.0;
        assert!((found.means[0] - mean).abs() < 1e-12 && found.means[0] == found.means[1]);
        assert!(found.draws.iter().all(|draw| draw[0] == draw[1]) && found.draws.len() == 20);
        assert_ne!(found.draws[0], found.draws[1]);
    }

    #[test]
    fn masses_have_means_of_their_own() {
        use ColumnType::{Binary, Count, Ordinal};
        let mut rng = Seed(5).stream("test");
        let mut uniform = || rng.random::<f64>();
        let mut rows = Vec::new();
        for _ in 0..2000 {
            let x = f64::from(u8::from(uniform() < 0.5));
            // P(y = 1) is .2 or .6; levels 1, 2, 5 with probabilities that move; counts with means 1 and 4.
            let yes = f64::from(u8::from(uniform() < 0.2 + 0.4 * x));
            let u = uniform();
            let level = if u < 0.5 - 0.3 * x {
                1.0
            } else if u < 0.8 - 0.3 * x {
                2.0
            } else {
                5.0
            };
            let count = (0..8).filter(|_| uniform() < (1.0 + 3.0 * x) / 8.0).count() as f64;
            rows.push([x, yes, level, count]);
        }
        for (target, kind, expected) in [
            (1, Binary, [0.2, 0.6]),
            (2, Ordinal, [0.5 + 0.6 + 1.0, 0.2 + 0.6 + 2.5]),
            (3, Count, [1.0, 4.0]),
        ] {
            let values = rows.iter().flat_map(|row| [row[0], row[target]]).collect();
            let sample = Sample::new(vec!["x".into(), "y".into()], values).unwrap();
            let sample = sample.with_type(0, Binary).unwrap().with_type(1, kind).unwrap();
            let sample = Prepared::new(&sample, Preparing::default()).unwrap();
            let found = &ask(&sample, &[&[]], &[0.0, 1.0], 2)[0];
            for (x, expected) in expected.into_iter().enumerate() {
                let of_x: Vec<f64> =
                    rows.iter().filter(|row| row[0] == x as f64).map(|row| row[target]).collect();
                let mean = of_x.iter().sum::<f64>() / of_x.len() as f64;
                assert!(
                    (found.means[x] - mean).abs() < 0.05 * expected,
                    "{kind:?} {} {mean}",
                    found.means[x]
                );
                assert!((found.means[x] - expected).abs() < 0.15 * expected);
            }
        }
    }
}
