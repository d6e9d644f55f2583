//! Families that compete to describe a node, given a set of parents.

use oslow_core::Rng;

use crate::folds::Fold;
use crate::regression::{Basis, Effort, Fit, Inputs, average};
use crate::{Family, Location, Noise};

/// Residuals must look so much more like a Gaussian, in nats per row, that a Laplace density is not tried.
const CLEARLY_GAUSSIAN: f64 = 0.02;
/// A mixture must describe residuals better by this, in nats per row, to be tried: that is what its parameters gain with any residuals.
const MIXTURE_GAIN: f64 = 0.01;

/// A family on its way through the folds.
pub(crate) struct Contestant {
    pub family: Family,
    /// Whether it may still be the best.
    pub running: bool,
    /// −ln p of rows under fits that have not seen them, in the folds that are done; the mean of the densities of all splits.
    pub rows: Vec<f64>,
    /// The same, split by split.
    by_split: Vec<Vec<f64>>,
    /// What its first fits say of the scale, fold by fold: on rows that were fitted, and on those inside of the fold.
    pub log_scales: Vec<(Vec<f64>, Vec<f64>)>,
}

impl Contestant {
    pub fn new(family: Family, running: bool, rows: usize) -> Self {
        Self { family, running, rows: vec![0.0; rows], by_split: Vec::new(), log_scales: Vec::new() }
    }

    /// Takes −ln p of some rows in a split; the splits before it are done.
    pub fn hear(&mut self, split: usize, rows: &[usize], said: &[f64]) {
        if self.by_split.len() == split {
            self.by_split.push(vec![0.0; self.rows.len()]);
        }
        for (&row, &said) in rows.iter().zip(said) {
            self.by_split[split][row] = said;
            self.rows[row] = average(&self.by_split.iter().map(|rows| rows[row]).collect::<Vec<f64>>());
        }
    }

    /// The mean over some rows.
    pub fn nll(&self, rows: &[usize]) -> f64 {
        rows.iter().map(|&row| self.rows[row]).sum::<f64>() / rows.len() as f64
    }
}

/// The fixed terms of a location.
pub(crate) fn basis(location: Location) -> Basis {
    if location == Location::Cubic { Basis::Cubic } else { Basis::Linear }
}

/// The rows outside of a fold and those inside: values of a node, and what its location and its scale are given.
pub(crate) struct FoldData {
    pub y: Vec<f64>,
    pub train: (Inputs, Inputs),
    pub y_test: Vec<f64>,
    pub test: (Inputs, Inputs),
    /// The variance that every prediction has at least.
    pub least_variance: f64,
}

/// The families with one kind of location on one fold: each is fitted from a fit before it, the first from random units.
pub(crate) struct Chain {
    location: Location,
    data: FoldData,
    effort: Effort,
    /// By contestant, those of the present start.
    fits: Vec<(usize, Fit)>,
    /// By contestant and start, −ln p of the rows inside of the fold.
    said: Vec<Vec<Vec<f64>>>,
}

impl Chain {
    pub fn new(location: Location, data: FoldData, effort: Effort, contestants: usize) -> Self {
        let effort = effort.of(location);
        Self { location, data, effort, fits: Vec::new(), said: vec![Vec::new(); contestants] }
    }

    /// Starts from which its families are fitted. Of polynomials only the scale begins at random: a second fit is not worth its time.
    pub fn starts(&self, most: usize) -> usize {
        if self.location == Location::Units { most } else { 1 }
    }

    /// Forgets the fits of one start for the next.
    pub fn restart(&mut self) {
        self.fits.clear();
    }

    /// Fits the families that are still running, with mixtures or with the other noises, and asks them about the rows inside of the fold. Where it may, it skips noise
    /// that residuals do not look like, for good.
    pub fn fit(&mut self, contestants: &mut [Contestant], mixtures: bool, may_skip: bool, rng: &mut Rng) {
        for c in 0..contestants.len() {
            let Family { location, affine, noise: Some(noise) } = contestants[c].family else { continue };
            if location != self.location || (noise == Noise::Mixture) != mixtures {
                continue;
            }
            // The first is where all others start, whether it may be the answer or not.
            let first = self.fits.is_empty();
            if (!contestants[c].running && !first)
                || (may_skip && !self.looks_like(contestants, affine, noise))
            {
                contestants[c].running = false;
                continue;
            }
            let fit = self.fitted(contestants, affine, noise, rng);
            if contestants[c].running {
                let FoldData { train, y_test, test, least_variance, .. } = &self.data;
                if self.said[c].is_empty() {
                    contestants[c].log_scales.push((fit.log_scales(&train.1), fit.log_scales(&test.1)));
                }
                self.said[c].push(fit.held_out(
                    (&train.0, &train.1),
                    (&test.0, &test.1),
                    y_test,
                    *least_variance,
                ));
            }
            self.fits.push((c, fit));
        }
    }

    /// The likeliest fit so far whose scale varies, or does not.
    fn likeliest(&self, contestants: &[Contestant], affine: bool) -> Option<&Fit> {
        let alike = self.fits.iter().filter(|(c, _)| contestants[*c].family.affine == affine);
        alike.map(|(_, fit)| fit).min_by(|a, b| a.training_nll.total_cmp(&b.training_nll))
    }

    /// Whether residuals of a fit so far look like some noise.
    fn looks_like(&self, contestants: &[Contestant], affine: bool, noise: Noise) -> bool {
        let Some(fit) = self.likeliest(contestants, affine) else { return true };
        let most = match noise {
            Noise::Gaussian => return true,
            Noise::Laplace => CLEARLY_GAUSSIAN,
            Noise::Mixture => -MIXTURE_GAIN,
        };
        let FoldData { y, train: (location, scale), .. } = &self.data;
        fit.training_nll_under(noise, location, scale, y) <= fit.training_nll + most
    }

    fn fitted(&self, contestants: &[Contestant], affine: bool, noise: Noise, rng: &mut Rng) -> Fit {
        let FoldData { y, train: (location, scale), .. } = &self.data;
        let earlier = self.likeliest(contestants, affine);
        if affine {
            let start = earlier.or(self.likeliest(contestants, false)).expect("additive fits come first");
            Fit::affine(location, scale, y, noise, &self.effort, start, rng)
        } else {
            Fit::additive(location, y, noise, &self.effort, earlier, rng)
        }
    }

    /// Tells what was said of the rows inside of the fold, the mean of the densities of all starts.
    pub fn tell(&self, contestants: &mut [Contestant], fold: &Fold) {
        for (contestant, said) in contestants.iter_mut().zip(&self.said).filter(|(_, said)| !said.is_empty())
        {
            let mean = |k| average(&said.iter().map(|start| start[k]).collect::<Vec<f64>>());
            let said: Vec<f64> = (0..fold.scored.len()).map(mean).collect();
            contestant.hear(fold.split, &fold.scored, &said);
        }
    }
}
