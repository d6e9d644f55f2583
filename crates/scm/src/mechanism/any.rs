//! One of the mechanisms for each node.

use rand::RngExt;

use super::{MechanismEntry, cubics, fourier, linear, mlp, sigmoids, sines, steps};

pub(crate) const ENTRY: MechanismEntry = MechanismEntry {
    name: "any",
    summary: "`linear`, `mlp`, `fourier`, `steps`, `sigmoids`, `cubics` or `sines`, drawn for each node",
    standardized: true,
    draw: |spec, rows, rng| (SHAPES[rng.random_range(0..SHAPES.len())].draw)(spec, rows, rng),
};

const SHAPES: [MechanismEntry; 7] =
    [linear::ENTRY, mlp::ENTRY, fourier::ENTRY, steps::ENTRY, sigmoids::ENTRY, cubics::ENTRY, sines::ENTRY];
