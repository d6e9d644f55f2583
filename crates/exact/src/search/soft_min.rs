//! Costs of things that may all happen.

/// What is so much dearer, e⁻⁴⁰ times as likely, does not change a number.
const NEGLIGIBLE: f64 = 40.0;

/// −ln(exp(−a) + exp(−b)): what two things cost that weigh exp(−a) and exp(−b), together.
#[inline]
pub(super) fn soft_min(a: f64, b: f64) -> f64 {
    let (less, more) = if a < b { (a, b) } else { (b, a) };
    let behind = more - less;
    // Of two that cannot happen, `behind` is no number and the comparison is false.
    if behind < NEGLIGIBLE { less - (-behind).exp().ln_1p() } else { less }
}

#[cfg(test)]
mod tests {
    use super::soft_min;

    #[test]
    fn weights_are_added() {
        for (a, b) in [(1.0, 2.0), (700.0, 699.5), (-3.0, 60.0), (5.0, 5.0)] {
            let least = f64::min(a, b);
            let direct = least - ((least - a).exp() + (least - b).exp()).ln();
            assert!((soft_min(a, b) - direct).abs() < 1e-12);
            assert_eq!(soft_min(a, b), soft_min(b, a));
        }
        assert_eq!(soft_min(f64::INFINITY, 3.0), 3.0);
        assert_eq!(soft_min(f64::INFINITY, f64::INFINITY), f64::INFINITY);
    }
}
