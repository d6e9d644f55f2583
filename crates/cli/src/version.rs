//! `oslow --version`: version, commit, features and vector instructions.

use std::sync::LazyLock;

use oslow::{VERSION, simd_name};

/// The commit that the program is built from; sources without a git repository have none.
const COMMIT: Option<&str> = option_env!("OSLOW_COMMIT");

/// For example `0.1.0 (41a3b26, app, avx512)`.
pub fn version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        // Bad instructions are refused when a command starts.
        text(COMMIT, cfg!(feature = "app"), simd_name().unwrap_or("unknown instructions"))
    });
    &TEXT
}

fn text(commit: Option<&str>, app: bool, instructions: &str) -> String {
    let app = if app { "app" } else { "no app" };
    format!("{VERSION} ({}, {app}, {instructions})", commit.unwrap_or("unknown commit"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_without_a_repository_have_no_commit() {
        assert_eq!(text(None, false, "avx2"), format!("{VERSION} (unknown commit, no app, avx2)"));
        assert_eq!(text(Some("41a3b26"), true, "scalar"), format!("{VERSION} (41a3b26, app, scalar)"));
    }
}
