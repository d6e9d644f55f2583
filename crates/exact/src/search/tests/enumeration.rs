//! Every order and every graph of a few nodes.

use crate::{ParentCosts, best_dag};
use oslow_core::{Dag, Ordering, Precedence};

/// All orders of `d` nodes.
pub fn orders(d: usize) -> Vec<Ordering> {
    let mut found: Vec<Vec<usize>> = vec![Vec::new()];
    for node in 0..d {
        let places = |nodes: Vec<usize>| {
            (0..=nodes.len()).map(move |place| {
                let mut longer = nodes.clone();
                longer.insert(place, node);
                longer
            })
        };
        found = found.into_iter().flat_map(places).collect();
    }
    found.into_iter().map(|nodes| Ordering::new(nodes).unwrap()).collect()
}

/// All orders that are allowed, with their costs.
pub fn priced_orders(costs: &[ParentCosts], precedence: &Precedence) -> Vec<(Ordering, f64)> {
    let priced = |order: Ordering| best_dag(costs, &order).map(|(_, cost)| (order, cost));
    orders(costs.len()).into_iter().filter(|order| precedence.admits(order)).filter_map(priced).collect()
}

/// The least cost.
pub fn least(priced: &[(Ordering, f64)]) -> f64 {
    priced.iter().map(|(_, cost)| *cost).fold(f64::INFINITY, f64::min)
}

/// The least cost of a graph, by trying every set of edges: without orders.
pub fn least_of_graphs(costs: &[ParentCosts]) -> f64 {
    let d = costs.len();
    let pairs: Vec<(usize, usize)> =
        (0..d * d).map(|k| (k / d, k % d)).filter(|(from, to)| from != to).collect();
    let graphs = (0..1usize << pairs.len()).filter_map(|mask| {
        let edges: Vec<_> = (0..pairs.len()).filter(|k| mask >> k & 1 == 1).map(|k| pairs[k]).collect();
        Dag::new(d, &edges).ok()
    });
    graphs.map(|dag| price(costs, &dag)).fold(f64::INFINITY, f64::min)
}

/// What a graph costs; one with an edge from what is no candidate is not allowed.
pub fn price(costs: &[ParentCosts], dag: &Dag) -> f64 {
    let node = |(node, table): (usize, &ParentCosts)| {
        let parents = dag.parents(node);
        let mask = table.mask(|other| parents.contains(&other));
        if mask.count_ones() as usize == parents.len() { table.costs()[mask as usize] } else { f64::INFINITY }
    };
    costs.iter().enumerate().map(node).sum()
}
