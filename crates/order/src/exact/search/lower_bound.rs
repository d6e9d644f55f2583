//! What no order can undercut.

use oslow_core::Precedence;

use super::problem::Problem;
use super::step::Step;

/// The recommended size of groups: 2²⁰ sets take hundredths of a second.
pub(super) const GROUP: usize = 20;

/// A lower bound of the cost of every allowed order.
///
/// Nodes are put into groups, of at most `group` nodes. Inside a group no two nodes can each stand before the other, and the cheapest order is
/// found exactly; nodes of other groups are taken to stand before all, unless the precedence forbids it. The sum over
/// groups is a bound, the better the more the groups keep nodes together that want to be each other's parents. One
/// group is the exact cost; groups of one node are the sum of the unconstrained minima.
pub(super) fn lower_bound(steps: &[Step], precedence: &Precedence, group: usize) -> f64 {
    let cheapest = |members: Vec<usize>| {
        let problem =
            Problem::part(steps, &members, precedence, |other, node| !precedence.requires(node, other));
        problem.cheapest_heads().get(problem.all())
    };
    groups(steps, group).into_iter().map(cheapest).sum()
}

/// Joins groups along the strongest conflicts first, as long as they stay small enough.
fn groups(steps: &[Step], most: usize) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = (0..steps.len()).map(|node| vec![node]).collect();
    for (a, b) in conflicts(steps) {
        let group_of = |node| groups.iter().position(|group| group.contains(&node));
        if let (Some(one), Some(two)) = (group_of(a), group_of(b))
            && one != two
            && groups[one].len() + groups[two].len() <= most
        {
            let moved = std::mem::take(&mut groups[two]);
            groups[one].extend(moved);
        }
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// The pairs of nodes whose order matters. First those that want each other, by what the pair loses at least, then
/// those where one wants the other, by what it loses; both can be part of longer cycles.
fn conflicts(steps: &[Step]) -> Vec<(usize, usize)> {
    let loss = |node: usize, other: usize| {
        let all = steps[node].costs().len() - 1;
        steps[node].costs()[all & !(steps[node].bit(other) as usize)] - steps[node].least()
    };
    let pairs = (0..steps.len()).flat_map(|a| (a + 1..steps.len()).map(move |b| (a, b)));
    let linked = pairs.filter(|&(a, b)| steps[a].bit(b) | steps[b].bit(a) != 0);
    let priced = linked.map(|(a, b)| ((a, b), loss(a, b).min(loss(b, a)), loss(a, b).max(loss(b, a))));
    let mut priced: Vec<_> = priced.collect();
    priced.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.2.total_cmp(&a.2)));
    priced.into_iter().map(|(pair, _, _)| pair).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::enumeration::{least, priced_orders};
    use super::super::tests::{NEAR, drawn};
    use super::*;
    use oslow_local::ParentCosts;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_order_undercuts_it(drawn in drawn(1..=6), seed: u64) {
            let case = drawn.case(seed);
            let steps: Vec<Step> = case.costs.iter().map(Step::new).collect();
            let bound = |group| lower_bound(&steps, &case.precedence, group);
            let best = least(&priced_orders(&case.costs, &case.precedence));
            let alone: f64 = steps.iter().map(Step::least).sum();
            for group in [1, 2, 3, 6] {
                prop_assert!(bound(group) <= best + NEAR);
                prop_assert!(bound(group) >= alone - NEAR || alone == f64::INFINITY);
            }
            if drawn.ordered == 0.0 {
                prop_assert!(bound(6) == best || (bound(6) - best).abs() < NEAR);
            }
        }
    }

    #[test]
    fn a_pair_in_conflict_is_counted_once() {
        let costs = [
            ParentCosts::new(vec![1], vec![3.0, 1.0]),
            ParentCosts::new(vec![0], vec![2.5, 1.0]),
            ParentCosts::new(vec![0], vec![9.0, 1.0]),
            ParentCosts::new(vec![1], vec![1.0, 1.0]),
        ];
        let steps: Vec<Step> = costs.iter().map(Step::new).collect();
        let free = Precedence::from_relation(4, vec![false; 16]);
        assert_eq!(groups(&steps, 4), [[0, 1, 2, 3]]);
        assert_eq!(groups(&steps, 2), [vec![0, 1], vec![2], vec![3]]);
        assert_eq!([1, 2, 4].map(|group| lower_bound(&steps, &free, group)), [4.0, 5.5, 5.5]);
        let mut last = vec![false; 16];
        last[2 * 4] = true;
        let last = Precedence::from_relation(4, last);
        assert_eq!([1, 2].map(|group| lower_bound(&steps, &last, group)), [12.0, 13.5]);
    }
}
