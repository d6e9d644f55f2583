//! Ready-made structural causal models: fixed graphs, formulas and noises, for a point that they make.

use oslow_core::{Dag, Error, Interventional, Named, Result, Sample, Seed, find};

use crate::{LocationScale, Mechanism, Node, Noise, ParentRows, Scm, Simulated};

registry! {
    /// The problems.
    PROBLEMS: ProblemEntry = { pairwise_counterexample }
}

/// A registered problem. Its columns stand as in the publication, mostly causes first, and it is not
/// standardised: shuffle the columns before a learner is judged by it.
#[derive(Debug)]
pub struct ProblemEntry {
    /// The name users type.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// The edges, cause and effect by column.
    pub edges: &'static [(usize, usize)],
    /// The columns in their order: name, location and scale given the parents (ascending), noise.
    pub columns: &'static [ProblemColumn],
}

/// A variable of a problem.
#[derive(Debug)]
pub struct ProblemColumn {
    /// Its name.
    pub name: &'static str,
    /// Location and scale, given the parents by ascending column.
    pub formula: fn(&[f64]) -> LocationScale,
    /// Its noise.
    pub noise: fn() -> Box<dyn Noise>,
}

impl Named for ProblemEntry {
    fn name(&self) -> &'static str {
        self.name
    }
}

impl ProblemEntry {
    /// The model, which answers interventions.
    pub fn scm(&self) -> Result<Scm> {
        let node =
            |column: &ProblemColumn| Node::affine(Box::new(Formula(column.formula)), (column.noise)(), |y| y);
        let names = self.columns.iter().map(|column| column.name.to_string()).collect();
        let dag = Dag::new(self.columns.len(), self.edges)?;
        let nodes = self.columns.iter().map(node).collect();
        Ok(Scm { names, whole: dag.clone(), dag, nodes, seen: Vec::new() })
    }
}

#[derive(Debug)]
struct Formula(fn(&[f64]) -> LocationScale);

impl Mechanism for Formula {
    fn evaluate(&self, parents: &ParentRows) -> Result<Vec<LocationScale>> {
        Ok(parents.iter().map(self.0).collect())
    }
}

/// Draws `rows` observations of the problem of this name, from the stream `scm/noise` of the seed.
///
/// ```
/// use oslow_core::Seed;
/// let simulated = oslow_scm::simulate_problem("pairwise-counterexample", 100, Seed(0)).unwrap();
/// assert_eq!(simulated.sample.names(), ["X1", "X2", "X3"]);
/// ```
pub fn simulate_problem(name: &str, rows: usize, seed: Seed) -> Result<Simulated> {
    let scm = find("problem", name, PROBLEMS)?.scm()?;
    if rows < 2 {
        return Err(Error::input(format!("rows = {rows}: at least 2 are needed")));
    }
    let table = scm.draw(rows, &[], &mut seed.stream("scm/noise"))?;
    let sample = Sample::new(scm.names().to_vec(), table)?;
    Ok(Simulated { sample, dag: scm.dag().clone(), scm })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_is_simulated_and_reproducible() {
        for entry in PROBLEMS {
            let draw = |seed| simulate_problem(entry.name, 50, Seed(seed)).unwrap();
            let simulated = draw(1);
            simulated.sample.check_informative().unwrap();
            assert_eq!(simulated.sample, draw(1).sample, "{}", entry.name);
            assert_ne!(simulated.sample, draw(2).sample, "{}", entry.name);
            assert_eq!(
                (&simulated.dag, simulated.sample.names()),
                (simulated.scm.dag(), simulated.scm.names())
            );
            assert_eq!(simulated.dag.edges().len(), entry.edges.len());
        }
    }

    #[test]
    fn wrong_calls_are_refused() {
        let error = simulate_problem("pairwise-counter-example", 50, Seed(0)).unwrap_err();
        assert_eq!(error.hint().as_deref(), Some("did you mean `pairwise-counterexample`?"));
        assert!(simulate_problem("pairwise-counterexample", 1, Seed(0)).unwrap_err().is_input());
    }
}
