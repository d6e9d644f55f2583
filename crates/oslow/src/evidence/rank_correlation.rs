//! How far two columns rise together.

use oslow_math::mean_ranks;

/// Spearman's correlation of two columns: that of their ranks, equal values having the mean of theirs.
pub(super) fn rank_correlation(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (centred_ranks(a), centred_ranks(b));
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt()
}

fn centred_ranks(column: &[f64]) -> Vec<f64> {
    let middle = 0.5 * column.len() as f64;
    mean_ranks(column).into_iter().map(|rank| rank - middle).collect()
}

#[cfg(test)]
mod tests {
    use super::rank_correlation;

    #[test]
    fn it_is_spearmans() {
        // Without ties it is 1 − 6 Σ d² / (n (n² − 1)); here −29/165, the textbook example of IQ and hours of television.
        let iq = [106.0, 100.0, 86.0, 101.0, 99.0, 103.0, 97.0, 113.0, 112.0, 110.0];
        let hours = [7.0, 27.0, 2.0, 50.0, 28.0, 29.0, 20.0, 12.0, 6.0, 17.0];
        assert!((rank_correlation(&iq, &hours) + 29.0 / 165.0).abs() < 1e-12);
        // With ties, Pearson's correlation of the mean ranks: (1.5, 1.5, 3) with (1, 2, 3).
        let tied = rank_correlation(&[1.0, 1.0, 2.0], &[1.0, 2.0, 3.0]);
        assert!((tied - 0.75_f64.sqrt()).abs() < 1e-12, "{tied}");
    }
}
