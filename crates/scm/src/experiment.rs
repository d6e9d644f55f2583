//! Rows of experiments beside those of observation.

use oslow_core::{Conditions, Error, Result, Rng, Sample, Seed};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use crate::scm::Act;
use crate::unit::mean_and_sd;
use crate::{Scm, Simulated};

/// The name of the condition in which nothing is done, and of the column of conditions.
const OBSERVED: &str = "observational";
const COLUMN: &str = "condition";
/// How far an experiment moves a column, in standard deviations of what was observed.
const FAR: f64 = 2.0;

/// What an experiment does to its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExperimentKind {
    /// It sets it at random, whatever the causes are: a normal value 2 standard deviations above the mean, with the observed standard deviation; one of the observed values of a discrete column.
    Perfect,
    /// It halves the distance to the mean and moves it up by 2 standard deviations: the causes still act.
    Imperfect,
}

/// One condition for each target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Experiments {
    /// The columns that experiments act on, one each.
    pub targets: Vec<usize>,
    /// The rows of each.
    pub rows: usize,
    /// What they do.
    pub kind: ExperimentKind,
}

impl Simulated {
    /// The same sample with the rows of experiments after its own; conditions are named after their targets.
    pub fn with_experiments(self, experiments: &Experiments, seed: Seed) -> Result<Self> {
        let Self { sample, scm, dag } = self;
        let mut values = sample.values().to_vec();
        let mut said = vec![OBSERVED.to_string(); sample.rows()];
        for &target in &experiments.targets {
            let mut rng = seed.indexed("scm/experiments", target as u64);
            values.extend(rows_of(&scm, &sample, target, experiments, &mut rng)?);
            said.extend(vec![sample.names()[target].clone(); experiments.rows]);
        }
        let all = like(&sample, values)?.with_conditions(Some(Conditions::new(COLUMN, &said)?));
        Ok(Self { sample: all, scm, dag })
    }
}

fn rows_of(
    scm: &Scm,
    observed: &Sample,
    target: usize,
    experiments: &Experiments,
    rng: &mut Rng,
) -> Result<Vec<f64>> {
    let column: Vec<f64> = observed.column(target).collect();
    let (mean, sd) = mean_and_sd(&column);
    let discrete = observed.type_of(target).is_discrete();
    let act = match experiments.kind {
        ExperimentKind::Perfect => {
            let one = |rng: &mut Rng| match discrete {
                true => column[rng.random_range(0..column.len())],
                false => {
                    let normal: f64 = StandardNormal.sample(rng);
                    mean + sd * (FAR + normal)
                }
            };
            Act::Set((0..experiments.rows).map(|_| one(rng)).collect())
        }
        ExperimentKind::Imperfect if discrete => {
            return Err(Error::input(format!(
                "`{}` is discrete, so no experiment can move it",
                observed.names()[target]
            ))
            .with_hint("set it instead: choose perfect interventions, or another target"));
        }
        ExperimentKind::Imperfect => Act::Move { mean, by: FAR * sd },
    };
    scm.draw_under(experiments.rows, rng, |node| (node == target).then(|| act.clone()))
}

/// A table of these values whose columns hold what those of another do.
fn like(sample: &Sample, values: Vec<f64>) -> Result<Sample> {
    let all = Sample::new(sample.names().to_vec(), values)?;
    (0..sample.columns()).try_fold(all, |all, j| match sample.labels(j) {
        [] => all.with_type(j, sample.type_of(j)),
        labels => Ok(all.with_labels(j, labels.to_vec(), false)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Spec, simulate};

    fn chain(kind: ExperimentKind) -> Sample {
        let spec = Spec {
            graph: "given".into(),
            nodes: 3,
            edges: vec![(0, 1), (1, 2)],
            mechanism: "linear".into(),
            additive: true,
            ..Spec::default()
        };
        let experiments = Experiments { targets: vec![1], rows: 2000, kind };
        simulate(&spec, 2000, Seed(3)).unwrap().with_experiments(&experiments, Seed(3)).unwrap().sample
    }

    /// The mean of a column, and its correlation with the one before, in the rows of a condition.
    fn of(sample: &Sample, condition: usize, j: usize) -> (f64, f64) {
        let conditions = sample.conditions().unwrap();
        let rows: Vec<usize> =
            (0..sample.rows()).filter(|&row| conditions.of_row()[row] == condition).collect();
        let column = |j: usize| -> Vec<f64> { rows.iter().map(|&row| sample.row(row)[j]).collect() };
        let (a, b) = (column(j - 1), column(j));
        let ((ma, sa), (mb, sb)) = (mean_and_sd(&a), mean_and_sd(&b));
        let product: f64 = a.iter().zip(&b).map(|(a, b)| (a - ma) * (b - mb)).sum::<f64>() / a.len() as f64;
        (mb, product / (sa * sb))
    }

    #[test]
    fn a_set_column_moves_and_forgets_its_cause_and_its_effect_follows() {
        let sample = chain(ExperimentKind::Perfect);
        let conditions = sample.conditions().unwrap();
        assert_eq!(
            (conditions.names(), conditions.rows_of(0)),
            (&["X1", OBSERVED].map(String::from)[..], 2000)
        );
        let ((set, with_cause), (seen, observed)) = (of(&sample, 0, 1), of(&sample, 1, 1));
        assert!(with_cause.abs() < 0.1 && observed > 0.3, "{with_cause}, {observed}");
        assert!(set > seen + 0.5 && of(&sample, 0, 2).0 > of(&sample, 1, 2).0 + 0.2);
        assert!(of(&sample, 0, 2).1 > 0.3);
    }

    #[test]
    fn a_moved_column_still_follows_its_cause() {
        let sample = chain(ExperimentKind::Imperfect);
        let ((moved, with_cause), (seen, observed)) = (of(&sample, 0, 1), of(&sample, 1, 1));
        assert!(moved > seen + 0.5 && (with_cause - observed).abs() < 0.1, "{with_cause}, {observed}");
    }
}
