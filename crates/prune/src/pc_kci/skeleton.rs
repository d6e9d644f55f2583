//! The skeleton search of the PC algorithm, for any independence test.

use std::sync::atomic::{AtomicU64, Ordering as Memory};

use oslow_core::Result;
use rayon::prelude::*;

use super::Conditioning;
use super::subsets::{count, subsets};
use super::watch::Watch;

/// Two variables that may be adjacent, the earlier one of the order first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pair {
    pub cause: usize,
    pub effect: usize,
    /// Whether it is known to be an edge: then it is never tested.
    pub required: bool,
    /// The largest p-value of its tests so far; `None` before the first, and where they were cut short.
    pub p_value: Option<f64>,
}

/// How the search goes.
pub(super) struct Search<'a> {
    /// A pair whose p-value is above it is separated.
    pub alpha: f64,
    /// Largest conditioning set.
    pub largest: usize,
    pub conditioning: Conditioning,
    /// Node → position in the order.
    pub positions: &'a [usize],
    /// The p-value of cause and effect given others.
    pub test: &'a (dyn Fn(&Pair, &[usize]) -> Result<f64> + Sync),
}

/// What a level found out about a pair.
enum Verdict {
    Separated,
    Stays(Option<f64>),
}

impl Search<'_> {
    /// The pairs that no conditioning set separates.
    ///
    /// Levels go from the empty conditioning set to larger ones. Who is adjacent to whom is looked at before a level starts, so the
    /// order of the tests within it, and the number of threads, do not matter.
    pub fn run(&self, mut pairs: Vec<Pair>, watch: &Watch<'_>) -> Result<Vec<Pair>> {
        for level in 0..=self.largest {
            let pools: Vec<Vec<Vec<usize>>> = pairs.iter().map(|pair| self.pools(pair, &pairs)).collect();
            let tests = |pools: &Vec<Vec<usize>>| {
                pools.iter().fold(0u64, |sum, pool| sum.saturating_add(count(pool.len(), level)))
            };
            let total = pools.iter().fold(0u64, |sum, pools| sum.saturating_add(tests(pools)));
            // After a stop the levels go on without tests: they mark the pairs that had some left.
            if total == 0 {
                break;
            }
            let level = Level { size: level, total, done: AtomicU64::new(0) };
            let verdicts: Vec<Verdict> = pairs
                .par_iter()
                .zip(&pools)
                .with_max_len(1)
                .map(|(pair, pools)| {
                    let verdict = self.judge(pair, pools, &level, watch);
                    level.done.fetch_add(tests(pools), Memory::Relaxed);
                    verdict
                })
                .collect::<Result<_>>()?;
            pairs =
                pairs.into_iter().zip(verdicts).filter_map(|(pair, verdict)| verdict.apply(pair)).collect();
        }
        Ok(pairs)
    }

    /// The sets of variables whose subsets may separate a pair; none for one that is not tested.
    fn pools(&self, pair: &Pair, pairs: &[Pair]) -> Vec<Vec<usize>> {
        let &Pair { cause, effect, required, .. } = pair;
        if required {
            return Vec::new();
        }
        let adjacent = |node: usize, without: usize| {
            let other = |pair: &Pair| match (pair.cause == node, pair.effect == node) {
                (true, _) => Some(pair.effect),
                (_, true) => Some(pair.cause),
                _ => None,
            };
            let mut nodes: Vec<usize> = pairs.iter().filter_map(other).filter(|&n| n != without).collect();
            nodes.sort_unstable();
            nodes
        };
        let mut around_effect = adjacent(effect, cause);
        match self.conditioning {
            Conditioning::Pc => vec![adjacent(cause, effect), around_effect],
            Conditioning::Order => {
                around_effect.retain(|&node| self.positions[node] < self.positions[effect]);
                vec![around_effect]
            }
        }
    }

    /// Tests a pair given each subset of the level's size, until one separates it.
    fn judge(&self, pair: &Pair, pools: &[Vec<usize>], level: &Level, watch: &Watch<'_>) -> Result<Verdict> {
        let mut largest = pair.p_value;
        for (k, pool) in pools.iter().enumerate() {
            let earlier = &pools[..k];
            let known =
                |set: &Vec<usize>| earlier.iter().any(|pool| set.iter().all(|node| pool.contains(node)));
            for set in subsets(pool, level.size).filter(|set| !known(set)) {
                if watch.stopped() {
                    return Ok(Verdict::Stays(None));
                }
                let p_value = (self.test)(pair, &set)?;
                watch.tested(level.size, level.done.load(Memory::Relaxed), level.total);
                if p_value > self.alpha {
                    return Ok(Verdict::Separated);
                }
                largest = Some(largest.map_or(p_value, |largest| largest.max(p_value)));
            }
        }
        Ok(Verdict::Stays(largest))
    }
}

impl Verdict {
    fn apply(self, pair: Pair) -> Option<Pair> {
        match self {
            Self::Separated => None,
            Self::Stays(p_value) => Some(Pair { p_value, ..pair }),
        }
    }
}

/// How far a level has come.
struct Level {
    /// Members of its conditioning sets.
    size: usize,
    /// Tests it could have.
    total: u64,
    /// Tests that are done or need not be done, of the pairs that are finished.
    done: AtomicU64,
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use oslow_core::{Dag, Edge, Silent};
    use proptest::prelude::*;

    /// Whether `given` blocks every path between two nodes: they are not connected in the moral graph of the ancestors.
    fn separated(dag: &Dag, x: usize, y: usize, given: &[usize]) -> bool {
        let d = dag.nodes();
        let mut kept = vec![false; d];
        let mut stack: Vec<usize> = [x, y].into_iter().chain(given.iter().copied()).collect();
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut kept[node], true) {
                stack.extend((0..d).filter(|&parent| dag.has(parent, node)));
            }
        }
        let joined = |a: usize, b: usize| {
            let common = (0..d).any(|child| kept[child] && dag.has(a, child) && dag.has(b, child));
            dag.has(a, b) || dag.has(b, a) || common
        };
        let mut seen = vec![false; d];
        let mut stack = vec![x];
        while let Some(node) = stack.pop() {
            if node == y {
                return false;
            }
            if !std::mem::replace(&mut seen[node], true) {
                stack.extend((0..d).filter(|&b| kept[b] && !given.contains(&b) && joined(node, b)));
            }
        }
        true
    }

    fn dag(kept: &[bool]) -> Dag {
        let pairs = (0..6).flat_map(|b| (0..b).map(move |a| (a, b)));
        Dag::new(6, &pairs.zip(kept).filter(|(_, kept)| **kept).map(|(pair, _)| pair).collect::<Vec<_>>())
            .unwrap()
    }

    fn all_pairs() -> Vec<Pair> {
        let pair = |cause, effect| Pair { cause, effect, required: false, p_value: None };
        (0..6).flat_map(|cause| (cause + 1..6).map(move |effect| pair(cause, effect))).collect()
    }

    /// A test that was made: cause, effect and what was given.
    type Made = (usize, usize, Vec<usize>);

    /// The edges found with a perfect test, and the tests that were made.
    fn found(
        truth: &Dag,
        pairs: Vec<Pair>,
        conditioning: Conditioning,
        largest: usize,
    ) -> (Vec<Edge>, Vec<Made>) {
        let made = Mutex::new(Vec::new());
        let test = |pair: &Pair, given: &[usize]| {
            made.lock().unwrap().push((pair.cause, pair.effect, given.to_vec()));
            Ok(if separated(truth, pair.cause, pair.effect, given) { 0.5 } else { 0.01 })
        };
        let positions: Vec<usize> = (0..6).collect();
        let search = Search { alpha: 0.05, largest, conditioning, positions: &positions, test: &test };
        let mut silent = Silent;
        let pairs = search.run(pairs, &Watch::new(&mut silent)).unwrap();
        (pairs.iter().map(|pair| (pair.cause, pair.effect)).collect(), made.into_inner().unwrap())
    }

    proptest! {
        #[test]
        fn a_perfect_test_finds_the_graph(kept in prop::collection::vec(any::<bool>(), 15)) {
            let truth = dag(&kept);
            let (by_pc, tests_of_pc) = found(&truth, all_pairs(), Conditioning::Pc, 6);
            let (by_order, tests_of_order) = found(&truth, all_pairs(), Conditioning::Order, 6);
            prop_assert_eq!(&by_pc, &truth.edges());
            prop_assert_eq!(by_order, by_pc);
            for (_, effect, given) in &tests_of_order {
                prop_assert!(given.iter().all(|node| node < effect));
            }
            for mut tests in [tests_of_pc, tests_of_order] {
                let made = tests.len();
                tests.sort();
                tests.dedup();
                prop_assert_eq!(tests.len(), made, "a test was made twice");
            }
        }
    }

    #[test]
    fn required_pairs_are_not_tested_and_large_sets_can_be_left_out() {
        let truth = dag(&[true; 15]);
        let mut pairs = all_pairs();
        pairs[3].required = true;
        let (edges, tests) = found(&truth, pairs, Conditioning::Pc, 1);
        assert_eq!(edges.len(), 15);
        assert!(tests.iter().all(|(cause, effect, given)| (*cause, *effect) != (0, 4) && given.len() <= 1));
        // One without and one for each other variable, a variable being next to both.
        assert_eq!(tests.len(), 14 * 5);
    }
}
