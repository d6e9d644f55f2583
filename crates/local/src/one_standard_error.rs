//! Which parents are needed: the one-standard-error rule.

use oslow_core::{Dag, Edge, Ordering};

use crate::{LocalScores, Score, difference};

/// The graph along an order: each node takes, among sets of its predecessors, the smallest one that is not clearly worse than the
/// best one. Clearly is by more than so many standard errors of the difference over rows; of equally small sets the best is taken.
/// `None` if a node is left without a scored set.
///
/// # Panics
/// If there are not as many nodes in the order as in the scores.
pub fn smallest_sufficient(scores: &LocalScores, order: &Ordering, standard_errors: f64) -> Option<Dag> {
    let positions = order.positions();
    let mut edges: Vec<Edge> = Vec::new();
    for (node, costs) in scores.costs(0.0).iter().enumerate() {
        let inside = costs.mask(|other| positions[other] < positions[node]);
        let sets: Vec<(u32, &Score)> = (0u32..)
            .zip(scores.of(node))
            .filter(|(mask, _)| mask & !inside == 0)
            .filter_map(|(mask, score)| score.as_ref().map(|score| (mask, score)))
            .collect();
        let best = sets.iter().min_by(|a, b| a.1.nll.total_cmp(&b.1.nll))?.1;
        let sufficient = |score: &Score| {
            let (worse, error) = difference(&score.rows, &best.rows);
            worse <= standard_errors * error
        };
        let (mask, _) = sets
            .iter()
            .filter(|(_, score)| sufficient(score))
            .min_by(|a, b| (a.0.count_ones().cmp(&b.0.count_ones())).then(a.1.nll.total_cmp(&b.1.nll)))?;
        edges.extend(costs.parents(*mask).into_iter().map(|parent| (parent, node)));
    }
    Some(Dag::new(order.len(), &edges).expect("edges along an order make no cycle"))
}
