//! A count: Poisson with mean exp(c + a·f(causes)).

use oslow_core::{Result, Rng};
use rand::RngExt;

use super::levels::Standardized;
use crate::mechanism::root::Root;
use crate::mix::Causes;
use crate::noise::unit_uniform::UnitUniform;
use crate::{MechanismEntry, Mix, Node, ParentRows, Spec};

/// c, the logarithm of the mean at f = 0, is uniform between these.
const LOG_MEANS: std::ops::Range<f64> = 1.0..2.0;
/// a.
const STRENGTH: f64 = 0.7;
/// f is kept within ± this, so that counts stay small.
const FARTHEST: f64 = 3.0;

#[derive(Debug)]
struct Events {
    log_mean: f64,
    function: Option<Standardized>,
}

/// A node that counts.
pub(crate) fn draw(entry: &MechanismEntry, spec: &Spec, parents: &ParentRows, rng: &mut Rng) -> Result<Node> {
    let log_mean = rng.random_range(LOG_MEANS);
    let function =
        (parents.parents() > 0).then(|| Standardized::draw(entry, spec, parents, rng)).transpose()?;
    let mix = Box::new(Events { log_mean, function });
    Ok(Node { mix, ..Node::affine(Box::new(Root), Box::new(UnitUniform), |y| y) })
}

impl Mix for Events {
    fn values(&self, causes: &Causes<'_>, noise: &[f64]) -> Result<Vec<f64>> {
        let moved = self.function.as_ref().map(|function| function.at(causes.parents)).transpose()?;
        let mean = |row: usize| {
            let f = moved.as_ref().map_or(0.0, |values| values[row].clamp(-FARTHEST, FARTHEST));
            (self.log_mean + STRENGTH * f).exp()
        };
        Ok(noise.iter().enumerate().map(|(row, &u)| quantile(mean(row), u)).collect())
    }
}

/// The count at which the summed probabilities of a Poisson distribution reach u < 1.
fn quantile(mean: f64, u: f64) -> f64 {
    let (mut count, mut probability) = (0.0, (-mean).exp());
    let mut sum = probability;
    // Far out the probabilities are too small to be added.
    while sum < u && probability > 0.0 {
        count += 1.0;
        probability *= mean / count;
        sum += probability;
    }
    count
}

#[cfg(test)]
mod tests {
    use statrs::distribution::{DiscreteCDF, Poisson};

    #[test]
    fn quantiles_are_those_of_statrs() {
        for mean in [0.3, 4.0, 60.0] {
            let poisson = Poisson::new(mean).unwrap();
            for u in [0.01, 0.4, 0.77, 0.999] {
                assert_eq!(super::quantile(mean, u), poisson.inverse_cdf(u) as f64, "{mean} {u}");
            }
        }
    }
}
