//! One set of equations for all orders, learned together with the scores.

use oslow_core::{Dag, Knowledge, Ordering, Result, Rng, Seed, check_stop};
use oslow_math::{AdamW, AdamWConfig};

use super::LEAK;
use super::config::{DaguerreotypeConfig, EdgeMask};
use super::edges::Edges;
use super::table::{Losses, Table, nll, possible_causes};
use crate::node_networks::NodeNetworks;

/// The equation of each variable, which sees what stands before it in an order.
pub(super) struct Joint<'a> {
    config: &'a DaguerreotypeConfig,
    table: &'a Table,
    knowledge: &'a Knowledge,
    seed: Seed,
    networks: NodeNetworks<f32>,
    adam: AdamW<f32>,
    edges: Edges,
    /// The likely ones, when last remembered.
    likely: Vec<f64>,
    rng: Rng,
    x: Vec<f32>,
    /// In the units of the sample up to one factor for all variables, so that their variances keep their ratios.
    y: Vec<f32>,
    /// The square of that factor.
    unit: f64,
}

impl<'a> Joint<'a> {
    /// The equations of the descent of this index, before it.
    pub fn new(
        config: &'a DaguerreotypeConfig,
        table: &'a Table,
        knowledge: &'a Knowledge,
        seed: Seed,
        index: usize,
    ) -> Self {
        let d = knowledge.len();
        let x = table.side_by_side(&(0..d).collect::<Vec<_>>());
        let unit = table.variances.iter().sum::<f64>() / d as f64;
        let scales: Vec<f32> =
            table.variances.iter().map(|variance| (variance / unit).sqrt() as f32).collect();
        let y = x.iter().enumerate().map(|(k, x)| x * scales[k % d]).collect();
        let start = &mut seed.indexed("order/daguerreotype/equations", index as u64);
        let networks = NodeNetworks::regressions(d, d, &config.hidden_layers(), LEAK, start);
        let required = |k: usize| knowledge.required().contains(&(k / d, k % d));
        let edges = Edges::new(config.edges, (0..d * d).map(required).collect());
        Self {
            config,
            table,
            knowledge,
            seed,
            adam: AdamW::new(networks.theta.len(), AdamWConfig::plain()),
            networks,
            likely: edges.likely(),
            edges,
            rng: seed.indexed("order/daguerreotype/edges", index as u64),
            x,
            y,
            unit,
        }
    }

    /// 1 where there is an edge and an order has it: row → column.
    fn follow(&self, order: &Ordering, edges: &[f64]) -> Vec<f64> {
        let d = order.len();
        let mut mask = vec![0.0; d * d];
        for (node, causes) in order.nodes().iter().zip(possible_causes(order, self.knowledge)) {
            causes.iter().for_each(|cause| mask[cause * d + node] = edges[cause * d + node]);
        }
        mask
    }
}

impl Losses for Joint<'_> {
    /// Fresh equations: those of an earlier descent have learned its orders.
    fn start(&mut self, index: usize) {
        let likely = std::mem::take(&mut self.likely);
        *self = Self { likely, ..Self::new(self.config, self.table, self.knowledge, self.seed, index) };
    }

    fn remember(&mut self) {
        self.likely = self.edges.likely();
    }

    /// The losses under the equations as they are; then these take a step of Adam down the mean of them.
    fn losses(&mut self, orders: &[Ordering], weights: &[f64]) -> Result<Vec<f64>> {
        let d = self.knowledge.len();
        let thrown = self.edges.draw(&mut self.rng);
        let mut gradient = vec![0.0f32; self.networks.theta.len()];
        let mut d_edges = vec![0.0; d * d];
        let mut losses = Vec::with_capacity(orders.len());
        for (order, weight) in orders.iter().zip(weights) {
            check_stop();
            let mask = self.follow(order, &thrown);
            let (error, d_mask) = self.networks.differentiate(&mask, &self.x, &self.y);
            let share = weight * d as f64 / (2.0 * error.max(f64::MIN_POSITIVE));
            gradient.iter_mut().zip(&self.networks.gradient).for_each(|(sum, g)| *sum += share as f32 * g);
            let follows = self.follow(order, &vec![1.0; d * d]);
            for (sum, (slope, follows)) in d_edges.iter_mut().zip(d_mask.iter().zip(follows)) {
                *sum += share * slope * follows;
            }
            losses.push(nll(d, self.unit * error));
        }
        self.networks.gradient = gradient;
        self.networks.weigh_gradient(1.0, self.config.l2);
        self.adam.step(&mut self.networks.theta, &self.networks.gradient, self.config.rate)?;
        if self.config.edges == EdgeMask::Bernoulli {
            self.edges.step(&d_edges, self.config.edge_penalty);
        }
        Ok(losses)
    }

    fn graph(&mut self, order: &Ordering) -> Result<Dag> {
        let d = order.len();
        let mask = self.follow(order, &self.likely);
        let edges: Vec<_> = (0..d * d).filter(|&k| mask[k] > 0.0).map(|k| (k / d, k % d)).collect();
        Dag::new(d, &edges)
    }
}
