//! Is a smooth term zero? Wood's Wald-type test.

use std::sync::LazyLock;

use statrs::function::beta::beta_reg;

use crate::symmetric_eigen;

/// Points of each of the two quadratures.
const POINTS: usize = 24;
/// Fractions of a degree of freedom that are as good as none.
const WHOLE: f64 = 1e-9;
/// Eigenvalues below this share of the largest count as 0.
const RANK: f64 = 1e-14;

/// What the test says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tested {
    /// The statistic, about χ² with `rank` degrees of freedom where the term is zero and the scale is known.
    pub statistic: f64,
    /// The p-value.
    pub p_value: f64,
}

/// Tests f = 0 for a term with coefficients β of an orthonormal basis, their Bayesian covariance V (row by row) and its
/// reference degrees of freedom.
///
/// # Model
///
/// T = βᵀV^{r−}β, with a pseudoinverse of V of rank r = ⌊r⌋ + ν: with z the coordinates of β along the eigenvectors of V by
/// falling eigenvalue, each divided by the eigenvalue's root,
/// T = Σ_{i<k} zᵢ² + zₖ² + ν·zₖ₊₁² ± 2bzₖzₖ₊₁, k = ⌊r⌋, b² = ν(1 − ν)/2. Under f = 0 that is χ²ₖ₋₁ + ν₁χ²₁ + ν₂χ²₁ with
/// ν₁,₂ = ((1 + ν) ± √(1 − ν²))/2. The sign is arbitrary, as eigenvectors have none: the p-value is the mean of both. An estimated
/// scale makes it a ratio with χ² over its residual degrees of freedom.
///
/// # Reference
///
/// Wood: On p-values for smooth components of an extended generalized additive model. Biometrika 100:221-228, 2013.
pub(super) fn smooth_test(
    beta: &[f64],
    covariance: Vec<f64>,
    reference_df: f64,
    residual_df: f64,
) -> Option<Tested> {
    let n = beta.len();
    let eigen = symmetric_eigen(covariance, n)?;
    let usable = eigen.values.iter().filter(|&&value| value > RANK * eigen.values[0]).count();
    if usable == 0 || residual_df <= 0.0 {
        return None;
    }
    let z = |i: usize| -> f64 {
        eigen.vector(i).iter().zip(beta).map(|(v, b)| v * b).sum::<f64>() / eigen.values[i].sqrt()
    };
    let rank = reference_df.clamp(1.0, usable as f64);
    let whole = (rank + WHOLE).floor();
    let (k, part) = (whole as usize, (rank - whole).max(0.0));
    let base: f64 = (0..k).map(|i| z(i) * z(i)).sum();
    if !base.is_finite() {
        return None;
    }
    if part <= WHOLE || k == usable {
        let p_value = f_tail(base, whole, residual_df);
        return Some(Tested { statistic: base, p_value });
    }
    let cross = 2.0 * (part * (1.0 - part) / 2.0).sqrt() * z(k - 1) * z(k);
    let statistic = base + part * z(k) * z(k);
    if !(statistic + cross.abs()).is_finite() {
        return None;
    }
    let tail = |t: f64| mixture_tail(t.max(0.0), k, part, residual_df);
    let p_value = (tail(statistic + cross) + tail(statistic - cross)) / 2.0;
    Some(Tested { statistic, p_value: p_value.clamp(0.0, 1.0) })
}

/// P(χ²ₖ > t·χ²ᵣ/r) for independent χ².
fn f_tail(t: f64, k: f64, residual_df: f64) -> f64 {
    beta_reg(residual_df / 2.0, k / 2.0, residual_df / (residual_df + t))
}

/// P(χ²ₖ₋₁ + ν₁χ²₁ + ν₂χ²₁ > t·χ²ᵣ/r).
///
/// In polar coordinates the sum is (s + (1 − s)w)·χ²ₖ₊₁, where s is the share of the first k − 1 squares,
/// w = ν₁cos²θ + ν₂sin²θ, and s, θ and χ²ₖ₊₁ are independent. What is left is an integral of F tails over s and θ. Every term is
/// positive, so small p-values are as exact as large ones; inverting the characteristic function (Davies 1980) would lose them below
/// its tolerance.
fn mixture_tail(t: f64, k: usize, part: f64, residual_df: f64) -> f64 {
    let root = (1.0 - part * part).sqrt();
    let (large, small) = ((1.0 + part + root) / 2.0, (1.0 + part - root) / 2.0);
    let degrees = (k + 1) as f64;
    let angles = (0..POINTS).map(|i| (i as f64 + 0.5) * std::f64::consts::FRAC_PI_2 / POINTS as f64);
    let mut sum = 0.0;
    for angle in angles {
        let w = large * angle.cos().powi(2) + small * angle.sin().powi(2);
        if k == 1 {
            sum += f_tail(t / w, degrees, residual_df);
            continue;
        }
        // s = u² with density (k − 1)·u^(k − 2).
        for &(u, weight) in LEGENDRE.iter() {
            let density = (k - 1) as f64 * u.powi(k as i32 - 2);
            sum += weight * density * f_tail(t / (u * u + (1.0 - u * u) * w), degrees, residual_df);
        }
    }
    sum / POINTS as f64
}

/// Points and weights of Gauss and Legendre on [0, 1].
static LEGENDRE: LazyLock<Vec<(f64, f64)>> = LazyLock::new(|| {
    let n = POINTS as f64;
    let point = |i: usize| {
        let mut x = (std::f64::consts::PI * (i as f64 + 0.75) / (n + 0.5)).cos();
        let mut slope = 1.0;
        for _ in 0..8 {
            let (mut last, mut value) = (1.0, x);
            for degree in 2..=POINTS {
                let d = degree as f64;
                (last, value) = (value, ((2.0 * d - 1.0) * x * value - (d - 1.0) * last) / d);
            }
            slope = n * (x * value - last) / (x * x - 1.0);
            x -= value / slope;
        }
        ((1.0 + x) / 2.0, 1.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..POINTS).map(point).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Tail {
        k: usize,
        part: f64,
        t: f64,
        residual_df: f64,
        p_value: f64,
    }

    #[test]
    fn the_reference_distribution_is_that_of_davies() {
        let tails: Vec<Tail> =
            serde_json::from_str(include_str!("../../../../fixtures/cam/tails.json")).unwrap();
        for Tail { k, part, t, residual_df, p_value } in tails {
            let ours = mixture_tail(t, k, part, residual_df);
            let error = (ours - p_value).abs();
            assert!(
                error < 2e-11 + 1e-6 * p_value,
                "k {k}, part {part}, t {t}, {residual_df}: {ours} {p_value}"
            );
        }
    }

    #[test]
    fn whole_ranks_are_the_limits_of_fractional_ones() {
        for (k, t) in [(1, 3.0), (2, 30.0), (5, 12.0), (8, 200.0)] {
            let below = mixture_tail(t, k, 1e-7, 100.0);
            let above = mixture_tail(t, k, 1.0 - 1e-9, 100.0);
            assert!((below / f_tail(t, k as f64, 100.0) - 1.0).abs() < 1e-4);
            assert!((above / f_tail(t, (k + 1) as f64, 100.0) - 1.0).abs() < 1e-4);
        }
    }

    #[test]
    fn without_a_fraction_it_is_the_f_test() {
        // pf(25 / 2, 2, 30, lower.tail = FALSE)
        let tested = smooth_test(&[3.0, 4.0], vec![1.0, 0.0, 0.0, 1.0], 2.0, 30.0).unwrap();
        assert!(
            (tested.statistic - 25.0).abs() < 1e-12 && (tested.p_value - 1.125_585_470e-4).abs() < 1e-13,
            "{tested:?}"
        );
    }
}
