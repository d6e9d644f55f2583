//! No post-nonlinear output.

use super::OutputEntry;

pub(crate) const ENTRY: OutputEntry =
    OutputEntry { name: "identity", summary: "y: a location-scale model", draw: |_| |y| y };

#[cfg(test)]
mod tests {
    #[test]
    fn is_increasing_and_undone_by_its_inverse() {
        super::super::check(&super::ENTRY, 1e9, |x| x);
    }
}
