//! The entropy of a sample, by two moments.

use crate::exponentials::exponentials;

/// Weights of the two moments, and E log cosh of a normal variable; Hyvärinen 1998.
const K_1: f64 = 79.047;
const K_2: f64 = 7.4129;
const GAMMA: f64 = 0.37457;
/// Factors between 1 and 2 that are multiplied before a logarithm is taken: their product stays far below the largest number.
const FACTORS: usize = 512;

/// The differential entropy, in nats, of what values with mean 0 and variance 1 were drawn from, approximately.
///
/// H ≈ ½(1 + log 2π) − k₁(E log cosh u − γ)² − k₂(E u·exp(−u²/2))²: of all densities with these two moments about the largest
/// entropy, for densities not far from a normal one, which itself has the first term.
///
/// # Reference
///
/// Hyvärinen: New approximations of differential entropy for independent component analysis and projection pursuit. NIPS 1997.
pub fn entropy(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let (mut log_cosh, mut skew) = (0.0, 0.0);
    let mut powers = [0.0; FACTORS];
    for chunk in values.chunks(FACTORS) {
        let powers = &mut powers[..chunk.len()];
        // log cosh u = |u| + log(1 + e^(−2|u|)) − log 2, one logarithm for all.
        powers.iter_mut().zip(chunk).for_each(|(power, u)| *power = 2.0 * u.abs());
        exponentials(powers);
        log_cosh += chunk.iter().map(|u| u.abs()).sum::<f64>();
        log_cosh += powers.iter().map(|power| 1.0 + power).product::<f64>().ln();
        powers.iter_mut().zip(chunk).for_each(|(power, u)| *power = 0.5 * u * u);
        exponentials(powers);
        skew += powers.iter().zip(chunk).map(|(power, u)| power * u).sum::<f64>();
    }
    let normal = 0.5 * (1.0 + (2.0 * std::f64::consts::PI).ln());
    let log_cosh = log_cosh / n - std::f64::consts::LN_2;
    normal - K_1 * (log_cosh - GAMMA).powi(2) - K_2 * (skew / n).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_plain_formula() {
        for n in [1, 10, FACTORS, 3 * FACTORS + 5] {
            let values: Vec<f64> = (0..n).map(|i| 3.0 * ((i * i) as f64 * 0.37).sin()).collect();
            let mean = |f: &dyn Fn(f64) -> f64| values.iter().map(|&u| f(u)).sum::<f64>() / n as f64;
            let plain = 1.418_938_533_204_672_7
                - 79.047 * (mean(&|u| u.cosh().ln()) - 0.37457).powi(2)
                - 7.4129 * mean(&|u| u * (-0.5 * u * u).exp()).powi(2);
            assert!((entropy(&values) - plain).abs() < 1e-10, "{n}: {} {plain}", entropy(&values));
        }
    }

    #[test]
    fn a_normal_density_has_most() {
        let grid = |f: &dyn Fn(f64) -> f64| -> Vec<f64> {
            (0..1000).map(|i| f((i as f64 + 0.5) / 1000.0)).collect()
        };
        let uniform = grid(&|p| 12.0_f64.sqrt() * (p - 0.5));
        let laplace = grid(&|p| {
            let side = if p < 0.5 { (2.0 * p).ln() } else { -(2.0 - 2.0 * p).ln() };
            side / 2.0_f64.sqrt()
        });
        let normal = 0.5 * (1.0 + (2.0 * std::f64::consts::PI).ln());
        // Exactly log √12 = 1.242 and 1 + log √2 = 1.347; two moments do not tell all of it.
        assert!((entropy(&uniform) - 1.242).abs() < 0.13, "{}", entropy(&uniform));
        assert!((entropy(&laplace) - 1.347).abs() < 0.1, "{}", entropy(&laplace));
        assert!(entropy(&uniform) < normal && entropy(&laplace) < normal);
    }
}
