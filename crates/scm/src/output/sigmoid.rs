//! The logistic function.

use super::OutputEntry;

pub(crate) const ENTRY: OutputEntry = OutputEntry {
    name: "sigmoid",
    summary: "1/(1 + exp(−2y)): bounded between 0 and 1",
    draw: |_| |y| (1.0 + (-2.0 * y).exp()).recip(),
};

#[cfg(test)]
mod tests {
    #[test]
    fn is_increasing_and_undone_by_its_inverse() {
        super::super::check(&super::ENTRY, 4.0, |x| (x / (1.0 - x)).ln() / 2.0);
    }
}
