//! The hot loops, one place each.

pub(crate) mod elementwise;
pub(crate) mod mixture;
pub mod product;
