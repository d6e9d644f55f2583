//! Columns that determine each other: x is a function of y and y of x, with next to no noise.

use rayon::prelude::*;

/// The greatest standard deviation that noise may have, in those of a column.
const NOISE: f64 = 0.01;
/// With fewer rows neighbours are further apart than that, and nothing can be said.
const FEWEST_ROWS: usize = 100;
/// The median of |b − (a + c)/2| for independent normal a, b and c with standard deviation 1.
const MEDIAN_DISTANCE: f64 = 0.826_077_2;

/// The pairs of columns that determine each other, of those that are given. They are normal scores: in the units of a table with heavy tails nearly all rows are close together.
pub(crate) fn determined_pairs(columns: &[Option<Vec<f64>>]) -> Vec<(usize, usize)> {
    let with_rows = |(j, column): (usize, &Option<Vec<f64>>)| {
        let column = column.clone().filter(|column| column.len() >= FEWEST_ROWS)?;
        Some((j, sorted_rows(&column), column))
    };
    let columns: Vec<(usize, Vec<usize>, Vec<f64>)> =
        columns.iter().enumerate().filter_map(with_rows).collect();
    let determines = |a: usize, b: usize| noise_along(&columns[a].1, &columns[b].2) < NOISE;
    let with_later = |a: usize| {
        let others = (a + 1..columns.len()).filter(move |&b| determines(a, b) && determines(b, a));
        others.map(|b| (columns[a].0, columns[b].0)).collect::<Vec<_>>()
    };
    (0..columns.len()).into_par_iter().map(with_later).collect::<Vec<_>>().concat()
}

fn sorted_rows(column: &[f64]) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..column.len()).collect();
    rows.sort_by(|&a, &b| column[a].total_cmp(&column[b]));
    rows
}

/// The standard deviation of noise around any smooth function of another column: in the order of that column, a value differs from the mean of its two neighbours by noise
/// alone. The median leaves out where the function bends or rows are few.
fn noise_along(rows: &[usize], column: &[f64]) -> f64 {
    let mut distances: Vec<f64> = (rows.windows(3))
        .map(|three| (column[three[1]] - 0.5 * (column[three[0]] + column[three[2]])).abs())
        .collect();
    let middle = distances.len() / 2;
    let (_, median, _) = distances.select_nth_unstable_by(middle, f64::total_cmp);
    *median / MEDIAN_DISTANCE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_monotone_function_is_determined_and_a_noisy_or_folded_one_is_not() {
        let x: Vec<f64> = (0..1000).map(|k| (f64::from(k) * 0.618_034).fract() * 3.46 - 1.73).collect();
        let wobble: Vec<f64> = (0..1000).map(|k| (f64::from(k) * 1.7).sin()).collect();
        let with = |noise: f64| x.iter().zip(&wobble).map(|(x, w)| x + noise * w).collect::<Vec<f64>>();
        let cube: Vec<f64> = x.iter().map(|x| x.powi(3) / 2.0).collect();
        let square: Vec<f64> = x.iter().map(|x| x * x).collect();
        assert_eq!(
            determined_pairs(&[x.clone(), cube, square, with(0.005), with(0.1)].map(Some)),
            [(0, 1), (0, 3), (1, 3)]
        );
    }

    #[test]
    fn a_hundred_rows_are_enough_and_fewer_are_not() {
        let exponential = |rows: u32| {
            // As evenly spaced as ranks are.
            let x: Vec<f64> =
                (0..rows).map(|k| f64::from(k * 37 % rows) / f64::from(rows) * 3.46 - 1.73).collect();
            let y: Vec<f64> = x.iter().map(|x| x.exp() / 1.5).collect();
            determined_pairs(&[x, y].map(Some))
        };
        assert_eq!(exponential(100), [(0, 1)]);
        assert_eq!(exponential(99), []);
    }
}
