//! Forward selection that sees causes which tell something only together.
//!
//! # Model
//! y = f(x) + noise, where f is a draw of a Gaussian process over all columns that were taken. A function of several columns shows in
//! the evidence for all of them when none tells much alone.
//! # Algorithm
//! In each round the column is taken with which the evidence is greatest, ℓ and ρ being searched around those of the round before. Columns are
//! compared with ℓ and ρ as they are likely to grow, the best ones with their own, which fewer rows choose.
//! What a round gains grows from cause to cause, so that one without gain ends nothing, but [`PATIENCE`] of them do. What was taken after the
//! best round is dropped.
//! # Cost
//! n³/6 multiplications for each column in each round, n being at most [`ROWS_COMPARED`], and for seven more where ℓ and ρ are chosen.

use oslow_core::Seed;
use oslow_math::{Smoothness, add_squared_distances};
use rand::seq::SliceRandom;

use crate::columns::Columns;

/// Most rows that causes which interact are looked for on.
pub const ROWS_COMPARED: usize = 600;
/// Most of these that choose ℓ and ρ.
const CHOOSING_ROWS: usize = 300;
/// Where ℓ and ρ are at first.
const FIRST: Smoothness = Smoothness { log_length: -0.2, log_ratio: -1.5 };
/// By how much the logarithms of both are expected to grow from round to round.
const GROWTH: f64 = 0.15;
/// Of so many columns ℓ and ρ are searched, in this step.
const SEARCHED: usize = 3;
const STEP: f64 = 0.35;
/// Rounds without gain after which the selection ends.
const PATIENCE: usize = 2;

/// Rows of a table to select on.
pub(crate) struct InteractingCauses {
    columns: Vec<Vec<f64>>,
}

impl InteractingCauses {
    /// Some rows at random, of copies one.
    pub fn new(columns: &Columns, seed: Seed) -> Self {
        let mut rows: Vec<usize> = match &columns.groups {
            Some(groups) => {
                let mut seen = std::collections::HashSet::new();
                (0..groups.len()).filter(|&row| seen.insert(groups[row])).collect()
            }
            None => (0..columns.rows()).collect(),
        };
        rows.shuffle(&mut seed.stream("local/interacting-causes"));
        rows.truncate(ROWS_COMPARED);
        let some = |column: &Vec<f64>| rows.iter().map(|&row| column[row]).collect();
        Self { columns: columns.values.iter().map(some).collect() }
    }

    /// At most so many columns that explain the node together: those that are required, and then the first taken first.
    pub fn of(&self, node: usize, allowed: &[usize], required: &[usize], most: usize) -> Vec<usize> {
        let y = centred(&self.columns[node]);
        let n = y.len();
        let constant = vec![1.0; n];
        let mut taken = required.to_vec();
        let mut distances = vec![0.0; n * n];
        taken.iter().for_each(|&other| self.add_distances(&mut distances, other));
        let nll = |distances: &[f64], at: Smoothness, rows: usize| {
            let first: Vec<&[f64]> = distances.chunks_exact(n).take(rows).map(|row| &row[..rows]).collect();
            at.nll(first.concat(), &constant[..rows], &y[..rows])
        };
        let mut at = FIRST;
        // The evidence before anything is taken, and how many columns had been when it was greatest.
        let mut least = (nll(&distances, at, n), taken.len());
        while taken.len() < most && taken.len() < least.1 + PATIENCE {
            let with = |other: usize| {
                let mut distances = distances.clone();
                self.add_distances(&mut distances, other);
                distances
            };
            let grown = Smoothness { log_length: at.log_length + GROWTH, log_ratio: at.log_ratio + GROWTH };
            let mut compared: Vec<(f64, usize)> = (allowed.iter().filter(|other| !taken.contains(other)))
                .map(|&other| (nll(&with(other), grown, n), other))
                .collect();
            compared.sort_by(|a, b| a.0.total_cmp(&b.0));
            let searched = compared.iter().take(SEARCHED).map(|&(_, other)| {
                let distances = with(other);
                let (found, _) = at.search(&[STEP], |at| nll(&distances, at, n.min(CHOOSING_ROWS)));
                (nll(&distances, found, n), found, other)
            });
            let Some((value, found, other)) = searched.min_by(|a, b| a.0.total_cmp(&b.0)) else {
                break;
            };
            at = found;
            taken.push(other);
            self.add_distances(&mut distances, other);
            if value < least.0 {
                least = (value, taken.len());
            }
        }
        taken.truncate(least.1);
        taken
    }

    fn add_distances(&self, distances: &mut [f64], column: usize) {
        add_squared_distances(distances, &self.columns[column], &self.columns[column]);
    }
}

fn centred(values: &[f64]) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| value - mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{Prepared, Preparing, Sample};
    use rand::RngExt;

    /// y = sin(2a)·b + noise: its mean given a or b alone is 0. c and d have nothing to do with it.
    fn product() -> Columns {
        let mut rng = Seed(3).stream("test");
        let rows = (0..500).flat_map(|_| {
            let [a, b, c, d, noise] = std::array::from_fn(|_| 3.4 * (rng.random::<f64>() - 0.5));
            [a, b, c, d, (2.0 * a).sin() * b + 0.1 * noise]
        });
        let names = ["a", "b", "c", "d", "y"].map(String::from).to_vec();
        let sample = Sample::new(names, rows.collect()).unwrap();
        Columns::new(
            &Prepared::new(&sample, Preparing::default()).unwrap(),
            &crate::LocalConfig::default(),
            Seed(1),
        )
    }

    #[test]
    fn causes_are_found_that_tell_nothing_alone() {
        let causes = InteractingCauses::new(&product(), Seed(1));
        let found = causes.of(4, &[0, 1, 2, 3], &[], 3);
        assert!(found.contains(&0) && found.contains(&1), "{found:?}");
    }

    #[test]
    fn what_is_required_comes_first_and_limits_hold() {
        let causes = InteractingCauses::new(&product(), Seed(1));
        assert_eq!(causes.of(4, &[0, 1, 2, 3], &[3], 1), [3]);
        let found = causes.of(4, &[0, 1, 3], &[3], 4);
        assert!(
            found[0] == 3 && found.contains(&0) && found.contains(&1) && !found.contains(&2),
            "{found:?}"
        );
    }
}
