//! How far two columns rise together.

/// Spearman's correlation of two columns: that of their ranks, equal values having the mean of theirs.
pub(super) fn rank_correlation(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (centred_ranks(a), centred_ranks(b));
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt()
}

fn centred_ranks(column: &[f64]) -> Vec<f64> {
    let n = column.len();
    let mut rows: Vec<usize> = (0..n).collect();
    rows.sort_by(|&a, &b| column[a].total_cmp(&column[b]));
    let mut ranks = vec![0.0; n];
    let mut before = 0;
    for alike in rows.chunk_by(|&a, &b| column[a] == column[b]) {
        let rank = before as f64 + 0.5 * (alike.len() as f64 - n as f64);
        alike.iter().for_each(|&row| ranks[row] = rank);
        before += alike.len();
    }
    ranks
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
