//! One of the bent outputs for each node.

use rand::RngExt;

use super::{OutputEntry, cube, cuberoot, sigmoid, sinh};

pub(crate) const ENTRY: OutputEntry = OutputEntry {
    name: "any",
    summary: "`cube`, `cuberoot`, `sinh` or `sigmoid`, drawn for each node",
    draw: |rng| (BENT[rng.random_range(0..BENT.len())].draw)(rng),
};

const BENT: [OutputEntry; 4] = [cube::ENTRY, cuberoot::ENTRY, sinh::ENTRY, sigmoid::ENTRY];
