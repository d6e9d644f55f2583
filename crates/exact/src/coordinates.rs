//! In which coordinates a table is scored.
//!
//! # Model
//! A location-scale model in some coordinates is none in others: where columns were distorted by monotone functions, logarithms or normal scores undo much of it. The density in the table's own units decides,
//! so the Jacobian is part of it. It is the same for every order, and so it favours no direction.
//! # Algorithm
//! On the rows of one fold, by quick fits: every cause of each column alone, all sets of the best few, the cheapest order of all. The coordinates whose cheapest order costs least are
//! those of the whole table: where each column, or each set of causes, has its own, an edge is judged by a better fit on one side.

use std::sync::Arc;

use oslow_core::{Knowledge, Prepared, Result, Seed, Silent};

use crate::columns::Columns;
use crate::config::TransformChoice;
use crate::drawn_nodes::drawn_nodes;
use crate::logarithm::Logarithm;
use crate::search::{ExactSearch, LocalSearch};
use crate::work::{CHUNK, Work};
use crate::{LocalConfig, ParentCosts, Scorer};

/// Causes of each column of which all sets are looked at.
const CAUSES: usize = 3;
/// Most columns that are looked at as effects. Coordinates are those of the whole table, and so many columns tell which.
const MOST_EFFECTS: usize = 100;
/// Most columns of which the cheapest order is found exactly.
const EXACT_UP_TO: usize = 15;
/// Logarithms are tried with columns whose largest value is so many times the smallest, which is above 0.
const MAGNITUDES: f64 = 10.0;
/// A logarithm from an end must describe a column by itself better by this, in nats per row.
const CLEARLY_BETTER: f64 = 0.005;
const STAGE: &str = "choosing coordinates";

impl Work<'_> {
    /// The columns, given as they are, in the coordinates in which the table is scored.
    pub fn choose_coordinates(
        &mut self,
        (sample, own): (&Prepared, Columns),
        config: &LocalConfig,
        allowed: &[Vec<usize>],
        knowledge: &Knowledge,
        seed: Seed,
    ) -> Result<Arc<Columns>> {
        let own = Arc::new(own);
        let from_zero = |ratio| own.logarithms(sample, |values| Logarithm::from_zero(values, ratio));
        match config.transform {
            TransformChoice::None => return Ok(own),
            TransformChoice::Log => {
                let changed = own.as_logarithms(sample, &from_zero(0.0));
                return Ok(changed.map_or(own, Arc::new));
            }
            TransformChoice::NormalScores | TransformChoice::Auto => {}
        }
        let all: Vec<usize> = (0..own.values.len()).collect();
        let nll = self.marginals(&own, &all, config, seed)?;
        if self.stopped {
            return Ok(own);
        }
        let scores = Arc::new(own.normal_scores(&nll));
        if config.transform == TransformChoice::NormalScores {
            return Ok(scores);
        }
        let logarithms = from_zero(MAGNITUDES);
        let from_ends = self.logarithms_from_ends(sample, (&own, &nll), &logarithms, config, seed)?;
        if self.stopped {
            return Ok(own);
        }
        let all_in_logarithms = own.as_logarithms(sample, &logarithms).map(Arc::new);
        let some_from_ends = from_ends.and_then(|some| own.as_logarithms(sample, &some)).map(Arc::new);
        let (mut best, mut least) = (own.clone(), f64::INFINITY);
        for columns in [own.clone(), scores].into_iter().chain(all_in_logarithms).chain(some_from_ends) {
            let glances = Glances { scorer: Scorer::on(columns.clone(), &config.glancing(), seed)?, allowed };
            let Some(cost) = glances.cheapest_order(self, config, knowledge, seed)? else {
                return Ok(own);
            };
            if cost < least {
                (best, least) = (columns, cost);
            }
        }
        Ok(best)
    }

    /// −ln p, row by row, of some columns without causes, in the units of the table.
    fn marginals(
        &mut self,
        columns: &Arc<Columns>,
        nodes: &[usize],
        config: &LocalConfig,
        seed: Seed,
    ) -> Result<Vec<Vec<f64>>> {
        let scorer = Scorer::on(columns.clone(), config, seed)?;
        Ok(self.in_time(nodes, |&node| scorer.marginal(node)).into_iter().map(|(_, nll)| nll).collect())
    }

    /// For each column the logarithm that describes it best by itself, be it from an end or one of those given; `None` if none is from an end.
    fn logarithms_from_ends(
        &mut self,
        sample: &Prepared,
        (own, nll): (&Columns, &[Vec<f64>]),
        from_zero: &[Option<Logarithm>],
        config: &LocalConfig,
        seed: Seed,
    ) -> Result<Option<Vec<Option<Logarithm>>>> {
        let mean = |nll: &[f64]| nll.iter().sum::<f64>() / nll.len() as f64;
        let mut best: Vec<(f64, Option<Logarithm>)> =
            nll.iter().map(|nll| (mean(nll) - CLEARLY_BETTER, None)).collect();
        let (lower, upper) = (Logarithm::from_lower_end, Logarithm::from_upper_end);
        let candidates = [own.logarithms(sample, lower), own.logarithms(sample, upper), from_zero.to_vec()];
        for logarithms in candidates {
            let Some(columns) = own.as_logarithms(sample, &logarithms) else { continue };
            let nodes: Vec<usize> = (0..logarithms.len()).filter(|&j| logarithms[j].is_some()).collect();
            let marginals = self.marginals(&Arc::new(columns), &nodes, config, seed)?;
            for (&node, nll) in nodes.iter().zip(&marginals) {
                if mean(nll) < best[node].0 {
                    best[node] = (mean(nll), logarithms[node]);
                }
            }
        }
        let chosen: Vec<Option<Logarithm>> = best.into_iter().map(|(_, logarithm)| logarithm).collect();
        Ok(chosen.iter().flatten().any(|logarithm| logarithm.end() != 0.0).then_some(chosen))
    }
}

/// Quick scores in some coordinates.
struct Glances<'a> {
    scorer: Scorer,
    allowed: &'a [Vec<usize>],
}

impl Glances<'_> {
    /// What the cheapest order costs; `None` if somebody asked to stop.
    fn cheapest_order(
        &self,
        work: &mut Work<'_>,
        config: &LocalConfig,
        knowledge: &Knowledge,
        seed: Seed,
    ) -> Result<Option<f64>> {
        let price = config.price(self.scorer.rows());
        let rng = &mut seed.stream("exact/coordinates/effects");
        let nodes = drawn_nodes(self.allowed.len(), MOST_EFFECTS, rng);
        // The other columns may stand anywhere.
        let mut costs = vec![ParentCosts::new(Vec::new(), vec![0.0]); self.allowed.len()];
        let mut done = 0;
        for chunk in nodes.chunks((CHUNK / nodes.len()).max(2)) {
            for (node, of_node) in work.in_time(chunk, |&node| self.of(node, price)) {
                costs[node] = of_node;
                done += 1;
            }
            work.report(STAGE, done, nodes.len())?;
            if work.stopped {
                return Ok(None);
            }
        }
        let precedence = knowledge.precedence();
        let found = if costs.len() <= EXACT_UP_TO {
            ExactSearch::new(&costs, precedence)?.draw(&mut seed.stream("exact/coordinates"))?
        } else {
            let search = LocalSearch { starts: 2, window: 6, ..LocalSearch::default() };
            search.search(&costs, precedence, &[], seed, &mut Silent)?
        };
        Ok(Some(found.cost))
    }

    /// The costs of the sets of a node's best causes.
    fn of(&self, node: usize, price: f64) -> ParentCosts {
        let none = self.scorer.glance(node, &[]);
        let mut causes: Vec<(f64, usize)> = (self.allowed[node].iter())
            .map(|&cause| (self.scorer.glance(node, &[cause]) + price, cause))
            .collect();
        causes.sort_by(|a, b| a.0.total_cmp(&b.0));
        causes.truncate(CAUSES);
        let cost = |mask: usize| {
            let chosen = (0..causes.len()).filter(|bit| mask >> bit & 1 == 1);
            let mut parents: Vec<usize> = chosen.map(|bit| causes[bit].1).collect();
            parents.sort_unstable();
            match parents.len() {
                0 => none,
                1 => causes[mask.trailing_zeros() as usize].0,
                count => self.scorer.glance(node, &parents) + price * count as f64,
            }
        };
        let costs = (0..1 << causes.len()).map(cost).collect();
        ParentCosts::new(causes.iter().map(|cause| cause.1).collect(), costs)
    }
}
