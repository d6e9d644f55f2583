//! Which rows are scored together.

use oslow_core::Seed;
use rand::seq::SliceRandom;

/// The fold of each row: folds of equal size at random, copies of one row (`groups`) in one fold, so that no fit is scored on a copy of a
/// row that it has seen.
pub(crate) fn folds(rows: usize, groups: Option<&[usize]>, count: usize, seed: Seed) -> Vec<usize> {
    let originals = match groups {
        Some(groups) => groups.iter().max().map_or(0, |last| last + 1),
        None => rows,
    };
    let mut fold: Vec<usize> = (0..originals).map(|i| i % count).collect();
    fold.shuffle(&mut seed.stream("local/folds"));
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
        let of = |sample: &Sample, seed| folds(sample.rows(), sample.groups(), 4, Seed(seed));
        let fold = of(&sample, 1);
        assert!((0..4).all(|f| (7..=8).contains(&fold.iter().filter(|&&g| g == f).count())));
        assert_ne!(fold, of(&sample, 2));

        let drawn = sample.resample(&mut Seed(3).stream("test")).unwrap();
        let (fold, groups) = (of(&drawn, 1), drawn.groups().unwrap());
        for i in 1..30 {
            assert!(groups[i] != groups[i - 1] || fold[i] == fold[i - 1]);
        }
    }
}
