//! Text that cannot command a terminal.

/// The text with control characters as they are written in a program: a name of a column may hold any, and a terminal obeys some. Line breaks
/// and tabs stay.
pub fn visible(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => vec![c],
        c if c.is_control() => c.escape_default().collect(),
        c => vec![c],
    };
    text.chars().flat_map(shown).collect()
}

/// The same in one line.
pub fn in_one_line(text: &str) -> String {
    visible(text).replace('\n', "\\n").replace('\t', "\\t")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_a_terminal_that_it_obeys() {
        assert_eq!(visible("a\x1b[31mb\u{7}\u{9b}c\né"), "a\\u{1b}[31mb\\u{7}\\u{9b}c\né");
        assert_eq!(in_one_line("a\nb\tc\r"), "a\\nb\\tc\\r");
    }
}
