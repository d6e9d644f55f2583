//! In which coordinates a table is scored.
//!
//! # Model
//! A location-scale model in some coordinates is none in others: where columns were distorted by monotone functions, logarithms or normal scores undo much of it. The density in the table's own units decides,
//! so the Jacobian is part of it. It is the same for every order, and so it favours no direction.
//! # Algorithm
//! On the rows of one fold, by quick fits: every cause of each column alone, as normal scores; in all coordinates all sets of the best few, and the cheapest order. Where these cost
//! about the same, their graphs are judged on the rows of all folds. The coordinates in which that costs least are those of the whole table: where each column, or each set of causes,
//! has its own, an edge is judged by a better fit on one side.

use std::sync::Arc;

use oslow_core::{Dag, Knowledge, Ordering, Prepared, Result, Seed, Silent};

use crate::columns::Columns;
use crate::config::TransformChoice;
use crate::drawn_nodes::drawn_nodes;
use crate::logarithm::Logarithm;
use crate::search::{ExactSearch, LocalSearch};
use crate::work::{CHUNK, Work};
use crate::{LocalConfig, ParentCosts, Scorer, best_dag};

/// Causes of each column of which all sets are looked at.
const CAUSES: usize = 3;
/// Most columns that are looked at as effects. Coordinates are those of the whole table, and so many columns tell which.
const MOST_EFFECTS: usize = 100;
/// Most columns of which the cheapest order is found exactly.
const EXACT_UP_TO: usize = 15;
/// Logarithms are tried with columns whose largest value is so many times the smallest, which is above 0.
const MAGNITUDES: f64 = 10.0;
/// A logarithm must describe a column by itself better than its own units, and one from an end better than one from zero, by this, in nats per row.
const CLEARLY_BETTER: f64 = 0.005;
/// Coordinates whose cheapest order costs more than that of the best by this, in nats per row and column, are not looked at again.
const CLOSE: f64 = 0.02;
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
        let chosen = match config.transform {
            TransformChoice::None => None,
            TransformChoice::Log => {
                let logarithms = own.logarithms(sample, |values| Logarithm::from_zero(values, 0.0));
                own.as_logarithms(sample, &logarithms).map(Arc::new)
            }
            TransformChoice::NormalScores => self.normal_scores(sample, &own, config, seed)?,
            TransformChoice::Auto => {
                // Quick fits on all sides: what is averaged over more splits would win too often.
                let Some(known) = self.coordinates(sample, &own, &config.glancing(), seed)? else {
                    return Ok(own);
                };
                let scores = known.scores.clone();
                let best = self.cheapest(known, config, (allowed, knowledge), seed)?;
                if best.as_ref().is_some_and(|best| Arc::ptr_eq(best, &scores)) {
                    self.normal_scores(sample, &own, config, seed)?
                } else {
                    best
                }
            }
        };
        Ok(chosen.unwrap_or(own))
    }

    /// The columns as normal scores; `None` if somebody asked to stop.
    fn normal_scores(
        &mut self,
        sample: &Prepared,
        own: &Arc<Columns>,
        config: &LocalConfig,
        seed: Seed,
    ) -> Result<Option<Arc<Columns>>> {
        Ok(self.coordinates(sample, own, config, seed)?.map(|known| known.scores))
    }

    /// The columns in all coordinates that compete; `None` if somebody asked to stop.
    fn coordinates(
        &mut self,
        sample: &Prepared,
        own: &Arc<Columns>,
        config: &LocalConfig,
        seed: Seed,
    ) -> Result<Option<Coordinates>> {
        let logarithms = own.logarithms(sample, |values| Logarithm::from_zero(values, MAGNITUDES));
        let from_ends = self.logarithms_from_ends(sample, own, &logarithms);
        let mut others = vec![own.clone()];
        let logarithms = [Some(logarithms), from_ends].into_iter().flatten();
        others.extend(logarithms.filter_map(|some| own.as_logarithms(sample, &some)).map(Arc::new));
        let nll = self.alone(sample, &others, config, seed)?;
        Ok(nll.map(|nll| Coordinates { scores: Arc::new(own.normal_scores(&nll)), others }))
    }

    /// The coordinates in which the cheapest graph costs least; `None` if somebody asked to stop.
    fn cheapest(
        &mut self,
        Coordinates { scores, others }: Coordinates,
        config: &LocalConfig,
        (allowed, knowledge): (&[Vec<usize>], &Knowledge),
        seed: Seed,
    ) -> Result<Option<Arc<Columns>>> {
        let d = scores.values.len();
        let nodes = drawn_nodes(d, MOST_EFFECTS, &mut seed.stream("exact/coordinates/effects"));
        let price = config.price(scores.rows());
        let glances = |columns: &Arc<Columns>| Scorer::on(columns.clone(), &config.glancing(), seed);
        let ranked = glances(&scores)?;
        let likeliest = |node: usize| likeliest_causes(&ranked, node, &allowed[node]);
        let Some(causes) = self.glanced(&nodes, likeliest)? else { return Ok(None) };
        let places: Vec<usize> = (0..nodes.len()).collect();
        let mut looks = Vec::new();
        for columns in others.into_iter().chain([scores]) {
            let glances = glances(&columns)?;
            // The columns that were not drawn may stand anywhere.
            let mut costs = vec![ParentCosts::new(Vec::new(), vec![0.0]); d];
            let of = |place: usize| costs_at_a_glance(&glances, nodes[place], &causes[place], price);
            let Some(of_nodes) = self.glanced(&places, of)? else { return Ok(None) };
            for (node, of_node) in nodes.iter().zip(of_nodes) {
                costs[*node] = of_node;
            }
            let order = cheapest_order(&costs, knowledge, seed)?;
            looks.extend(best_dag(&costs, &order).map(|(dag, cost)| Look { columns, glances, dag, cost }));
        }
        let least = looks.iter().map(|look| look.cost).fold(f64::INFINITY, f64::min);
        looks.retain(|look| look.cost <= least + CLOSE * nodes.len() as f64);
        let mut best: Option<(f64, Arc<Columns>)> = None;
        for Look { columns, glances, dag, .. } in looks {
            let cost = |node: usize| {
                let parents = dag.parents(node);
                glances.second_glance(node, &parents) + price * parents.len() as f64
            };
            let Some(costs) = self.glanced(&nodes, cost)? else { return Ok(None) };
            let cost: f64 = costs.iter().sum();
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, columns));
            }
        }
        Ok(best.map(|(_, columns)| columns))
    }

    /// −ln p of each column by itself, row by row: by the density that says it best in any of some coordinates, or in cube roots.
    fn alone(
        &mut self,
        sample: &Prepared,
        others: &[Arc<Columns>],
        config: &LocalConfig,
        seed: Seed,
    ) -> Result<Option<Vec<Vec<f64>>>> {
        let own = &others[0];
        let all: Vec<usize> = (0..own.values.len()).collect();
        let mut best = vec![(f64::INFINITY, Vec::new()); all.len()];
        for columns in others.iter().cloned().chain([Arc::new(own.as_cube_roots(sample))]) {
            let alone = Scorer::on(columns, config, seed)?;
            for (node, nll) in self.in_time(&all, |&node| alone.marginal(node)) {
                let told = own.where_observed(node, &nll);
                let mean = told.iter().sum::<f64>() / told.len() as f64;
                if mean < best[node].0 {
                    best[node] = (mean, nll);
                }
            }
            if self.stopped {
                return Ok(None);
            }
        }
        Ok(Some(best.into_iter().map(|(_, nll)| nll).collect()))
    }

    /// For each column the logarithm that describes it best by itself, be it from an end or the one given; `None` if none is from an end.
    fn logarithms_from_ends(
        &mut self,
        sample: &Prepared,
        own: &Columns,
        from_zero: &[Option<Logarithm>],
    ) -> Option<Vec<Option<Logarithm>>> {
        let (lower, upper) = (Logarithm::from_lower_end, Logarithm::from_upper_end);
        let candidates = [from_zero.to_vec(), own.logarithms(sample, lower), own.logarithms(sample, upper)];
        let candidates: Vec<(Vec<Option<Logarithm>>, Columns)> = (candidates.into_iter())
            .filter_map(|some| own.as_logarithms(sample, &some).map(|columns| (some, columns)))
            .collect();
        let best = |node: usize| {
            let (mut best, mut least) = (None, own.mixture_nll(node));
            for (logarithms, columns) in candidates.iter().filter(|(some, _)| some[node].is_some()) {
                let nll = columns.mixture_nll(node);
                if nll < least - CLEARLY_BETTER {
                    (best, least) = (logarithms[node], nll);
                }
            }
            best
        };
        let continuous: Vec<usize> = (0..from_zero.len()).filter(|&j| own.discrete[j].is_none()).collect();
        let mut chosen = vec![None; from_zero.len()];
        for (node, logarithm) in self.in_time(&continuous, |&node| best(node)) {
            chosen[node] = logarithm;
        }
        let some_end = chosen.iter().flatten().any(|logarithm: &Logarithm| logarithm.end() != 0.0);
        (!self.stopped && some_end).then_some(chosen)
    }

    /// What comes of some nodes, which is asked for chunk by chunk; `None` if somebody asked to stop.
    fn glanced<T: Send>(
        &mut self,
        nodes: &[usize],
        of: impl Fn(usize) -> T + Sync,
    ) -> Result<Option<Vec<T>>> {
        let mut all = Vec::new();
        for chunk in nodes.chunks((CHUNK / nodes.len()).max(2)) {
            all.extend(self.in_time(chunk, |&node| of(node)).into_iter().map(|(_, made)| made));
            self.report(STAGE, all.len(), nodes.len())?;
            if self.stopped {
                return Ok(None);
            }
        }
        Ok(Some(all))
    }
}

/// The causes that predict a node best, each alone.
fn likeliest_causes(glances: &Scorer, node: usize, allowed: &[usize]) -> Vec<usize> {
    if allowed.len() <= CAUSES {
        return allowed.to_vec();
    }
    let mut causes: Vec<(f64, usize)> =
        allowed.iter().map(|&cause| (glances.glance(node, &[cause]), cause)).collect();
    causes.sort_by(|a, b| a.0.total_cmp(&b.0));
    causes.into_iter().take(CAUSES).map(|(_, cause)| cause).collect()
}

/// The costs of all sets of some causes.
fn costs_at_a_glance(glances: &Scorer, node: usize, causes: &[usize], price: f64) -> ParentCosts {
    let cost = |mask: usize| {
        let chosen = (0..causes.len()).filter(|bit| mask >> bit & 1 == 1);
        let mut parents: Vec<usize> = chosen.map(|bit| causes[bit]).collect();
        parents.sort_unstable();
        glances.glance(node, &parents) + price * parents.len() as f64
    };
    ParentCosts::new(causes.to_vec(), (0..1 << causes.len()).map(cost).collect())
}

/// A table in all coordinates that compete.
struct Coordinates {
    scores: Arc<Columns>,
    /// As it is, and where there are any as logarithms.
    others: Vec<Arc<Columns>>,
}

/// A table in some coordinates: the cheapest graph at a glance, and what it costs.
struct Look {
    columns: Arc<Columns>,
    glances: Scorer,
    dag: Dag,
    cost: f64,
}

/// The cheapest order, or one that a short search finds where columns are many.
fn cheapest_order(costs: &[ParentCosts], knowledge: &Knowledge, seed: Seed) -> Result<Ordering> {
    let precedence = knowledge.precedence();
    let found = if costs.len() <= EXACT_UP_TO {
        ExactSearch::new(costs, precedence)?.draw(&mut seed.stream("exact/coordinates"))?
    } else {
        let search = LocalSearch { starts: 2, window: 6, ..LocalSearch::default() };
        search.search(costs, precedence, &[], seed, &mut Silent)?
    };
    Ok(found.order)
}
