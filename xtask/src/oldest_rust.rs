//! The oldest Rust that builds the workspace: `rust-version` in `Cargo.toml`.
//!
//! Clippy knows it too, and refuses what the standard library has only since then (`incompatible_msrv`).

use crate::metadata::{Metadata, host};
use crate::shell::{Program, target};

const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Fails if a package needs a newer one, or if the workspace does not build with it where it is installed.
pub fn oldest_rust() -> Result<(), String> {
    for package in Metadata::read(&host()?)?.all() {
        let needed = package.rust_version.unwrap_or_default();
        if numbers(&needed) > numbers(OLDEST) {
            let (name, version) = (package.name, package.version);
            return Err(format!("{name} {version} needs Rust {needed}; Cargo.toml says {OLDEST}"));
        }
    }
    let installed = Program::new("rustup", &["toolchain", "list"]).output().unwrap_or_default();
    let names = installed.lines().filter_map(|line| line.split_whitespace().next());
    let is_oldest = |name: &&str| name.strip_prefix(OLDEST).is_some_and(|rest| rest.starts_with(['.', '-']));
    let Some(toolchain) = names.into_iter().find(is_oldest) else {
        eprintln!("Rust {OLDEST} is not installed: the workspace was not built with it");
        return Ok(());
    };
    let folder = target().join("oldest-rust").to_string_lossy().into_owned();
    let check = ["run", toolchain, "cargo", "check", "--workspace", "--all-targets", "--locked"];
    Program::new("rustup", &check).with_environment(&[("CARGO_TARGET_DIR", folder)]).run()
}

/// A version as numbers; a part that is left out is 0.
fn numbers(version: &str) -> [u64; 3] {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    std::array::from_fn(|_| parts.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(numbers("1.100") > numbers("1.89.1") && numbers("1.89.1") > numbers("1.89"));
        assert!(numbers("") < numbers(OLDEST));
    }
}
