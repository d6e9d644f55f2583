//! Where `unsafe` may stand, and how often: it is counted, so that more of it is a decision.

use crate::fmt::sources;
use crate::shell::root;

/// Files that may hold it, and how many of its functions and blocks they hold.
const BUDGET: &[(&str, usize)] = &[
    ("crates/flow/benches/train_step.rs", 1),
    ("crates/flow/src/kernel/product.rs", 6),
    ("crates/math/src/dense_product.rs", 1),
];

/// Fails if a file has more or less than its budget, or if a crate without any does not forbid it.
pub fn unsafe_code() -> Result<(), String> {
    for file in sources()? {
        let text =
            std::fs::read_to_string(root().join(&file)).map_err(|e| format!("cannot read {file}: {e}"))?;
        let (found, allowed) = (count(&text), budget(&file));
        if found != allowed {
            return Err(format!(
                "{file} holds `unsafe` {found} times; xtask/src/unsafe_code.rs says {allowed}"
            ));
        }
        if is_root(&file) && !holds_some(&file) && !text.contains("\n#![forbid(unsafe_code)]\n") {
            return Err(format!("{file} needs `#![forbid(unsafe_code)]`: its crate holds none"));
        }
    }
    Ok(())
}

fn budget(file: &str) -> usize {
    BUDGET.iter().find(|(name, _)| *name == file).map_or(0, |(_, times)| *times)
}

/// How many unsafe functions, blocks and implementations a source file holds.
fn count(text: &str) -> usize {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let marks = ["{", "fn", "impl", "extern"].map(|next| ["unsafe", next].join(" "));
    code.map(|line| marks.iter().map(|mark| line.matches(mark.as_str()).count()).sum::<usize>()).sum()
}

/// Whether the file is the root of a library or of a program.
fn is_root(file: &str) -> bool {
    file.ends_with("/src/lib.rs") || file.ends_with("/src/main.rs")
}

/// Whether a source file of this root's crate may hold some; its tests and benchmarks are crates of their own.
fn holds_some(crate_root: &str) -> bool {
    let folder = crate_root.trim_end_matches("lib.rs").trim_end_matches("main.rs");
    BUDGET.iter().any(|(file, _)| file.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_counted_and_comments_are_not() {
        let mark = "unsafe";
        let text =
            format!("// {mark} {{ }}\n{mark} fn f() {{ {mark} {{ g() }} }}\n#![expect({mark}_code)]\n");
        assert_eq!(count(&text), 2);
        assert!(holds_some("crates/flow/src/lib.rs") && !holds_some("crates/core/src/lib.rs"));
    }
}
