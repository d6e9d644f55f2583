//! The fenced blocks of a document.

/// What stands between two fences.
#[derive(Debug, PartialEq)]
pub struct Block {
    /// The line of the document on which its text begins, from 1.
    pub line: usize,
    /// What stands behind the first fence.
    pub language: String,
    pub text: String,
}

const FENCE: &str = "```";

/// All blocks of a document; an error, which begins with its line, if one has no end.
pub fn blocks(document: &str) -> Result<Vec<Block>, String> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (line, text) in (1..).zip(document.lines()) {
        match (text.trim_start().strip_prefix(FENCE), &mut open) {
            (Some(language), None) => {
                let language = language.trim().to_string();
                open = Some(Block { line: line + 1, language, text: String::new() });
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (None, Some(block)) => block.text.extend([text, "\n"]),
            (None, None) => {}
        }
    }
    match open {
        Some(block) => Err(format!("{}: the block that begins here has no end", block.line)),
        None => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_a_line_a_language_and_a_text() {
        let found = blocks("a\n```sh\nb\n\nc\n```\n`d`\n```\n```\n").unwrap();
        let expected = [(3, "sh", "b\n\nc\n"), (9, "", "")].map(|(line, language, text)| Block {
            line,
            language: language.into(),
            text: text.into(),
        });
        assert_eq!(found, expected);
        assert_eq!(blocks("```\na").unwrap_err(), "2: the block that begins here has no end");
    }
}
