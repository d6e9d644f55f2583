//! Gumbel noise: added to scores before the matching, it turns the best order into a draw.

use oslow_core::Rng;
use rand_distr::Distribution;

/// `count` independent standard Gumbel numbers, −log of a standard exponential.
pub fn gumbel_noise(count: usize, rng: &mut Rng) -> Vec<f64> {
    (0..count)
        .map(|_| {
            let exponential: f64 = rand_distr::Exp1.sample(rng);
            -exponential.max(f64::MIN_POSITIVE).ln()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::gumbel_noise;

    #[test]
    fn the_noise_has_the_moments_of_the_gumbel_distribution() {
        let n = 200_000;
        let noise = gumbel_noise(n, &mut oslow_core::Seed(5).stream("test"));
        let mean = noise.iter().sum::<f64>() / n as f64;
        let variance = noise.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n as f64;
        let expected = std::f64::consts::PI.powi(2) / 6.0;
        assert!((mean - 0.577_215_664_9).abs() < 4.0 * (expected / n as f64).sqrt());
        assert!((variance - expected).abs() < 0.03); // four standard errors (excess kurtosis 12/5)
    }
}
