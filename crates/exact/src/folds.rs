//! Which rows are scored together.

use oslow_core::Seed;
use rand::seq::SliceRandom;

/// Rows that are scored together by fits to the others.
#[derive(Clone)]
pub(crate) struct Fold {
    /// Of several splits of all rows, the one it belongs to.
    pub split: usize,
    pub fitted: Vec<usize>,
    pub scored: Vec<usize>,
}

impl Fold {
    /// The same without the rows in which a column was not observed; these ascend.
    pub fn without(&self, gaps: &[usize]) -> Self {
        let observed = |rows: &[usize]| -> Vec<usize> {
            rows.iter().copied().filter(|row| gaps.binary_search(row).is_err()).collect()
        };
        Self { split: self.split, fitted: observed(&self.fitted), scored: observed(&self.scored) }
    }
}

/// All folds, split by split.
pub(crate) fn all_folds(
    rows: usize,
    groups: Option<&[usize]>,
    conditions: Option<&[usize]>,
    (splits, count): (usize, usize),
    seed: Seed,
) -> Vec<Fold> {
    let folds_of = |split| {
        let fold = folds(rows, groups, conditions, count, split, seed);
        (0..count).map(move |f| {
            let (fitted, scored) = (0..rows).partition(|&row| fold[row] != f);
            Fold { split, fitted, scored }
        })
    };
    (0..splits).flat_map(folds_of).collect()
}

/// The fold of each row in one of several splits: folds of equal size at random, copies of one row (`groups`) in one fold, so that no fit is scored on a copy of a
/// row that it has seen. Rows of each condition, too, are spread over all folds evenly.
fn folds(
    rows: usize,
    groups: Option<&[usize]>,
    conditions: Option<&[usize]>,
    count: usize,
    split: usize,
    seed: Seed,
) -> Vec<usize> {
    let originals = match groups {
        Some(groups) => groups.iter().max().map_or(0, |last| last + 1),
        None => rows,
    };
    let mut fold: Vec<usize> = (0..originals).map(|i| i % count).collect();
    fold.shuffle(&mut seed.indexed("local/folds", split as u64));
    if let Some(conditions) = conditions {
        let mut condition = vec![0; originals];
        (0..rows).for_each(|row| condition[groups.map_or(row, |groups| groups[row])] = conditions[row]);
        let mut turns: Vec<usize> = (0..originals).collect();
        turns.shuffle(&mut seed.indexed("local/folds/conditions", split as u64));
        turns.sort_by_key(|&i| condition[i]);
        turns.iter().zip(0..).for_each(|(&i, turn)| fold[i] = turn % count);
    }
    match groups {
        Some(groups) => groups.iter().map(|&original| fold[original]).collect(),
        None => fold,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Sample;

    #[test]
    fn folds_are_even_and_copies_stay_together() {
        let values = (0..60).map(|i| f64::from(i).sin()).collect();
        let sample = Sample::new(vec!["a".into(), "b".into()], values).unwrap();
        let split =
            |sample: &Sample, split, seed| folds(sample.rows(), sample.groups(), None, 4, split, Seed(seed));
        let of = |sample: &Sample, seed| split(sample, 0, seed);
        let fold = of(&sample, 1);
        assert!((0..4).all(|f| (7..=8).contains(&fold.iter().filter(|&&g| g == f).count())));
        assert_ne!(fold, of(&sample, 2));
        assert_ne!(fold, split(&sample, 1, 1));

        let drawn = sample.resample(&mut Seed(3).stream("test")).unwrap();
        let (fold, groups) = (of(&drawn, 1), drawn.groups().unwrap());
        for i in 1..30 {
            assert!(groups[i] != groups[i - 1] || fold[i] == fold[i - 1]);
        }
    }

    #[test]
    fn every_condition_is_spread_over_all_folds() {
        let conditions: Vec<usize> =
            (0..60).map(|row| usize::from(row >= 20) + usize::from(row >= 50)).collect();
        let fold = folds(60, None, Some(&conditions), 5, 0, Seed(1));
        for (condition, rows) in [(0, 4), (1, 6), (2, 2)] {
            for f in 0..5 {
                let both = |row: &usize| conditions[*row] == condition && fold[*row] == f;
                assert_eq!((0..60).filter(both).count(), rows);
            }
        }
    }
}
