//! The sum over all orders and graphs.

use oslow_core::{Dag, Edge, Precedence, Rng};
use rand::RngExt;
use rayon::prelude::*;

use super::prefix_table::{PrefixTable, bits};
use super::problem::Problem;
use super::soft_min::{soft_min, weigh};
use super::step::Step;
use crate::ParentCosts;

/// Parts into which the gathering pass is cut; fixed, so that sums do not depend on threads.
const PARTS: usize = 16;

/// All orders with all graphs along them: each pair weighs exp(−cost), the cost being the sum over nodes of that of their parents.
///
/// With A(j, P) = Σ exp(−cost of T) over sets T ⊆ P of parents, F(S) = Σ over j in S of F(S∖j)·A(j, S∖j) sums over the orders of S, and
/// B(S) = Σ over j outside of A(j, S)·B(S ∪ j) over those of the rest. A node j comes right after the set S with probability
/// F(S)·A(j, S)·B(S ∪ j)/F(all), and then T are its parents with probability exp(−cost of T)/A(j, S). Everything is kept as −ln, so that
/// nothing underflows. A graph counts once for each order that it agrees with.
///
/// # Cost
/// That of two exact searches.
pub(crate) struct OrderSum<'a> {
    costs: &'a [ParentCosts],
    /// By node, −ln A for each set of candidates.
    steps: Vec<Step>,
    problem: Problem,
    heads: PrefixTable,
}

/// Probabilities by ordered pair of nodes: `[a * d + b]`.
#[derive(Clone, Debug)]
pub(crate) struct PairSums {
    /// That a is a parent of b.
    pub edge: Vec<f64>,
    /// That a comes before b.
    pub before: Vec<f64>,
    /// By node, that each set of its candidates is its parents.
    pub sets: Vec<Vec<f64>>,
}

impl<'a> OrderSum<'a> {
    /// Sums over the heads of orders; `None` if no order is allowed.
    pub fn new(costs: &'a [ParentCosts], precedence: &Precedence) -> Option<Self> {
        let steps: Vec<Step> = costs.iter().map(Step::of_any_set).collect();
        let problem = Problem::new(steps.clone(), |a, b| precedence.requires(a, b));
        let heads = problem.heads(soft_min);
        (heads.get(problem.all()) < f64::INFINITY).then_some(Self { costs, steps, problem, heads })
    }

    /// The probabilities of edges and of places in the order.
    pub fn pairs(&self) -> PairSums {
        let tails = self.problem.tails(soft_min);
        let blocks: Vec<usize> = (0..self.problem.split().blocks()).collect();
        let parts: Vec<Gathered> = blocks
            .par_chunks(blocks.len().div_ceil(PARTS))
            .map(|part| {
                let mut gathered = Gathered::none(&self.steps);
                part.iter().for_each(|&high| self.gather(&tails, high, &mut gathered));
                gathered
            })
            .collect();
        let mut all = Gathered::none(&self.steps);
        parts.into_iter().for_each(|part| all.add(part));
        let sets = (all.after.iter().zip(self.costs.iter().zip(&self.steps)))
            .map(|(shares, (costs, step))| set_shares(costs, step, shares))
            .collect();
        PairSums { edge: self.edges(&all.after), before: all.before, sets }
    }

    /// What the sets of one block bring.
    fn gather(&self, tails: &PrefixTable, high: usize, gathered: &mut Gathered) {
        let (d, split) = (self.problem.len(), self.problem.split());
        let total = self.heads.get(self.problem.all());
        let heads = self.heads.block(high);
        let mut shares = vec![0.0; split.block_len()];
        for node in (0..d).filter(|&node| node < split.low || high >> (node - split.low) & 1 == 0) {
            let after = self.problem.after(node, high);
            let own = if node < split.low { 1 << node } else { 0 };
            let next = tails.block(if own > 0 { high } else { high | 1 << (node - split.low) });
            for (low, share) in shares.iter_mut().enumerate() {
                // Sets that hold the node itself are no prefix of it.
                let cost = if own > 0 && low & own > 0 { f64::INFINITY } else { after.cost(low) };
                *share = heads[low] + cost + next[low | own] - total;
            }
            weigh(&mut shares);
            for (low, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
                gathered.after[node][after.mask(low)] += share;
            }
            let (sum, by_low) = sums_with_each(shares.clone());
            for (earlier, share) in by_low.into_iter().enumerate() {
                gathered.before[earlier * d + node] += share;
            }
            for bit in bits(high) {
                gathered.before[(split.low + bit) * d + node] += sum;
            }
        }
    }

    fn edges(&self, after: &[Vec<f64>]) -> Vec<f64> {
        let d = self.problem.len();
        let mut edge = vec![0.0; d * d];
        for (node, (shares, (costs, step))) in
            after.iter().zip(self.costs.iter().zip(&self.steps)).enumerate()
        {
            let shares = shares.iter().copied().enumerate().filter(|(_, share)| *share > 0.0);
            edge_shares(costs, step, shares).for_each(|(parent, share)| edge[parent * d + node] = share);
        }
        edge
    }

    /// A graph, with its probability.
    pub fn draw(&self, rng: &mut Rng) -> Dag {
        let mut set = self.problem.all();
        let mut edges: Vec<Edge> = Vec::new();
        while set != 0 {
            let last: Vec<(usize, f64)> = bits(set)
                .map(|node| {
                    let before = set ^ (1 << node);
                    (node, self.heads.get(before) + self.problem.cost(node, before))
                })
                .collect();
            let node = draw_one(&last, self.heads.get(set), rng);
            set ^= 1 << node;
            let before = self.costs[node].mask(|other| set >> other & 1 == 1);
            let parents = draw_parents(&self.costs[node], &self.steps[node], before, rng);
            edges.extend(parents.into_iter().map(|parent| (parent, node)));
        }
        Dag::new(self.problem.len(), &edges).expect("edges along an order make no cycle")
    }
}

/// The probability of each parent of a node, where so many candidates stand before it with these probabilities:
/// P(u → j) = Σ over sets m of P(m)·(1 − A(j, m∖u)/A(j, m)).
pub(super) fn edge_shares<'a>(
    costs: &'a ParentCosts,
    step: &'a Step,
    sets: impl Iterator<Item = (usize, f64)> + Clone + 'a,
) -> impl Iterator<Item = (usize, f64)> + 'a {
    costs.candidates().iter().enumerate().map(move |(bit, &parent)| {
        let with = |(mask, share): (usize, f64)| {
            let joined = step.costs();
            -share * (joined[mask] - joined[mask ^ (1 << bit)]).exp_m1()
        };
        (parent, sets.clone().filter(|(mask, _)| mask >> bit & 1 == 1).map(with).sum())
    })
}

/// The probability of each set of parents of a node, where so many candidates stand before it with these probabilities:
/// P(T) = Σ over sets m ⊇ T of P(m)·exp(−cost of T)/A(j, m).
pub(super) fn set_shares(costs: &ParentCosts, step: &Step, shares: &[f64]) -> Vec<f64> {
    // −ln of P(m)/A(j, m), and then of its sum over supersets.
    let mut joined: Vec<f64> =
        shares.iter().zip(step.costs()).map(|(share, joined)| -share.ln() - joined).collect();
    for (mask, share) in shares.iter().enumerate() {
        if *share <= 0.0 {
            joined[mask] = f64::INFINITY;
        }
    }
    for bit in 0..costs.candidates().len() {
        for mask in (0..joined.len()).filter(|mask| mask >> bit & 1 == 0) {
            joined[mask] = soft_min(&[joined[mask], joined[mask | 1 << bit]]);
        }
    }
    let weight = |(cost, above): (&f64, f64)| (-(cost + above)).exp();
    costs.costs().iter().zip(joined).map(weight).collect()
}

/// Parents of a node among the candidates before it, with their probability.
pub(super) fn draw_parents(costs: &ParentCosts, step: &Step, before: u32, rng: &mut Rng) -> Vec<usize> {
    let inside: Vec<(u32, f64)> = subsets(before).map(|mask| (mask, costs.costs()[mask as usize])).collect();
    costs.parents(draw_one(&inside, step.costs()[before as usize], rng))
}

/// One of several things that weigh exp(−cost), all together exp(−total).
fn draw_one<T: Copy>(things: &[(T, f64)], total: f64, rng: &mut Rng) -> T {
    let mut left = rng.random::<f64>();
    for &(thing, cost) in things {
        left -= (total - cost).exp();
        if left < 0.0 {
            return thing;
        }
    }
    // Only rounding leads here.
    let likeliest = things.iter().min_by(|a, b| a.1.total_cmp(&b.1));
    likeliest.expect("there is something to draw").0
}

/// All subsets of a mask, itself first.
fn subsets(mask: u32) -> impl Iterator<Item = u32> {
    let mut next = Some(mask);
    std::iter::from_fn(move || {
        let subset = next?;
        next = (subset > 0).then(|| (subset - 1) & mask);
        Some(subset)
    })
}

/// The sum of the numbers of all sets, and for each node that of the sets that hold it.
fn sums_with_each(mut numbers: Vec<f64>) -> (f64, Vec<f64>) {
    let nodes = numbers.len().trailing_zeros() as usize;
    let mut sums = vec![0.0; nodes];
    for node in (0..nodes).rev() {
        let (without, with) = numbers.split_at_mut(1 << node);
        sums[node] = with.iter().sum();
        without.iter_mut().zip(with).for_each(|(without, with)| *without += *with);
        numbers.truncate(1 << node);
    }
    (numbers[0], sums)
}

/// What was gathered from some sets.
struct Gathered {
    /// By node and mask of its candidates, the probability that just these stand before it.
    after: Vec<Vec<f64>>,
    /// By pair, the probability that the first stands before the second.
    before: Vec<f64>,
}

impl Gathered {
    fn none(steps: &[Step]) -> Self {
        let after = steps.iter().map(|step| vec![0.0; step.costs().len()]).collect();
        Self { after, before: vec![0.0; steps.len() * steps.len()] }
    }

    fn add(&mut self, other: Self) {
        let mine = self.after.iter_mut().flatten().chain(&mut self.before);
        let theirs = other.after.into_iter().flatten().chain(other.before);
        mine.zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
    }
}
