//! A structural causal model with everything drawn.

use oslow_core::{Dag, Error, Intervention, Interventional, Result, Rng, room_for};

use crate::discrete::recoding::{Recoding, recoded};
use crate::mix::affine::Affine;
use crate::{Causes, Curve, Mechanism, Mix, Noise, ParentRows, Sight};

/// Graph, mechanisms and noise: the truth behind a simulated sample.
///
/// Hidden common causes are a part of it, and draws with and without interventions are right about them; they cannot
/// be set and are in no table. Where columns are seen otherwise than they are, draws without interventions are what
/// would be seen. An intervention is then refused: in which units it is meant, and whether what is set is seen
/// with error, would have to be guessed.
#[derive(Debug)]
pub struct Scm {
    pub(crate) names: Vec<String>,
    pub(crate) dag: Dag,
    /// The graph with the hidden nodes, which stand behind the columns.
    pub(crate) whole: Dag,
    /// One per node of the whole graph.
    pub(crate) nodes: Vec<Node>,
    /// How each column is seen; empty where all are seen as they are.
    pub(crate) seen: Vec<Sight>,
}

/// One node: X = (g(mix of causes and noise) − mean) / sd; mostly the mix is t(parents) + s(parents)·U.
#[derive(Debug)]
pub struct Node {
    pub(crate) mechanism: Box<dyn Mechanism>,
    pub(crate) noise: Box<dyn Noise>,
    pub(crate) mix: Box<dyn Mix>,
    pub(crate) output: Curve,
    /// How it sees each of its causes.
    pub(crate) recodings: Vec<Recoding>,
    /// What is subtracted to standardise the node: a constant found when the sample was simulated.
    pub mean: f64,
    /// What the rest is divided by.
    pub sd: f64,
}

impl Node {
    /// g(t + s·U), not standardised.
    pub(crate) fn affine(mechanism: Box<dyn Mechanism>, noise: Box<dyn Noise>, output: Curve) -> Self {
        Self { mechanism, noise, mix: Box::new(Affine), output, recodings: Vec::new(), mean: 0.0, sd: 1.0 }
    }

    /// U in every row.
    pub(crate) fn draw_noise(&self, rows: usize, rng: &mut Rng) -> Vec<f64> {
        (0..rows).map(|_| self.noise.draw(rng)).collect()
    }

    /// The output in every row of the sample, not yet standardised; the constants of the mix are found from them.
    pub(crate) fn settle(&mut self, parents: &ParentRows, noise: &[f64]) -> Result<Vec<f64>> {
        let parents = &recoded(parents, &self.recodings);
        let moments = self.mechanism.evaluate(parents)?;
        let causes = Causes { parents, moments: &moments };
        self.mix.settle(&causes, noise);
        self.output(&causes, noise)
    }

    /// The output in every row, not yet standardised.
    pub(crate) fn raw(&self, parents: &ParentRows, noise: &[f64]) -> Result<Vec<f64>> {
        let parents = &recoded(parents, &self.recodings);
        let moments = self.mechanism.evaluate(parents)?;
        self.output(&Causes { parents, moments: &moments }, noise)
    }

    fn output(&self, causes: &Causes<'_>, noise: &[f64]) -> Result<Vec<f64>> {
        Ok(self.mix.values(causes, noise)?.into_iter().map(self.output).collect())
    }

    /// A raw value, standardised.
    pub(crate) fn standardized(&self, raw: f64) -> f64 {
        (raw - self.mean) / self.sd
    }
}

impl Scm {
    /// The causal graph of the columns.
    pub fn dag(&self) -> &Dag {
        &self.dag
    }

    /// The nodes, by column.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes[..self.names.len()]
    }

    /// The columns of a table that has the hidden nodes too, as they are seen: column by column.
    pub(crate) fn observed(&self, table: &[f64], rng: &mut Rng) -> Vec<f64> {
        let (d, width) = (self.names.len(), self.nodes.len());
        let mut observed: Vec<f64> = table.chunks_exact(width).flat_map(|row| &row[..d]).copied().collect();
        for (column, seen) in self.seen.iter().enumerate() {
            if let Some(seen) = seen {
                observed.iter_mut().skip(column).step_by(d).for_each(|x| *x = seen.at(*x, rng));
            }
        }
        observed
    }

    /// Refuses interventions on a model whose columns are not seen as they are.
    fn check_units(&self, interventions: &[Intervention]) -> Result<()> {
        if interventions.is_empty() || self.seen.iter().all(Option::is_none) {
            return Ok(());
        }
        Err(Error::input("the columns are not seen as they are, so the units of an intervention are unknown")
            .with_hint("simulate with the same seed and seen = \"as-is\": the same model in its own units"))
    }
}

impl Interventional for Scm {
    fn names(&self) -> &[String] {
        &self.names
    }

    /// Noise is drawn for every node, intervened or not: with the same generator two interventions see
    /// the same noise, and their difference is less random.
    fn draw(&self, rows: usize, interventions: &[Intervention], rng: &mut Rng) -> Result<Vec<f64>> {
        self.check_units(interventions)?;
        let fixed = by_node(interventions, &self.names)?;
        self.draw_under(rows, rng, |node| {
            fixed.get(node).copied().flatten().map(|value| Act::Set(vec![value; rows]))
        })
    }
}

/// What is done to a node.
#[derive(Clone)]
pub(crate) enum Act {
    /// It has these values, row by row.
    Set(Vec<f64>),
    /// It comes half as far from `mean` as it would, and further up by `by`.
    Move { mean: f64, by: f64 },
}

impl Scm {
    /// Draws under what is done to nodes.
    pub(crate) fn draw_under(
        &self,
        rows: usize,
        rng: &mut Rng,
        act: impl Fn(usize) -> Option<Act>,
    ) -> Result<Vec<f64>> {
        let width = self.nodes.len();
        let numbers = rows as f64 * (2.0 * width as f64 + 8.0);
        room_for(&format!("drawing {rows} rows of {width} variables"), numbers, "draw fewer rows at a time")?;
        let mut table = vec![0.0; rows * width];
        for &node in self.whole.topological_order().nodes() {
            let at = &self.nodes[node];
            let noise = at.draw_noise(rows, rng);
            let act = act(node);
            if let Some(Act::Set(values)) = act {
                let cells = table.iter_mut().skip(node).step_by(width);
                cells.zip(values).for_each(|(cell, value)| *cell = value);
                continue;
            }
            let raw = at.raw(&ParentRows::of(&table, width, &self.whole.parents(node)), &noise)?;
            for (row, raw) in raw.into_iter().enumerate() {
                let value = match act {
                    Some(Act::Move { mean, by }) => mean + by + (at.standardized(raw) - mean) / 2.0,
                    _ => at.standardized(raw),
                };
                if !value.is_finite() {
                    return Err(Error::non_finite(node_name(&self.names, node), "a draw from the model"));
                }
                table[row * width + node] = value;
            }
        }
        Ok(self.observed(&table, rng))
    }
}

/// What a message calls a node: hidden ones have no name.
pub(crate) fn node_name(names: &[String], node: usize) -> String {
    names.get(node).map_or("a hidden common cause".into(), |name| format!("`{name}`"))
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
        Node { mean, sd, ..Node::affine(mechanism, Box::new(Gaussian), |y| y) }
    }

    /// X1 → X0, so that columns do not follow the order.
    fn model() -> Scm {
        let dag = Dag::new(2, &[(1, 0)]).unwrap();
        Scm {
            names: vec!["X0".into(), "X1".into()],
            whole: dag.clone(),
            dag,
            nodes: vec![sinusoid(&[1.3], 1.7, 2.0, 3.0), sinusoid(&[], 1.1, 0.5, 2.0)],
            seen: Vec::new(),
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
