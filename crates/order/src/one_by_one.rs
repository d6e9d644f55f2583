//! Orders that are built from one end, a node at a time: what `score` and `direct-lingam` share.

use oslow_core::{
    Error, Event, Learned, Ordering, Precedence, Prepared, Result, Rng, Run, check_stop, unless_stopped,
};
use oslow_math::ranks;

/// The end of the order at which the next node is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Causes first.
    Root,
    /// Effects first.
    Leaf,
}

/// What the next node is chosen by.
pub(crate) trait Criterion {
    /// A number for each node that is left (in ascending order): the smallest goes next.
    fn values(&self, left: &[usize]) -> Result<Vec<f64>>;

    /// Takes notice of the choice.
    fn take(&mut self, _next: usize, _left: &[usize]) {}
}

/// Builds an order from one end: of the nodes that the knowledge admits at this end, the one with the smallest value is next.
/// Equal values are drawn, never taken by column.
///
/// A run that is told to stop orders the rest by the values that it saw last.
pub(crate) fn one_by_one(
    end: End,
    criterion: &mut dyn Criterion,
    sample: &Prepared,
    run: &mut Run<'_>,
    rng: &mut Rng,
) -> Result<Learned> {
    let precedence = run.knowledge.precedence();
    let total = sample.columns() as u64 - 1;
    let mut left: Vec<usize> = (0..sample.columns()).collect();
    let mut taken = Vec::with_capacity(left.len());
    // The nodes that are left, by the values that were seen last.
    let mut last = Vec::new();
    let mut interrupted = false;
    while left.len() > 1 {
        let Some(values) = unless_stopped(|| criterion.values(&left)).transpose()? else {
            if taken.is_empty() {
                // No node has a value yet.
                check_stop();
            }
            left = last;
            interrupted = true;
            break;
        };
        if let Some(bad) = values.iter().position(|value| !value.is_finite()) {
            let step =
                format!("step {} of the order, column `{}`", taken.len() + 1, sample.names()[left[bad]]);
            return Err(Error::non_finite("the criterion", step));
        }
        let sorted = sorted(end, precedence, &left, &values, rng);
        let done = taken.len() as u64 + 1;
        let event = Event::Progress { stage: "learning the order", done, total, loss: None, best: None };
        if run.observer.on_event(&event).is_break() && done < total {
            left = sorted;
            interrupted = true;
            break;
        }
        let next = sorted[0];
        left.retain(|&node| node != next);
        last = sorted[1..].to_vec();
        criterion.take(next, &left);
        taken.push(next);
    }
    taken.extend(left);
    if end == End::Leaf {
        taken.reverse();
    }
    Ok(Learned { order: Some(Ordering::new(taken)?), interrupted, ..Learned::default() })
}

/// The nodes that are left by their values, as far as the knowledge admits it.
fn sorted(end: End, precedence: &Precedence, left: &[usize], values: &[f64], rng: &mut Rng) -> Vec<usize> {
    let ranks = ranks(values, 0.0);
    let mut by_value: Vec<usize> = Ordering::random(left.len(), rng).nodes().to_vec();
    by_value.sort_by_key(|&index| ranks[index]);
    let mut waiting: Vec<usize> = by_value.into_iter().map(|index| left[index]).collect();
    let comes_later = |node: usize, other: usize| match end {
        End::Root => precedence.requires(other, node),
        End::Leaf => precedence.requires(node, other),
    };
    let mut nodes = Vec::with_capacity(left.len());
    while !waiting.is_empty() {
        let admitted = |&node: &usize| !waiting.iter().any(|&other| comes_later(node, other));
        // Knowledge is acyclic, so there always is one.
        let next = waiting.iter().position(admitted).unwrap_or(0);
        nodes.push(waiting.remove(next));
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{ForgetfulCheckpoint, Knowledge, Observer, Preparing, Sample, Seed, Silent};
    use std::ops::ControlFlow;

    /// The same values at each step.
    struct Fixed<'a>(&'a [f64]);

    impl Criterion for Fixed<'_> {
        fn values(&self, left: &[usize]) -> Result<Vec<f64>> {
            Ok(left.iter().map(|&node| self.0[node]).collect())
        }
    }

    fn built(
        end: End,
        knowledge: &Knowledge,
        seed: u64,
        values: &[f64],
        observer: &mut dyn Observer,
    ) -> Result<Learned> {
        let names: Vec<String> = (0..values.len()).map(|j| format!("X{j}")).collect();
        let numbers = (0..3 * values.len()).map(|k| k as f64).collect();
        let sample = Prepared::new(&Sample::new(names, numbers).unwrap(), Preparing::as_given()).unwrap();
        let checkpoint = &mut ForgetfulCheckpoint;
        let mut run = Run { seed: Seed(seed), knowledge, threads: 1, observer, checkpoint };
        let rng = &mut run.seed.stream("test");
        one_by_one(end, &mut Fixed(values), &sample, &mut run, rng)
    }

    fn nodes(found: Result<Learned>) -> Vec<usize> {
        found.unwrap().order.unwrap().nodes().to_vec()
    }

    #[test]
    fn the_smallest_is_taken_and_knowledge_is_stronger() {
        let none = Knowledge::none(4);
        let values = [3.0, 1.0, 4.0, 2.0];
        assert_eq!(nodes(built(End::Root, &none, 1, &values, &mut Silent)), [1, 3, 0, 2]);
        assert_eq!(nodes(built(End::Leaf, &none, 1, &values, &mut Silent)), [2, 0, 3, 1]);
        let columns = ["a", "b", "c", "d"].map(String::from);
        let known = Knowledge::new(&columns, &[vec![2], vec![1]], &[], &[], &[], &[]).unwrap();
        assert_eq!(nodes(built(End::Root, &known, 1, &values, &mut Silent)), [3, 0, 2, 1]);
        let known = Knowledge::new(&columns, &[vec![1], vec![2]], &[], &[], &[], &[]).unwrap();
        assert_eq!(nodes(built(End::Leaf, &known, 1, &values, &mut Silent)), [1, 2, 0, 3]);
    }

    #[test]
    fn ties_are_drawn() {
        let mut first = [0; 3];
        for seed in 0..300 {
            let values = [1.0, 1.0 + 1e-15, 1.0];
            first[nodes(built(End::Root, &Knowledge::none(3), seed, &values, &mut Silent))[0]] += 1;
        }
        // 100 each, with a standard deviation of 8.2.
        assert!(first.iter().all(|count| (67..=133).contains(count)), "{first:?}");
    }

    #[test]
    fn a_stopped_run_orders_the_rest_by_what_it_saw() {
        struct AtOnce;
        impl Observer for AtOnce {
            fn on_event(&mut self, _: &Event<'_>) -> ControlFlow<()> {
                ControlFlow::Break(())
            }
        }
        let found = built(End::Leaf, &Knowledge::none(3), 1, &[2.0, 3.0, 1.0], &mut AtOnce);
        assert!(found.as_ref().unwrap().interrupted);
        assert_eq!(nodes(found), [1, 0, 2]);
    }

    #[test]
    fn what_is_not_finite_is_an_error_that_names_the_column() {
        let found = built(End::Leaf, &Knowledge::none(3), 1, &[2.0, f64::NAN, 1.0], &mut Silent);
        assert!(found.err().unwrap().to_string().contains("`X1`"));
    }
}
