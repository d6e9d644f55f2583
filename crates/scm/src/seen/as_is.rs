//! Columns as they are.

use super::SeenEntry;

pub(crate) const ENTRY: SeenEntry =
    SeenEntry { name: "as-is", summary: "the values of the model", draw: |_, _, _| None };
