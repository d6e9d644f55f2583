//! Tables with gaps, completed.
//!
//! # Model
//! A gap is filled by the value of a donor: a row that has one and is alike in what the other columns say. Several completed tables say how much is not known; each split of the rows into folds has one of its own, and as
//! held-out densities are averaged over splits, what is missing of the causes is averaged over too.
//! # Algorithm
//! Chained equations: column after column, a tree that tells the distribution of the column from all others, grown on the rows in which it is observed ([`tree`]). Each gap draws its donor
//! among the rows of its leaf. Trees look at ranks, so the coordinates of columns do not matter.
//! # Reference
//! Doove, van Buuren, Dusseldorp: Recursive partitioning for missing data imputation in the presence of interaction effects. Computational Statistics & Data
//! Analysis 72:92-104, 2014.

mod features;
mod tree;

use oslow_core::{Prepared, Seed};
use rayon::prelude::*;

use features::Features;
use tree::Tree;

/// How often every column is filled again.
const SWEEPS: usize = 5;

/// For each column, its gaps and the row that each has its value from.
pub(crate) type Donors = Vec<Vec<(usize, usize)>>;

/// So many completions of a table; none of a table without gaps.
pub(crate) fn completions(sample: &Prepared, count: usize, seed: Seed) -> Vec<Donors> {
    if (0..sample.columns()).all(|j| sample.gaps(j).is_empty()) {
        return Vec::new();
    }
    (0..count).into_par_iter().map(|k| completion(sample, seed, k)).collect()
}

fn completion(sample: &Prepared, seed: Seed, k: usize) -> Donors {
    let d = sample.columns();
    let mut rng = seed.indexed("exact/completion", k as u64);
    let mut features: Vec<Features> = (0..d).map(|j| Features::of(sample, j)).collect();
    let mut donors: Donors = vec![Vec::new(); d];
    // Those of which most is known are filled first.
    let mut turns: Vec<usize> = (0..d).filter(|&j| !sample.gaps(j).is_empty()).collect();
    turns.sort_by_key(|&j| sample.gaps(j).len());
    for _ in 0..SWEEPS {
        for &node in &turns {
            let inputs: Vec<&[f64]> = (0..d)
                .filter(|&other| other != node)
                .flat_map(|other| features[other].inputs.iter().map(Vec::as_slice))
                .collect();
            let observed = observed(sample.rows(), sample.gaps(node));
            let tree = Tree::grow(&inputs, &features[node].outputs, observed, &mut rng);
            let draw = |&row: &usize| (row, tree.donor(&inputs, row, &mut rng));
            donors[node] = sample.gaps(node).iter().map(draw).collect();
            features[node].copy(&donors[node]);
        }
    }
    donors
}

/// The rows that are no gaps; these ascend.
pub(crate) fn observed(rows: usize, gaps: &[usize]) -> Vec<usize> {
    let mut gaps = gaps.iter().peekable();
    (0..rows).filter(|row| gaps.next_if_eq(&row).is_none()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{Preparing, Sample};
    use rand_distr::{Distribution, StandardNormal};

    #[test]
    fn rows_without_gaps_are_observed() {
        assert_eq!(observed(5, &[0, 3]), [1, 2, 4]);
        assert_eq!(observed(2, &[]), [0, 1]);
    }

    /// y = ±√x with noise, a third of x missing where y is large: which rows are missing depends on what is seen.
    #[test]
    fn a_bent_relation_survives_completion() {
        let mut rng = Seed(5).stream("test");
        let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
        let (mut values, mut gaps, mut truth) = (Vec::new(), Vec::new(), Vec::new());
        for row in 0..900 {
            let x = normal();
            let y = x * x + 0.2 * normal();
            let gap = row % 3 == 0 && y > 0.3;
            values.extend([if gap { 0.0 } else { x }, y]);
            gaps.extend([gap, false]);
            truth.push((x, y));
        }
        let sample = Sample::new(vec!["x".into(), "y".into()], values).unwrap().with_gaps(gaps);
        let prepared = Prepared::new(&sample, Preparing::as_given()).unwrap();
        let donors = &completions(&prepared, 1, Seed(0))[0][0];
        assert!(donors.len() > 100 && donors.iter().all(|&(_, donor)| !prepared.gaps(0).contains(&donor)));
        let error = |&(row, donor): &(usize, usize)| (truth[donor].0.powi(2) - truth[row].1).abs();
        let mean = donors.iter().map(error).sum::<f64>() / donors.len() as f64;
        assert!(mean < 0.35, "{mean}");
        let negative = donors.iter().filter(|(_, donor)| truth[*donor].0 < 0.0).count() as f64;
        assert!((negative / donors.len() as f64 - 0.5).abs() < 0.15, "both branches have donors");
    }

    #[test]
    fn a_table_without_gaps_needs_no_completion() {
        let sample = Sample::new(vec!["x".into(), "y".into()], vec![0.0, 1.0, 2.0, 0.5]).unwrap();
        assert!(completions(&Prepared::new(&sample, Preparing::as_given()).unwrap(), 3, Seed(0)).is_empty());
    }
}
