//! The cheapest of all orders, for up to 25 nodes.

use crate::ParentCosts;
use oslow_core::{Error, Precedence, Result, Rng};

use super::found::{Found, check, impossible};
use super::prefix_table::PrefixTable;
use super::problem::Problem;
use super::step::Step;
use super::tied_orders::TiedOrders;

/// The most nodes: two tables of 2²⁵ numbers are 512 MiB.
pub const MOST_NODES: usize = 25;

/// Dynamic programming over the prefixes of orders: for each set S of nodes the cheapest way to order them,
/// best(S) = min over j in S of best(S∖j) + cost(j after S∖j), where a node after a set costs its cheapest set of
/// parents inside.
///
/// # Cost
/// d·2^(d−1) steps. Memory: see [`bytes`]. The way back is not stored but found again from the costs.
pub struct ExactSearch<'a> {
    costs: &'a [ParentCosts],
    problem: Problem,
    heads: PrefixTable,
}

impl<'a> ExactSearch<'a> {
    /// Goes through all sets. Refuses more than [`MOST_NODES`] nodes, costs that are not numbers, and constraints that
    /// no order meets.
    pub fn new(costs: &'a [ParentCosts], precedence: &Precedence) -> Result<Self> {
        if costs.len() > MOST_NODES {
            return Err(Error::input(format!(
                "an exact search over {} columns does not fit into memory",
                costs.len()
            ))
            .with_hint(format!("it goes up to {MOST_NODES}; search locally")));
        }
        check(costs)?;
        let problem = Problem::new(costs.iter().map(Step::new).collect(), |a, b| precedence.requires(a, b));
        let heads = problem.cheapest_heads();
        if heads.get(problem.all()) == f64::INFINITY {
            return Err(impossible());
        }
        Ok(Self { costs, problem, heads })
    }

    /// The number of cheapest orders, and one of them, each with the same probability.
    pub fn draw(&self, rng: &mut Rng) -> Result<Found> {
        let tied = TiedOrders::new(&self.problem, &self.heads);
        let found = Found::new(self.costs, tied.draw(rng), self.heads.get(self.problem.all()))?;
        Ok(Found { lower_bound: found.cost, ties: tied.count(), ..found })
    }
}

/// The most memory that an exact search takes, in bytes, besides the costs themselves: two numbers for each of the 2^d
/// sets (best heads, and number of ways or best tails) and one for each set of a node's candidates. With 10 candidates:
///
/// | d | MiB |
/// |---|---|
/// | 15 | 0.6 |
/// | 20 | 16 |
/// | 23 | 128 |
/// | 25 | 512 |
pub fn bytes(d: usize, candidates: usize) -> usize {
    let number = size_of::<f64>();
    (2 << d) * number + d * (1 << candidates) * number
}
