//! The cheapest graph that agrees with an order.

use oslow_core::{Dag, Edge, Ordering};

use crate::ParentCosts;

/// The cheapest graph whose edges all go forward in the order, and its cost: each node takes its cheapest set among
/// the nodes before it. `None` if some node is left without an allowed set.
///
/// # Panics
/// If there are not as many nodes in the order as costs.
pub fn best_dag(costs: &[ParentCosts], order: &Ordering) -> Option<(Dag, f64)> {
    assert_eq!(costs.len(), order.len(), "one table of costs for each node");
    let positions = order.positions();
    let (mut edges, mut total) = (Vec::<Edge>::new(), 0.0);
    for (node, table) in costs.iter().enumerate() {
        let (parents, cost) = table.cheapest_inside(table.mask(|other| positions[other] < positions[node]));
        edges.extend(table.parents(parents).into_iter().map(|parent| (parent, node)));
        total += cost;
    }
    let dag = Dag::new(costs.len(), &edges).expect("edges along an order make no cycle");
    (total < f64::INFINITY).then_some((dag, total))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs() -> Vec<ParentCosts> {
        vec![
            ParentCosts::new(vec![1, 2], vec![5.0, 3.0, 4.0, 2.5]),
            ParentCosts::new(vec![0], vec![4.0, 1.0]),
            ParentCosts::new(vec![0], vec![f64::INFINITY, 1.0]),
        ]
    }

    #[test]
    fn each_node_takes_the_cheapest_set_before_it() {
        let order = |nodes: [usize; 3]| Ordering::new(nodes.to_vec()).unwrap();
        let (dag, cost) = best_dag(&costs(), &order([1, 0, 2])).unwrap();
        assert_eq!((dag.edges(), cost), (vec![(0, 2), (1, 0)], 8.0));
        let (dag, cost) = best_dag(&costs(), &order([0, 2, 1])).unwrap();
        assert_eq!((dag.edges(), cost), (vec![(0, 1), (0, 2)], 7.0));
        assert_eq!(best_dag(&costs(), &order([2, 0, 1])), None, "node 2 requires node 0");
    }
}
