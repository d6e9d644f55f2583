//! A constant of the normal density.

/// ½·ln 2π = ln √(2π): what normalises the standard normal density.
pub const HALF_LN_TAU: f64 = 0.918_938_533_204_672_7;
