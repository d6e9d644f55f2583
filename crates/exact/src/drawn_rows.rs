//! Large tables are analysed on some of their rows.
//!
//! What a set of causes gains is known to about 1/√n nats per row: with 20,000 rows to less than the price of a cause. More rows cost time and tell little.

use std::borrow::Cow;

use oslow_core::{Prepared, Result, Seed};
use rand::seq::SliceRandom;

/// At most so many rows of a table, drawn at random; each condition keeps its rows as long as it has no more than its share.
pub(crate) fn drawn_rows(sample: &Prepared, most: usize, seed: Seed) -> Result<Cow<'_, Prepared>> {
    if sample.rows() <= most {
        return Ok(Cow::Borrowed(sample));
    }
    let mut rows: Vec<usize> = (0..sample.rows()).collect();
    rows.shuffle(&mut seed.stream("exact/rows"));
    let mut kept = match sample.conditions() {
        None => rows[..most].to_vec(),
        Some(conditions) => {
            let sizes: Vec<usize> = (0..conditions.names().len()).map(|k| conditions.rows_of(k)).collect();
            let share = share(&sizes, most);
            let mut left = vec![share; sizes.len()];
            rows.retain(|&row| {
                let left = &mut left[conditions.of_row()[row]];
                let kept = *left > 0;
                *left = left.saturating_sub(1);
                kept
            });
            rows
        }
    };
    kept.sort_unstable();
    Ok(Cow::Owned(sample.only(&kept)?))
}

/// The most rows that each condition may keep so that all together keep no more than `most`.
fn share(sizes: &[usize], most: usize) -> usize {
    let mut ascending = sizes.to_vec();
    ascending.sort_unstable();
    let (mut left, mut others) = (most, sizes.len());
    for size in ascending {
        if size * others > left {
            return left / others;
        }
        (left, others) = (left - size, others - 1);
    }
    most
}

/// Some of these rows, evenly spaced, if they are more than `most`.
pub(crate) fn thinned(rows: &[usize], most: usize) -> Cow<'_, [usize]> {
    if rows.len() <= most {
        return Cow::Borrowed(rows);
    }
    Cow::Owned((0..most).map(|k| rows[k * rows.len() / most]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{Conditions, Preparing, Sample};

    fn table(rows: usize) -> Sample {
        let values = (0..rows).flat_map(|i| [(i as f64).sin(), (2.0 * i as f64).cos()]).collect();
        Sample::new(vec!["a".into(), "b".into()], values).unwrap()
    }

    #[test]
    fn rows_are_drawn_by_the_seed_and_keep_their_order() {
        let sample = Prepared::new(&table(100), Preparing::default()).unwrap();
        assert!(matches!(drawn_rows(&sample, 100, Seed(1)).unwrap(), Cow::Borrowed(_)));
        let drawn = |seed| drawn_rows(&sample, 30, Seed(seed)).unwrap().into_owned();
        assert_eq!((drawn(1).rows(), drawn(1).raw(0)), (30, drawn(1).raw(0)));
        assert_ne!(drawn(1).raw(0), drawn(2).raw(0));
        let places: Vec<usize> = (drawn(1).raw(0).iter())
            .map(|value| sample.raw(0).iter().position(|other| other == value).unwrap())
            .collect();
        assert!(places.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn small_conditions_are_kept_whole() {
        assert_eq!(share(&[10, 50, 100], 100), 45);
        assert_eq!(share(&[10, 20], 100), 100);
        let said: Vec<String> =
            (0..160).map(|i| ["x", "y", "z"][(i >= 10) as usize + (i >= 60) as usize].into()).collect();
        let table = table(160).with_conditions(Some(Conditions::new("k", &said).unwrap()));
        let sample = Prepared::new(&table, Preparing::default()).unwrap();
        let drawn = drawn_rows(&sample, 100, Seed(1)).unwrap().into_owned();
        let conditions = drawn.conditions().unwrap();
        assert_eq!([0, 1, 2].map(|k| conditions.rows_of(k)), [10, 45, 45]);
    }

    #[test]
    fn thinned_rows_are_evenly_spaced() {
        let rows: Vec<usize> = (0..10).collect();
        assert_eq!(*thinned(&rows, 4), [0, 2, 5, 7]);
        assert_eq!(*thinned(&rows, 10), rows);
    }
}
