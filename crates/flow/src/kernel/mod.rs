//! The hot loops, one place each.

pub(crate) mod elementwise;
pub mod product;
