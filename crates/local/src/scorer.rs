//! The local score: cross-fitted negative log-likelihood of a node given a set of parents.

use oslow_core::{Error, Result, Sample, Seed, Standardize, Standardizer};

use crate::config::{LocalConfig, NoiseChoice, ScaleChoice};
use crate::folds::folds;
use crate::free_noise::FreeNoise;
use crate::regression::{Basis, Fit, HeldOut, Inputs};
use crate::{Family, Noise, Score};

/// Residuals must look so much more like a Gaussian, in nats per row, that a Laplace density is not tried.
const CLEARLY_GAUSSIAN: f64 = 0.02;
/// Fewest rows that a fit may have.
const FEWEST_ROWS: usize = 5;

/// Scores sets of parents on one table.
pub struct Scorer {
    config: LocalConfig,
    seed: Seed,
    columns: Vec<Vec<f64>>,
    /// The logarithm of each column's standard deviation: fits are made on a common scale, scores are in the table's.
    log_units: Vec<f64>,
    /// Rows to fit and rows to score, fold by fold.
    splits: Vec<(Vec<usize>, Vec<usize>)>,
}

impl Scorer {
    /// A scorer for the table.
    pub fn new(sample: &Sample, config: &LocalConfig, seed: Seed) -> Result<Self> {
        config.check()?;
        sample.check_informative()?;
        let scaling = Standardizer::fit(sample, Standardize::ZScore)?;
        let scaled = scaling.apply(sample)?;
        let fold = folds(sample, config.folds, seed);
        let split =
            |f: usize| -> (Vec<usize>, Vec<usize>) { (0..sample.rows()).partition(|&row| fold[row] != f) };
        let splits: Vec<_> = (0..config.folds).map(split).collect();
        if let Some((rows, scored)) =
            splits.iter().find(|(fit, scored)| fit.len() < FEWEST_ROWS || scored.is_empty())
        {
            return Err(Error::input(format!(
                "{} rows are too few: {} folds leave {} to fit and {} to score",
                sample.rows(),
                config.folds,
                rows.len(),
                scored.len()
            ))
            .with_hint(format!("a fit needs at least {FEWEST_ROWS} rows: add rows")));
        }
        Ok(Self {
            config: config.clone(),
            seed,
            columns: (0..sample.columns()).map(|j| scaled.column(j).collect()).collect(),
            log_units: scaling.scale.iter().map(|scale| scale.ln()).collect(),
            splits,
        })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.columns[0].len()
    }

    /// How well the parents predict the node, on rows that no fit has seen: of all families the best.
    pub fn score(&self, node: usize, parents: &[usize]) -> Score {
        let mut best: Option<Score> = None;
        for basis in self.bases(parents.len()) {
            for score in self.scores_with(node, parents, basis) {
                if best.as_ref().is_none_or(|best| score.nll < best.nll) {
                    best = Some(score);
                }
            }
        }
        let mut best = best.expect("a family that the settings admit is never skipped");
        best.rows.iter_mut().for_each(|row| *row += self.log_units[node] as f32);
        best.nll += self.log_units[node];
        best
    }

    fn bases(&self, parents: usize) -> impl Iterator<Item = Basis> {
        let cubic = (1..=self.config.cubic_up_to).contains(&parents);
        [Basis::Linear].into_iter().chain(cubic.then_some(Basis::Cubic))
    }

    /// One score for each family over one basis. Cubic polynomials have no smooth units in their location.
    fn scores_with(&self, node: usize, parents: &[usize], basis: Basis) -> Vec<Score> {
        let columns: Vec<&[f64]> = parents.iter().map(|&parent| self.columns[parent].as_slice()).collect();
        let mut effort = self.config.effort();
        if basis == Basis::Cubic {
            effort.location_units = 0;
        }
        let families = self.families(parents.is_empty());
        let may_skip = matches!(self.config.noise, NoiseChoice::Auto | NoiseChoice::Free);
        let nothing = HeldOut { nll: 0.0, residual: 0.0, log_spread: 0.0 };
        let mut tried: Vec<Option<Vec<HeldOut>>> = vec![Some(vec![nothing; self.rows()]); families.len()];
        for (f, (fitted, scored)) in self.splits.iter().enumerate() {
            let mut rng = self.seed.indexed(&format!("local/units/{node}/{parents:?}"), f as u64);
            let of =
                |rows: &[usize]| -> Vec<f64> { rows.iter().map(|&row| self.columns[node][row]).collect() };
            let (y, y_scored) = (of(fitted), of(scored));
            let inputs = |rows: &[usize]| {
                (Inputs::new(&columns, rows, basis), Inputs::new(&columns, rows, Basis::Linear))
            };
            let (train, test) = (inputs(fitted), inputs(scored));
            let mut starts: [Option<Fit>; 2] = [None, None];
            for (family, rows) in families.iter().zip(&mut tried) {
                let Some(rows) = rows else { continue };
                let earlier = &starts[usize::from(family.affine)];
                let plausible = |start: &Fit| {
                    let other = start.training_nll_under(family.noise, &train.0, &train.1, &y);
                    other < start.training_nll + CLEARLY_GAUSSIAN
                };
                let fit = match (family.noise, family.affine) {
                    (Noise::Laplace, _)
                        if may_skip && f == 0 && earlier.as_ref().is_some_and(|start| !plausible(start)) =>
                    {
                        None
                    }
                    (_, false) => {
                        Some(Fit::additive(&train.0, &y, family.noise, &effort, earlier.as_ref(), &mut rng))
                    }
                    (_, true) => {
                        let start =
                            earlier.as_ref().or(starts[0].as_ref()).expect("additive fits come first");
                        Some(Fit::affine(&train.0, &train.1, &y, family.noise, &effort, start, &mut rng))
                    }
                };
                match fit {
                    Some(fit) => {
                        let said = fit.held_out((&train.0, &train.1), (&test.0, &test.1), &y_scored);
                        scored.iter().zip(said).for_each(|(&row, said)| rows[row] = said);
                        starts[usize::from(family.affine)] = Some(fit);
                    }
                    None => rows.clear(),
                }
            }
            // What was not plausible in the first fold is not tried in the others.
            for rows in &mut tried {
                if rows.as_ref().is_some_and(Vec::is_empty) {
                    *rows = None;
                }
            }
        }
        let mut scores = Vec::new();
        for (family, rows) in families.iter().zip(tried) {
            let family = Family { cubic: basis == Basis::Cubic, ..*family };
            let Some(rows) = rows.filter(|_| self.config.admits(&family, parents.is_empty())) else {
                continue;
            };
            if self.config.noise == NoiseChoice::Free && family.noise == Noise::Gaussian {
                scores.push(Score::new(self.under_free_noise(&rows), Family { free: true, ..family }));
            }
            scores.push(Score::new(rows.iter().map(|row| row.nll as f32).collect(), family));
        }
        scores
    }

    /// The same residuals under the density that those of the other folds have.
    fn under_free_noise(&self, rows: &[HeldOut]) -> Vec<f32> {
        let mut nll = vec![0.0; rows.len()];
        for (others, scored) in &self.splits {
            let noise = FreeNoise::new(others.iter().map(|&row| rows[row].residual).collect());
            for &row in scored {
                nll[row] = (rows[row].log_spread + noise.nll(rows[row].residual)) as f32;
            }
        }
        nll
    }

    /// The families in the order in which they are fitted: each starts from one before it.
    fn families(&self, root: bool) -> Vec<Family> {
        let affine = !root && self.config.scale != ScaleChoice::Additive;
        let mut families = vec![Family { cubic: false, affine: false, noise: Noise::Gaussian, free: false }];
        if affine {
            families.push(Family { affine: true, ..families[0] });
        }
        if self.config.noise != NoiseChoice::Gaussian {
            let laplace: Vec<Family> =
                families.iter().map(|f| Family { noise: Noise::Laplace, ..*f }).collect();
            families.extend(laplace);
        }
        families
    }
}
