//! Graphviz.

use std::fmt::Write;

use oslow_core::{Dag, Edge};

use crate::EdgeAttributes;

/// The graph in the DOT language of Graphviz. Names are quoted, so any text may be one. An edge that may as well point the other way is drawn without an arrow.
///
/// ```
/// let dag = oslow_core::Dag::new(2, &[(0, 1)]).unwrap();
/// let text = oslow_report::dot(&dag, &["a".into(), "b c".into()], &[]);
/// assert_eq!(text, "digraph oslow {\n  \"a\";\n  \"b c\";\n  \"a\" -> \"b c\";\n}\n");
/// ```
pub fn dot(dag: &Dag, names: &[String], attributes: &[(Edge, EdgeAttributes)]) -> String {
    let mut text = String::from("digraph oslow {\n");
    for name in names {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  {};", quoted(name));
    }
    for edge in dag.edges() {
        let present: Vec<String> = EdgeAttributes::of(edge, attributes)
            .present()
            .map(|(name, value)| format!("{name}=\"{value}\""))
            .chain(EdgeAttributes::of(edge, attributes).is_undecided().then(|| "dir=\"none\"".to_string()))
            .collect();
        let known = if present.is_empty() { String::new() } else { format!(" [{}]", present.join(", ")) };
        let _ = writeln!(text, "  {} -> {}{known};", quoted(&names[edge.0]), quoted(&names[edge.1]));
    }
    text.push_str("}\n");
    text
}

/// A quoted identifier. In DOT only the quote is escaped, but labels read backslashes as escapes too, so that
/// a name with a backslash must have it doubled to be shown as it is.
fn quoted(name: &str) -> String {
    let escaped = name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_are_escaped_and_attributes_written() {
        let dag = Dag::new(2, &[(1, 0)]).unwrap();
        let names = ["say \"hi\"".to_string(), "back\\slash".to_string()];
        let known = EdgeAttributes { p_value: Some(0.01), ..EdgeAttributes::default() };
        let text = dot(&dag, &names, &[((1, 0), known)]);
        assert!(text.contains(r#"  "say \"hi\"";"#));
        assert!(text.contains(r#"  "back\\slash" -> "say \"hi\"" [p_value="0.01"];"#), "{text}");
    }
}
