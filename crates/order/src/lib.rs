//! The contestants: one file or folder each. `random` is the smallest, `oslow` the paper's.

#![forbid(unsafe_code)]

/// Declares the modules and the list of their methods at once: a new method is one file and one word here.
macro_rules! registry {
    ($($module:ident),+ $(,)?) => {
        $(mod $module;)+

        const FAMILIES: &[&[oslow_core::Method]] = &[$($module::METHODS),+];
    };
}

registry! { exact, oslow, score, cam, direct_lingam, bi_lsnm, vi_dp_dag, daguerreotype, gran_dag, var_sort, r2_sort, random }

mod by_rank;
mod node_networks;
mod one_by_one;
mod regressions;

pub use oslow::{Answer, OslowConfig, Refine, Schedule};

/// Every registered method.
pub fn methods() -> impl Iterator<Item = &'static oslow_core::Method> + Clone {
    FAMILIES.iter().copied().flatten()
}
