//! Edges that pass layers get a bend in each, so that every line leads from one layer to the next.

use oslow_core::{Dag, Edge};

/// What stands in a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vertex {
    /// A node.
    Node(usize),
    /// A place where an edge passes.
    Bend,
}

/// The graph with its bends. Vertices are numbered; every line leads one layer down.
pub(super) struct Lanes {
    /// What each vertex is.
    pub vertices: Vec<Vertex>,
    /// The vertices of each layer, from left to right.
    pub layers: Vec<Vec<usize>>,
    /// The vertices above that each vertex is joined to.
    pub above: Vec<Vec<usize>>,
    /// The vertices below.
    pub below: Vec<Vec<usize>>,
    /// The edges with their vertices, from cause to effect.
    pub paths: Vec<(Edge, Vec<usize>)>,
}

impl Lanes {
    /// The lanes of these nodes, each in its layer. Layers that no node stands in are left out.
    pub fn new(dag: &Dag, nodes: &[usize], layer: &[usize]) -> Self {
        let mut used: Vec<usize> = nodes.iter().map(|&node| layer[node]).collect();
        used.sort_unstable();
        used.dedup();
        let place = |node: usize| used.partition_point(|&other| other < layer[node]);
        let mut lanes = Self {
            vertices: Vec::new(),
            layers: vec![Vec::new(); used.len()],
            above: Vec::new(),
            below: Vec::new(),
            paths: Vec::new(),
        };
        let mut vertex_of = vec![0; dag.nodes()];
        for &node in nodes {
            vertex_of[node] = lanes.add(Vertex::Node(node), place(node));
        }
        for (from, to) in dag.edges() {
            let bends: Vec<usize> =
                (place(from) + 1..place(to)).map(|k| lanes.add(Vertex::Bend, k)).collect();
            let path: Vec<usize> =
                [vertex_of[from]].into_iter().chain(bends).chain([vertex_of[to]]).collect();
            for line in path.windows(2) {
                lanes.below[line[0]].push(line[1]);
                lanes.above[line[1]].push(line[0]);
            }
            lanes.paths.push(((from, to), path));
        }
        lanes
    }

    fn add(&mut self, vertex: Vertex, layer: usize) -> usize {
        let number = self.vertices.len();
        self.vertices.push(vertex);
        self.layers[layer].push(number);
        self.above.push(Vec::new());
        self.below.push(Vec::new());
        number
    }

    /// The place of each vertex within its layer.
    pub fn positions(&self) -> Vec<usize> {
        let mut positions = vec![0; self.vertices.len()];
        for layer in &self.layers {
            for (position, &vertex) in layer.iter().enumerate() {
                positions[vertex] = position;
            }
        }
        positions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_edge_bends_in_every_layer_it_passes() {
        let dag = Dag::new(3, &[(0, 1), (1, 2), (0, 2)]).unwrap();
        let lanes = Lanes::new(&dag, &[0, 1, 2], &[0, 2, 5]);
        assert_eq!(lanes.vertices, [Vertex::Node(0), Vertex::Node(1), Vertex::Node(2), Vertex::Bend]);
        assert_eq!(lanes.layers, [vec![0], vec![1, 3], vec![2]]);
        let (edge, path) = &lanes.paths[1];
        assert_eq!((*edge, path.as_slice()), ((0, 2), &[0, 3, 2][..]));
    }
}
