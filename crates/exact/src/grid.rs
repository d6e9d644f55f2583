//! Columns whose values lie on a grid, such as counts and rounded numbers: a density has no lower bound there, so each value is spread over its cell.

use oslow_core::Rng;
use rand::seq::SliceRandom;

/// A column with this share of distinct values is left alone.
const MOST_DISTINCT: f64 = 0.9;
/// How far from a whole number of steps a distance may be, in steps.
const TOLERANCE: f64 = 1e-3;

/// The step of the grid that all values lie on; `None` if there is none, or if hardly a value occurs twice.
pub(crate) fn step(column: &[f64]) -> Option<f64> {
    let mut values = column.to_vec();
    values.sort_by(f64::total_cmp);
    let range = values[values.len() - 1] - values[0];
    // Distances below this are rounding errors of one value.
    let same = 1e-9 * range;
    values.dedup_by(|next, before| *next - *before <= same);
    if values.len() < 2 || values.len() as f64 > MOST_DISTINCT * column.len() as f64 {
        return None;
    }
    let distances: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let step = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let on_grid = |distance: &f64| {
        let steps = distance / step;
        (steps - steps.round()).abs() <= TOLERANCE * steps.max(1.0)
    };
    distances.iter().all(on_grid).then_some(step)
}

/// Spreads the rows of each value evenly over one step around it, in random order.
pub(crate) fn spread(column: &mut [f64], step: f64, rng: &mut Rng) {
    let mut rows: Vec<usize> = (0..column.len()).collect();
    rows.sort_by(|&a, &b| column[a].total_cmp(&column[b]));
    let values = column.to_vec();
    for alike in rows.chunk_by_mut(|&a, &b| values[b] - values[a] < 0.5 * step) {
        alike.shuffle(rng);
        let count = alike.len() as f64;
        for (k, &row) in alike.iter().enumerate() {
            column[row] += step * ((k as f64 + 0.5) / count - 0.5);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    #[test]
    fn grids_are_recognised_and_continuous_columns_are_not() {
        let counts: Vec<f64> = (0..100).map(|k| f64::from(k * k % 7)).collect();
        assert_eq!(step(&counts), Some(1.0));
        let rounded: Vec<f64> = (0..300).map(|k| (f64::from(k).sin() * 20.0).round() / 20.0).collect();
        assert!((step(&rounded).unwrap() - 0.05).abs() < 1e-12);
        let continuous: Vec<f64> = (0..300).map(|k| f64::from(k).sin()).collect();
        assert_eq!(step(&continuous), None);
        // One value in half of the rows and no grid: an atom, which no step spreads.
        let atom: Vec<f64> = (0..300).map(|k| if k % 2 == 0 { 0.0 } else { f64::from(k).sin() }).collect();
        assert_eq!(step(&atom), None);
    }

    #[test]
    fn values_stay_in_their_cells_and_fill_them() {
        let before: Vec<f64> = (0..400).map(|k| f64::from(k % 4)).collect();
        let mut after = before.clone();
        spread(&mut after, 1.0, &mut Seed(1).stream("test"));
        assert!(before.iter().zip(&after).all(|(b, a)| (a - b).abs() < 0.5));
        let mean: f64 = after.iter().zip(&before).map(|(a, b)| a - b).sum::<f64>() / 400.0;
        assert!(mean.abs() < 1e-12);
        let mut sorted = after.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|pair| (pair[1] - pair[0] - 0.01).abs() < 1e-9));
        let mut other = before.clone();
        spread(&mut other, 1.0, &mut Seed(2).stream("test"));
        assert_ne!(after, other);
    }
}
