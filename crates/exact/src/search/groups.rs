//! Nodes that belong together when a problem is cut into pieces.

use super::step::Step;

/// Groups of at most `most` nodes, joined along the strongest conflicts first.
pub(super) fn groups(steps: &[Step], most: usize) -> Vec<Vec<usize>> {
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
    use super::*;
    use crate::ParentCosts;

    #[test]
    fn the_strongest_conflict_is_kept_together() {
        let costs = [
            ParentCosts::new(vec![1], vec![3.0, 1.0]),
            ParentCosts::new(vec![0], vec![2.5, 1.0]),
            ParentCosts::new(vec![0], vec![9.0, 1.0]),
            ParentCosts::new(vec![1], vec![1.0, 1.0]),
            ParentCosts::new(vec![], vec![1.0]),
        ];
        let steps: Vec<Step> = costs.iter().map(Step::new).collect();
        assert_eq!(groups(&steps, 1), [[0], [1], [2], [3], [4]]);
        assert_eq!(groups(&steps, 2), [vec![0, 1], vec![2], vec![3], vec![4]]);
        assert_eq!(groups(&steps, 3), [vec![0, 1, 2], vec![3], vec![4]]);
        assert_eq!(groups(&steps, 5), [vec![0, 1, 2, 3], vec![4]]);
    }
}
