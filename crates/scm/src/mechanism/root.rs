//! A node without causes: noise alone.

use oslow_core::Result;

use super::{LocationScale, Mechanism, ParentRows};

/// Location 0, scale 1.
#[derive(Debug)]
pub(crate) struct Root;

impl Mechanism for Root {
    fn evaluate(&self, parents: &ParentRows) -> Result<Vec<LocationScale>> {
        Ok(vec![LocationScale { location: 0.0, scale: 1.0 }; parents.rows()])
    }
}
