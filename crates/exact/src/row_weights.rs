//! Random weights of rows: what the table could have been.

use oslow_core::Rng;
use rand::RngExt;
use rand_distr::{Distribution, Gamma};

/// More rows than this share weights in blocks: it changes no variance and saves the draws.
const MOST_WEIGHTS: usize = 20_000;
/// Blocks of rows then.
const BLOCKS: usize = 1000;

/// Weights of rows with mean 1, in proportion to independent Gamma(α) variables; copies of one row (`groups`) have one between them. A mean over rows with such
/// weights varies as it would from table to table, α = 1 (the Bayesian bootstrap), or more (α below 1).
pub(crate) fn row_weights(rows: usize, groups: Option<&[usize]>, alpha: f64, rng: &mut Rng) -> Vec<f64> {
    let of_row: Vec<usize> = match groups {
        Some(groups) => groups.to_vec(),
        None => (0..rows).collect(),
    };
    let originals = of_row.iter().max().map_or(0, |last| last + 1);
    let block: Option<Vec<usize>> =
        (originals > MOST_WEIGHTS).then(|| (0..originals).map(|_| rng.random_range(0..BLOCKS)).collect());
    let gamma = Gamma::new(alpha, 1.0).expect("the settings were checked");
    let drawn: Vec<f64> =
        (0..if block.is_some() { BLOCKS } else { originals }).map(|_| gamma.sample(rng)).collect();
    let weight = |original: usize| drawn[block.as_ref().map_or(original, |block| block[original])];
    let weights: Vec<f64> = of_row.into_iter().map(weight).collect();
    let mean = weights.iter().sum::<f64>() / rows as f64;
    weights.into_iter().map(|weight| weight / mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    /// The variance of a mean of n standard normal rows under the weights, times n.
    fn spread(rows: usize, alpha: f64) -> f64 {
        let mut rng = Seed(1).stream("test");
        let values: Vec<f64> = (0..rows).map(|_| rand_distr::StandardNormal.sample(&mut rng)).collect();
        let center = values.iter().sum::<f64>() / rows as f64;
        let means = (0..400).map(|_| {
            let weights = row_weights(rows, None, alpha, &mut rng);
            assert!((weights.iter().sum::<f64>() - rows as f64).abs() < 1e-6 * rows as f64);
            weights.iter().zip(&values).map(|(weight, value)| weight * (value - center)).sum::<f64>()
        });
        means.map(|sum| sum * sum).sum::<f64>() / 400.0 / rows as f64
    }

    #[test]
    fn means_vary_as_from_table_to_table() {
        for (rows, alpha, expected) in [(500, 1.0, 1.0), (500, 0.5, 2.0), (30_000, 1.0, 1.0)] {
            let found = spread(rows, alpha);
            assert!((found / expected - 1.0).abs() < 0.25, "{rows} rows, {alpha}: {found}");
        }
    }

    #[test]
    fn copies_share_a_weight() {
        let weights = row_weights(4, Some(&[0, 1, 0, 2]), 1.0, &mut Seed(2).stream("test"));
        assert_eq!(weights[0], weights[2]);
        assert_ne!(weights[0], weights[1]);
    }
}
