//! A search that cuts the problem into parts first.

use std::ops::ControlFlow;

use oslow_core::{Event, Observer, Ordering, Precedence, Result, Seed, Stop};

use super::components::components;
use super::exact_search::ExactSearch;
use super::found::{Found, check};
use super::local_search::LocalSearch;
use super::step::Step;
use crate::ParentCosts;

/// Orders parts that do not depend on each other's order one by one: exactly where they are small enough, and locally where not. If all are, the order is the cheapest
/// of all.
#[derive(Clone, Debug, PartialEq)]
pub struct ComponentSearch {
    /// The most nodes of a part that is ordered exactly, up to [`super::MOST_NODES`].
    pub exact_up_to: usize,
    /// How larger parts are searched.
    pub local: LocalSearch,
}

impl ComponentSearch {
    /// An order of all nodes, with what no order undercuts. How many orders are as cheap is not counted.
    pub fn search(
        &self,
        costs: &[ParentCosts],
        precedence: &Precedence,
        seed: Seed,
        observer: &mut dyn Observer,
    ) -> Result<Found> {
        check(costs)?;
        let steps: Vec<Step> = costs.iter().map(Step::new).collect();
        let (mut nodes, mut bound, mut interrupted) = (Vec::new(), 0.0, false);
        for (k, part) in (0..).zip(components(&steps, precedence)) {
            // What comes before is in its place whatever the order of the part.
            let own = |&node: &usize| steps[node].among(&part, |other| nodes.contains(&other)).into_costs();
            let own: Vec<ParentCosts> = part.iter().map(own).collect();
            let relation = part.iter().flat_map(|&a| part.iter().map(move |&b| precedence.requires(a, b)));
            let precedence = Precedence::from_relation(part.len(), relation.collect());
            let found = if part.len() <= self.exact_up_to {
                ExactSearch::new(&own, &precedence)?.draw(&mut seed.indexed("order/exact/component", k))?
            } else {
                let seed = seed.derived("order/exact/component", k);
                self.local.search(&own, &precedence, &[], seed, &mut OfPart(observer))?
            };
            bound += found.lower_bound;
            interrupted |= found.interrupted;
            nodes.extend(found.order.nodes().iter().map(|&member| part[member]));
        }
        Ok(Found { interrupted, ..Found::new(costs, Ordering::new(nodes)?, bound)? })
    }
}

/// Tells how far the search of a part came; an order of a part is none of all nodes.
struct OfPart<'a>(&'a mut dyn Observer);

impl Observer for OfPart<'_> {
    fn on_event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match *event {
            Event::Progress { stage, done, total, loss, best: Some(_) } => {
                self.0.on_event(&Event::Progress { stage, done, total, loss, best: None })
            }
            _ => self.0.on_event(event),
        }
    }

    fn stop(&self) -> Stop {
        self.0.stop()
    }
}
