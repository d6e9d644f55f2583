//! Orders that follow the rank of a statistic: what `var-sort` and `r2-sort` share.

use oslow_core::{Evidence, Learned, Ordering, Rng, Run};

/// The columns by rank, smallest first or, if `descending`, last. Equal ranks are put into a random order, never into that of
/// the columns: a data set's own layout often is a causal order. With knowledge, a topological sort with this
/// order as priority.
pub(crate) fn by_rank(ranks: &[usize], descending: bool, run: &Run<'_>, rng: &mut Rng) -> Learned {
    let d = ranks.len();
    let priority: Vec<f64> = Ordering::random(d, rng)
        .positions()
        .iter()
        .zip(ranks)
        .map(|(position, rank)| if descending { position + (d - rank) * d } else { position + rank * d })
        .map(|priority| priority as f64)
        .collect();
    let precedence = run.knowledge.precedence();
    // With knowledge some of the tied orders are excluded, and counting the rest is hard.
    let ties = if precedence.is_free() { tied_orders(ranks) } else { None };
    let order = precedence.project(&Ordering::by_priority(&priority));
    Learned { order: Some(order), evidence: Evidence { ties, ..Evidence::default() }, ..Learned::default() }
}

/// How many orders respect the ranks: the product of the factorials of how often each occurs, where that is a number.
fn tied_orders(ranks: &[usize]) -> Option<usize> {
    let mut seen = vec![0usize; ranks.len()];
    ranks.iter().try_fold(1usize, |orders, &rank| {
        seen[rank] += 1;
        orders.checked_mul(seen[rank])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{ForgetfulCheckpoint, Knowledge, Seed, Silent};

    fn sorted(ranks: &[usize], descending: bool, seed: u64) -> Learned {
        let knowledge = Knowledge::none(ranks.len());
        let (observer, checkpoint) = (&mut Silent, &mut ForgetfulCheckpoint);
        let run = Run { seed: Seed(seed), knowledge: &knowledge, threads: 1, observer, checkpoint };
        by_rank(ranks, descending, &run, &mut run.seed.stream("test"))
    }

    #[test]
    fn ranks_decide_and_ties_are_drawn() {
        assert_eq!(sorted(&[2, 0, 1], false, 1).order.unwrap().nodes(), [1, 2, 0]);
        assert_eq!(sorted(&[2, 0, 1], true, 1).order.unwrap().nodes(), [0, 2, 1]);
        let mut first = [0; 3];
        for seed in 0..300 {
            let found = sorted(&[0, 1, 0, 0], false, seed);
            let order = found.order.unwrap();
            assert_eq!((order.nodes()[3], found.evidence.ties), (1, Some(6)));
            first[[0, 9, 1, 2][order.nodes()[0]]] += 1;
        }
        // 100 each, with a standard deviation of 8.2.
        assert!(first.iter().all(|count| (67..=133).contains(count)), "{first:?}");
        assert_eq!(tied_orders(&[0; 30]), None, "30! does not fit");
    }
}
