//! The contestants: one file or folder each. `random` is the smallest, `oslow` the paper's.

/// Declares the modules and the list of their methods at once: a new method is one file and one word here.
macro_rules! registry {
    ($($module:ident),+ $(,)?) => {
        $(mod $module;)+

        const FAMILIES: &[&[oslow_core::Method]] = &[$($module::METHODS),+];
    };
}

registry! { oslow, score, cam, direct_lingam, var_sort, r2_sort, random }

mod by_rank;
#[cfg_attr(not(test), expect(dead_code, reason = "its learner is not registered yet"))]
#[expect(unused_imports, reason = "its learner is not registered yet")]
mod exact;
mod one_by_one;

pub use oslow::{Answer, OslowConfig, Refine, Schedule};

/// Every registered method.
pub fn methods() -> impl Iterator<Item = &'static oslow_core::Method> + Clone {
    FAMILIES.iter().copied().flatten()
}
