//! The cube root.

use super::OutputEntry;

pub(crate) const ENTRY: OutputEntry = OutputEntry {
    name: "cuberoot",
    summary: "∛y: shortens both tails and is steep at 0",
    draw: |_| |y| y.cbrt(),
};

#[cfg(test)]
mod tests {
    #[test]
    fn is_increasing_and_undone_by_its_inverse() {
        super::super::check(&super::ENTRY, 1e9, |x| x.powi(3));
    }
}
