//! Pruners: from an order, or a graph with too many edges, to a graph. `none` is the smallest.

#![forbid(unsafe_code)]

mod candidates;

/// Declares the modules and the list of their pruners at once: a new pruner is one file and one word here.
macro_rules! registry {
    ($($module:ident),+ $(,)?) => {
        $(mod $module;)+

        const PRUNERS: &[oslow_core::PrunerEntry] = &[$($module::ENTRY),+];
    };
}

registry! { none, cam, pc_kci, likelihood }

pub use none::unpruned;

/// Every registered pruner.
pub fn pruners() -> impl Iterator<Item = &'static oslow_core::PrunerEntry> + Clone {
    PRUNERS.iter()
}
