//! The picture of a graph: causes above effects, as SVG, without Graphviz.
//!
//! The layered layout of Sugiyama, Tagawa and Toda (1981), in four steps, one file each: nodes get layers ([`layers`]), edges that
//! pass layers get a bend in each ([`lanes`]), each layer is ordered so that few edges cross ([`crossings`]), and places are found that
//! keep edges straight ([`places`]). An edge passes a layer in a lane of its own, so that none is drawn across a node.

mod crossings;
mod drawing;
mod lanes;
mod layers;
mod places;

use oslow_core::{Dag, Edge, Ordering};

use crate::EdgeAttributes;
use lanes::Lanes;

/// A graph and what is shown of it.
#[derive(Clone, Copy, Debug)]
pub struct GraphPicture<'a> {
    /// The graph.
    pub dag: &'a Dag,
    /// The names of its nodes.
    pub names: &'a [String],
    /// The causal order: each node then shows its place in it.
    pub order: Option<&'a Ordering>,
    /// What is known of its edges: lines are as wide as their confidence, and those that may as well point the other way have no arrow.
    pub attributes: &'a [(Edge, EdgeAttributes)],
}

impl GraphPicture<'_> {
    /// The picture as an SVG document, for light and dark pages.
    ///
    /// ```
    /// use oslow_report::GraphPicture;
    /// let dag = oslow_core::Dag::new(2, &[(0, 1)]).unwrap();
    /// let names = ["smoke".to_string(), "cough".to_string()];
    /// let picture = GraphPicture { dag: &dag, names: &names, order: None, attributes: &[] };
    /// assert!(picture.to_svg().starts_with("<svg"));
    /// ```
    pub fn to_svg(&self) -> String {
        let connected: Vec<usize> = (0..self.dag.nodes()).filter(|&node| has_edges(self.dag, node)).collect();
        let layer = layers::layers(self.dag);
        let mut lanes = Lanes::new(self.dag, &connected, &layer);
        crossings::untangle(&mut lanes);
        let labels = drawing::Labels::new(self);
        let places = places::places(&lanes, &labels.widths(&lanes));
        drawing::draw(self, &labels, &lanes, &places)
    }
}

fn has_edges(dag: &Dag, node: usize) -> bool {
    (0..dag.nodes()).any(|other| dag.has(node, other) || dag.has(other, node))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn picture(dag: &Dag, names: &[String]) -> String {
        GraphPicture { dag, names, order: Some(&dag.topological_order()), attributes: &[] }.to_svg()
    }

    /// The boxes of the nodes as the picture has them: left, top, width and height.
    fn boxes(svg: &str) -> Vec<[f64; 4]> {
        let number = |text: &str, key: &str| -> f64 {
            let start = text.find(&format!(" {key}=\"")).unwrap() + key.len() + 3;
            text[start..].split('"').next().unwrap().parse().unwrap()
        };
        svg.lines()
            .filter(|line| line.contains("class=\"node\""))
            .map(|line| ["x", "y", "width", "height"].map(|key| number(line, key)))
            .collect()
    }

    /// The points of the lines of the edges: curves at 20 points each.
    fn lines(svg: &str) -> Vec<Vec<(f64, f64)>> {
        let paths = svg.lines().filter(|line| line.contains("class=\"edge"));
        paths
            .map(|line| {
                let d = line.split(" d=\"").nth(1).unwrap().split('"').next().unwrap();
                let numbers: Vec<f64> =
                    d.split(['M', 'C', 'L', ' ', ',']).filter_map(|n| n.parse().ok()).collect();
                let points: Vec<(f64, f64)> = numbers.chunks(2).map(|c| (c[0], c[1])).collect();
                // M p (C p p p L p)*
                let mut sampled = vec![points[0]];
                let mut rest = &points[1..];
                while rest.len() >= 4 {
                    let from = *sampled.last().unwrap();
                    for k in 1..=20 {
                        let (t, s) = (f64::from(k) / 20.0, 1.0 - f64::from(k) / 20.0);
                        let mix = |a: f64, b: f64, c: f64, d: f64| {
                            s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
                        };
                        sampled.push((
                            mix(from.0, rest[0].0, rest[1].0, rest[2].0),
                            mix(from.1, rest[0].1, rest[1].1, rest[2].1),
                        ));
                    }
                    sampled.push(rest[3]);
                    rest = &rest[4..];
                }
                assert!(rest.is_empty(), "{d}");
                sampled
            })
            .collect()
    }

    fn graph() -> impl Strategy<Value = Dag> {
        (2_usize..13).prop_flat_map(|d| {
            proptest::collection::vec(proptest::bool::weighted(0.25), d * d).prop_map(move |chosen| {
                let edges: Vec<Edge> =
                    (0..d * d).filter(|&k| chosen[k] && k / d < k % d).map(|k| (k / d, k % d)).collect();
                Dag::new(d, &edges).unwrap()
            })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn nothing_overlaps_and_causes_stand_above(dag in graph()) {
            let names: Vec<String> = (0..dag.nodes()).map(|k| "n".repeat(1 + (k * 7) % 15)).collect();
            let svg = picture(&dag, &names);
            let (boxes, lines) = (boxes(&svg), lines(&svg));
            prop_assert_eq!((boxes.len(), lines.len()), (dag.nodes(), dag.edges().len()));
            for (i, a) in boxes.iter().enumerate() {
                for b in &boxes[..i] {
                    let apart = a[0] + a[2] < b[0] || b[0] + b[2] < a[0] || a[1] + a[3] < b[1] || b[1] + b[3] < a[1];
                    prop_assert!(apart, "{:?} {:?}", a, b);
                }
                for &(x, y) in lines.iter().flatten() {
                    let within = x > a[0] && x < a[0] + a[2] && y > a[1] + 0.1 && y < a[1] + a[3] - 0.1;
                    prop_assert!(!within, "({}, {}) in {:?}", x, y, a);
                }
            }
            for (cause, effect) in dag.edges() {
                prop_assert!(boxes[cause][1] + boxes[cause][3] < boxes[effect][1]);
            }
        }
    }

    #[test]
    fn what_is_known_of_an_edge_is_seen() {
        let dag = Dag::new(3, &[(0, 1), (1, 2)]).unwrap();
        let names = ["a<b", "b", "c"].map(String::from);
        let sure = |confidence, decided| EdgeAttributes {
            confidence: Some(confidence),
            decided: Some(decided),
            ..EdgeAttributes::default()
        };
        let attributes = [((0, 1), sure(1.0, true)), ((1, 2), sure(0.0, false))];
        let order = dag.topological_order();
        let svg =
            GraphPicture { dag: &dag, names: &names, order: Some(&order), attributes: &attributes }.to_svg();
        let edges: Vec<&str> = svg.lines().filter(|line| line.contains("class=\"edge")).collect();
        assert!(
            edges[0].contains("stroke-width=\"4.0\"") && edges[1].contains("stroke-width=\"0.8\""),
            "{svg}"
        );
        assert!(!edges[0].contains("undecided") && edges[1].contains("undecided"));
        assert_eq!(svg.matches("class=\"arrow\"").count(), 1, "only what is decided has an arrow");
        assert!(
            svg.contains("a&lt;b")
                && svg.contains("width of a line: confidence")
                && svg.contains("do not tell")
        );
        let plain = picture(&dag, &names);
        assert!(
            !plain.contains("confidence") && !plain.contains("do not tell") && plain.contains("causal order")
        );
    }
}
