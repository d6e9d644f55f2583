//! The picture as text.

use std::fmt::Write;

use super::lanes::{Lanes, Vertex};
use super::{GraphPicture, has_edges};
use crate::EdgeAttributes;
use crate::markup::escape;

const MARGIN: f64 = 24.0;
const NODE_HEIGHT: f64 = 34.0;
/// Room between layers at least; wide sweeps of edges get more.
const GAP: f64 = 54.0;
const MOST_GAP: f64 = 120.0;
const ARROW: f64 = 9.0;
const FONT: f64 = 14.0;
/// Letters after which a name is cut; its whole is shown on hovering.
const MOST_LETTERS: usize = 26;
/// The widest rows of nodes without edges, if the rest is narrower.
const ROW: f64 = 520.0;
/// Widths of lines for confidence 0 and 1, and where none is known.
const THINNEST: f64 = 0.8;
const WIDEST: f64 = 4.0;
const PLAIN: f64 = 1.6;

/// Okabe and Ito's blue for nodes; everything else is told by shape. Dark pages get the same with light letters.
const STYLE: &str = "<style>
.page{fill:#fff}.node{fill:#e8f1f8;stroke:#0072b2;stroke-width:1.5}.edge{fill:none;stroke:#444}.arrow{fill:#444}
.name{fill:#111}.place,.note{fill:#666}
@media (prefers-color-scheme:dark){.page{fill:#14181c}.node{fill:#17364a;stroke:#56b4e9}.edge{stroke:#bbb}.arrow{fill:#bbb}
.name{fill:#f2f2f2}.place,.note{fill:#a5a5a5}}
</style>
";

/// What is written on the nodes.
pub(super) struct Labels(Vec<Label>);

struct Label {
    shown: String,
    /// The place in the causal order, from 1.
    place: Option<usize>,
    width: f64,
}

impl Labels {
    pub fn new(picture: &GraphPicture<'_>) -> Self {
        let positions = picture.order.map(oslow_core::Ordering::positions);
        let label = |(node, name): (usize, &String)| {
            let place = positions.as_ref().map(|positions| positions[node] + 1);
            let shown = shortened(name);
            let number = place.map_or(0.0, |place| place_width(place) + 6.0);
            Label { width: (letters_width(&shown) + number + 22.0).max(48.0), shown, place }
        };
        Self(picture.names.iter().enumerate().map(label).collect())
    }

    /// The width of each vertex: bends have none.
    pub fn widths(&self, lanes: &Lanes) -> Vec<f64> {
        let width = |vertex: &Vertex| match vertex {
            Vertex::Node(node) => self.0[*node].width,
            Vertex::Bend => 0.0,
        };
        lanes.vertices.iter().map(width).collect()
    }
}

fn place_width(place: usize) -> f64 {
    place.to_string().len() as f64 * 0.6 * 0.75 * FONT
}

/// How wide a text is at most in the usual sans-serif fonts.
fn letters_width(text: &str) -> f64 {
    let em = |letter: char| match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | '\'' | '|' | ':' | ';' => 0.36,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.98,
        'A'..='Z' => 0.74,
        letter if letter.is_ascii() => 0.62,
        letter if u32::from(letter) < 0x1100 => 0.72,
        _ => 1.05,
    };
    FONT * text.chars().map(em).sum::<f64>()
}

fn shortened(name: &str) -> String {
    match name.chars().count() > MOST_LETTERS {
        true => name.chars().take(MOST_LETTERS - 1).chain(['…']).collect(),
        false => name.into(),
    }
}

/// The SVG document.
pub(super) fn draw(picture: &GraphPicture<'_>, labels: &Labels, lanes: &Lanes, x: &[f64]) -> String {
    let widths = labels.widths(lanes);
    let right = (0..x.len()).map(|v| x[v] + widths[v] / 2.0).fold(0.0, f64::max);
    let tops = tops(lanes, x);
    let bottom = tops.last().map_or(MARGIN, |top| top + NODE_HEIGHT + MARGIN);
    let alone = rows_of_the_unconnected(picture, labels, right.max(ROW), bottom);
    let notes = notes(picture);
    let width = [right, alone.width, notes.iter().map(|note| 0.8 * letters_width(note)).fold(0.0, f64::max)]
        .into_iter()
        .fold(0.0, f64::max)
        + 2.0 * MARGIN;
    // What is narrower than the widest part stands in the middle.
    let shift = (width - right) / 2.0;

    let middle: Vec<f64> = x.iter().map(|place| place + shift).collect();
    let mut height = alone.bottom;
    let mut body = String::new();
    edges(picture, lanes, &middle, &widths, &tops, &mut body);
    let mut boxes: Vec<(usize, f64, f64)> = Vec::new();
    for (layer, top) in lanes.layers.iter().zip(&tops) {
        boxes.extend(layer.iter().filter_map(|&vertex| match lanes.vertices[vertex] {
            Vertex::Node(node) => Some((node, middle[vertex], *top)),
            Vertex::Bend => None,
        }));
    }
    let aside = (width - alone.width) / 2.0;
    boxes.extend(alone.boxes.iter().map(|&(node, at, top)| (node, at + aside, top)));
    boxes.sort_by_key(|place| place.0);
    boxes.iter().for_each(|&(node, at, top)| draw_node(picture, &labels.0[node], node, (at, top), &mut body));
    for note in &notes {
        let _ = writeln!(
            body,
            "<text class=\"note\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"11\">{note}</text>",
            width / 2.0,
            height
        );
        height += 16.0;
    }
    height += MARGIN - 14.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"{FONT}\" role=\"img\">\n<title>Causal graph, causes above effects</title>\n\
         {STYLE}<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n{body}</svg>\n"
    )
}

/// Where each layer begins.
fn tops(lanes: &Lanes, x: &[f64]) -> Vec<f64> {
    let mut top = MARGIN;
    let mut tops = Vec::with_capacity(lanes.layers.len());
    for layer in &lanes.layers {
        tops.push(top);
        let sweep = |&upper: &usize| lanes.below[upper].iter().map(move |&lower| (x[upper] - x[lower]).abs());
        let widest = layer.iter().flat_map(sweep).fold(0.0, f64::max);
        top += NODE_HEIGHT + (GAP + 0.12 * widest).min(MOST_GAP);
    }
    tops
}

fn draw_node(
    picture: &GraphPicture<'_>,
    label: &Label,
    node: usize,
    (middle, top): (f64, f64),
    svg: &mut String,
) {
    let left = middle - label.width / 2.0;
    let number = label.place.map_or(0.0, |place| place_width(place) + 6.0);
    let _ = writeln!(
        svg,
        "<g data-node=\"{node}\"><title>{}</title><rect class=\"node\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{NODE_HEIGHT}\" rx=\"8\"/>",
        escape(&picture.names[node]),
        label.width
    );
    let line = top + NODE_HEIGHT / 2.0 + 5.0;
    if let Some(place) = label.place {
        let _ = writeln!(
            svg,
            "<text class=\"place\" x=\"{:.1}\" y=\"{line:.1}\" font-size=\"{:.1}\">{place}</text>",
            left + 8.0,
            0.75 * FONT
        );
    }
    let _ = writeln!(
        svg,
        "<text class=\"name\" x=\"{:.1}\" y=\"{line:.1}\" text-anchor=\"middle\">{}</text></g>",
        middle + number / 2.0,
        escape(&label.shown)
    );
}

/// The lines with their arrows. A line leaves a node in the row of its neighbours' places, so that lines do not cross there.
fn edges(
    picture: &GraphPicture<'_>,
    lanes: &Lanes,
    x: &[f64],
    widths: &[f64],
    tops: &[f64],
    svg: &mut String,
) {
    let layer_of = {
        let mut layer_of = vec![0; lanes.vertices.len()];
        for (k, layer) in lanes.layers.iter().enumerate() {
            layer.iter().for_each(|&vertex| layer_of[vertex] = k);
        }
        layer_of
    };
    for ((from, to), path) in &lanes.paths {
        let last = path.len() - 1;
        let start = port(path[0], path[1], &lanes.below[path[0]], x, widths);
        let end = port(path[last], path[last - 1], &lanes.above[path[last]], x, widths);
        let known = EdgeAttributes::of((*from, *to), picture.attributes);
        let arrow = if known.is_undecided() { 0.0 } else { ARROW };
        let mut line = format!("M{start:.1} {:.1}", tops[layer_of[path[0]]] + NODE_HEIGHT);
        let mut at = (start, tops[layer_of[path[0]]] + NODE_HEIGHT);
        for (k, &vertex) in path.iter().enumerate().skip(1) {
            let top = tops[layer_of[vertex]];
            // A bend is passed straight, from the top of its layer to the bottom; at a node the arrow takes the last piece.
            let (place, begins, ends) = match k == last {
                true => (end, top - arrow, top - arrow + 1.0),
                false => (x[vertex], top, top + NODE_HEIGHT),
            };
            let half = (at.1 + begins) / 2.0;
            let _ = write!(
                line,
                "C{:.1} {half:.1} {place:.1} {half:.1} {place:.1} {begins:.1}L{place:.1} {ends:.1}",
                at.0
            );
            at = (place, ends);
        }
        let width = known.confidence_drawn().map_or(PLAIN, |share| THINNEST + (WIDEST - THINNEST) * share);
        let (class, between) = if known.is_undecided() { ("edge undecided", "—") } else { ("edge", "→") };
        let told = known
            .confidence_drawn()
            .map_or_else(String::new, |share| format!(", confidence {:.0} %", 100.0 * share));
        let (cause, effect) = (escape(&picture.names[*from]), escape(&picture.names[*to]));
        let _ = writeln!(
            svg,
            "<g data-from=\"{from}\" data-to=\"{to}\"><title>{cause} {between} {effect}{told}</title>\n\
             <path class=\"{class}\" stroke-width=\"{width:.1}\" d=\"{line}\"/>"
        );
        if known.is_undecided() {
            svg.push_str("</g>\n");
            continue;
        }
        let half = 3.0 + width / 2.0;
        let tip = tops[layer_of[path[last]]];
        let _ = writeln!(
            svg,
            "<path class=\"arrow\" d=\"M{:.1} {:.1}h{:.1}L{end:.1} {tip:.1}z\"/></g>",
            end - half,
            tip - ARROW,
            2.0 * half
        );
    }
}

/// Where on its node a line ends that leads to `other`, one of the node's neighbours on that side.
fn port(node: usize, other: usize, neighbours: &[usize], x: &[f64], widths: &[f64]) -> f64 {
    let mut sorted = neighbours.to_vec();
    sorted.sort_by(|&a, &b| x[a].total_cmp(&x[b]));
    let rank = sorted.iter().position(|&neighbour| neighbour == other).unwrap_or(0) as f64;
    let gaps = (neighbours.len() - 1) as f64;
    let step = if gaps > 0.0 { ((widths[node] - 24.0) / gaps).min(14.0) } else { 0.0 };
    x[node] + step * (rank - gaps / 2.0)
}

/// Nodes without edges, below the others in rows.
struct Unconnected {
    /// Node, middle and top of each.
    boxes: Vec<(usize, f64, f64)>,
    width: f64,
    /// Where the next thing may begin.
    bottom: f64,
}

fn rows_of_the_unconnected(picture: &GraphPicture<'_>, labels: &Labels, most: f64, top: f64) -> Unconnected {
    let mut nodes: Vec<usize> =
        (0..picture.names.len()).filter(|&node| !has_edges(picture.dag, node)).collect();
    nodes.sort_by_key(|&node| labels.0[node].place);
    let mut found = Unconnected { boxes: Vec::new(), width: 0.0, bottom: top };
    let mut left = 0.0;
    for &node in &nodes {
        let width = labels.0[node].width;
        if left > 0.0 && left + width > most {
            left = 0.0;
            found.bottom += NODE_HEIGHT + 12.0;
        }
        found.boxes.push((node, left + width / 2.0, found.bottom));
        found.width = found.width.max(left + width);
        left += width + 14.0;
    }
    found.bottom += if nodes.is_empty() { 0.0 } else { NODE_HEIGHT + MARGIN };
    found
}

/// What the reader must know to read the picture.
fn notes(picture: &GraphPicture<'_>) -> Vec<&'static str> {
    let edges = picture.dag.edges();
    let confident =
        edges.iter().any(|&edge| EdgeAttributes::of(edge, picture.attributes).confidence.is_some());
    let doubtful = edges.iter().any(|&edge| EdgeAttributes::of(edge, picture.attributes).is_undecided());
    [
        (picture.order.is_some(), "small numbers: place in the causal order"),
        (confident, "width of a line: confidence"),
        (doubtful, "without an arrow: the data do not tell the direction"),
    ]
    .into_iter()
    .filter_map(|(there, note)| there.then_some(note))
    .collect()
}
