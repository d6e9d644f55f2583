//! Which adjustment sets identify an effect: the core of SID and of the adjustment identification distances.
//!
//! A set Z without t and y is a *valid adjustment set* for the effect of t on y in a graph iff
//!
//! 1. no member of Z descends from a node, other than t, on a directed path from t to y, and
//! 2. Z blocks every path from t to y that is not directed from t to y.
//!
//! # Algorithm
//!
//! For one t and one Z all targets y are answered together, in O(d + m).
//!
//! *Condition 1.* Let A be the proper descendants of t that are ancestors of Z (or in Z). A member of Z descends from
//! a node w on a directed path to y iff w is in A and y descends from w (or is w). So y fails iff it descends from A.
//!
//! *Condition 2.* Open *walks* are followed over states (node, how the walk came there), never back through t. A walk
//! passes a node of Z only as a collider, and a node outside Z only as a non-collider; a collider with a descendant z
//! in Z is passed by walking down to z and up again. y fails iff a walk that is not directed arrives.
//!
//! That walks may visit a node twice changes nothing: cutting the loops out of an open walk leaves an open path with the
//! same first edge. If what is left is directed though the walk was not, then the walk went t → w → … → z with z in Z
//! before it turned, and w lies on a directed path to y: condition 1 fails already.
//!
//! # Reference
//!
//! Shpitser, VanderWeele, Robins: On the validity of covariate adjustment for estimating causal effects. UAI 2010.
//! Henckel, Würtzen, Weichwald: Adjustment identification distance: a gadjid for causal structure learning. UAI 2024.

use oslow_core::Dag;
use rayon::prelude::*;

use crate::neighbours::Neighbours;

/// Sums, over treatments t, the number of targets that `wrong_targets(truth, guess, t)` finds wrongly identified.
///
/// # Panics
///
/// If the graphs have different numbers of nodes.
pub(crate) fn count_wrong(
    truth: &Dag,
    guess: &Dag,
    wrong_targets: impl Fn(&Neighbours, &Neighbours, usize) -> usize + Sync,
) -> usize {
    assert_eq!(truth.nodes(), guess.nodes(), "both graphs must have the same nodes");
    let (truth, guess) = (Neighbours::of(truth), Neighbours::of(guess));
    (0..truth.nodes()).into_par_iter().map(|t| wrong_targets(&truth, &guess, t)).sum()
}

/// What the truth says about the effects of one treatment.
pub(crate) struct Treatment<'a> {
    truth: &'a Neighbours,
    t: usize,
    /// t and its descendants.
    affected: Vec<bool>,
}

impl<'a> Treatment<'a> {
    pub fn new(truth: &'a Neighbours, t: usize) -> Self {
        Self { truth, t, affected: truth.descendants([t]) }
    }

    /// How many targets are wrongly identified by a guess that claims no effect on the marked ones and adjusts for
    /// Z otherwise.
    pub fn count_wrong(&self, no_effect: &[bool], z: &[usize]) -> usize {
        let misled = self.misled_by(z);
        let wrong = |y: usize| if no_effect[y] { self.affected[y] } else { misled[y] };
        (0..misled.len()).filter(|&y| y != self.t && wrong(y)).count()
    }

    /// Whether t has an effect on y.
    pub fn affects(&self, y: usize) -> bool {
        self.affected[y]
    }

    /// For every y outside Z: whether adjusting for Z does *not* identify the effect of t on y. What it says of t
    /// and of the members of Z means nothing.
    pub fn misled_by(&self, z: &[usize]) -> Vec<bool> {
        let mut misled = self.descendants_of_mediators_of(z);
        self.mark_open_walks(z, &mut misled);
        misled
    }

    /// The targets for which a member of Z is forbidden: condition 1.
    fn descendants_of_mediators_of(&self, z: &[usize]) -> Vec<bool> {
        let leads_to_z = self.truth.ancestors(z.iter().copied());
        let both = (0..self.truth.nodes()).filter(|&w| w != self.t && self.affected[w] && leads_to_z[w]);
        self.truth.descendants(both)
    }

    /// Marks the targets that an open walk reaches which is not directed: condition 2.
    fn mark_open_walks(&self, z: &[usize], reached: &mut [bool]) {
        let mut in_z = vec![false; self.truth.nodes()];
        z.iter().for_each(|&node| in_z[node] = true);
        let mut walks = Walks { t: self.t, seen: vec![0; in_z.len()], waiting: Vec::new() };
        walks.go(&self.truth.children[self.t], Arrival::Directed);
        walks.go(&self.truth.parents[self.t], Arrival::Up);
        while let Some((node, arrival)) = walks.waiting.pop() {
            reached[node] |= arrival != Arrival::Directed;
            match arrival {
                Arrival::Up if in_z[node] => {}
                Arrival::Up => {
                    walks.go(&self.truth.parents[node], Arrival::Up);
                    walks.go(&self.truth.children[node], Arrival::Down);
                }
                Arrival::Directed | Arrival::Down if in_z[node] => {
                    walks.go(&self.truth.parents[node], Arrival::Up);
                }
                Arrival::Directed | Arrival::Down => walks.go(&self.truth.children[node], arrival),
            }
        }
    }
}

/// How a walk came to a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrival {
    /// Along arrows only, all the way from t.
    Directed = 1,
    /// Along an arrow into the node, after at least one step against an arrow.
    Down = 2,
    /// Against an arrow, out of the node.
    Up = 4,
}

/// Walks that are under way.
struct Walks {
    t: usize,
    /// The arrivals that each node has seen, as bits.
    seen: Vec<u8>,
    waiting: Vec<(usize, Arrival)>,
}

impl Walks {
    /// Goes on to these nodes, except to t and to where a walk came in the same way before.
    fn go(&mut self, nodes: &[usize], arrival: Arrival) {
        for &node in nodes {
            if node != self.t && self.seen[node] & arrival as u8 == 0 {
                self.seen[node] |= arrival as u8;
                self.waiting.push((node, arrival));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::dags;
    use proptest::prelude::*;

    /// Whether Z is valid for (t, y), by the definition: over all paths, one by one.
    fn valid(truth: &Dag, t: usize, y: usize, z: &[usize]) -> bool {
        let lists = Neighbours::of(truth);
        paths(truth, vec![t], y).iter().all(|path| {
            let directed = path.windows(2).all(|step| truth.has(step[0], step[1]));
            if directed {
                let below = lists.descendants(path[1..].iter().copied());
                return !z.iter().any(|&node| below[node]);
            }
            !path.windows(3).all(|w| {
                let collider = truth.has(w[0], w[1]) && truth.has(w[2], w[1]);
                let below = lists.descendants([w[1]]);
                if collider { z.iter().any(|&node| below[node]) } else { !z.contains(&w[1]) }
            })
        })
    }

    /// All paths without repeated nodes that begin like `start` and end in y.
    fn paths(truth: &Dag, start: Vec<usize>, y: usize) -> Vec<Vec<usize>> {
        let last = start[start.len() - 1];
        if last == y {
            return vec![start];
        }
        let joined = |&node: &usize| truth.has(last, node) || truth.has(node, last);
        let next: Vec<usize> =
            (0..truth.nodes()).filter(joined).filter(|node| !start.contains(node)).collect();
        next.into_iter().flat_map(|node| paths(truth, [&start[..], &[node]].concat(), y)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn walks_agree_with_the_definition_over_all_paths(
            truth in dags(6),
            t in 0usize..6,
            chosen in prop::collection::vec(any::<bool>(), 6),
        ) {
            let z: Vec<usize> = (0..6).filter(|&node| node != t && chosen[node]).collect();
            let lists = Neighbours::of(&truth);
            let treatment = Treatment::new(&lists, t);
            let misled = treatment.misled_by(&z);
            for y in (0..6).filter(|y| *y != t && !z.contains(y)) {
                prop_assert_eq!(!misled[y], valid(&truth, t, y, &z), "{:?} t {} y {} z {:?}", truth.edges(), t, y, z);
            }
        }
    }
}
