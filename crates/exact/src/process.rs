//! A Gaussian process among the families that compete.

use oslow_math::Smoothness;

use crate::contest::{Contestant, FoldData};
use crate::folds::Fold;
use crate::regression::{ScaledRows, process_held_out};
use crate::{Family, Location, Noise};

/// A process on its way through the folds. Its scale is that of smooth units.
pub(crate) struct Process {
    /// These units, by their place among the contestants.
    pub units: usize,
    smoothness: Option<Smoothness>,
    pub contestant: Contestant,
}

impl Process {
    /// Beside the normal smooth units that predict the scored ones of all rows best; none where these may not be the answer.
    pub fn beside(others: &[Contestant], scored: &[usize], rows: usize) -> Option<Self> {
        let normal =
            |family: &Family| family.location == Location::Units && family.noise == Some(Noise::Gaussian);
        let (units, best) = (others.iter().enumerate())
            .filter(|(_, other)| other.running && normal(&other.family))
            .min_by(|(_, a), (_, b)| a.nll(scored).total_cmp(&b.nll(scored)))?;
        let family = Family { location: Location::Process, ..best.family };
        Some(Self { units, smoothness: None, contestant: Contestant::new(family, true, rows) })
    }

    /// Fits it to the rows outside of a fold and asks it about those inside, given what the units say of the scale on both: whether it could be fitted.
    pub fn fit(&mut self, data: &FoldData, log_scales: &(Vec<f64>, Vec<f64>), fold: &Fold) -> bool {
        let FoldData { y, train, y_test, test, .. } = data;
        let fitted = ScaledRows { inputs: &train.0, y, log_scales: &log_scales.0 };
        let asked = ScaledRows { inputs: &test.0, y: y_test, log_scales: &log_scales.1 };
        let Some((said, found)) = process_held_out(&fitted, &asked, self.smoothness) else { return false };
        self.smoothness = Some(found);
        self.contestant.hear(fold.split, &fold.scored, &said);
        true
    }
}
