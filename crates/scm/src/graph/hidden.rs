//! Common causes that are not in the table.

use oslow_core::{Dag, Ordering, Result, Rng};

/// The graph with `hidden` more nodes behind its own: each has no causes and causes max(2, ⌊(d + 1)/3⌋) of the d
/// nodes of the table, drawn at random.
pub(crate) fn with_hidden(dag: &Dag, hidden: usize, rng: &mut Rng) -> Result<Dag> {
    let d = dag.nodes();
    let mut edges = dag.edges();
    for cause in d..d + hidden {
        let effects = Ordering::random(d, rng);
        edges.extend(effects.nodes().iter().take(((d + 1) / 3).max(2)).map(|&effect| (cause, effect)));
    }
    Dag::new(d + hidden, &edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    #[test]
    fn hidden_nodes_are_common_causes_and_change_nothing_else() {
        for (d, effects) in [(2, 2), (5, 2), (10, 3)] {
            let dag = Dag::tournament(&Ordering::identity(d));
            let whole = with_hidden(&dag, 2, &mut Seed(1).stream("test")).unwrap();
            assert_eq!(whole.nodes(), d + 2);
            for hidden in [d, d + 1] {
                assert_eq!((whole.parents(hidden).len(), whole.children(hidden).len()), (0, effects));
            }
            let rest: Vec<_> = whole.edges().into_iter().filter(|edge| edge.0 < d).collect();
            assert_eq!(rest, dag.edges());
        }
    }
}
