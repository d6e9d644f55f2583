//! Which vector instructions the loops use: the widest that the processor has, unless `OSLOW_SIMD` names others.
//!
//! The products of `gemm` (see `dense_product`) choose for themselves.

use std::sync::OnceLock;

use oslow_core::{Error, Result};
use pulp::Arch;

/// The environment variable that names the instructions.
const VARIABLE: &str = "OSLOW_SIMD";

/// The instructions to use. A variable that names none counts as unset here: [`simd_name`] refuses it.
#[inline]
pub fn simd() -> Arch {
    static CHOSEN: OnceLock<Arch> = OnceLock::new();
    *CHOSEN.get_or_init(|| named().map_or_else(|_| Arch::new(), |(_, arch)| arch))
}

/// Their name: `avx512`, `avx2` or `scalar`; outside of x86 `native` or `scalar`.
///
/// # Errors
///
/// If `OSLOW_SIMD` names instructions that this processor does not have.
pub fn simd_name() -> Result<&'static str> {
    named().map(|(name, _)| name)
}

fn named() -> Result<(&'static str, Arch)> {
    choose(std::env::var_os(VARIABLE).as_ref().map(|name| name.to_string_lossy()).as_deref())
}

/// The instructions of that name, the widest if there is none.
fn choose(name: Option<&str>) -> Result<(&'static str, Arch)> {
    let available = available();
    let wanted = name.filter(|name| !name.is_empty()).unwrap_or(available[0].0);
    available.iter().find(|(name, _)| *name == wanted).copied().ok_or_else(|| {
        let names: Vec<&str> = available.iter().map(|(name, _)| *name).collect();
        let allowed = names.join(", ");
        Error::input(format!("on this processor {VARIABLE} must be one of {allowed}; got `{wanted}`"))
            .with_hint(format!("unset {VARIABLE}: the fastest, {}, is the default", names[0]))
    })
}

/// What this processor has, the widest first.
#[cfg(target_arch = "x86_64")]
fn available() -> Vec<(&'static str, Arch)> {
    use pulp::x86::{V3, V4};
    let widest = V4::try_new().map(|v4| ("avx512", Arch::V4(v4)));
    let wide = V3::try_new().map(|v3| ("avx2", Arch::V3(v3)));
    widest.into_iter().chain(wide).chain([("scalar", Arch::Scalar)]).collect()
}

/// What this processor has, the widest first.
#[cfg(not(target_arch = "x86_64"))]
fn available() -> Vec<(&'static str, Arch)> {
    vec![("native", Arch::new()), ("scalar", Arch::Scalar)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_chooses_and_no_name_is_the_widest() {
        let available = available();
        assert_eq!(choose(None).unwrap().0, available[0].0);
        assert_eq!(choose(Some("")).unwrap().0, available[0].0);
        for (name, arch) in &available {
            let (chosen, other) = choose(Some(name)).unwrap();
            assert_eq!((chosen, format!("{other:?}")), (*name, format!("{arch:?}")));
        }
        assert!(matches!(choose(Some("scalar")), Ok(("scalar", Arch::Scalar))));
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_known_ones() {
        let refused = choose(Some("mmx")).unwrap_err();
        let text = refused.to_string();
        assert!(refused.is_input() && text.ends_with("scalar; got `mmx`"), "{text}");
        assert!(refused.hint().unwrap().contains(available()[0].0));
    }
}
