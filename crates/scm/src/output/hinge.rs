//! A smooth hinge, exp(asinh y): the sum of its formula would cancel far below 0.

use super::OutputEntry;

pub(crate) const ENTRY: OutputEntry = OutputEntry {
    name: "hinge",
    summary: "y + √(1 + y²): positive and skewed, 1/(2|y|) far below 0 and 2y far above",
    draw: |_| |y| y.asinh().exp(),
};

#[cfg(test)]
mod tests {
    #[test]
    fn is_increasing_and_undone_by_its_inverse() {
        super::super::check(&super::ENTRY, 1e9, |x| (x - x.recip()) / 2.0);
    }

    #[test]
    fn is_the_sum_of_its_formula() {
        let curve = (super::ENTRY.draw)(&mut oslow_core::Seed(0).stream("test"));
        for y in [-2.0_f64, -0.3, 0.0, 1.0, 50.0] {
            assert!((curve(y) - (y + (1.0 + y * y).sqrt())).abs() < 1e-13 * (1.0 + y.abs()));
        }
    }
}
