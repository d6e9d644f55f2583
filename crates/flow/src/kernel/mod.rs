//! The hot loops, one place each.

pub mod elementwise;
pub mod product;
