//! The inverse hyperbolic sine.

use super::OutputEntry;

pub(crate) const ENTRY: OutputEntry = OutputEntry {
    name: "asinh",
    summary: "asinh y: linear near 0, a logarithm in both tails",
    draw: |_| |y| y.asinh(),
};

#[cfg(test)]
mod tests {
    #[test]
    fn is_increasing_and_undone_by_its_inverse() {
        super::super::check(&super::ENTRY, 1e9, |x| x.sinh());
    }
}
