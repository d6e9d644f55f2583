//! Options that documents mention between their commands.

use std::collections::BTreeSet;

/// Programs of others, whose options are not ours.
const OTHERS: [&str; 2] = ["cargo ", "pip "];

/// Every option in the help of the program and its commands.
pub fn of_help<'a>(texts: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    texts.flat_map(options).collect()
}

/// The options in the code spans of a document that are not known, with their lines.
pub fn unknown(document: &str, known: &BTreeSet<String>) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut in_block = false;
    for (line, text) in (1..).zip(document.lines()) {
        if text.trim_start().starts_with("```") {
            in_block = !in_block;
            continue;
        }
        // Blocks are run, which tells more. Every second part between backticks is code.
        let spans = text.split('`').skip(1).step_by(2).filter(|_| !in_block);
        let ours = spans.filter(|span| !OTHERS.iter().any(|other| span.starts_with(other)));
        found.extend(
            ours.flat_map(options).filter(|option| !known.contains(option)).map(|option| (line, option)),
        );
    }
    found
}

/// Words that begin with two hyphens and a letter.
fn options(text: &str) -> Vec<String> {
    let part = |c: char| c.is_ascii_lowercase() || c == '-';
    let words = text.split(|c: char| !part(c) && !c.is_ascii_alphanumeric());
    let is_option = |word: &&str| {
        word.strip_prefix("--").is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
    };
    words.filter(is_option).map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_that_no_help_has_is_found() {
        let known = of_help(["  -q, --quiet   Says less\n      --drop-rows <A>"].into_iter());
        assert_eq!(known, ["--drop-rows", "--quiet"].map(String::from).into());
        let document = "Say `--quiet` or `oslow a --drop-rows=2`, not --b\n```sh\n`--c`\n```\n`--d x` – `cargo e --f --`\n";
        assert_eq!(unknown(document, &known), [(5, "--d".to_string())]);
    }
}
