//! The hyperbolic sine.

use super::OutputEntry;

pub(crate) const ENTRY: OutputEntry = OutputEntry {
    name: "sinh",
    summary: "sinh(1.5·y): exponential in both tails",
    draw: |_| |y| (1.5 * y).sinh(),
};

#[cfg(test)]
mod tests {
    #[test]
    fn is_increasing_and_undone_by_its_inverse() {
        super::super::check(&super::ENTRY, 100.0, |x| x.asinh() / 1.5);
    }
}
