//! Names of columns in a line or a file of text.

use oslow_core::{Error, Result};

/// A name as it stands in a list: in quotes where it holds a comma, a quote or anything that would break a line.
///
/// ```
/// assert_eq!(oslow::listed_name("age"), "age");
/// assert_eq!(oslow::listed_name("body\nweight, kg"), r#""body\nweight, kg""#);
/// ```
pub fn listed_name(name: &str) -> String {
    let special = |c: char| c.is_control() || matches!(c, ',' | '"');
    if !name.is_empty() && name.trim() == name && !name.contains(special) {
        return name.to_string();
    }
    let escaped = name.chars().map(|c| match c {
        '"' => "\"\"".to_string(),
        '\\' => "\\\\".to_string(),
        '\n' => "\\n".to_string(),
        '\r' => "\\r".to_string(),
        '\t' => "\\t".to_string(),
        other => other.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// The names of a list, with a comma or a line break after each; the inverse of [`listed_name`].
///
/// ```
/// assert_eq!(oslow::name_list("a, \"b, c\"\nd").unwrap(), ["a", "b, c", "d"]);
/// ```
pub fn name_list(text: &str) -> Result<Vec<String>> {
    let text = text.trim();
    let mut names = Vec::new();
    let mut rest = text;
    while !rest.is_empty() || !names.is_empty() {
        let (name, after) = match rest.trim_start().strip_prefix('"') {
            Some(quoted) => unquoted(quoted).ok_or_else(|| {
                Error::input(format!("`{text}` is not a list of names: a quote is not closed"))
                    .with_hint("a name with a comma stands in quotes, e.g. age,\"weight, kg\"")
            })?,
            None => {
                let end = rest.find([',', '\n']).unwrap_or(rest.len());
                (rest[..end].trim().to_string(), &rest[end..])
            }
        };
        names.push(name);
        match after.trim_start_matches([' ', '\t', '\r']).strip_prefix([',', '\n']) {
            Some(more) => rest = more,
            None => break,
        }
    }
    Ok(names)
}

/// The name up to the closing quote, and what stands behind it up to the next separator is passed over.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match (letter, letters.peek().map(|(_, next)| *next)) {
            ('"', Some('"')) => name.push('"'),
            ('"', _) => {
                let after = &text[at + 1..];
                return Some((name, &after[after.find([',', '\n']).unwrap_or(after.len())..]));
            }
            ('\\', Some('n')) => name.push('\n'),
            ('\\', Some('r')) => name.push('\r'),
            ('\\', Some('t')) => name.push('\t'),
            ('\\', Some('\\')) => name.push('\\'),
            (other, _) => {
                name.push(other);
                continue;
            }
        }
        letters.next();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_as_they_were() {
        let names =
            ["age", "a,b", "body\nweight", "tab\there", "\"q\"", " edge ", "", "back\\slash,n", "größe"];
        for sign in [",", "\n", "\r\n", ", "] {
            let listed: Vec<String> = names.iter().map(|name| listed_name(name)).collect();
            assert!(listed.iter().all(|name| !name.contains('\n')));
            assert_eq!(name_list(&listed.join(sign)).unwrap(), names, "{sign:?}");
        }
    }

    #[test]
    fn lists_are_split_outside_quotes() {
        assert_eq!(name_list("a, b,c").unwrap(), ["a", "b", "c"]);
        assert_eq!(name_list("\"a,b\",c\n").unwrap(), ["a,b", "c"]);
        assert_eq!(name_list("a\\b,c").unwrap(), ["a\\b", "c"]);
        assert_eq!(name_list("a,,b").unwrap(), ["a", "", "b"]);
        assert_eq!(name_list("").unwrap(), Vec::<String>::new());
        assert!(name_list("\"a,b").unwrap_err().is_input());
    }
}
