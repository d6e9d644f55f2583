//! A fitted flow: densities, samples, interventions and counterfactuals in data units.

use oslow_core::{
    Error, FittedModel, Intervention, Interventional, Knowledge, Ordering, Prepared, Result, Rng, Run,
    Standardizer, room_for,
};
use oslow_math::central_range;

use crate::base::Densities;
use crate::fit::{FitConfig, fit};
use crate::{Engine, Layout, Mask, invert};

/// A flow fitted to one causal order, with everything needed to speak of data units.
#[derive(Clone, Debug)]
pub struct FittedFlow {
    pub(crate) layout: Layout,
    pub(crate) theta: Vec<f32>,
    pub(crate) order: Ordering,
    pub(crate) knowledge: Knowledge,
    pub(crate) names: Vec<String>,
    pub(crate) scaling: Standardizer,
    /// The central 99 % of each variable in the data the flow was fitted to, in data units.
    pub(crate) observed: Vec<(f64, f64)>,
    pub(crate) nll: Option<f64>,
}

impl FittedFlow {
    /// Fits a flow to a sample whose causal order is known.
    ///
    /// Returns the flow and whether the fit was stopped early.
    pub fn fit(
        sample: &Prepared,
        order: &Ordering,
        config: &FitConfig,
        run: &mut Run<'_>,
    ) -> Result<(Self, bool)> {
        if !run.knowledge.precedence().admits(order) {
            return Err(Error::input("the order contradicts the knowledge")
                .with_hint("look at its tiers and required edges"));
        }
        let fitted = fit(sample, order, config, run)?;
        let flow = Self::new(fitted.layout, fitted.theta, order.clone(), run.knowledge.clone(), sample);
        Ok((Self { nll: Some(fitted.nll), ..flow }, fitted.interrupted))
    }

    /// A flow from its parts; the sample that it was trained on gives names, scaling and observed ranges.
    pub fn new(
        layout: Layout,
        theta: Vec<f32>,
        order: Ordering,
        knowledge: Knowledge,
        sample: &Prepared,
    ) -> Self {
        let names = sample.names().to_vec();
        let observed = (0..sample.columns()).map(|j| central_range(sample.raw(j).to_vec())).collect();
        let scaling = sample.scaling().clone();
        Self { layout, theta, order, knowledge, names, scaling, observed, nll: None }
    }

    /// The causal order.
    pub fn order(&self) -> &Ordering {
        &self.order
    }

    /// Held-out negative log-likelihood per row of the fit, in model units.
    pub fn nll(&self) -> Option<f64> {
        self.nll
    }

    /// The central 99 % of a variable in the data the flow was fitted to: outside it answers extrapolate.
    pub fn observed(&self, node: usize) -> (f64, f64) {
        self.observed[node]
    }

    fn mask(&self) -> Mask {
        Mask::hard(&self.order, &self.knowledge)
    }

    /// Rows in data units as the network sees them.
    fn to_model(&self, rows: &[f64]) -> Vec<f64> {
        let mut rows = rows.to_vec();
        self.scaling.apply_rows(&mut rows);
        rows
    }

    fn theta_f64(&self) -> Vec<f64> {
        self.theta.iter().map(|&p| f64::from(p)).collect()
    }

    /// log p of each row (row-major, data units).
    pub fn log_prob(&self, rows: &[f64]) -> Vec<f64> {
        let mut engine = Engine::<f64>::new(&self.layout);
        let nll = engine.row_nll(&self.theta_f64(), &self.to_model(rows), &self.mask());
        nll.into_iter().map(|nll| self.scaling.log_det() - nll).collect()
    }

    /// The noise behind each row.
    pub fn noise(&self, rows: &[f64]) -> Vec<f64> {
        Engine::<f64>::new(&self.layout)
            .evaluate_rows(&self.theta_f64(), &self.to_model(rows), &self.mask())
            .0
    }

    /// What becomes of this noise under the interventions, in data units.
    fn generate(&self, noise: &[f64], interventions: &[Intervention]) -> Result<Vec<f64>> {
        let set = self.check(interventions)?;
        let mut rows = invert(&self.layout, &self.theta_f64(), &self.order, &self.mask(), noise, &set);
        self.scaling.invert_rows(&mut rows);
        // Scaling there and back may lose the last digit of a value that was set.
        for row in rows.chunks_exact_mut(self.names.len()) {
            interventions.iter().for_each(|action| row[action.node] = action.value);
        }
        if rows.iter().all(|x| x.is_finite()) {
            Ok(rows)
        } else {
            Err(Error::non_finite("a generated value", "the inversion of the flow"))
        }
    }

    /// Each row as it would have been: its noise is kept (abduction), the variables are set (action), and the
    /// rest follows (prediction).
    pub fn counterfactual(&self, rows: &[f64], interventions: &[Intervention]) -> Result<Vec<f64>> {
        self.generate(&self.noise(rows), interventions)
    }

    /// Interventions in model units; refuses unknown variables, repetitions and values that are not finite.
    fn check(&self, interventions: &[Intervention]) -> Result<Vec<Intervention>> {
        let mut set: Vec<Intervention> = Vec::with_capacity(interventions.len());
        for &Intervention { node, value } in interventions {
            let Some(name) = self.names.get(node) else {
                return Err(Error::input(format!(
                    "there is no variable {node}: the model has {}",
                    self.names.len()
                )));
            };
            if !value.is_finite() {
                return Err(Error::input(format!("do(`{name}` = {value}): the value must be finite")));
            }
            if set.iter().any(|other| other.node == node) {
                return Err(Error::input(format!("`{name}` is set twice")));
            }
            set.push(Intervention {
                node,
                value: (value - self.scaling.mean[node]) / self.scaling.scale[node],
            });
        }
        Ok(set)
    }
}

impl Interventional for FittedFlow {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn draw(&self, rows: usize, interventions: &[Intervention], rng: &mut Rng) -> Result<Vec<f64>> {
        let d = self.names.len();
        // Noise, rows, and what inversion keeps of each hidden unit.
        let units: usize = self.layout.config.hidden.iter().sum();
        let numbers = rows as f64 * d as f64 * (4.0 + 2.0 * units as f64);
        room_for(&format!("drawing {rows} rows of {d} variables"), numbers, "draw fewer rows at a time")?;
        let densities = Densities::new(&self.layout, &self.theta);
        let noise: Vec<f64> = (0..rows * d).map(|k| densities.draw(k % d, rng)).collect();
        self.generate(&noise, interventions)
    }
}

impl FittedModel for FittedFlow {
    fn to_safetensors(&self) -> Result<Vec<u8>> {
        self.to_bytes()
    }
}
