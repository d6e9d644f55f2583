//! What happens to columns before anyone sees them.
//!
//! The model lives in its own units; only the table is changed, column by column, after everything has been drawn.

use oslow_core::{Named, Rng};

use crate::Spec;

registry! {
    /// The ways in which columns are seen.
    SEEN: SeenEntry = { as_is, measured, measured_unevenly, grid, counts, exp, cuberoot, distorted }
}

/// How one column is seen, its coefficients drawn.
pub trait Seen: std::fmt::Debug + Send + Sync {
    /// The value in the table for a value of the model.
    fn at(&self, value: f64, rng: &mut Rng) -> f64;
}

/// How a column is seen; `None`: as it is.
pub type Sight = Option<Box<dyn Seen>>;

/// A registered way in which columns are seen.
#[derive(Debug)]
pub struct SeenEntry {
    /// The name users type.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Draws the way for one column with these values.
    pub draw: fn(&Spec, &[f64], &mut Rng) -> Sight,
}

impl Named for SeenEntry {
    fn name(&self) -> &'static str {
        self.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{Seed, find};

    /// −4 to 4 as it is seen.
    fn seen(name: &str, spec: &Spec, seed: u64) -> Vec<f64> {
        let column: Vec<f64> = (-400..=400).map(|k| f64::from(k) / 100.0).collect();
        let mut rng = Seed(seed).stream("test");
        let way = (find("seen", name, SEEN).unwrap().draw)(spec, &column, &mut rng).unwrap();
        column.iter().map(|x| way.at(*x, &mut rng)).collect()
    }

    #[test]
    fn monotone_ways_are_monotone() {
        let rises = |values: &[f64]| values.windows(2).all(|pair| pair[0] < pair[1]);
        let falls = |values: &[f64]| values.windows(2).all(|pair| pair[0] > pair[1]);
        for name in ["exp", "cuberoot"] {
            assert!(rises(&seen(name, &Spec::default(), 0)), "{name}");
        }
        let ways = (0..40).map(|seed| seen("distorted", &Spec::default(), seed));
        let (up, down): (Vec<_>, Vec<_>) = ways.partition(|values| rises(values));
        assert!(down.iter().all(|values| falls(values)) && !up.is_empty() && !down.is_empty());
        let mut kinds: Vec<u64> = up.iter().map(|values| values[600].to_bits()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds.len(), 4, "four functions");
    }

    #[test]
    fn a_grid_has_its_levels_and_moves_no_value_far() {
        for levels in [2, 20, 100] {
            let mut values = seen("grid", &Spec { levels, ..Spec::default() }, 0);
            let step = 8.0 / (levels - 1) as f64;
            let moved = values.iter().enumerate().map(|(k, x)| (x - (k as f64 / 100.0 - 4.0)).abs());
            assert!(moved.fold(0.0, f64::max) <= step / 2.0 + 1e-12);
            values.dedup();
            assert_eq!(values.len(), levels);
            assert_eq!((values[0], values[levels - 1]), (-4.0, 4.0));
        }
    }

    #[test]
    fn counts_are_whole_and_have_the_mean_of_their_formula() {
        let many: Vec<Vec<f64>> = (0..400).map(|seed| seen("counts", &Spec::default(), seed)).collect();
        assert!(many.iter().flatten().all(|x| *x >= 0.0 && x.fract() == 0.0));
        for at in [0, 400, 500, 800] {
            let expected = (1.5 + 0.7 * (at as f64 / 100.0 - 4.0)).exp();
            let mean = many.iter().map(|values| values[at]).sum::<f64>() / 400.0;
            let spread = many.iter().map(|values| (values[at] - mean).powi(2)).sum::<f64>() / 400.0;
            assert!((mean - expected).abs() < 4.0 * (expected / 400.0).sqrt(), "{mean}, {expected}");
            // A Poisson variable's variance is its mean; the error of a variance is about √(2/n) of it.
            assert!(
                (spread - expected).abs() < 5.0 * expected * (2.0_f64 / 400.0).sqrt(),
                "{spread}, {expected}"
            );
        }
    }

    #[test]
    fn measurement_errors_have_the_size_asked_for() {
        let sd = |name: &str, error: f64, seed: u64| {
            let values = seen(name, &Spec { error, ..Spec::default() }, seed);
            let errors: Vec<f64> =
                values.iter().enumerate().map(|(k, x)| x - (k as f64 / 100.0 - 4.0)).collect();
            crate::unit::mean_and_sd(&errors).1
        };
        assert!((sd("measured", 0.4, 1) - 0.4).abs() < 0.04);
        let uneven: Vec<f64> = (0..200).map(|seed| sd("measured-unevenly", 0.4, seed)).collect();
        let (mean, spread) = crate::unit::mean_and_sd(&uneven);
        // Gamma of shape 2 and mean 0.4: standard deviation 0.28.
        assert!((mean - 0.4).abs() < 0.08 && (spread - 0.28).abs() < 0.08, "{mean}, {spread}");
    }
}
