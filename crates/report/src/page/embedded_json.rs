//! JSON between the tags of a page.

/// The same JSON, without characters that could end the script which holds it or that a page reads otherwise.
pub(super) fn embedded_json(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            // Outside of strings JSON has none of these, and inside they may be written so.
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                text.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            other => text.push(other),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::embedded_json;

    #[test]
    fn no_tag_and_no_line_ends_in_it() {
        let found = embedded_json("{\"</script><!--&\u{2028}é\": 1}");
        assert_eq!(found, r#"{"\u003c/script\u003e\u003c!--\u0026\u2028é": 1}"#);
    }
}
