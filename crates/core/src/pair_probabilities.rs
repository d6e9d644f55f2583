//! How probable each edge is.

/// For each ordered pair of columns, how probable it is that one is a cause of the other, given the data and what the method assumes.
#[derive(Clone, Debug, PartialEq)]
pub struct PairProbabilities {
    nodes: usize,
    edge: Vec<f64>,
    before: Vec<f64>,
    causes: Vec<f64>,
}

impl PairProbabilities {
    /// Nothing is known of these columns yet.
    pub fn none(nodes: usize) -> Self {
        let zeros = vec![0.0; nodes * nodes];
        Self { nodes, edge: zeros.clone(), before: zeros.clone(), causes: zeros }
    }

    /// Adds probabilities by ordered pair, `[a * nodes + b]`, each times a weight: that a is a direct cause of b, that it comes before b, that it is a direct or
    /// indirect cause.
    pub fn add(&mut self, [edge, before, causes]: [&[f64]; 3], weight: f64) {
        for (mine, more) in [(&mut self.edge, edge), (&mut self.before, before), (&mut self.causes, causes)] {
            mine.iter_mut().zip(more).for_each(|(mine, more)| *mine += weight * more);
        }
    }

    /// The number of columns.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// That `a` is a direct cause of `b`.
    pub fn edge(&self, a: usize, b: usize) -> f64 {
        self.of(&self.edge, a, b)
    }

    /// That `a` comes before `b` in the causal order.
    pub fn before(&self, a: usize, b: usize) -> f64 {
        self.of(&self.before, a, b)
    }

    /// That `a` is a direct or indirect cause of `b`.
    pub fn causes(&self, a: usize, b: usize) -> f64 {
        self.of(&self.causes, a, b)
    }

    /// That there is an edge between the two, whichever way.
    pub fn adjacent(&self, a: usize, b: usize) -> f64 {
        (self.edge(a, b) + self.edge(b, a)).min(1.0)
    }

    /// That the edge points from `a` to `b`, given that there is one.
    pub fn direction(&self, a: usize, b: usize) -> Option<f64> {
        let both = self.edge(a, b) + self.edge(b, a);
        (both > 0.0).then(|| self.edge(a, b) / both)
    }

    // Sums of many small numbers may end just above one.
    fn of(&self, by_pair: &[f64], a: usize, b: usize) -> f64 {
        by_pair[a * self.nodes + b].clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weighted_sums_and_what_follows_from_them() {
        let mut known = PairProbabilities::none(2);
        assert_eq!(known.direction(0, 1), None);
        let sure = [0.0, 1.0, 0.0, 0.0];
        known.add([&[0.0, 0.6, 0.2, 0.0], &sure, &sure], 0.5);
        known.add([&[0.0, 0.8, 0.0, 0.0], &sure, &sure], 0.5);
        assert!((known.edge(0, 1) - 0.7).abs() < 1e-12 && (known.adjacent(1, 0) - 0.8).abs() < 1e-12);
        assert!((known.direction(0, 1).unwrap() - 0.875).abs() < 1e-12);
        assert_eq!((known.before(0, 1), known.causes(1, 0), known.nodes()), (1.0, 0.0, 2));
    }
}
