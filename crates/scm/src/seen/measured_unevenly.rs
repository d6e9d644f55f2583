//! Measurement error that differs from column to column.

use super::SeenEntry;
use super::measured::Measured;
use crate::erlang::erlang;

pub(crate) const ENTRY: SeenEntry = SeenEntry {
    name: "measured-unevenly",
    summary: "v plus a normal error whose standard deviation is gamma of shape 2 with mean `error`, one per column",
    draw: |spec, _, rng| Some(Box::new(Measured { error: erlang(2, spec.error / 2.0, rng) })),
};
