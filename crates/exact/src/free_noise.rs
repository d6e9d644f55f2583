//! Noise of any shape: its density is estimated from residuals.

use oslow_math::{HALF_LN_TAU, Real};

/// A part of the density is a wide normal one, so that no residual is impossible.
const WIDE_PART: f64 = 0.02;
const WIDE: f64 = 3.0;

/// The density of residuals: normal kernels around those that were seen, with Silverman's width.
pub(crate) struct FreeNoise {
    seen: Vec<f64>,
    width: f64,
}

impl FreeNoise {
    /// The density of which these residuals look like draws.
    pub fn new(mut seen: Vec<f64>) -> Self {
        seen.sort_by(f64::total_cmp);
        let n = seen.len() as f64;
        let mean = seen.iter().sum::<f64>() / n;
        let deviation = (seen.iter().map(|z| (z - mean) * (z - mean)).sum::<f64>() / n).sqrt();
        let quantile = |share: f64| seen[((n - 1.0) * share).round() as usize];
        let spread = deviation.min((quantile(0.75) - quantile(0.25)) / 1.34);
        let width = 0.9 * if spread > 0.0 { spread } else { deviation.max(1e-6) } * n.powf(-0.2);
        Self { seen, width }
    }

    /// −ln of the density. Kernels further than six widths away say nothing.
    pub fn nll(&self, z: f64) -> f64 {
        let reach = 6.0 * self.width;
        let near = self.seen.partition_point(|other| *other < z - reach)
            ..self.seen.partition_point(|other| *other <= z + reach);
        let kernel = |other: &f64| {
            let u = (z - other) / self.width;
            Real::exp(-0.5 * u * u)
        };
        let sum: f64 = self.seen[near].iter().map(kernel).sum();
        let kernels = (1.0 - WIDE_PART) * sum / (self.seen.len() as f64 * self.width);
        let wide = WIDE_PART.ln() - WIDE.ln() - 0.5 * (z / WIDE).powi(2);
        // Far out the wide part alone counts, and its exponential is 0.
        HALF_LN_TAU - if kernels > 0.0 { (kernels + wide.exp()).ln() } else { wide }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quantiles of the uniform density on [−√3, √3].
    fn uniform(n: usize) -> Vec<f64> {
        (0..n).map(|k| ((k as f64 + 0.5) / n as f64 - 0.5) * 12f64.sqrt()).collect()
    }

    #[test]
    fn it_is_a_density_and_near_the_true_one() {
        let noise = FreeNoise::new(uniform(800));
        let sum: f64 = (-40_000..40_000).map(|k| (-noise.nll(f64::from(k) * 1e-3)).exp() * 1e-3).sum();
        assert!((sum - 1.0).abs() < 1e-6, "{sum}");
        // The entropy is ln √12 = 1.2425, that of a normal density 1.4189.
        let seen = uniform(97);
        let mean = seen.iter().map(|&z| noise.nll(z)).sum::<f64>() / 97.0;
        assert!(mean > 1.2425 && mean < 1.33, "{mean}");
        assert!(noise.nll(1e3).is_finite() && noise.nll(1e3) > 1e4);
    }

    #[test]
    fn its_width_is_silvermans() {
        // R: bw.nrd0(c(-1.2, -0.4, 0.1, 0.3, 1.9)) uses n − 1 in the deviation; here the quartiles decide: 0.9·0.7/1.34·5^-0.2.
        let noise = FreeNoise::new(vec![0.3, -1.2, 1.9, -0.4, 0.1]);
        assert!((noise.width - 0.9 * 0.7 / 1.34 * 5f64.powf(-0.2)).abs() < 1e-12);
    }
}
