//! Networks and graphs, trained together.

use oslow_core::{History, Knowledge, Prepared, Result, Rng, Seed, stop_is_due};
use oslow_flow::{gather, split_rows};
use oslow_math::{AdamW, AdamWConfig};
use rand::seq::SliceRandom;

use super::config::ViDpDagConfig;
use super::dags::Dags;
use super::permutations::Parametrisation;
use crate::node_networks::NodeNetworks;

/// Rows that are predicted at a time when nothing is learned from them.
const ROWS_AT_ONCE: usize = 256;

/// The state of a training.
pub(super) struct Training<'a> {
    config: &'a ViDpDagConfig,
    sample: &'a Prepared,
    networks: NodeNetworks<f32>,
    network_adam: AdamW<f32>,
    dags: Dags<'a>,
    edge_adam: AdamW<f64>,
    permutation_adam: AdamW<f64>,
    /// Rows to learn from.
    rows: Vec<usize>,
    /// Held-out rows.
    held_out: Vec<f32>,
    /// The loss on them, look by look.
    losses: Vec<f64>,
}

impl<'a> Training<'a> {
    /// Before the first step.
    pub fn new(
        config: &'a ViDpDagConfig,
        parametrisation: Parametrisation,
        sample: &'a Prepared,
        knowledge: &'a Knowledge,
        seed: Seed,
    ) -> Self {
        let mut rng = seed.stream("order/vi-dp-dag/initial");
        let d = sample.columns();
        let networks = NodeNetworks::regressions(d, d, &config.hidden, 0.0, &mut rng);
        let dags = Dags::new(knowledge, parametrisation, &mut rng);
        let plain = AdamWConfig::plain();
        let (edges, weights) = (dags.edges.logits.len(), dags.permutations.weights.len());
        let (rows, others) =
            split_rows(sample, config.validation, &mut seed.stream("order/vi-dp-dag/validation"));
        let mut held_out = Vec::new();
        gather(sample, &others, &mut held_out);
        Self {
            config,
            sample,
            network_adam: AdamW::new(networks.theta.len(), plain),
            networks,
            dags,
            edge_adam: AdamW::new(edges, plain),
            permutation_adam: AdamW::new(weights, plain),
            rows,
            held_out,
            losses: Vec::new(),
        }
    }

    /// One pass over the rows, in batches, with a new graph for each; a shorter one if there is to be no other.
    pub fn pass(&mut self, rng: &mut Rng) -> Result<()> {
        self.rows.shuffle(rng);
        let mut batch = Vec::new();
        for rows in self.rows.chunks(self.config.batch) {
            if stop_is_due() {
                break;
            }
            gather(self.sample, rows, &mut batch);
            let graph = self.dags.draw(rng)?;
            let (_, d_adjacency) = self.networks.differentiate(&graph.adjacency, &batch, &batch);
            let mut gradient = self.dags.pull_back(&graph, &d_adjacency);
            let (_, d_prior) = self.dags.edges.divergence(self.config.prior_edge);
            for (slope, prior) in gradient.edges.iter_mut().zip(d_prior) {
                *slope += self.config.prior_weight * prior;
            }
            let NodeNetworks { theta, gradient: d_theta, .. } = &mut self.networks;
            self.network_adam.step(theta, d_theta, self.config.rate)?;
            let rate = self.config.dag_rate;
            self.edge_adam.step(&mut self.dags.edges.logits, &gradient.edges, rate)?;
            self.permutation_adam.step(&mut self.dags.permutations.weights, &gradient.permutations, rate)?;
        }
        Ok(())
    }

    /// Looks at the held-out rows.
    pub fn look(&mut self) -> Result<()> {
        let graph = self.dags.likely()?;
        let d = self.sample.columns();
        let error = |rows: &[f32]| self.networks.squared_error(&graph, rows, rows) * rows.len() as f64;
        let error =
            self.held_out.chunks(ROWS_AT_ONCE * d).map(error).sum::<f64>() / self.held_out.len() as f64;
        let (divergence, _) = self.dags.edges.divergence(self.config.prior_edge);
        self.losses.push(error + self.config.prior_weight * divergence);
        Ok(())
    }

    /// Whether the first of the last looks was the best of them.
    pub fn is_settled(&self) -> bool {
        is_settled(&self.losses, self.config.patience)
    }

    /// The distribution over graphs.
    pub fn dags(&self) -> &Dags<'a> {
        &self.dags
    }

    /// The loss on the held-out rows at the last look.
    pub fn loss(&self) -> Option<f64> {
        self.losses.last().copied()
    }

    /// The losses, look by look.
    pub fn history(&self) -> History {
        let row = |(look, loss): (usize, &f64)| vec![(look * self.config.check_every + 1) as f64, *loss];
        History {
            columns: vec!["epoch", "held_out_loss"],
            rows: self.losses.iter().enumerate().map(row).collect(),
        }
    }
}

/// Whether there were more looks than `patience`, and the first of the last `patience` was the lowest.
fn is_settled(losses: &[f64], patience: usize) -> bool {
    losses.len() > patience && {
        let last = &losses[losses.len() - patience..];
        last.iter().all(|loss| last[0] <= *loss)
    }
}

#[cfg(test)]
mod tests {
    use super::is_settled;

    #[test]
    fn training_settles_when_looks_bring_nothing_new() {
        assert!(!is_settled(&[1.0, 2.0, 3.0], 3), "too early");
        assert!(is_settled(&[9.0, 1.0, 2.0, 1.0], 3));
        assert!(!is_settled(&[9.0, 1.0, 2.0, 0.9], 3));
        assert!(is_settled(&[0.5, 1.0, 2.0, 1.5], 3), "only the last ones count");
    }
}
