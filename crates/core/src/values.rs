//! The numbers of a table, its own or somebody else's.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Numbers that were handed over, or that belong to somebody else and are kept alive here: a table that another program
/// holds in memory need not be copied.
#[derive(Clone)]
pub(crate) enum Values {
    Own(Vec<f64>),
    Shared(SharedValues),
}

/// Numbers of somebody else, who promises not to change them.
pub type SharedValues = Arc<dyn AsRef<[f64]> + Send + Sync>;

impl Deref for Values {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        match self {
            Self::Own(values) => values,
            Self::Shared(owner) => (**owner).as_ref(),
        }
    }
}

impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
