//! Which causes a larger graph and the knowledge leave to each variable: where every pruner begins.

use oslow_core::{Dag, Error, Knowledge, Ordering, Precedence, Prepared, Result};

/// What a pruner chooses from.
pub(crate) struct Candidates {
    /// An order of the larger graph: the order itself if that is its tournament.
    pub order: Ordering,
    /// The candidate causes of each node, causes first.
    pub causes: Vec<Vec<usize>>,
}

impl Candidates {
    /// Each node's parents in the larger graph, less those that knowledge forbids. Refuses a graph of another table, one whose
    /// order contradicts the knowledge, and one without a required edge.
    pub fn new(sample: &Prepared, within: &Dag, knowledge: &Knowledge) -> Result<Self> {
        let d = within.nodes();
        if d != sample.columns() {
            let columns = sample.columns();
            return Err(Error::input(format!("the order has {d} variables, the table {columns} columns")));
        }
        let known = knowledge.precedence();
        let both = (0..d * d).map(|k| within.has(k / d, k % d) || known.requires(k / d, k % d)).collect();
        let both = Precedence::from_relation(d, both);
        if (0..d).any(|node| both.requires(node, node)) {
            return Err(Error::input("the order contradicts the knowledge")
                .with_hint("look at its tiers and required edges"));
        }
        if let Some(&(from, to)) = knowledge.required().iter().find(|&&(from, to)| !within.has(from, to)) {
            let names = sample.names();
            return Err(Error::input(format!(
                "the required edge `{}` → `{}` is not among those to choose from",
                names[from], names[to]
            )));
        }
        let order = within.topological_order();
        let mut causes = vec![Vec::new(); d];
        for (position, &node) in order.nodes().iter().enumerate() {
            let candidate = |from: &usize| within.has(*from, node) && knowledge.allows(*from, node);
            causes[node] = order.nodes()[..position].iter().copied().filter(candidate).collect();
        }
        Ok(Self { order, causes })
    }
}
