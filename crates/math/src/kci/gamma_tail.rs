//! The upper tail of a gamma distribution given by its moments.

use statrs::distribution::{ContinuousCDF, Gamma};

/// P(X ≥ x) for gamma distributed X with this mean and variance: shape mean²/variance, scale variance/mean.
///
/// A distribution without variance has nothing to compare with: 1. Tails too small for a number are 0.
pub(super) fn gamma_tail(x: f64, mean: f64, variance: f64) -> f64 {
    if variance <= 0.0 || mean <= 0.0 {
        return 1.0;
    }
    match Gamma::new(mean * mean / variance, mean / variance) {
        Ok(gamma) if x > 0.0 => gamma.sf(x).clamp(0.0, 1.0),
        Ok(_) => 1.0,
        Err(_) => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::gamma_tail;

    #[test]
    fn tails_are_those_of_scipy() {
        // scipy.stats.gamma.sf(x, mean**2 / variance, scale=variance / mean), scipy 1.17.1
        let cases = [
            (1.0, 1.0, 1.0, 0.36787944117144245),
            (12.0, 10.0, 4.0, 0.1572420272383916),
            (8.0, 10.0, 4.0, 0.8432273781737623),
            (40.0, 10.0, 4.0, 7.857610724654791e-20),
            (200.0, 10.0, 4.0, 7.188706215514871e-177),
            (700.0, 10.0, 4.0, 0.0),
            (1000.0, 980.0, 50.0, 0.002463156364482583),
            (5000.0, 4900.0, 1000.0, 0.0008356561138335766),
            (0.0001, 0.5, 0.5, 0.9887165844441503),
            (3.0, 0.002, 1e-05, 2.5703600955788124e-263),
        ];
        for (x, mean, variance, expected) in cases {
            let got = gamma_tail(x, mean, variance);
            assert!((got - expected).abs() <= 1e-9 * expected, "{x}: {got:e} {expected:e}");
        }
        assert_eq!(gamma_tail(1e9, 1.0, 1.0), 0.0);
        assert_eq!(gamma_tail(-1.0, 1.0, 1.0), 1.0);
        assert_eq!(gamma_tail(1.0, 0.0, 0.0), 1.0);
        assert!(gamma_tail(f64::NAN, 1.0, f64::NAN).is_nan());
    }
}
