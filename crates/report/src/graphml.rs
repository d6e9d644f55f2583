//! GraphML, which networkx, igraph, Gephi and yEd read.

use std::fmt::Write;

use oslow_core::{Dag, Edge};

use crate::EdgeAttributes;
use crate::markup::escape;

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"
         xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"#;

/// The graph in GraphML; node identifiers are the variables' names. Attributes that some edge has are declared
/// as edge data, numbers as `double`; `direction` is `decided` or `undecided`.
pub fn graphml(dag: &Dag, names: &[String], attributes: &[(Edge, EdgeAttributes)]) -> String {
    let mut text = String::from(HEAD);
    for (k, name) in EdgeAttributes::NAMES.into_iter().enumerate() {
        if attributes.iter().any(|(_, known)| known.values()[k].is_some()) {
            // Writing to a String cannot fail.
            let _ =
                writeln!(text, r#"  <key id="{name}" for="edge" attr.name="{name}" attr.type="double"/>"#);
        }
    }
    if attributes.iter().any(|(_, known)| known.direction().is_some()) {
        text.push_str(
            "  <key id=\"direction\" for=\"edge\" attr.name=\"direction\" attr.type=\"string\"/>\n",
        );
    }
    text.push_str("  <graph id=\"oslow\" edgedefault=\"directed\">\n");
    for name in names {
        let _ = writeln!(text, r#"    <node id="{}"/>"#, escape(name));
    }
    for edge in dag.edges() {
        let (from, to) = (escape(&names[edge.0]), escape(&names[edge.1]));
        let known = EdgeAttributes::of(edge, attributes);
        let numbers = known.present().map(|(name, value)| (name, value.to_string()));
        let direction = known.direction().map(|direction| ("direction", direction.to_string()));
        let data: String = numbers
            .chain(direction)
            .map(|(name, value)| format!(r#"<data key="{name}">{value}</data>"#))
            .collect();
        let _ = match data.as_str() {
            "" => writeln!(text, r#"    <edge source="{from}" target="{to}"/>"#),
            _ => writeln!(text, r#"    <edge source="{from}" target="{to}">{data}</edge>"#),
        };
    }
    text.push_str("  </graph>\n</graphml>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_attributes_that_occur_are_declared() {
        let dag = Dag::new(3, &[(0, 1), (1, 2)]).unwrap();
        let names = ["a", "b", "c"].map(String::from);
        let known =
            EdgeAttributes { confidence: Some(0.97), decided: Some(false), ..EdgeAttributes::default() };
        let text = graphml(&dag, &names, &[((1, 2), known)]);
        assert!(text.contains(r#"<key id="confidence" for="edge""#) && !text.contains("p_value"));
        assert!(text.contains(r#"    <edge source="a" target="b"/>"#));
        let edge = r#"<edge source="b" target="c"><data key="confidence">0.97</data><data key="direction">undecided</data></edge>"#;
        assert!(text.contains(edge), "{text}");
        assert!(!graphml(&dag, &names, &[]).contains("<key"));
    }
}
