//! Networks and edges, trained until the graph has no cycle.

use oslow_core::{Dag, Error, History, Prepared, Result, Rng, Seed, stop_is_due};
use oslow_flow::{gather, split_rows};
use rand::seq::index::sample as draw;

use super::conditionals::Conditionals;
use super::config::GranDagConfig;
use super::connections::{add_gradient, connections};
use super::edges::Edges;
use super::lagrangian::{Lagrangian, stands_still};

/// The state of a training.
pub(super) struct Training<'a> {
    config: &'a GranDagConfig,
    conditionals: Conditionals<f32>,
    edges: Edges<'a>,
    lagrangian: Lagrangian,
    /// Rows to learn from, and held-out ones.
    rows: Vec<f32>,
    held_out: Vec<f32>,
    d: usize,
    rng: Rng,
    batch: Vec<f32>,
    steps: usize,
    /// The cyclicity at the last step.
    h: f64,
    /// The held-out loss with the cost of the constraint, look by look.
    looks: Vec<f64>,
    history: Vec<Vec<f64>>,
}

impl<'a> Training<'a> {
    /// Before the first step.
    pub fn new(config: &'a GranDagConfig, sample: &Prepared, edges: Edges<'a>, seed: Seed) -> Self {
        let d = sample.columns();
        let mut rng = seed.stream("order/gran-dag/initial");
        let conditionals = Conditionals::new(d, config.model, &config.hidden, &mut rng);
        let (training, others) =
            split_rows(sample, config.validation, &mut seed.stream("order/gran-dag/validation"));
        let (mut rows, mut held_out) = (Vec::new(), Vec::new());
        gather(sample, &training, &mut rows);
        gather(sample, &others, &mut held_out);
        Self {
            config,
            conditionals,
            edges,
            lagrangian: Lagrangian::new(config.penalty, config.decrease),
            rows,
            held_out,
            d,
            rng: seed.stream("order/gran-dag/batches"),
            batch: Vec::new(),
            steps: 0,
            h: f64::INFINITY,
            looks: Vec::new(),
            history: Vec::new(),
        }
    }

    /// Takes the steps up to the next look at the held-out rows, and looks. Whether more are to be taken.
    pub fn advance(&mut self) -> Result<bool> {
        for _ in 0..self.config.window {
            if stop_is_due() {
                // Whoever watches is asked next.
                return Ok(true);
            }
            if self.steps == self.config.iterations || self.step()? {
                return Ok(false);
            }
        }
        self.look()?;
        Ok(true)
    }

    /// One step down the augmented Lagrangian, unless there is no cycle left: then true.
    fn step(&mut self) -> Result<bool> {
        let connections = connections(&self.conditionals.networks, &self.edges.mask);
        self.edges.keep(|k| connections[k] > self.config.clamp);
        let left: Vec<f64> = connections.iter().zip(&self.edges.mask).map(|(a, m)| a * m).collect();
        let cyclicity = self.edges.cyclicity(&left);
        self.h = cyclicity.h;
        if self.h <= self.config.acyclic {
            return Ok(true);
        }
        self.draw_batch();
        self.conditionals.differentiate(&self.edges.mask, &self.batch);
        let slope = self.lagrangian.slope(self.h);
        let slopes: Vec<f64> = cyclicity.slopes.iter().map(|by_a| slope * by_a).collect();
        add_gradient(&mut self.conditionals.networks, &self.edges.mask, &slopes);
        self.conditionals.step(self.config.rate)?;
        self.steps += 1;
        Ok(false)
    }

    fn draw_batch(&mut self) {
        let (d, n) = (self.d, self.rows.len() / self.d);
        self.batch.clear();
        for row in draw(&mut self.rng, n, self.config.batch.min(n)) {
            self.batch.extend_from_slice(&self.rows[row * d..(row + 1) * d]);
        }
    }

    /// Looks at the held-out rows and, every other time, tightens the constraint if training stands still.
    fn look(&mut self) -> Result<()> {
        let nll = self.conditionals.nll(&self.edges.mask, &self.held_out);
        let cost = self.lagrangian.cost(self.h);
        if !(nll + cost).is_finite() {
            return Err(Error::non_finite("the held-out loss", format!("step {}", self.steps)));
        }
        self.looks.push(nll + cost);
        let Lagrangian { mu, lambda, .. } = self.lagrangian;
        self.history.push(vec![self.steps as f64, nll * self.d as f64, self.h, mu, lambda]);
        let least = self.config.stationary * self.config.window as f64;
        if self.looks.len() % 2 == 1 && stands_still(&self.looks, least) {
            self.lagrangian.tighten(self.h);
            // The next looks are compared with what this one would have been.
            self.looks.pop();
            self.looks.push(nll + self.lagrangian.cost(self.h));
            self.conditionals.restart();
        }
        Ok(())
    }

    /// Steps taken.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The held-out negative log-likelihood per row at the last look.
    pub fn loss(&self) -> Option<f64> {
        self.history.last().map(|row| row[1])
    }

    /// The graph of the edges that are left, less the weakest where they form cycles, and its held-out negative log-likelihood per row.
    pub fn answer(&mut self) -> Result<(Dag, f64)> {
        let strengths = self.conditionals.sensitivities(&self.edges.mask, &self.rows);
        let dag = self.edges.dag(&strengths)?;
        let mask: Vec<f64> =
            (0..self.d * self.d).map(|k| f64::from(u8::from(dag.has(k / self.d, k % self.d)))).collect();
        let nll = self.conditionals.nll(&mask, &self.held_out) * self.d as f64;
        Ok((dag, nll))
    }

    /// How training went, look by look.
    pub fn history(self) -> History {
        History { columns: vec!["step", "held_out_loss", "cyclicity", "mu", "lambda"], rows: self.history }
    }
}
