//! One of the noises for each node.

use rand::RngExt;

use super::{
    NoiseEntry, beta, bimodal, exponential, gamma, gaussian, laplace, lognormal, student_t, uniform,
};

pub(crate) const ENTRY: NoiseEntry = NoiseEntry {
    name: "any",
    summary: "`gaussian`, `laplace`, `uniform`, `student-t`, `exponential`, `gamma`, `bimodal`, `beta` or \
              `lognormal`, drawn for each node",
    build: |spec, rng| (FAMILIES[rng.random_range(0..FAMILIES.len())].build)(spec, rng),
};

const FAMILIES: [NoiseEntry; 9] = [
    gaussian::ENTRY,
    laplace::ENTRY,
    uniform::ENTRY,
    student_t::ENTRY,
    exponential::ENTRY,
    gamma::ENTRY,
    bimodal::ENTRY,
    beta::ENTRY,
    lognormal::ENTRY,
];
