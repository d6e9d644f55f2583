//! Ranks in which rounding decides nothing.

/// The relative difference up to which two numbers count as one.
const SAME: f64 = 1e-9;

/// The rank of each value, smallest first from 0. Neighbours share a rank where they differ by at most 10⁻⁹ of the larger
/// of them, or of `scale` where that is more: 0 for numbers with a unit, 1 for shares such as R².
///
/// A statistic that is equal for two columns by construction (variances after standardising, R² of two columns alone)
/// comes out different in the last digit, and a plain sort would read an order from it.
///
/// ```
/// assert_eq!(oslow_math::ranks(&[3.0, 1.0, 1.0 + 1e-15, 2.0], 0.0), [2, 0, 0, 1]);
/// ```
pub fn ranks(values: &[f64], scale: f64) -> Vec<usize> {
    let mut sorted: Vec<usize> = (0..values.len()).collect();
    sorted.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0; values.len()];
    for pair in sorted.windows(2) {
        let (low, high) = (values[pair[0]], values[pair[1]]);
        let same = high - low <= SAME * high.abs().max(scale);
        ranks[pair[1]] = ranks[pair[0]] + usize::from(!same);
    }
    ranks
}

/// The rank of each value, smallest first, counted from ½ to n − ½; equal values have the mean of theirs.
///
/// ```
/// assert_eq!(oslow_math::mean_ranks(&[3.0, 1.0, 1.0, 2.0]), [3.5, 1.0, 1.0, 2.5]);
/// ```
pub fn mean_ranks(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<usize> = (0..values.len()).collect();
    sorted.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for alike in sorted.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = before as f64 + 0.5 * alike.len() as f64;
        alike.iter().for_each(|&row| ranks[row] = rank);
        before += alike.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::ranks;

    #[test]
    fn equal_up_to_rounding_is_equal() {
        assert_eq!(ranks(&[], 0.0), [0usize; 0]);
        assert_eq!(ranks(&[5.0, -1.0, 0.5], 0.0), [2, 0, 1]);
        assert_eq!(ranks(&[1e12, 1e12 + 1e-2, 2e12], 0.0), [0, 0, 1]);
        assert_eq!(ranks(&[1e-12, 2e-12, 3e-12], 0.0), [0, 1, 2]);
        assert_eq!(ranks(&[1e-12, 2e-12, 3e-6], 1.0), [0, 0, 1]);
    }
}
