//! What each edge would add to the likelihood, kept up to date as the graph grows.

use oslow_core::{Result, Rng};
use oslow_math::{SmoothBases, ranks};
use rand::RngExt;
use rayon::prelude::*;

use super::config::CamConfig;

/// The gains of all edges that may still be added.
pub(super) struct Gains<'a> {
    config: &'a CamConfig,
    bases: &'a SmoothBases<'a>,
    /// The causes so far of each node.
    causes: Vec<Vec<usize>>,
    /// −log L per row of each node given its causes, up to a constant.
    nll: Vec<f64>,
    /// `gain[to * d + from]`: by how much the edge lowers `nll[to]`; `None` where it may not be added.
    gain: Vec<Option<f64>>,
}

impl<'a> Gains<'a> {
    /// A graph of the required edges, and the candidates of each node.
    pub fn new(
        config: &'a CamConfig,
        bases: &'a SmoothBases<'a>,
        required: Vec<Vec<usize>>,
        candidates: &[Vec<usize>],
    ) -> Result<Self> {
        let d = candidates.len();
        let mut gains = Self { config, bases, causes: required, nll: vec![0.0; d], gain: vec![None; d * d] };
        for to in 0..d {
            // Too few rows for what is required: whatever is added explains nothing more.
            gains.nll[to] = gains.nll_with(to, None)?.unwrap_or(f64::NEG_INFINITY);
            gains.refresh(to, &candidates[to])?;
        }
        Ok(gains)
    }

    /// The edges so far.
    pub fn causes(&self) -> &[Vec<usize>] {
        &self.causes
    }

    /// How many pairs of nodes an edge may still join.
    pub fn open_pairs(&self) -> u64 {
        let d = self.causes.len();
        let open = |a: usize, b: usize| self.gain[a * d + b].is_some() || self.gain[b * d + a].is_some();
        (0..d).flat_map(|a| (0..a).map(move |b| (a, b))).filter(|&(a, b)| open(a, b)).count() as u64
    }

    /// Drops the edges that no longer may be added.
    pub fn retain(&mut self, admit: impl Fn(usize, usize) -> bool) {
        let d = self.causes.len();
        (0..d * d).filter(|k| !admit(k % d, k / d)).for_each(|k| self.gain[k] = None);
    }

    /// The edge with the largest gain, as cause and effect; equal ones are drawn, never taken by column.
    pub fn best(&self, rng: &mut Rng) -> Option<(usize, usize)> {
        let d = self.causes.len();
        let open: Vec<(usize, f64)> =
            self.gain.iter().enumerate().filter_map(|(k, gain)| gain.map(|gain| (k, -gain))).collect();
        let ranks = ranks(&open.iter().map(|entry| entry.1).collect::<Vec<f64>>(), 0.0);
        let first: Vec<usize> =
            open.iter().zip(&ranks).filter(|(_, rank)| **rank == 0).map(|(entry, _)| entry.0).collect();
        (!first.is_empty()).then(|| first[rng.random_range(0..first.len())]).map(|k| (k % d, k / d))
    }

    /// Adds an edge. Only the gains of edges into the same node change.
    pub fn add(&mut self, from: usize, to: usize) -> Result<()> {
        let d = self.causes.len();
        self.nll[to] -= self.gain[to * d + from].take().unwrap_or(0.0);
        self.causes[to].push(from);
        let candidates: Vec<usize> = (0..d).filter(|&from| self.gain[to * d + from].is_some()).collect();
        self.refresh(to, &candidates)
    }

    /// Computes the gains of these causes of a node anew.
    fn refresh(&mut self, to: usize, candidates: &[usize]) -> Result<()> {
        let d = self.causes.len();
        let with = |&from: &usize| self.nll_with(to, Some(from));
        let with = candidates.par_iter().map(with).collect::<Result<Vec<_>>>()?;
        for (&from, nll) in candidates.iter().zip(with) {
            self.gain[to * d + from] = nll.map(|nll| self.nll[to] - nll).filter(|gain| gain.is_finite());
        }
        Ok(())
    }

    /// Half the log of what is left of a node's variance beside its causes and one more; `None` where rows are too few.
    fn nll_with(&self, to: usize, more: Option<usize>) -> Result<Option<f64>> {
        let causes: Vec<usize> = self.causes[to].iter().copied().chain(more).collect();
        let k = self.config.coefficients(self.bases.rows(), causes.len());
        Ok(self.bases.residual_variance(to, &causes, k)?.map(|variance| 0.5 * variance.ln()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{Prepared, Preparing, Sample, Seed};

    /// c = a² + noise, b apart.
    fn sample() -> Prepared {
        let mut state = 0u64;
        let mut next = || {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let bits = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let mut row = || {
            let (a, b, e) = (next(), next(), next());
            [a, b, 4.0 * a * a + 0.3 * e]
        };
        let names = ["a", "b", "c"].map(String::from).to_vec();
        let sample = Sample::new(names, (0..300).flat_map(|_| row()).collect()).unwrap();
        Prepared::new(&sample, Preparing::as_given()).unwrap()
    }

    #[test]
    fn gains_after_an_edge_are_those_of_a_new_start() {
        let sample = sample();
        let (config, bases) = (CamConfig::default(), SmoothBases::new(&sample, 10));
        let all = [vec![1, 2], vec![0, 2], vec![0, 1]];
        let mut gains = Gains::new(&config, &bases, vec![Vec::new(); 3], &all).unwrap();
        assert_eq!(gains.open_pairs(), 3);
        let rng = &mut Seed(0).stream("test");
        assert_eq!(gains.best(rng), Some((0, 2)), "a → c");
        gains.add(0, 2).unwrap();
        gains.retain(|from, to| (from, to) != (2, 0));
        assert_eq!((gains.open_pairs(), gains.causes()[2].as_slice()), (2, [0].as_slice()));
        let fresh =
            Gains::new(&config, &bases, vec![vec![], vec![], vec![0]], &[vec![1], vec![0, 2], vec![1]])
                .unwrap();
        for (kept, fresh) in gains.gain.iter().zip(&fresh.gain) {
            assert!((kept.unwrap_or(9.0) - fresh.unwrap_or(9.0)).abs() < 1e-12, "{kept:?} {fresh:?}");
        }
    }

    #[test]
    fn linear_gains_of_both_directions_are_equal_and_drawn() {
        let sample = sample();
        let config = CamConfig { terms: super::super::config::Terms::Linear, ..CamConfig::default() };
        let bases = SmoothBases::new(&sample, config.k);
        let gains = Gains::new(&config, &bases, vec![Vec::new(); 3], &[vec![2], vec![], vec![0]]).unwrap();
        let best = |seed| gains.best(&mut Seed(seed).stream("test"));
        let drawn: Vec<_> = (0..40).map(|seed| best(seed).unwrap()).collect();
        assert!(drawn.contains(&(0, 2)) && drawn.contains(&(2, 0)));
    }
}
