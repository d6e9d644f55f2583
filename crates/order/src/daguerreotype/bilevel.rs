//! Equations of their own for every order.

use std::collections::{BTreeSet, HashMap};

use oslow_core::{Dag, Error, Knowledge, Ordering, Result, Seed, check_stop};
use oslow_math::{AdamW, AdamWConfig, cholesky, row_products, row_products_with, solve_factored};
use rayon::prelude::*;

use super::LEAK;
use super::config::{DaguerreotypeConfig, EdgeMask, Equations};
use super::edges::Edges;
use super::table::{Losses, Table, nll, possible_causes};
use crate::node_networks::NodeNetworks;

/// How much longer the equations of the answer are fitted, where their edges are wanted: the program's.
const LAST_FIT: usize = 5;

/// A variable and its possible causes: all that its equation depends on.
type Family = (usize, Vec<usize>);

/// Fits, each done once.
///
/// The loss of an order is the sum of what its variables leave, and what a variable leaves depends on the set of those before it. So orders share
/// fits, and a later step of the scores finds most of them done.
pub(super) struct Bilevel<'a> {
    config: &'a DaguerreotypeConfig,
    table: &'a Table,
    knowledge: &'a Knowledge,
    seed: Seed,
    fits: HashMap<Family, Fit>,
}

/// What a fit leaves.
#[derive(Clone, Debug)]
struct Fit {
    /// The mean square of the residuals, in the units of the sample.
    residual: f64,
    /// The causes that were kept.
    causes: Vec<usize>,
}

impl<'a> Bilevel<'a> {
    pub fn new(
        config: &'a DaguerreotypeConfig,
        table: &'a Table,
        knowledge: &'a Knowledge,
        seed: Seed,
    ) -> Self {
        Self { config, table, knowledge, seed, fits: HashMap::new() }
    }

    fn families(&self, order: &Ordering) -> impl Iterator<Item = Family> {
        order.nodes().to_vec().into_iter().zip(possible_causes(order, self.knowledge))
    }

    fn fit(&self, (node, causes): &Family, steps: usize) -> Result<Fit> {
        let scaled = match (self.config.equations, self.config.edges) {
            _ if causes.is_empty() => Fit { residual: 1.0, causes: Vec::new() },
            (Equations::Linear, EdgeMask::None) => self.least_squares(*node, causes)?,
            (Equations::Nonlinear, _) | (Equations::Linear, EdgeMask::Bernoulli) => {
                self.descend(*node, causes, steps)?
            }
        };
        Ok(Fit { residual: scaled.residual * self.table.variances[*node], ..scaled })
    }

    /// The least mean square + l2·|w|² of a weighted sum, exactly.
    fn least_squares(&self, node: usize, causes: &[usize]) -> Result<Fit> {
        let (n, k) = (self.table.rows() as f64, causes.len());
        let x: Vec<f64> = causes.iter().flat_map(|&cause| &self.table.columns[cause]).copied().collect();
        let y = &self.table.columns[node];
        let mut gram = row_products(&x, k);
        let mut weights = row_products_with(&x, y);
        let with_y = weights.clone();
        let plain = gram.clone();
        // Rounding needs a little even where the user wants none.
        (0..k).for_each(|i| gram[i * k + i] += n * self.config.l2.max(1e-12));
        cholesky(&mut gram, k).map_err(|_| Error::non_finite("a linear equation", "its fit"))?;
        solve_factored(&gram, &mut weights);
        let explained = row_products_with(&plain, &weights);
        let square: f64 =
            weights.iter().zip(explained.iter().zip(&with_y)).map(|(w, (gw, xy))| w * (gw - 2.0 * xy)).sum();
        Ok(Fit { residual: (1.0 + square / n).max(0.0), causes: causes.to_vec() })
    }

    /// Adam down ½ ln(mean square) + l2·|parameters|² + the edges' penalty. All fits start from the same random numbers.
    fn descend(&self, node: usize, causes: &[usize], steps: usize) -> Result<Fit> {
        let config = self.config;
        let (x, y) = (self.table.side_by_side(causes), self.table.side_by_side(&[node]));
        let start = &mut self.seed.stream("order/daguerreotype/equations");
        let coins = &mut self.seed.stream("order/daguerreotype/edges");
        let mut network =
            NodeNetworks::<f32>::regressions(causes.len(), 1, &config.hidden_layers(), LEAK, start);
        let mut adam = AdamW::new(network.theta.len(), AdamWConfig::plain());
        let required = |cause: &usize| self.knowledge.required().contains(&(*cause, node));
        let mut edges = Edges::new(config.edges, causes.iter().map(required).collect());
        for step in 0..steps {
            check_stop();
            let (error, mut d_edges) = network.differentiate(&edges.draw(coins), &x, &y);
            let share = 0.5 / error.max(f64::MIN_POSITIVE);
            network.weigh_gradient(share, config.l2);
            let rate = config.rate * (1.0 - step as f64 / steps as f64);
            adam.step(&mut network.theta, &network.gradient, rate)?;
            if config.edges == EdgeMask::Bernoulli {
                d_edges.iter_mut().for_each(|slope| *slope *= share);
                edges.step(&d_edges, config.edge_penalty);
            }
        }
        let likely = edges.likely();
        let kept = |(cause, there): (&usize, &f64)| (*there > 0.0).then_some(*cause);
        let residual = network.squared_error(&likely, &x, &y);
        Ok(Fit { residual, causes: causes.iter().zip(&likely).filter_map(kept).collect() })
    }
}

impl Losses for Bilevel<'_> {
    /// Nothing to do: fits are good for every descent.
    fn start(&mut self, _: usize) {}

    /// Nothing to do: the equations of the answer are fitted in the end.
    fn remember(&mut self) {}

    fn losses(&mut self, orders: &[Ordering], _: &[f64]) -> Result<Vec<f64>> {
        let wanted: BTreeSet<Family> = orders.iter().flat_map(|order| self.families(order)).collect();
        let missing: Vec<Family> =
            wanted.into_iter().filter(|family| !self.fits.contains_key(family)).collect();
        let fit = |family: &Family| self.fit(family, self.config.inner_steps);
        let fits: Vec<Fit> = missing.par_iter().map(fit).collect::<Result<_>>()?;
        self.fits.extend(missing.into_iter().zip(fits));
        let loss = |order: &Ordering| {
            let fits = self.families(order).map(|family| &self.fits[&family]);
            let (square, edges) =
                fits.fold((0.0, 0), |(square, edges), fit| (square + fit.residual, edges + fit.causes.len()));
            let penalty = match self.config.edges {
                EdgeMask::None => 0.0,
                EdgeMask::Bernoulli => self.config.edge_penalty * edges as f64,
            };
            nll(order.len(), square / order.len() as f64) + penalty
        };
        Ok(orders.iter().map(loss).collect())
    }

    fn graph(&mut self, order: &Ordering) -> Result<Dag> {
        let families: Vec<Family> = self.families(order).collect();
        let fit = |family: &Family| self.fit(family, LAST_FIT * self.config.inner_steps);
        let fits: Vec<Fit> = families.par_iter().map(fit).collect::<Result<_>>()?;
        let edges = families
            .iter()
            .zip(&fits)
            .flat_map(|((node, _), fit)| fit.causes.iter().map(|cause| (*cause, *node)));
        Dag::new(order.len(), &edges.collect::<Vec<_>>())
    }
}
