//! A structural causal model with everything drawn.

use oslow_core::{Dag, Error, Intervention, Interventional, Result, Rng};

use crate::{Mechanism, Noise, Output, ParentRows};

/// Graph, mechanisms and noise: the truth behind a simulated sample.
#[derive(Debug)]
pub struct Scm {
    pub(crate) names: Vec<String>,
    pub(crate) dag: Dag,
    /// One per node of the graph.
    pub(crate) nodes: Vec<Node>,
}

/// One node: X = (g(t(parents) + s(parents)·U) − mean) / sd.
#[derive(Debug)]
pub struct Node {
    pub(crate) mechanism: Box<dyn Mechanism>,
    pub(crate) noise: Box<dyn Noise>,
    pub(crate) output: Output,
    /// What is subtracted to standardise the node: a constant found when the sample was simulated.
    pub mean: f64,
    /// What the rest is divided by.
    pub sd: f64,
}

impl Node {
    /// U in every row.
    pub(crate) fn draw_noise(&self, rows: usize, rng: &mut Rng) -> Vec<f64> {
        (0..rows).map(|_| self.noise.draw(rng)).collect()
    }

    /// g(t + s·u) in every row, not yet standardised.
    pub(crate) fn raw(&self, parents: &ParentRows, noise: &[f64]) -> Result<Vec<f64>> {
        let moments = self.mechanism.evaluate(parents)?;
        Ok(moments.iter().zip(noise).map(|(at, u)| self.output.at(at.location + at.scale * u)).collect())
    }

    /// A raw value, standardised.
    pub(crate) fn standardized(&self, raw: f64) -> f64 {
        (raw - self.mean) / self.sd
    }
}

impl Scm {
    /// The causal graph.
    pub fn dag(&self) -> &Dag {
        &self.dag
    }

    /// The nodes, by column.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }
}

impl Interventional for Scm {
    fn names(&self) -> &[String] {
        &self.names
    }

    /// Noise is drawn for every node, intervened or not: with the same generator two interventions see
    /// the same noise, and their difference is less random.
    fn draw(&self, rows: usize, interventions: &[Intervention], rng: &mut Rng) -> Result<Vec<f64>> {
        let d = self.nodes.len();
        let fixed = by_node(interventions, &self.names)?;
        let mut table = vec![0.0; rows * d];
        for &node in self.dag.topological_order().nodes() {
            let at = &self.nodes[node];
            let noise = at.draw_noise(rows, rng);
            if let Some(value) = fixed[node] {
                table.iter_mut().skip(node).step_by(d).for_each(|cell| *cell = value);
                continue;
            }
            let raw = at.raw(&ParentRows::of(&table, d, &self.dag.parents(node)), &noise)?;
            for (row, raw) in raw.into_iter().enumerate() {
                let value = at.standardized(raw);
                if !value.is_finite() {
                    let what = format!("`{}`", self.names[node]);
                    return Err(Error::non_finite(what, "a draw from the model"));
                }
                table[row * d + node] = value;
            }
        }
        Ok(table)
    }
}

/// The value of each node that is intervened upon.
fn by_node(interventions: &[Intervention], names: &[String]) -> Result<Vec<Option<f64>>> {
    let mut fixed = vec![None; names.len()];
    for &Intervention { node, value } in interventions {
        if node >= names.len() {
            return Err(Error::input(format!("there is no node {node}: the model has {}", names.len())));
        }
        if !value.is_finite() {
            return Err(Error::input(format!("do(`{}` = {value}): the value must be finite", names[node])));
        }
        if fixed[node].replace(value).is_some() {
            return Err(Error::input(format!("`{}` is set twice", names[node])));
        }
    }
    Ok(fixed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::combination::{Combination, Scale, softplus};
    use crate::mechanism::sinusoid::Sinusoid;
    use crate::noise::gaussian::Gaussian;
    use oslow_core::Seed;

    fn sinusoid(coefficients: &[f64], intercept: f64, mean: f64, sd: f64) -> Node {
        let location = Combination { coefficients: coefficients.to_vec(), intercept };
        let scale = Scale::Softplus(Combination { coefficients: coefficients.to_vec(), intercept: 0.5 });
        let mechanism = Box::new(Sinusoid { location, scale });
        Node { mechanism, noise: Box::new(Gaussian), output: Output::Identity, mean, sd }
    }

    /// X1 → X0, so that columns do not follow the order.
    fn model() -> Scm {
        Scm {
            names: vec!["X0".into(), "X1".into()],
            dag: Dag::new(2, &[(1, 0)]).unwrap(),
            nodes: vec![sinusoid(&[1.3], 1.7, 2.0, 3.0), sinusoid(&[], 1.1, 0.5, 2.0)],
        }
    }

    fn column_mean(table: &[f64], node: usize) -> f64 {
        let rows = table.len() / 2;
        table.iter().skip(node).step_by(2).sum::<f64>() / rows as f64
    }

    #[test]
    fn the_mean_under_an_intervention_is_that_of_the_formula() {
        const ROWS: usize = 20_000;
        for x in [-1.0, 0.0, 0.8, 2.5] {
            let intervention = [Intervention { node: 1, value: x }];
            let table = model().draw(ROWS, &intervention, &mut Seed(4).stream("test")).unwrap();
            assert!(table.iter().skip(1).step_by(2).all(|&value| value == x));
            let v = 1.3 * x + 1.7;
            let expected = (v.sin() + v - 2.0) / 3.0;
            let error = softplus(1.3 * x + 0.5) / 3.0 / (ROWS as f64).sqrt();
            let got = column_mean(&table, 0);
            assert!((got - expected).abs() < 4.0 * error, "do(X1 = {x}): {got}, {expected}");
        }
    }

    #[test]
    fn setting_an_effect_leaves_its_cause_alone() {
        let draw = |does: &[Intervention]| model().draw(50, does, &mut Seed(4).stream("test")).unwrap();
        let (before, after) = (draw(&[]), draw(&[Intervention { node: 0, value: 9.0 }]));
        for (a, b) in before.chunks(2).zip(after.chunks(2)) {
            assert_eq!((b[0], b[1]), (9.0, a[1]));
        }
        // The root: location sin 1.1 + 1.1, scale softplus(0.5), then standardised with 0.5 and 2.
        let table = model().draw(20_000, &[], &mut Seed(5).stream("test")).unwrap();
        let error = softplus(0.5) / 2.0 / 20_000.0_f64.sqrt();
        assert!((column_mean(&table, 1) - (1.1_f64.sin() + 0.6) / 2.0).abs() < 4.0 * error);
    }

    #[test]
    fn wrong_interventions_are_refused() {
        let refusal = |does: &[Intervention]| {
            model().draw(5, does, &mut Seed(4).stream("test")).unwrap_err().to_string()
        };
        let set = |node, value| Intervention { node, value };
        assert_eq!(refusal(&[set(2, 0.0)]), "there is no node 2: the model has 2");
        assert_eq!(refusal(&[set(1, f64::NAN)]), "do(`X1` = NaN): the value must be finite");
        assert_eq!(refusal(&[set(1, 0.0), set(1, 1.0)]), "`X1` is set twice");
    }
}
