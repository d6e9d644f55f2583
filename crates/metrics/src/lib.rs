//! Judges: how far an order or a graph is from the truth.
//!
//! One file is one measure and holds one public function of its name. The truth comes first, the answer second.

mod cbc;

pub use cbc::cbc;
