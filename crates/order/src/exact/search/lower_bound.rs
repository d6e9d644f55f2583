//! What no order can undercut.

use oslow_core::Precedence;

use super::problem::Problem;
use super::step::Step;

/// The most nodes whose conflicts are solved together: 2²⁰ sets take hundredths of a second.
const GROUP: usize = 20;

/// A lower bound of the cost of every allowed order.
///
/// Nodes are put into groups. Inside a group no two nodes can each stand before the other, and the cheapest order is
/// found exactly; nodes of other groups are taken to stand before all, unless the precedence forbids it. The sum over
/// groups is a bound, the better the more the groups keep nodes together that want to be each other's parents. One
/// group is the exact cost; groups of one node are the sum of the unconstrained minima.
pub(super) fn lower_bound(steps: &[Step], precedence: &Precedence) -> f64 {
    let cheapest = |members: Vec<usize>| {
        let problem =
            Problem::part(steps, &members, precedence, |other, node| !precedence.requires(node, other));
        problem.cheapest_heads().get(problem.all())
    };
    groups(steps).into_iter().map(cheapest).sum()
}

/// Joins groups along the strongest conflicts first, as long as they stay small enough.
fn groups(steps: &[Step]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = (0..steps.len()).map(|node| vec![node]).collect();
    for (a, b) in conflicts(steps) {
        let group_of = |node| groups.iter().position(|group| group.contains(&node));
        if let (Some(one), Some(two)) = (group_of(a), group_of(b))
            && one != two
            && groups[one].len() + groups[two].len() <= GROUP
        {
            let moved = std::mem::take(&mut groups[two]);
            groups[one].extend(moved);
        }
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// The pairs of nodes that cost something to keep apart. First those that want each other, by what the pair loses at
/// least, then those where one wants the other, which can be part of a longer cycle.
fn conflicts(steps: &[Step]) -> Vec<(usize, usize)> {
    let loss = |node: usize, other: usize| {
        let all = steps[node].costs().len() - 1;
        steps[node].costs()[all & !(steps[node].bit(other) as usize)] - steps[node].least()
    };
    let pairs = (0..steps.len()).flat_map(|a| (a + 1..steps.len()).map(move |b| (a, b)));
    let priced = pairs.map(|(a, b)| ((a, b), loss(a, b).min(loss(b, a)), loss(a, b).max(loss(b, a))));
    let mut wanted: Vec<_> = priced.filter(|&(_, _, most)| most > 0.0).collect();
    wanted.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.2.total_cmp(&a.2)));
    wanted.into_iter().map(|(pair, _, _)| pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_local::ParentCosts;

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
        assert_eq!(groups(&steps), [vec![0, 1, 2], vec![3]]);
        assert_eq!(lower_bound(&steps, &free), 2.0 + 1.5 + 1.0 + 1.0);
        let mut last = vec![false; 16];
        last[2 * 4] = true;
        assert_eq!(lower_bound(&steps, &Precedence::from_relation(4, last)), 2.0 + 1.5 + 9.0 + 1.0);
    }
}
