//! Text inside SVG, HTML and XML.

use std::fmt::Write;

/// Text as content or as the value of an attribute. White space other than a blank would be read back as a blank, and
/// control characters are not allowed in XML at all: those become U+FFFD.
pub fn escape(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\t' | '\n' | '\r' => {
                let _ = write!(text, "&#{};", u32::from(character));
            }
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => text.push('\u{fffd}'),
            other => text.push(other),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_are_escaped() {
        assert_eq!(escape("a<b & \"c\"\n\u{1}é"), "a&lt;b &amp; &quot;c&quot;&#10;\u{fffd}é");
    }
}
