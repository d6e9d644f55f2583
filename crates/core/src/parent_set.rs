//! How probable sets of parents are.

/// A set of direct causes of a column, and how probable it is that these are all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct ParentSet {
    /// The columns in it, ascending.
    pub parents: Vec<usize>,
    /// Its probability.
    pub probability: f64,
}
