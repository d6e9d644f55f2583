//! The cube.

use super::OutputEntry;

pub(crate) const ENTRY: OutputEntry = OutputEntry {
    name: "cube",
    summary: "y³: stretches both tails and is flat at 0",
    draw: |_| |y| y.powi(3),
};

#[cfg(test)]
mod tests {
    #[test]
    fn is_increasing_and_undone_by_its_inverse() {
        super::super::check(&super::ENTRY, 1e9, |x| x.cbrt());
    }
}
